#!/usr/bin/env python3
"""coefficients.py [--check]: computes every polynomial and split constant of compiler/math with Sollya.

Prints them as they stand in the sources, highest power first, with the error that the rounded polynomial has. With
--check it fails where a source of this folder lacks one. Needs the program sollya (Debian has it by that name).
"""
import pathlib
import re
import subprocess
import sys

# what, function, powers that are fitted, interval, fixed part: fpminimax, relative error, float32 coefficients
FITS = [
    ("expm1(r)", "expm1(x)", range(2, 8), "[-0.34668;0.34668]", "x"),
    ("2^r", "2^x", range(1, 7), "[-0.5001;0.5001]", "1"),
    ("log1p(f)", "log1p(x)", range(2, 11), "[-0.333334;0.333334]", "x"),
    ("log2(1 + f)", "log2(1+x)", range(2, 11), "[-0.333334;0.333334]", "x/log(2)"),
    ("tail of log2((1 + s) / (1 - s)), in s^2",
     "(log2((1+sqrt(x))/(1-sqrt(x)))-2/log(2)*sqrt(x))/(x*sqrt(x))", range(4), "[1b-14;0.0401]", "0"),
    ("sin(r)", "sin(x)", range(3, 8, 2), "[1b-20;0.786]", "x"),
    ("cos(r)", "cos(x)", range(4, 9, 2), "[1b-20;0.786]", "1-x^2/2"),
    ("atan(a)", "atan(x)", range(3, 20, 2), "[1b-20;1]", "x"),
    ("asin(s)", "asin(x)", range(3, 12, 2), "[1b-20;0.5]", "x"),
    ("erf(x)", "erf(x)", range(1, 14, 2), "[1b-20;1]", "x"),
    ("(1 + 2x) exp(x^2) erfc(x), in t = (x - 2) / (x + 2)",
     "(1+2*(2*(1+x)/(1-x)))*exp((2*(1+x)/(1-x))^2)*erfc(2*(1+x)/(1-x))", range(10), "[-1;8.1/12.1]", "0"),
]

# what, expression, bits of its parts: so few that a whole number times a part is exact
SPLITS = [
    ("ln 2", "log(2)", (15, 24)),
    ("pi/2 for n below 2^10", "pi/2", (22, 13, 24)),
    ("pi/2", "pi/2", (24, 24)),
    ("pi", "pi", (24, 24)),
    ("2 / ln 2", "2/log(2)", (24, 24)),
    ("1 / ln 2", "1/log(2)", (24, 24)),
    ("2 / pi", "2/pi", (24,)),
]
WORDS = 7  # of 2/pi, for the angles that are large


def sollya(script):
    """What the script prints: the numbers behind each letter."""
    run = subprocess.run(["sollya"], input=script + "quit;\n", text=True, capture_output=True, check=True)
    found = {}
    for line in run.stdout.splitlines():
        if match := re.match(r"([A-Z]) (\S+)$", line):
            found.setdefault(match[1], []).append(float(match[2]))
    return found


def fit(function, powers, interval, fixed):
    listed = ",".join(map(str, powers))
    found = sollya(f"""prec=200!; f={function}; r={interval};
p=fpminimax(f,[|{listed}|],[|SG...|],r,relative,floating,{fixed});
for i in [|{listed}|] do print("C", coeff(p-({fixed}),i));
print("E", evaluate(log2(dirtyinfnorm(p/f-1,r)),0));
""")
    return found["C"], found["E"][0]


def fit_erf_tail(degree=6):
    """-log2(erfc(x)) on [0.98, 4], weighted by erfc: the error counts as one of erf."""
    found = sollya(f"""prec=200!; f=-log2(erfc(x)); r=[0.98;4];
p=horner(roundcoefficients(remez(f*erfc(x),{degree},r,erfc(x)),[|SG...|]));
for i from 0 to {degree} do print("C", coeff(p,i));
print("E", evaluate(log2(dirtyinfnorm((p-f)*erfc(x)*log(2),r)),0));
""")
    return found["C"], found["E"][0]


def split(expression, parts):
    steps = "".join(f'c=round(r,{bits},RN); r=r-c; print("C", c);\n' for bits in parts)
    return sollya(f"prec=300!; r={expression};\n{steps}")["C"]


def words_of_two_over_pi():
    """15 zero bits, then the first bits of 2/pi."""
    bits = 32 * WORDS - 15
    run = subprocess.run(["sollya"], input=f"prec=400!; print(round(2/pi,{bits},RD)*2^{bits}); quit;\n", text=True,
                         capture_output=True, check=True)
    value = int(run.stdout.split()[0])
    return [f"{value >> 32 * (WORDS - 1 - i) & 0xffffffff:#010x}u" for i in range(WORDS)]


def literals():
    """(what, its literals, log2 of its error or None) for everything."""
    fits = [(entry[0], fit(*entry[1:])) for entry in FITS]
    fits.append(("-log2(erfc(x)) on [0.98, 4]", fit_erf_tail()))
    for what, (values, error) in fits:
        yield what, [f"{value:.9g}f" for value in reversed(values)], error
    for what, expression, parts in SPLITS:
        yield what, [f"{value:.9g}f" for value in split(expression, parts)], None
    yield "2 / pi in words", words_of_two_over_pi(), None


def main():
    folder = pathlib.Path(__file__).parent
    sources = "\n".join(file.read_text() for file in sorted(folder.glob("*.cpp")))
    missing = []
    for what, numbers, error in literals():
        print(f"{what}: {', '.join(numbers)}" + (f"  # error 2^{error:.1f}" if error else ""))
        missing += [number for number in numbers if number.removeprefix("-") not in sources]
    if "--check" in sys.argv[1:] and missing:
        sys.exit(f"not in {folder}: {', '.join(missing)}")


if __name__ == "__main__":
    main()
