#!/usr/bin/env python3
"""report.py OUT [--print]: what tests/gpu/run wrote into OUT, as one document.

Without --print it becomes benchmarks/results/cuda.json and the tables of docs/cuda.md; with it, the counts of
instructions are printed.
"""
import csv
import json
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "benchmarks"))
from common import table, write_page  # noqa: E402


def counts(folder, name):
    """(kernel, instructions of all threads) in the order of the launches, as ncu's table has them."""
    path = folder / f"{name}.csv"
    if not path.exists():
        return []
    lines = [line for line in path.read_text().splitlines() if line.startswith('"')]
    return [(row["Kernel Name"].split("(")[0], float(row["Metric Value"].replace(",", "")))
            for row in csv.DictReader(lines) if row["Metric Name"] == "smsp__thread_inst_executed.sum"]


def instructions(folder):
    """Of an element and step, for what `flexsn-gpu count` said that it launched."""
    log = folder / "count.log"
    lines = log.read_text().splitlines() if log.exists() else []
    said = [line.split()[1:] for line in lines if line.startswith("counted ")]
    kernels = [each for each in counts(folder, "count") if not each[0].endswith("_prologue")]
    if len(said) != len(kernels):
        sys.exit(f"{len(said)} launches were announced, {len(kernels)} were counted")
    return [{"kernel": symbol, "dtype": dtype, "tau": float(tau) or None,
             "each_element_and_step": total / int(elements)}
            for (symbol, dtype, tau, elements), (_, total) in zip(said, kernels)]


def read(folder, name):
    path = folder / name
    return json.loads(path.read_text()) if path.exists() else {}


def pages(document):
    """The parts of docs/cuda.md that an H200 gave."""
    where, check, memcheck = (document[key] for key in ("machine", "check", "memcheck"))
    speed = [[row["model"] + (f", tau = {row['tau']:.0f}" if row["tau"] else ""), row["dtype"],
              f"{row['steps']} x {row['neurons']:,}", row["access"], f"{row['neurons_a_thread']} x {row['chunk']}",
              row["registers"], f"{row['us']:.0f}", f"{row['copy_us']:.0f}", f"{row['ratio']:.2f}"]
             for row in document["time"]]
    counted = [[row["kernel"], row["dtype"], f"{row['tau']:.0f}" if row["tau"] else "",
                f"{row['each_element_and_step']:.1f}"] for row in document["instructions"]]
    return {
        "gpu": f"{where['device']}, driver {where['driver']}, NVRTC {where['nvrtc']}, commit {document['commit']}: "
               f"`{document['command']}`. {check['compared']:,} programs gave the CPU's bits, {check['differ']} did "
               f"not; of {memcheck['compared']:,} under compute-sanitizer's memcheck {memcheck['differ']} did not.",
        "gpu speed": table(["model", "dtype", "T x N", "access", "V x C", "registers", "us", "copy, us", "ratio"],
                           speed),
        "gpu instructions": table(["kernel", "dtype", "tau", "instructions"], counted)}


def main():
    folder = pathlib.Path(sys.argv[1])
    counted = instructions(folder)
    others = [{"kernel": kernel, "instructions": total} for kernel, total in counts(folder, "count-other")
              if "at::" not in kernel]  # PyTorch's own, which made the operands
    if "--print" in sys.argv:
        for row in counted:
            print(f"{row['kernel']:<28} {row['dtype']:<5} tau {row['tau'] or '-'}: "
                  f"{row['each_element_and_step']:.1f} instructions of an element and step")
        for row in others:
            print(f"{row['kernel']}: {row['instructions']:.0f} instructions")
        return
    times, check, memcheck = (read(folder, name) for name in ("time.json", "check.json", "memcheck.json"))
    if not times or not check or not memcheck:
        sys.exit(f"{folder} lacks time.json, check.json or memcheck.json: both runs come first")
    document = {"machine": {key: times[key] for key in ("device", "driver", "nvrtc")},
                "commit": (folder / "commit").read_text().strip(),
                "command": "tests/gpu/run check OUT; tests/gpu/run time OUT; tests/gpu/report.py OUT",
                "check": check["check"], "memcheck": memcheck["check"], "time": times["time"],
                "instructions": counted, "instructions_of_others": others}
    path = ROOT / "benchmarks" / "results" / "cuda.json"
    path.write_text(json.dumps(document, indent=1) + "\n")
    write_page(ROOT / "docs" / "cuda.md", pages(document))
    print(f"wrote {path.relative_to(ROOT)} and the tables of docs/cuda.md")


if __name__ == "__main__":
    main()
