#!/usr/bin/env python3
"""Measures the CPU backend on this machine: speed beside copies of the same bytes, latency of a bound call, compile
times, and PyTorch's loops beside it where a Python with torch is given. Writes benchmarks/results/cpu.json and the
tables of docs/performance.md.

    benchmarks/cpu.py [--build DIR] [--torch PYTHON] [--threads N] [--rounds N] [--quick]

Let the machine do nothing else meanwhile: the load is written down.
"""
import argparse
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

from common import ENVIRONMENT, ROOT, commit, machine, output, source, table, write_page

RESULTS = ROOT / "benchmarks" / "results" / "cpu.json"
PAGE = ROOT / "docs" / "performance.md"
NEURONS = 1 << 21
MODELS = ["LIF", "Izhikevich", "EIF"]
TRAINED = ["LIF", "PLIF", "Izhikevich"]
CHANNELS = {"LIF": "tau", "ResidualLIF": "scale,shift"}  # gradients of parameters, as one value and as [channel]
DTYPES = ["f32", "bf16", "f64"]
STEPS = [4, 16]
LAYOUTS = ["channels-last", "transposed"]  # of LIF, beside dense
LATENCY = {"T": 1, "N": [1, 64, 256]}


def bandwidth(flexsnc):
    """Each model and dtype beside copies of the same bytes: `flexsnc bench`."""
    rows = []
    for model in MODELS:
        for dtype in DTYPES:
            made = json.loads(output(flexsnc, "bench", f"@{model}", "--dtype", dtype, "--T", ",".join(map(str, STEPS)),
                                     "--N", str(NEURONS), "--json"))
            rows += [{"model": model, "dtype": dtype, **case} for case in made["cases"]]
            print(f"  {model} {dtype}: " + ", ".join(f"{case['ratio']:.2f}" for case in made["cases"]) + " of a copy")
    return rows


def training(flexsnc):
    """Both kernels of a training step of 16 steps beside copies of their own bytes."""
    rows = []
    for model in TRAINED:
        for dtype in DTYPES:
            made = json.loads(output(flexsnc, "bench", f"@{model}", "--kernels", "forward,backward", "--dtype", dtype,
                                     "--T", "16", "--N", str(NEURONS), "--json"))
            rows += [{"model": model, "dtype": dtype, **case} for case in made["cases"]]
            print(f"  training {model} {dtype}: " +
                  ", ".join(f"{case['ratio']:.2f}" for case in made["cases"]) + " of a copy")
    return rows


def gradients(bench, rounds):
    """Backward kernels with gradients of parameters, and without them."""
    rows = []
    for model, params in CHANNELS.items():
        made = json.loads(output(bench, "gradients", model, params, "16", str(NEURONS), str(rounds)))
        for kind in ("one value", "middle", "innermost"):
            if f"{kind} with" in made:
                rows.append({"model": model, "params": params, "kind": kind, "with": made[f"{kind} with"],
                             "without": made[f"{kind} without"]})
                more = rows[-1]["with"]["best_ms"] / rows[-1]["without"]["best_ms"] - 1
                print(f"  gradients of {params} of {model}, {kind}: {100 * more:+.1f} %")
    return rows


def layouts(bench, rounds):
    """LIF on operands in other orders, beside dense ones."""
    rows = []
    for dtype in ("f32", "f64"):
        for steps in STEPS:
            made = json.loads(output(bench, "layouts", "LIF", dtype, str(steps), str(NEURONS), str(rounds)))
            rows.append({"model": "LIF", "dtype": dtype, "steps": steps, "neurons": NEURONS, **made})
            print(f"  LIF {dtype} T={steps}: " +
                  ", ".join(f"{name} {made[name]['of_dense']:.2f} of dense" for name in LAYOUTS))
    return rows


def first_calls(bench, flexsnc, repeats):
    """Compile, load and run, in processes that have compiled nothing before."""
    rows = []
    for line in output(flexsnc, "list", "models").splitlines():
        model = line.split()[0].removeprefix("@")
        times = [json.loads(output(bench, "first-call", model))["first_call_ms"] for _ in range(repeats)]
        rows.append({"model": model, "best_ms": min(times), "median_ms": statistics.median(times)})
        print(f"  first call of {model}: {min(times):.1f} ms")
    return rows


def start_to_finish(flexsnc, repeats):
    """`flexsnc run` on a small input, as a user waits for it: compiled anew, and from the disk cache."""
    command = [flexsnc, "run", "@LIF", "--input", "x=poisson(rate=0.3, T=100, N=64, seed=1)"]
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for cache, words in (("off", "start to finish"), ("on", "start to finish, from the disk cache")):
            environment = {"FLEXSN_CACHE": cache, "FLEXSN_CACHE_DIR": folder}
            output(*command, **environment)  # with the cache on, the first run fills it
            times = []
            for _ in range(repeats):
                begin = time.perf_counter()
                output(*command, **environment)
                times.append((time.perf_counter() - begin) * 1e3)
            rows.append({"command": " ".join(["flexsnc"] + command[1:]), "what": words, "best_ms": min(times),
                         "median_ms": statistics.median(times)})
    return rows


def torch_loops(python, threads):
    rows = []
    for steps in STEPS:
        rows += json.loads(output(python, str(ROOT / "benchmarks" / "torch_loop.py"), str(steps), str(NEURONS),
                                  str(threads)))
    return rows


def copy(row, figure):
    return min(row[name][figure] for name in ("memcpy", "streaming_copy") if row[name]) * 1e3


def training_table(result):
    return table(["model", "dtype", "kernel", "flexsn, ms", "GB/s", "the faster copy, ms", "ratio", "best of each"],
                 [[r["model"], r["dtype"], r["kernel"], f"{r['run']['seconds'] * 1e3:.2f}",
                   f"{r['run']['gb_per_s']:.1f}", f"{copy(r, 'seconds'):.2f}", f"{r['ratio']:.2f}",
                   f"{copy(r, 'least') / r['run']['least'] / 1e3:.2f}"] for r in result["training"]])


def gradient_table(result):
    where = {"one value": "one value", "middle": "[channel], 64 around 1024 neurons each",
             "innermost": "[channel], 64, the innermost dimension"}
    return table(["model", "parameters", "as", "without, best ms", "with", "more"],
                 [[r["model"], r["params"], where[r["kind"]], f"{r['without']['best_ms']:.2f}",
                   f"{r['with']['best_ms']:.2f}",
                   f"{100 * (r['with']['best_ms'] / r['without']['best_ms'] - 1):.1f} %"]
                  for r in result["gradients"]])


def speed_table(result):
    return table(["model", "dtype", "T", "flexsn, ms", "GB/s", "the faster copy, ms", "ratio", "best of each"],
                 [[r["model"], r["dtype"], r["steps"], f"{r['run']['seconds'] * 1e3:.2f}",
                   f"{r['run']['gb_per_s']:.1f}", f"{copy(r, 'seconds'):.2f}", f"{r['ratio']:.2f}",
                   f"{copy(r, 'least') / r['run']['least'] / 1e3:.2f}"] for r in result["bandwidth"]])


def layout_table(result):
    return table(["dtype", "T", "dense, ms"] + [f"{name}, of dense" for name in LAYOUTS],
                 [[r["dtype"], r["steps"], f"{r['dense']['best_ms']:.2f}"] +
                  [f"{r[name]['of_dense']:.2f}" for name in LAYOUTS] for r in result["layouts"]])


def torch_table(result):
    lif = {r["steps"]: r["run"]["least"] * 1e3 for r in result["bandwidth"]
           if (r["model"], r["dtype"]) == ("LIF", "f32")}
    return table(["T", "loop", "ms", "times flexsn's"],
                 [[r["T"], r["loop"], f"{r['best_ms']:.1f}" if r["best_ms"] else r["why_not"],
                   f"{r['best_ms'] / lif[r['T']]:.1f}" if r["best_ms"] else ""] for r in result["torch"]])


def pages(result):
    """The parts of docs/performance.md that this script writes, by name."""
    return {
        "machine": f"{source(result)} on {result['threads']} threads; load average before {result['load_before']:.2f}.",
        "speed": speed_table(result),
        "training": training_table(result),
        "gradients": gradient_table(result),
        "layouts": layout_table(result),
        "torch": torch_table(result) if result["torch"] else "Not measured: no Python with torch was given.",
        "latency": table(["N", "ns a run, best", "median"],
                         [[r["N"], f"{r['best_ns']:.0f}", f"{r['median_ns']:.0f}"] for r in result["latency"]]),
        "compile": table(["", "best, ms", "median, ms"],
                         [[f"first call of @{r['model']}", f"{r['best_ms']:.1f}", f"{r['median_ms']:.1f}"]
                          for r in result["first_calls"]] +
                         [[f"`{r['command']}`, {r['what']}", f"{r['best_ms']:.1f}", f"{r['median_ms']:.1f}"]
                          for r in result["start_to_finish"]]),
    }


def command_words(arguments):
    """The command as another machine would give it: without this one's paths."""
    torch = " --torch PYTHON" if arguments.torch else ""
    return f"benchmarks/cpu.py --threads {arguments.threads} --rounds {arguments.rounds}{torch}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", default=str(ROOT / "build"), help="a configured build (default: build)")
    parser.add_argument("--torch", metavar="PYTHON", help="an interpreter that has torch")
    parser.add_argument("--threads", type=int, default=len(os.sched_getaffinity(0)), help="default: all cores")
    parser.add_argument("--rounds", type=int, default=40, help="runs of each layout (default: 40)")
    parser.add_argument("--quick", action="store_true", help="few rounds, nothing written: does it work?")
    arguments = parser.parse_args()
    if arguments.quick:
        arguments.rounds = 3
    repeats = 2 if arguments.quick else 20
    ENVIRONMENT["FLEXSN_NUM_THREADS"] = str(arguments.threads)

    subprocess.run(["ninja", "-C", arguments.build, "benchmarks", "flexsnc"], check=True, stdout=subprocess.DEVNULL)
    binaries = pathlib.Path(arguments.build) / "bin"
    bench, flexsnc = str(binaries / "flexsn-cpu-bench"), str(binaries / "flexsnc")
    result = {"machine": machine(), "commit": commit(),
              "command": command_words(arguments),
              "threads": arguments.threads, "load_before": os.getloadavg()[0]}
    result["bandwidth"] = bandwidth(flexsnc)
    result["training"] = training(flexsnc)
    result["gradients"] = gradients(bench, 3 * arguments.rounds)  # which differ by little
    result["layouts"] = layouts(bench, arguments.rounds)
    result["latency"] = [{"model": "LIF", "T": 1, "N": n, **json.loads(output(bench, "latency", "LIF", str(n)))}
                         for n in LATENCY["N"]]
    result["first_calls"] = first_calls(bench, flexsnc, repeats)
    result["start_to_finish"] = start_to_finish(flexsnc, repeats)
    result["torch"] = torch_loops(arguments.torch, arguments.threads) if arguments.torch else []
    result["load_after"] = os.getloadavg()[0]
    if not arguments.quick:
        RESULTS.parent.mkdir(exist_ok=True)
        RESULTS.write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")
        write_page(PAGE, pages(result))


if __name__ == "__main__":
    main()
