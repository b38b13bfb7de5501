#!/usr/bin/env python3
"""flexsnc bench from outside: the sizes that were asked for, the bytes that a kernel has, figures that agree.

    bench.py FLEXSNC
"""
import json
import os
import sys
import unittest
import xml.etree.ElementTree

from commandline import Sandbox

PROGRAM = ""


class Bench(unittest.TestCase):
    def setUp(self):
        self.sandbox = Sandbox(PROGRAM)
        self.sandbox.__enter__()
        self.addCleanup(self.sandbox.__exit__)

    def bench(self, arguments):
        result = self.sandbox.run(f"flexsnc bench {arguments}")
        self.assertEqual((result.returncode, result.stderr), (0, b""))
        return result.stdout.decode()

    def test_every_size_of_every_kernel(self):
        document = json.loads(self.bench("lif.fsn --T 2,3 --N 100 --kernels inference,final_state --json"))
        self.assertEqual((document["model"], document["dtype"], document["diagnostics"]), ("LIF", "f32", []))
        cases = [(case["kernel"], case["steps"], case["neurons"], case["bytes"]) for case in document["cases"]]
        self.assertEqual(cases,
                         [("inference", 2, 100, 2 * 4 * 2 * 100), ("inference", 3, 100, 2 * 4 * 3 * 100),
                          ("final_state", 2, 100, 4 * 3 * 100), ("final_state", 3, 100, 4 * 4 * 100)])
        for case in document["cases"]:
            copies = [case[name]["seconds"] for name in ("memcpy", "streaming_copy") if case[name]]
            self.assertAlmostEqual(case["ratio"], min(copies) / case["run"]["seconds"], delta=1e-9 * case["ratio"])
            run = case["run"]
            self.assertGreaterEqual(run["samples"], 7)
            self.assertTrue(0 < run["least"] <= run["low_quartile"] <= run["seconds"] <= run["high_quartile"], run)
            self.assertAlmostEqual(run["gb_per_s"] * run["seconds"], case["bytes"] / 1e9, delta=1e-12)

    def test_types_count(self):
        document = json.loads(self.bench("typed.fsn --T 2 --N 64 --dtype f64 --json"))
        # n is an int of 4 bytes, gate a byte, x and v are floats of 8
        self.assertEqual(document["cases"][0]["bytes"], 2 * 64 * (4 + 1 + 8 + 8))

    def test_half_types(self):
        for dtype in ("f16", "bf16"):
            document = json.loads(
                self.bench(f"lif.fsn --T 2 --N 64 --dtype {dtype} --kernels inference,final_state --json"))
            # inputs and outputs of 2 bytes, the state of 4
            self.assertEqual([case["bytes"] for case in document["cases"]], [2 * 64 * (2 + 2), 64 * (2 * 2 + 4)])

    def test_table_and_picture(self):
        table = self.bench("clock.fsn --T 4 --N 50 --set period=2 --plot bars.svg").splitlines()
        self.assertEqual(table[0].split(" on ")[0], "Clock")
        self.assertEqual(len(table), 5)
        self.assertEqual(table[4].split()[:3], ["inference", "4", "50"])
        root = xml.etree.ElementTree.parse(self.sandbox.folder / "bars.svg").getroot()
        texts = [text.text for text in root.iter("{http://www.w3.org/2000/svg}text")]
        self.assertIn("kernel", texts)

    def test_what_cannot_be_is_told_before_anything_is_measured(self):
        for arguments, words in [("--N 8,100000000000000 --T 2", b"an array of shape [2, 100000000000000] is larger"),
                                 ("--N 8 --T 2 --plot nowhere/bars.svg", b"cannot write 'nowhere/bars.svg'"),
                                 ("--N 8 --T 2 --plot s=bars.svg", b"so no name stands before the file")]:
            result = self.sandbox.run(f"flexsnc bench lif.fsn {arguments} --json")
            self.assertIn(words, result.stdout)
            self.assertNotIn(b'"cases"', result.stdout)
            self.assertNotEqual(result.returncode, 0)
        self.assertEqual(sorted(path.name for path in self.sandbox.folder.glob("*bars*")), [])

    def test_a_name_with_an_equals_sign_is_a_file_behind_a_folder(self):
        self.bench("lif.fsn --T 2 --N 8 --plot ./s=bars.svg")
        self.assertTrue((self.sandbox.folder / "s=bars.svg").exists())

    def test_nothing_is_left_of_what_failed(self):
        result = self.sandbox.run("flexsnc bench lif.fsn --T 2 --N 8 --plot bars.svg > /dev/full")
        self.assertEqual(result.returncode, 1)
        self.assertFalse((self.sandbox.folder / "bars.svg").exists())


if __name__ == "__main__":
    PROGRAM = os.path.abspath(sys.argv[1])
    unittest.main(argv=sys.argv[:1], verbosity=2)
