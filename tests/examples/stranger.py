#!/usr/bin/env python3
"""stranger.py CMAKE BUILD ROOT WORK CXX CC: what somebody does who has only the installed library.

Installs flexsn from BUILD into a folder under WORK, moves that folder, builds examples/cpp with find_package and with
the strictest warnings, runs each program and looks at what it prints; then compiles the C example by the flags of the
pkg-config file.
"""
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).parent
STRICT = "-Wall -Wextra -pedantic -Wconversion -Wshadow -Werror"
TICKS = 300


def run(*command):
    """Standard output; shows everything and ends where the command fails or talks to standard error."""
    result = subprocess.run(list(map(str, command)), capture_output=True, text=True, check=False, timeout=600)
    if result.returncode or result.stderr:
        sys.exit(f"{shlex.join(map(str, command))}: exit code {result.returncode}\n{result.stdout}{result.stderr}")
    return result.stdout


def install(cmake, build, work):
    """The prefix, at a place that the installation never heard of."""
    before, after = work / "installed", work / "moved here"
    run(cmake, "--install", build, "--prefix", before, "--component", "flexsn")
    before.rename(after)
    for file in after.rglob("*"):
        if file.suffix in (".cmake", ".pc", ".h", ".hpp"):
            for place in (before, build):
                if str(place) in file.read_text():
                    sys.exit(f"{file} names {place}")
    return after


def check_loop(output):
    """Every tick is counted in both histograms, and the controller does its work."""
    first, *rest = output.splitlines()
    match = re.fullmatch(rf"{TICKS} ticks; the motor turns at ([\d.]+), wanted is (\d)", first)
    if not match or abs(float(match[1]) - float(match[2])) > 0.25:
        sys.exit(f"control_loop does not control: {first}")
    histograms = re.split(r"^\S.*, largest .*\n", "\n".join(rest) + "\n", flags=re.MULTILINE)[1:]
    sums = [sum(map(int, re.findall(r"^  below +\d+ us +(\d+)", text, re.MULTILINE))) for text in histograms]
    if sums != [TICKS, TICKS]:
        sys.exit(f"control_loop counts {sums} ticks in its histograms\n{output}")


def check_output(name, output):
    expected = HERE / "output" / f"{name}.txt"
    if output != expected.read_text():
        sys.exit(f"{name} prints\n{output}\nbut {expected} says\n{expected.read_text()}")


def examples(cmake, root, work, prefix, compiler):
    build = work / "build"
    run(cmake, "-S", root / "examples/cpp", "-B", build, "-G", "Ninja", f"-DCMAKE_PREFIX_PATH={prefix}",
        f"-DCMAKE_CXX_COMPILER={compiler}", f"-DCMAKE_CXX_FLAGS={STRICT}", "-DCMAKE_NO_SYSTEM_FROM_IMPORTED=ON")
    run(cmake, "--build", build)
    programs = sorted(source.stem for source in (root / "examples/cpp").glob("*.cpp"))
    for name in programs:
        if name == "control_loop":
            check_loop(run(build / name, TICKS))
        else:
            check_output(name, run(build / name))
    return programs


def flags(file):
    """Cflags and Libs of a pkg-config file, its variables replaced."""
    variables, found = {"pcfiledir": str(file.parent)}, {}
    for line in file.read_text().splitlines():
        if match := re.match(r"(\w+)(=|: )(.*)", line):
            value = re.sub(r"\$\{(\w+)\}", lambda name: variables[name[1]], match[3])
            (variables if match[2] == "=" else found)[match[1]] = value
    # pkg-config escapes blanks of paths.
    return [word.replace("\0", " ") for kind in ("Cflags", "Libs")
            for word in found[kind].replace(str(file.parent), str(file.parent).replace(" ", "\0")).split()]


def c_example(root, work, prefix, compiler):
    program = work / "example-c"
    [pc] = prefix.rglob("flexsn.pc")
    [library] = prefix.rglob("libflexsn.so")
    # {sizeof options} is how a struct of the interface begins; the warning takes it for an oversight.
    source = root / "tests/abi/example.c"
    run(compiler, "-std=c11", *STRICT.split(), "-Wno-missing-field-initializers", source, *flags(pc),
        f"-Wl,-rpath,{library.parent}", "-o", program)
    run(program)


def main():
    cmake, build, root, work = sys.argv[1], *map(pathlib.Path, sys.argv[2:5])
    cxx, cc = sys.argv[5:]
    for name in ("CXXFLAGS", "CFLAGS", "LDFLAGS", "CMAKE_PREFIX_PATH"):
        os.environ.pop(name, None)
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir(parents=True)
    prefix = install(cmake, build, work)
    programs = examples(cmake, root, work, prefix, cxx)
    c_example(root, work, prefix, cc)
    print(f"{', '.join(programs)} and the C example run")


if __name__ == "__main__":
    main()
