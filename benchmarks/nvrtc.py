#!/usr/bin/env python3
"""Measures how long a model's text takes to become machine code of a GPU on this machine, which needs none: the whole
command `flexsnc emit --as cubin`, with nothing in the disk cache and from it, beside `flexsnc --version`, which is
what it costs to start. Writes benchmarks/results/nvrtc.json and the table of docs/cuda.md.

    benchmarks/nvrtc.py [--build DIR] [--arch ARCH] [--repeats N] [--quick]

Let the machine do nothing else meanwhile: the load is written down.
"""
import argparse
import json
import os
import pathlib
import subprocess
import tempfile
import time

from common import ROOT, commit, machine, output, source, table, write_page

RESULTS = ROOT / "benchmarks" / "results" / "nvrtc.json"
PAGE = ROOT / "docs" / "cuda.md"
ZOO = ROOT / "tests" / "data" / "zoo.fsn"


def best_ms(command, repeats, **environment):
    times = []
    for _ in range(repeats):
        begin = time.perf_counter()
        output(*command, **environment)
        times.append((time.perf_counter() - begin) * 1e3)
    return min(times)


def models(flexsnc):
    """The shipped models and those of the collection, as arguments; without those that are not compiled yet."""
    shipped = [[line.split()[0]] for line in output(flexsnc, "list", "models").splitlines()]
    words = [line.split(":")[0] for line in ZOO.read_text(encoding="utf-8").splitlines() if line.startswith("neuron ")]
    every = shipped + [[str(ZOO.relative_to(ROOT)), "-n", word.split()[1]] for word in words]
    return [each for each in every if subprocess.run([flexsnc, "emit", *each], cwd=ROOT, capture_output=True,
                                                     check=False).returncode == 0]


def measure(flexsnc, arch, repeats):
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for model in models(flexsnc):
            command = [flexsnc, "emit", *model, "--as", "cubin", "--arch", arch, "-o", os.devnull]
            cached = {"FLEXSN_CACHE": "on", "FLEXSN_CACHE_DIR": folder}
            output(*command, **cached)  # fills the cache
            rows.append({"model": model[-1], "compiled_ms": best_ms(command, repeats),
                         "from_cache_ms": best_ms(command, repeats, **cached)})
            print("  {model}: {compiled_ms:.0f} ms, from the cache {from_cache_ms:.1f} ms".format(**rows[-1]))
    return rows


def pages(result):
    return {"compile": f"{source(result)}; load average before {result['load_before']:.2f}. To start `flexsnc` "
                       f"(`--version`), measured apart under the same load, takes {result['start_ms']:.1f} ms.\n\n" +
                       table(["model", "compiled, ms", "from the disk cache, ms"],
                             [[row["model"], f"{row['compiled_ms']:.0f}", f"{row['from_cache_ms']:.1f}"]
                              for row in result["models"]])}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", default=str(ROOT / "build"), help="a configured build (default: build)")
    parser.add_argument("--arch", default="sm_90", help="default: sm_90")
    parser.add_argument("--repeats", type=int, default=10, help="of which the best counts (default: 10)")
    parser.add_argument("--quick", action="store_true", help="few rounds, nothing written: does it work?")
    arguments = parser.parse_args()
    repeats = 1 if arguments.quick else arguments.repeats

    subprocess.run(["ninja", "-C", arguments.build, "flexsnc"], check=True, stdout=subprocess.DEVNULL)
    flexsnc = str(pathlib.Path(arguments.build) / "bin" / "flexsnc")
    result = {"machine": machine(), "commit": commit(),
              "command": f"benchmarks/nvrtc.py --arch {arguments.arch} --repeats {arguments.repeats}",
              "load_before": os.getloadavg()[0], "start_ms": best_ms([flexsnc, "--version"], 4 * repeats)}
    result["models"] = measure(flexsnc, arguments.arch, repeats)
    result["load_after"] = os.getloadavg()[0]
    if not arguments.quick:
        RESULTS.write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")
        write_page(PAGE, pages(result))


if __name__ == "__main__":
    main()
