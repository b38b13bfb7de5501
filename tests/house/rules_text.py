"""Rules about the text of single files. Each yields findings as "file:line: what is wrong"."""
import re

from tree import SOURCES, is_cmake, is_data

MAX_LINES = 400
MAX_ROOT_CMAKE = 99
MAX_COLUMNS = 120

# Longer than MAX_LINES, with the reason. An entry that is no longer needed is a finding.
LONG_FILES = {}

# Spelt in pieces so that this file does not match itself.
HOSTS = ("deb." + "debian.org", "snapshot." + "debian.org", "pypi." + "org", "python" + "hosted.org")
PATHS = (r"/(?:work|root|home/\w+)/", r"/tmp/[a-z]", r"\.\./share" + "d")
MACHINE = re.compile("|".join(PATHS + tuple(map(re.escape, HOSTS))))
UNFINISHED = re.compile(r"\b(?:TO" + r"DO|FIX" + r"ME|XX" + r"X|HA" + r"CK)\b")
SWITCHED_OFF = re.compile(r"\b(?:DISA" + r"BLED_\w+|GTEST_S" + r"KIP|XFA" + r"IL\b|UNSUPPOR" + r"TED:)|"
                          r"@unittest\.sk" + "ip")


def length(tree):
    """A source has at most 400 lines (one purpose), the root's CMakeLists.txt under 100."""
    for file in tree.sources():
        count = len(tree.lines(file)) - 1
        limit = MAX_ROOT_CMAKE if file == "CMakeLists.txt" else MAX_LINES
        if count > limit and file not in LONG_FILES:
            yield f"{file}:{count}: {count} lines, more than {limit}; split it by purpose"
        if count <= limit and file in LONG_FILES:
            yield f"{file}:1: needs no exception in LONG_FILES any more"
    yield from (f"{file}:1: is in LONG_FILES but does not exist" for file in LONG_FILES if not tree.has(file))


def columns(tree):
    """A line of C++, TableGen, Python or shell has at most 120 characters.

    A row of a table is a line however long: in a .def, and between clang-format off and on.
    """
    for file in tree.sources():
        if is_data(file) or is_cmake(file) or file.endswith((".mlir", ".cmake", ".def")):
            continue
        table = False
        for number, line in enumerate(tree.lines(file), 1):
            table = "clang-format off" in line or (table and "clang-format on" not in line)
            if len(line) > MAX_COLUMNS and not table:
                yield f"{file}:{number}: {len(line)} columns, more than {MAX_COLUMNS}"


def blanks(tree):
    """No tabs, no blanks at a line's end, one line feed at the file's end."""
    for file in tree.files:
        text = tree.text(file)
        if is_data(file) or not text or not file.endswith((".md", ".fsn", ".txt") + SOURCES):
            continue
        for number, match in tree.matches(file, r"[ \t\r]+$|\t"):
            at_end = match.end() == len(tree.lines(file)[number - 1])
            yield f"{file}:{number}: {'blanks at the end of the line' if at_end else 'a tab'}"
        if not text.endswith("\n") or text.endswith("\n\n"):
            yield f"{file}:{len(tree.lines(file))}: the file does not end with one line feed"


def machine(tree):
    """Nothing names a path or a host of the machine it was written on: a clone stands alone."""
    for file in tree.files:
        for number, match in tree.matches(file, MACHINE):
            yield f"{file}:{number}: names '{match.group()}', which another machine does not have"


def unfinished(tree):
    """Nothing is unfinished by its own word; what is left to do is an issue."""
    for file in tree.files:
        for number, match in tree.matches(file, UNFINISHED):
            yield f"{file}:{number}: '{match.group()}': finish it or file it"


def switched_off(tree):
    """No test is switched off in silence."""
    for file in tree.under("tests", "python"):
        for number, match in tree.matches(file, SWITCHED_OFF):
            yield f"{file}:{number}: '{match.group()}' switches a test off"


def pragma_once(tree):
    """A header is read once: by `#pragma once`, or by a guard where C compilers of every kind read it."""
    for file in tree.files:
        if file.endswith((".h", ".hpp")) and "#pragma once" not in tree.text(file):
            if not re.search(r"#ifndef (\w+)\n#define \1\n", tree.text(file)):
                yield f"{file}:1: neither #pragma once nor an include guard"


def strict_scripts(tree):
    """A bash script stops at the first failure."""
    for file in tree.files:
        if tree.text(file).startswith("#!/usr/bin/env bash") and "\nset -euo pipefail\n" not in tree.text(file):
            yield f"{file}:1: lacks 'set -euo pipefail'"


RULES = [length, columns, blanks, machine, unfinished, switched_off, pragma_once, strict_scripts]
