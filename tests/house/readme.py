#!/usr/bin/env python3
"""readme.py ROOT BUILD PAGE...: what a page shows is what happens.

In each page, in order and in one scratch folder that has the project's folders and the build as `build`:
  ```fsn   whose first line is `# NAME.fsn...` becomes that file
  ```sh    is run, line by line in one shell, and must succeed
  ```text  behind a ```sh block is that block's output, word for word but for measured times
  ```cpp   is compiled against the installed headers' folder and libflexsn.so, and run
Commands that tests cannot run from inside of themselves are in ELSEWHERE, with the file that runs them.
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

ELSEWHERE = {"tools/demo": "tools/lib/suites.sh", "tools/test": ".ci/run"}
FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
TIME = re.compile(r"\b\d+(?:\.\d+)? (?:us|ms|s)\b")


def blocks(text):
    """(line, language, body, follows the block before at once) for each fenced block."""
    end = 0
    for match in FENCE.finditer(text):
        line = text.count("\n", 0, match.start()) + 1
        yield line, match.group(1), match.group(2), not text[end:match.start()].strip()
        end = match.end()


class Page:
    def __init__(self, name, root, build, scratch):
        self.name, self.root, self.build, self.scratch = name, root, build, scratch
        self.output = None
        self.ran = 0
        self.failures = []

    def fail(self, line, message):
        self.failures.append(f"{self.name}:{line}: {message}")

    def run(self, line, command):
        self.ran += 1
        environment = {**os.environ, "LC_ALL": "C.UTF-8", "NO_COLOR": "1", "COLUMNS": "100"}
        result = subprocess.run(command, cwd=self.scratch, env=environment, stdin=subprocess.DEVNULL, text=True,
                                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=120)
        self.output = result.stdout
        if result.returncode:
            self.fail(line, f"exit code {result.returncode}\n{result.stdout}")

    def sh(self, line, body):
        commands = [c.split("#")[0].strip() for c in body.splitlines()]
        for command in filter(ELSEWHERE.__contains__, commands):
            if command not in (self.root / ELSEWHERE[command]).read_text():
                self.fail(line, f"{ELSEWHERE[command]} does not run {command}")
        rest = [c for c, command in zip(body.splitlines(), commands) if command not in ELSEWHERE]
        if any(c.strip() for c in rest):
            self.run(line, ["bash", "-euo", "pipefail", "-c", "\n".join(rest)])

    def text(self, line, body, follows):
        if not follows or self.output is None:
            return
        want, got = (TIME.sub("TIME", text.rstrip()) for text in (body, self.output))
        if want != got:
            self.fail(line, f"the page shows\n{want}\nbut what comes is\n{got}")

    def fsn(self, line, body):
        name = re.match(r"# (\w+\.fsn)", body)
        if not name:
            return self.fail(line, "the first line of a model is '# NAME.fsn', the file that the commands use")
        (self.scratch / name.group(1)).write_text(body)
        self.run(line, ["build/bin/flexsnc", "check", name.group(1)])

    def cpp(self, line, body):
        (self.scratch / "page.cpp").write_text(body)
        self.run(line, ["clang++-22", "-std=c++17", "-Wall", "-Wextra", "-Werror", "page.cpp", "-o", "page",
                        f"-I{self.root}/runtime/include", f"-L{self.build}/lib", "-lflexsn",
                        f"-Wl,-rpath,{self.build}/lib"])
        if not self.failures:
            self.run(line, ["./page"])

    def check(self):
        for line, language, body, follows in blocks((self.root / self.name).read_text()):
            if language == "text":
                self.text(line, body, follows)
            elif language in ("sh", "fsn", "cpp"):
                getattr(self, language)(line, body)
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
