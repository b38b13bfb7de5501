"""LIF as PyTorch users write it: a loop over time, as it stands and through torch.compile. Prints JSON.

    python torch_loop.py T N THREADS
"""
import json
import sys
import time

import torch


def lif(x, tau=2.0, v_th=1.0):
    v = torch.zeros_like(x[0])
    spikes = []
    for x_t in x:
        h = v + (x_t - v) / tau
        s = (h >= v_th).to(x.dtype)
        v = h * (1 - s)
        spikes.append(s)
    return torch.stack(spikes)


def best_ms(run, x, threads, rounds=10):
    # As flexsn-cpu-bench: processor time where that is the time of one thread.
    clock = time.process_time if threads == 1 else time.perf_counter
    run(x)
    times = []
    for _ in range(rounds):
        begin = clock()
        run(x)
        times.append((clock() - begin) * 1e3)
    return min(times)


def main(steps, neurons, threads):
    torch.set_num_threads(threads)
    torch.manual_seed(1)
    x = torch.rand(steps, neurons) * 2.5
    rows = []
    with torch.inference_mode():
        for name, run in [("eager", lif), ("torch.compile", torch.compile(lif))]:
            row = {"loop": f"{name}, torch {torch.__version__}", "T": steps, "N": neurons, "best_ms": None}
            try:
                row["best_ms"] = best_ms(run, x, threads)
            except Exception as error:  # torch.compile needs a C++ compiler on the machine
                row["why_not"] = str(error).splitlines()[0]
            rows.append(row)
    print(json.dumps(rows))


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
