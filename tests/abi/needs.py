"""libflexsn.so needs nothing but glibc 2.34 and libgcc_s. Usage: needs.py LIBRARY"""
import re
import subprocess
import sys

LIBRARIES = {"libc.so.6", "libm.so.6", "libgcc_s.so.1", "ld-linux-x86-64.so.2", "ld-linux-aarch64.so.1"}
OLDEST = {"GLIBC": (2, 34), "GCC": (12, 0)}


def output(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def main(library):
    wrong = 0
    needed = re.findall(r"\(NEEDED\).*\[(.*)\]", output("readelf", "-d", library))
    if "libc.so.6" not in needed:
        wrong += print_line(f"readelf shows no libc.so.6 among the needs of {library}: {needed}")
    for name in needed:
        if name not in LIBRARIES:
            wrong += print_line(f"{library} needs {name}")
    versions = re.findall(r"Name: (GLIBC|GCC|GLIBCXX|CXXABI)_([0-9.]+)", output("readelf", "-V", library))
    for kind, text in sorted(set(versions)):
        if kind not in OLDEST or tuple(map(int, text.split("."))) > OLDEST[kind]:
            wrong += print_line(f"{library} needs {kind}_{text}")
    if not versions:
        wrong += print_line(f"readelf shows no symbol versions of {library}")
    return wrong != 0


def print_line(text):
    print(text)
    return 1


sys.exit(main(*sys.argv[1:]))
