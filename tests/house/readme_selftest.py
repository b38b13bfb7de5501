#!/usr/bin/env python3
"""readme.py fails where a page lies."""
import pathlib
import tempfile
import unittest

from readme import Page, blocks


class Readme(unittest.TestCase):
    def failures(self, text):
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            (root / "page.md").write_text(text)
            (root / "tools/lib").mkdir(parents=True)
            (root / "tools/lib/suites.sh").write_text("")
            (root / "build/bin").mkdir(parents=True)
            checker = root / "build/bin/flexsnc"  # stands in for the real one: content with a text that says "neuron"
            checker.write_text('#!/bin/sh\ngrep -q neuron "$2"\n')
            checker.chmod(0o755)
            return Page("page.md", root, root / "build", root).check()

    def test_blocks(self):
        self.assertEqual(list(blocks("a\n```sh\nb\n```\n\n```text\nc\n```\nd\n```\ne\n```\n")),
                         [(2, "sh", "b\n"), (6, "text", "c\n"), (10, "", "e\n")])

    def test_true_page(self):
        model, command = "```fsn\n# a.fsn\nneuron\n```\n", "```sh\ncat a.fsn\n```\n"
        self.assertEqual(self.failures(model + command + "```text\n# a.fsn\nneuron\n```\n"), [])

    def test_times_may_differ(self):
        self.assertEqual(self.failures("```sh\necho took 3.5 ms\n```\n```text\ntook 12 ms\n```\n"), [])

    def test_command_that_fails(self):
        self.assertIn("exit code 1", self.failures("```sh\nfalse\ntrue\n```\n")[0])

    def test_other_output(self):
        self.assertIn("but what comes is\nb", self.failures("```sh\necho b\n```\n```text\na\n```\n")[0])

    def test_model_that_does_not_check(self):
        self.assertIn("exit code 1", self.failures("```fsn\n# a.fsn\nx\n```\n")[0])

    def test_model_without_name(self):
        self.assertIn("the first line is not", self.failures("```fsn\nneuron\n```\n")[0])

    def test_mistakes_that_are_none(self):
        self.assertEqual(self.failures("```fsn mistakes\n# a.fsn\nx\n```\n"), [])
        self.assertIn("exit code 0, not 1", self.failures("```fsn mistakes\n# a.fsn\nneuron\n```\n")[0])

    def test_output_of_nothing(self):
        self.assertIn("nothing ran", self.failures("```text\na\n```\n")[0])

    def test_command_that_nobody_runs(self):
        self.assertIn("does not run tools/demo", self.failures("```sh\ntools/demo\n```\n")[0])

    def test_page_without_commands(self):
        self.assertIn("nothing that could be run", self.failures("text\n")[0])


if __name__ == "__main__":
    unittest.main()
