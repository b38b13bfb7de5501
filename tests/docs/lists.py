#!/usr/bin/env python3
"""lists.py ROOT: what stands in a list stands in the world, and the other way round (ops, passes, stages, ...)."""
import json
import math
import pathlib
import re
import sys


class House:
    def __init__(self, root):
        self.root = pathlib.Path(root)
        self.findings = []

    def text(self, *patterns):
        """All files that match, one after the other."""
        files = sorted(file for pattern in patterns for file in self.root.glob(pattern))
        return "\n".join(file.read_text(encoding="utf-8") for file in files)

    def compare(self, what, listed, where, found, place):
        """Both sets are equal and not empty."""
        if not listed:
            self.findings.append(f"{where}: no {what} found at all")
        listed, found = set(listed), set(found)
        self.findings += [f"{where}: the {what} {name} is missing in {place}" for name in sorted(listed - found)]
        self.findings += [f"{place}: the {what} {name} is missing in {where}" for name in sorted(found - listed)]


def ops(house):
    """Every op prints as it was read in a test of its dialect."""
    listed = re.findall(r"^### `((?:neuron|scan)\.\w+)`", house.text("docs/ops.md"), re.MULTILINE)
    tests = [file for folder in ("neuron", "scan") for file in (house.root / "tests/lit" / folder).glob("*.mlir")]
    checked = "\n".join(file.read_text() for file in tests if not file.stem.endswith("-errors"))
    found = re.findall(r"// CHECK.*?(?<![#\w])((?:neuron|scan)\.\w+)\b", checked)
    house.compare("op", listed, "docs/ops.md", found, "the tests of tests/lit/neuron and tests/lit/scan")


def functions(house):
    """The dialect has an op for each function of the language."""
    listed = re.findall(r'^FLEXSN_FUNCTION\(\w+, "(\w+)"', house.text("compiler/frontend/Functions.def"), re.MULTILINE)
    page = house.text("dialects/Neuron/NeuronFunctions.td").split("//===---- Arithmetic beyond arith")[0]
    found = re.findall(r'def Neuron_\w+Op\s*:\s*Neuron_(?:\w+)<"(\w+)"', page)
    house.compare("function", listed, "Functions.def", set(found) - {"lane", "splat"}, "NeuronFunctions.td")


def measured_functions(house):
    """Each function of one or two floats has been measured on all inputs, and the tests hold it to what that gave."""
    rows = re.findall(r'^FLEXSN_FUNCTION\(\w+, "(\w+)", ([12]), (\w+)', house.text("compiler/frontend/Functions.def"),
                      re.MULTILINE)
    listed = [name for name, _, types in rows if types != "Lanes"]
    rows = house.text("tests/numerics/FunctionTable.cpp")
    table = dict(re.findall(r'^    (?:unary|binary)\("(\w+)", +([\d.]+),', rows, re.MULTILINE))
    results = json.loads(house.text("benchmarks/results/functions.json"))
    for kind in ("float32", "float64"):
        found = [row["name"] for row in results[kind]]
        house.compare("function", listed, "Functions.def", found, f"benchmarks/results/functions.json, {kind}")
    house.compare("function", listed, "Functions.def", table, "tests/numerics/FunctionTable.cpp")
    for row in results["float32"]:
        bound, found = float(table.get(row["name"], "inf")), row["ulp"]
        if bound != math.ceil(found * 100) / 100:
            house.findings.append(f"FunctionTable.cpp: {row['name']} has the bound {bound}; measured were {found} ulp")


def passes(house):
    """The pipeline runs each pass, and none that is not described."""
    lists = house.text("compiler/*Passes.td", "compiler/emit/*/*Passes.td")
    described = re.findall(r"^def (\w+Pass) : Pass<", lists, re.MULTILINE)
    run = re.findall(r"\bcreate(\w+Pass)\(", house.text("compiler/Pipeline.cpp"))
    house.compare("pass", described, "the .td files of passes", run, "compiler/Pipeline.cpp")


def stages(house):
    """The pipeline's table, the verifiers and the page name the same stages in the same order."""
    table = re.findall(r'^    \{\{"(\w+)", "', house.text("compiler/Pipeline.cpp"), re.MULTILINE)
    verified = re.findall(r'\{"(\w+)", is\w+\}', house.text("compiler/transforms/VerifyStage.cpp"))
    page = house.text("docs/ir.md").split("## Stages")[1]
    documented = re.findall(r"^\| `(\w+)` \|", page, re.MULTILINE)
    if not table or table != verified or table != documented:
        house.findings.append(f"stages differ: {table} run, {verified} verified, {documented} in docs/ir.md")


def rules(house):
    """Every rule of docs/ir.md is cited by the code that keeps it and by a test, and no other label is."""
    label = re.compile(r"\b((?:neuron|scan)-\d+)\b")
    listed = re.findall(r"\*\*((?:neuron|scan)-\d+)\*\*", house.text("docs/ir.md"))
    code = house.text("dialects/*/*.td", "dialects/*/*.cpp", "compiler/*.td", "compiler/*.cpp", "compiler/*/*.cpp")
    house.compare("rule", listed, "docs/ir.md", label.findall(code), "dialects/ and compiler/")
    house.compare("rule", listed, "docs/ir.md", label.findall(house.text("tests/lit/*/*.mlir")), "tests/lit")


def main():
    house = House(sys.argv[1])
    checks = (ops, functions, measured_functions, passes, stages, rules)
    for check in checks:
        check(house)
    print("\n".join(house.findings))
    print(f"{len(checks)} lists, {len(house.findings)} differences")
    sys.exit(bool(house.findings))


if __name__ == "__main__":
    main()
