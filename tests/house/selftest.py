#!/usr/bin/env python3
"""Every rule of the house finds what it is there for, and is content with the same tree put right."""
import pathlib
import tempfile
import unittest

import rules_structure
import rules_text
from check import RULES
from tree import Tree

PROGRAM = "add_executable(x T.cpp)\n"
SUITES = "thread_tests='Thread'\nthread_programs=(\n  x\n)\n"

# rule: (files that it objects to, a piece of the finding, what is added or replaced to put the tree right)
CASES = {
    rules_text.length: [
        ({"compiler/A.cpp": "int x;\n" * 401}, "compiler/A.cpp:401: 401 lines", {"compiler/A.cpp": "int x;\n" * 400}),
        ({"CMakeLists.txt": "#\n" * 100}, "CMakeLists.txt:100: 100 lines", {"CMakeLists.txt": "#\n" * 99}),
        ({"tools/x": "#!/bin/sh\n" * 401}, "tools/x:401: 401 lines", {"tools/x": "#!/bin/sh\n"}),
    ],
    rules_text.columns: [
        ({"compiler/A.cpp": "/" * 121 + "\n"}, "compiler/A.cpp:1: 121 columns", {"compiler/A.cpp": "/" * 120 + "\n"}),
        ({"A.cpp": "// clang-format on\n" + "/" * 121 + "\n"}, "A.cpp:2: 121 columns",
         {"A.cpp": "// clang-format off\n" + "/" * 121 + "\n"}),
    ],
    rules_text.blanks: [
        ({"a.md": "x \n"}, "a.md:1: blanks at the end", {"a.md": "x\n"}),
        ({"a.py": "\tx\n"}, "a.py:1: a tab", {"a.py": "    x\n"}),
        ({"a.fsn": "x\n\n"}, "a.fsn:3: the file does not end", {"a.fsn": "x\n"}),
        ({"a.cpp": "x"}, "a.cpp:1: the file does not end", {"tests/diagnostics/a.fsn": "x", "a.cpp": "x\n"}),
    ],
    rules_text.machine: [
        ({"a.md": "see /wor" + "k/x\n"}, "a.md:1: names '/wor" + "k/'", {"a.md": "see work/x\n"}),
        ({"tests/t.cpp": "/tm" + "p/out\n"}, "tests/t.cpp:1: names", {"tests/t.cpp": "tmp/out\n"}),
        ({"run": "http://deb.deb" + "ian.org/\n"}, "run:1: names", {"run": "Debian's archive\n"}),
    ],
    rules_text.unfinished: [
        ({"a.h": "// TO" + "DO later\n"}, "a.h:1: 'TO" + "DO'", {"a.h": "// TODOS is a name\n"}),
    ],
    rules_text.switched_off: [
        ({"tests/a.cpp": "TEST(A, DISA" + "BLED_x)\n"}, "tests/a.cpp:1:", {"tests/a.cpp": "TEST(A, x)\n"}),
        ({"tests/lit/a.mlir": "// XFA" + "IL: *\n"}, "tests/lit/a.mlir:1:", {"tests/lit/a.mlir": "// RUN: true\n"}),
    ],
    rules_text.pragma_once: [
        ({"a.h": "int x;\n"}, "a.h:1: neither", {"a.h": "#pragma once\n"}),
        ({"b.h": "#ifndef A\n#define B\n"}, "b.h:1: neither", {"b.h": "#ifndef A\n#define A\n#endif\n"}),
    ],
    rules_text.strict_scripts: [
        ({"run": "#!/usr/bin/env bash\nls\n"}, "run:1: lacks", {"run": "#!/usr/bin/env bash\nset -euo pipefail\nls\n"}),
    ],
    rules_structure.layers: [
        ({"runtime/A.cpp": '#include "mlir/IR/X.h"\n'}, "runtime/A.cpp:1: includes mlir/IR/X.h: MLIR belongs",
         {"runtime/A.cpp": '#include "compiler/Compile.h"\n', "compiler/B.cpp": '#include "mlir/IR/X.h"\n'}),
        ({"compiler/A.cpp": "#include <mlir/InitAllPasses.h>\n"}, "an aggregate MLIR header", {"compiler/A.cpp": "\n"}),
        ({"runtime/A.h": "#include <llvm/Support/X.h>\n"}, "LLVM belongs to the compiler",
         {"runtime/A.h": "\n", "runtime/CpuJit.cpp": "#include <llvm/Support/X.h>\n"}),
        ({"tools/flexsnc/A.cpp": '#include "compiler/X.h"\n'}, "public headers",
         {"tools/flexsnc/A.cpp": "#include <flexsn/flexsn.hpp>\n"}),
        ({"compiler/A.cpp": "#include <format>\n"}, "take fmt", {"compiler/A.cpp": "#include <fmt/format.h>\n"}),
        ({"runtime/A.cpp": "#include <cuda.h>\n"}, "CUDA belongs", {"runtime/A.cpp": "#include <cmath>\n"}),
        ({"examples/a.c": '#include "runtime/X.h"\n'}, "is behind flexsn/flexsn.h", {"examples/a.c": "\n"}),
    ],
    rules_structure.pass_tests: [
        ({"compiler/P.td": 'def FoldPass : Pass<"fold", "mlir::ModuleOp"> {}\n'}, "no tests/lit/**/fold.mlir",
         {"tests/lit/t/fold-errors.mlir": "\n"}),
    ],
    rules_structure.built: [
        ({"a/b/X.cpp": "\n", "a/CMakeLists.txt": "add(NotX.cpp)\n"}, "a/b/X.cpp:1: no CMakeLists.txt",
         {"a/b/CMakeLists.txt": "add(X.cpp)\n"}),
        ({"a/X.cpp": "\n", "b/CMakeLists.txt": "add(${root}/b/X.cpp)\n"}, "a/X.cpp:1: no CMakeLists.txt",
         {"b/CMakeLists.txt": "add(${root}/a/X.cpp)\n"}),
    ],
    rules_structure.subdirectories: [
        ({"CMakeLists.txt": "\n", "a/CMakeLists.txt": "\n"}, "a/CMakeLists.txt:1: no", {"CMakeLists.txt": "add(a)\n"}),
    ],
    rules_structure.folders: [
        ({"a/x": "\n", "docs/README.md": "| `docs/` | pages |\n"}, "does not describe the folder a/",
         {"docs/README.md": "| `docs/` | pages |\n| `a/` | x |\n"}),
        ({"docs/README.md": "| `docs/` | |\n| `b/` | |\n"}, "describes b/, which does not exist",
         {"docs/README.md": "| `docs/` | |\n"}),
    ],
    rules_structure.links: [
        ({"a.md": "[x](b.md)\n"}, "a.md:1: the link to b.md leads nowhere", {"b.md": "\n"}),
        ({"docs/README.md": "\n", "docs/a.md": "\n"}, "does not lead to a.md", {"docs/README.md": "[a](a.md)\n"}),
    ],
    rules_structure.threads: [
        ({"tests/a/T.cpp": "TEST(A, B) {\n  std::thread t;\n}\n", "tests/a/CMakeLists.txt": PROGRAM},
         "matches none of its tests",
         {"tests/a/T.cpp": "TEST(A, BThreads) {\n  std::thread t;\n}\n", "tools/lib/suites.sh": SUITES}),
        ({"tests/a/T.cpp": "TEST(A, Threads) {\n  std::async();\n}\n", "tests/a/CMakeLists.txt": PROGRAM,
          "tools/lib/suites.sh": "thread_tests='Thread'\n"},
         "has no program of tests/a/CMakeLists.txt", {"tools/lib/suites.sh": SUITES}),
    ],
    rules_structure.changelog: [
        ({"a": "\n"}, "does not exist", {"CHANGELOG.md": "## [Unreleased]\n"}),
        ({"CHANGELOG.md": "## 1.0\n"}, "lacks the section", {"CHANGELOG.md": "## [Unreleased]\n"}),
    ],
}


def findings(rule, files):
    with tempfile.TemporaryDirectory() as folder:
        for name, text in files.items():
            path = pathlib.Path(folder, name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        return list(rule(Tree(folder)))


class Rules(unittest.TestCase):
    def test_every_rule_has_a_case(self):
        self.assertEqual(set(RULES), set(CASES))

    def test_rules(self):
        for rule, cases in CASES.items():
            for wrong, message, mended in cases:
                with self.subTest(rule=rule.__name__, message=message):
                    found = findings(rule, wrong)
                    self.assertTrue(any(message in finding for finding in found), found)
                    self.assertEqual(findings(rule, wrong | mended), [])

    def test_stale_exception(self):
        rules_text.LONG_FILES["gone.cpp"] = "a reason"
        try:
            self.assertIn("gone.cpp:1: is in LONG_FILES but does not exist", findings(rules_text.length, {"a": "\n"}))
        finally:
            del rules_text.LONG_FILES["gone.cpp"]


if __name__ == "__main__":
    unittest.main()
