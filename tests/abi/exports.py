"""libflexsn.so exports exactly the functions that the C headers declare. Usage: exports.py LIBRARY FOLDER"""
import pathlib
import re
import subprocess
import sys


def main(library, folder):
    text = "".join(path.read_text() for path in sorted(pathlib.Path(folder).glob("*.h")))
    text = re.sub(r"/\*.*?\*/", "", text, flags=re.S)
    text = re.sub(r"^#.*$", "", text, flags=re.M)
    declared = set(re.findall(r"FLEXSN_API[^;(]*?(\w+)\(", text))
    listed = subprocess.run(["nm", "-D", "--defined-only", library], check=True, capture_output=True, text=True)
    exported = {line.split()[-1].split("@")[0] for line in listed.stdout.splitlines() if line.strip()}
    for name in sorted(declared - exported):
        print(f"a header of {folder} declares {name}, which {library} does not export")
    for name in sorted(exported - declared):
        print(f"{library} exports {name}, which no header of {folder} declares")
    if len(declared) < 20:
        print(f"only {len(declared)} declarations were recognised in the headers of {folder}")
        return 1
    return declared != exported


sys.exit(main(*sys.argv[1:]))
