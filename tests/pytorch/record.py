"""Records PyTorch's gradients of the random models: record.py BINARY TARGET, as in README.md.

Needs torch (the CPU build will do). Each program of the first file is run in float64 on the CPU, and differentiated by
autograd; PyTorchTest.cpp holds the kernels against what the second one says.
"""

import json
import subprocess
import sys

import torch

import autograd

DIGITS = "{:.11g}"  # of numbers that are compared to 1e-7


def tensors(numbers, wanted=False):
    """Hexadecimal numbers, in lists of lists, as a tensor."""
    def parsed(entry):
        return [parsed(inner) for inner in entry] if isinstance(entry, list) else float.fromhex(entry)
    return {name: torch.tensor(parsed(entry), dtype=torch.float64, requires_grad=wanted)
            for name, entry in numbers.items()}


def typed(values, like):
    """As the function reads them: ints and bools come as floats too."""
    return {name: value if name not in like else value.to(like[name]) for name, value in values.items()}


def gradients(function, call, types):
    """Gradients of the sum of all that flows back, by role and name; zero where autograd has none."""
    raw, given, inputs = (tensors(call[role], wanted=True) for role in ("raw", "given", "inputs"))
    outputs, finals = function(raw, typed(given, types), typed(inputs, types), call["steps"])
    loss = torch.zeros((), dtype=torch.float64)
    for name, grads in tensors(call["grad_outputs"]).items():
        loss = loss + sum((grad * value).sum() for grad, value in zip(grads, outputs[name]))
    for name, grad in tensors(call["grad_finals"]).items():
        loss = loss + (grad * finals[name]).sum()
    leaves = [(role, name, leaf) for role, named in (("param", raw), ("initial", given), ("input", inputs))
              for name, leaf in named.items() if name not in types or role == "param"]
    found = torch.autograd.grad(loss, [leaf for _, _, leaf in leaves], allow_unused=True) if loss.requires_grad else []
    found = list(found) + [None] * (len(leaves) - len(found))
    return [(role, name, torch.zeros_like(leaf) if grad is None else grad)
            for (role, name, leaf), grad in zip(leaves, found)]


def programs(text):
    for part in text.split("MODEL ")[1:]:
        head, _, rest = part.partition("\n")
        types, _, rest = rest.partition("\n")
        source, *calls = rest.split("CALL ")
        yield head, json.loads(types.removeprefix("TYPES ")), source, [json.loads(call) for call in calls]


def main(binary, target):
    text = subprocess.run([binary], check=True, capture_output=True, text=True).stdout
    kinds = {"int": torch.int32, "bool": torch.bool}
    with open(target, "w", encoding="utf-8") as out:
        print(f"# PyTorch {torch.__version__.partition('+')[0]}, float64 on the CPU: written by record.py", file=out)
        for head, types, source, calls in programs(text):
            seed, digest, name = head.split()
            scope = dict(vars(autograd))
            exec(source, scope)
            print("model", seed, digest, file=out)
            for call in calls:
                print("steps", call["steps"], file=out)
                for role, operand, grad in gradients(scope[name], call, {n: kinds[t] for n, t in types.items()}):
                    numbers = (DIGITS.format(number + 0.0) for number in grad.flatten().tolist())
                    print(role, operand, *numbers, file=out)


if __name__ == "__main__":
    torch.set_num_threads(1)
    main(*sys.argv[1:])
