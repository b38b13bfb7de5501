#!/usr/bin/env python3
"""function_table.py ROOT: prints docs/functions.md with the figures of benchmarks/results/functions.json in its tables.

A row is filled by the function that its first cell names; the rows there are, and their last cells, are the page's.
Fails where a function that was measured has no row, or a row no function.
"""
import json
import pathlib
import re
import sys


def share(part, whole):
    """In percent, with two digits that count."""
    return f"{100 * part / whole:.2g} %"


def float32(row):
    return [f"{row['ulp']:.4f}", row["at"], share(row["misrounded"], row["inputs"] - row["special"])]


def float64(row):
    return [f"{row['ulp']:.4f}", row["at"]]


def filled(page, heading, cells, rows):
    """The page with the first table behind the heading filled."""
    start = page.index(heading)
    table = re.search(r"(?:^\|.*\n)+", page[start:], re.MULTILINE)
    lines, names = table.group().splitlines(), []
    for number, line in enumerate(lines[2:], 2):
        old = [cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]]
        names.append(old[0])
        if old[0] in rows:
            new = cells(rows[old[0]])
            lines[number] = "| " + " | ".join([old[0], *new, *old[1 + len(new):]]) + " |"
    wrong = set(names) ^ set(rows)
    if wrong or len(names) != len(set(names)):
        sys.exit(f"docs/functions.md, {heading}: the table and the results differ in {', '.join(sorted(wrong))}")
    at = start + table.start()
    return page[:at] + "\n".join(lines) + "\n" + page[at + len(table.group()):]


def main():
    root = pathlib.Path(sys.argv[1])
    results = json.loads((root / "benchmarks/results/functions.json").read_text())
    page = (root / "docs/functions.md").read_text(encoding="utf-8")
    for kind, cells in (("float32", float32), ("float64", float64)):
        inexact = {row["name"]: row for row in results[kind] if row["ulp"] > 0.5}
        page = filled(page, f"## {kind} functions", cells, inexact)
    print(page, end="")


if __name__ == "__main__":
    main()
