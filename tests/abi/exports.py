"""libflexsn.so exports exactly the functions that flexsn.h declares. Usage: exports.py LIBRARY HEADER"""
import re
import subprocess
import sys


def main(library, header):
    with open(header, encoding="utf-8") as file:
        text = re.sub(r"/\*.*?\*/", "", file.read(), flags=re.S)
    text = re.sub(r"^#.*$", "", text, flags=re.M)
    declared = set(re.findall(r"FLEXSN_API[^;(]*?(\w+)\(", text))
    listed = subprocess.run(["nm", "-D", "--defined-only", library], check=True, capture_output=True, text=True)
    exported = {line.split()[-1].split("@")[0] for line in listed.stdout.splitlines() if line.strip()}
    for name in sorted(declared - exported):
        print(f"{header} declares {name}, which {library} does not export")
    for name in sorted(exported - declared):
        print(f"{library} exports {name}, which {header} does not declare")
    if len(declared) < 20:
        print(f"only {len(declared)} declarations were recognised in {header}")
        return 1
    return declared != exported


sys.exit(main(*sys.argv[1:]))
