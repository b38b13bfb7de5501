"""What the scripts of this folder share: the machine, commands, tables and the pages that these stand in."""
import os
import pathlib
import platform
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
# Nothing but the compiler: what it made before is not to be found.
ENVIRONMENT = {**os.environ, "FLEXSN_CACHE": "off"}


def output(*command, **environment):
    return subprocess.run(command, check=True, capture_output=True, text=True, env={**ENVIRONMENT, **environment},
                          cwd=ROOT).stdout


def machine():
    """What the figures hold for."""
    fields = {}
    for line in pathlib.Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
        name, _, value = line.partition(":")
        fields.setdefault(name.strip(), value.strip())
    caches = {}
    for index in sorted(pathlib.Path("/sys/devices/system/cpu/cpu0/cache").glob("index*")):
        kind, level = (index / "type").read_text().strip(), (index / "level").read_text().strip()
        if kind != "Instruction":
            caches[f"L{level}"] = (index / "size").read_text().strip()
    huge = pathlib.Path("/sys/kernel/mm/transparent_hugepage/enabled")
    return {"processor": fields.get("model name", platform.processor()), "cores": len(os.sched_getaffinity(0)),
            "caches": caches, "virtual": "hypervisor" in fields.get("flags", ""),
            "transparent_hugepages": huge.read_text().strip() if huge.exists() else "none",
            "system": platform.platform()}


def commit():
    changed = output("git", "status", "--porcelain", "--untracked-files=no").strip() != ""
    return output("git", "rev-parse", "HEAD").strip() + (" and changes" if changed else "")


def source(result):
    """Where the figures of a page come from, in words."""
    where = result["machine"]
    caches = ", ".join(f"{name} {size}" for name, size in where["caches"].items())
    return (f"{where['processor']}, {where['cores']} cores{' of a virtual machine' if where['virtual'] else ''} "
            f"({caches}); commit {result['commit'][:12]}{result['commit'][40:]}; `{result['command']}`")


def table(head, rows):
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    return "\n".join(lines + ["| " + " | ".join(str(cell) for cell in row) + " |" for row in rows])


def write_page(page, parts):
    """Puts each of `parts` (a name to its text) between its marks on the page."""
    text = page.read_text(encoding="utf-8")
    for name, body in parts.items():
        begin, end = f"<!-- {name} -->\n", f"<!-- end of {name} -->"
        before, found, rest = text.partition(begin)
        if not found or end not in rest:
            sys.exit(f"{page} has no part {begin.strip()} ... {end}")
        text = before + begin + body + "\n" + rest[rest.index(end):]
    page.write_text(text, encoding="utf-8")
