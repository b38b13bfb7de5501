#!/usr/bin/env python3
"""check.py ROOT: holds the project's files against the rules of the house; prints every finding and their number."""
import sys

import rules_structure
import rules_text
from tree import Tree

RULES = rules_text.RULES + rules_structure.RULES


def main():
    tree = Tree(sys.argv[1])
    findings = sorted(finding for rule in RULES for finding in rule(tree))
    print("\n".join(findings))
    print(f"{len(RULES)} rules, {len(tree.files)} files, {len(findings)} findings")
    if len(tree.files) < 20:
        sys.exit("that is not the whole project")
    sys.exit(bool(findings))


if __name__ == "__main__":
    main()
