#!/usr/bin/env python3
"""examples.py FLEXSN-OPT PAGE...: every ```mlir block reads, verifies, prints, and reads back to itself."""
import pathlib
import re
import subprocess
import sys

BLOCK = re.compile(r"^```mlir\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def run(tool, text):
    return subprocess.run([tool, "-"], input=text, capture_output=True, text=True, check=False)


def problem(tool, text):
    """What is wrong with one block, or None."""
    first = run(tool, text)
    if first.returncode:
        return first.stderr
    second = run(tool, first.stdout)
    if second.returncode or second.stdout != first.stdout:
        return "printed text does not read back to itself\n" + second.stderr
    return None


def main():
    tool, *pages = sys.argv[1:]
    blocks = failed = 0
    for page in pages:
        text = pathlib.Path(page).read_text(encoding="utf-8")
        for match in BLOCK.finditer(text):
            blocks += 1
            if wrong := problem(tool, match.group(1)):
                failed += 1
                print(f"{page}:{text.count(chr(10), 0, match.start()) + 1}: {wrong}")
    print(f"{blocks} examples, {failed} failed")
    sys.exit(failed != 0 or blocks == 0)


if __name__ == "__main__":
    main()
