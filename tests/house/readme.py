#!/usr/bin/env python3
"""readme.py ROOT BUILD PAGE...: what a page shows is what happens.

In each page, in order and in one scratch folder that has the project's folders and the build as `build`:
  ```fsn           begins with `# NAME.fsn`, becomes that file, and is checked: no finding
  ```fsn mistakes  the same, but the check must object
  ```cpp           begins with `// NAME.cpp` and becomes that file, for the commands behind it
  ```sh            is run, line by line in one shell, and must succeed
  ```text          is the output of what ran last, word for word but for measured times
Commands that tests cannot run from inside of themselves are in ELSEWHERE, with the file that runs them.
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

ELSEWHERE = {"tools/demo": "tools/lib/suites.sh", "tools/test": ".ci/run"}
FENCE = re.compile(r"^```([\w ]*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
TIME = re.compile(r"\b\d+(?:\.\d+)? (?:us|ms|s)\b")


def blocks(text):
    """(line, language, body) for each fenced block."""
    for match in FENCE.finditer(text):
        yield text.count("\n", 0, match.start()) + 1, match.group(1), match.group(2)


class Page:
    def __init__(self, name, root, build, scratch):
        self.name, self.root, self.build, self.scratch = name, root, build, scratch
        self.output = None
        self.ran = 0
        self.failures = []

    def fail(self, line, message):
        self.failures.append(f"{self.name}:{line}: {message}")

    def run(self, line, command, code=0):
        self.ran += 1
        environment = {**os.environ, "LC_ALL": "C.UTF-8", "NO_COLOR": "1", "COLUMNS": "80"}
        result = subprocess.run(command, cwd=self.scratch, env=environment, stdin=subprocess.DEVNULL, text=True,
                                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=120)
        self.output = result.stdout
        if result.returncode != code:
            self.fail(line, f"exit code {result.returncode}, not {code}\n{result.stdout}")

    def sh(self, line, body):
        commands = [c.split("#")[0].strip() for c in body.splitlines()]
        for command in filter(ELSEWHERE.__contains__, commands):
            if command not in (self.root / ELSEWHERE[command]).read_text():
                self.fail(line, f"{ELSEWHERE[command]} does not run {command}")
        rest = [c for c, command in zip(body.splitlines(), commands) if command not in ELSEWHERE]
        if any(c.strip() for c in rest):
            self.run(line, ["bash", "-euo", "pipefail", "-c", "\n".join(rest)])

    def text(self, line, body):
        if self.output is None:
            return self.fail(line, "nothing ran whose output this could be")
        want, got = (TIME.sub("TIME", text.rstrip()) for text in (body, self.output))
        if want != got:
            self.fail(line, f"the page shows\n{want}\nbut what comes is\n{got}")

    def file(self, line, body, pattern):
        name = re.match(pattern, body)
        if name:
            (self.scratch / name.group(1)).write_text(body)
            return name.group(1)
        self.fail(line, "the first line is not the name of the file that the commands use")

    def fsn(self, line, body, code=0):
        name = self.file(line, body, r"# (\w+\.fsn)")
        if name:
            self.run(line, ["build/bin/flexsnc", "check", name], code)

    def mistakes(self, line, body):
        self.fsn(line, body, code=1)

    def cpp(self, line, body):
        self.file(line, body, r"// (\w+\.cpp)")

    def check(self):
        actions = {"sh": self.sh, "text": self.text, "fsn": self.fsn, "fsn mistakes": self.mistakes, "cpp": self.cpp}
        for line, language, body in blocks((self.root / self.name).read_text()):
            if language in actions:
                actions[language](line, body)
        if not self.ran:
            self.fail(1, "shows nothing that could be run")
        return self.failures


def scratch_folder(folder, root, build):
    """The project as the commands of a page see it; what they write stays in `folder`."""
    for entry in root.iterdir():
        if entry.name not in (".git", "build"):
            (folder / entry.name).symlink_to(entry)
    (folder / "build").mkdir()
    for entry in ("bin", "lib"):
        (folder / "build" / entry).symlink_to(build / entry)
    return folder


def main():
    root, build = (pathlib.Path(a).resolve() for a in sys.argv[1:3])
    failures = []
    for name in sys.argv[3:]:
        with tempfile.TemporaryDirectory() as folder:
            page = Page(name, root, build, scratch_folder(pathlib.Path(folder), root, build))
            failures += page.check()
            print(f"{name}: {page.ran} commands and models run")
    print("\n".join(failures))
    sys.exit(bool(failures))


if __name__ == "__main__":
    main()
