#!/usr/bin/env python3
"""Runs command lines and compares exit code, standard output and standard error with reviewed files.

    snapshots.py FLEXSNC             compares everything in snapshots/
    snapshots.py FLEXSNC --update    writes what happened into the files; look at the difference before you commit it

A file is a list of cases. A case begins with `$ ` and a line for bash; `1> ` is a line of standard output, `2> ` one of
standard error, `1~`, `2~` say that the last line does not end; `= ` is the exit code, left out if it is 0. All cases of
a file share one folder, so that a case may use what an earlier one wrote. Lines with `#` are kept.
"""
import difflib
import sys

from commandline import HERE, Sandbox, settled


def recorded(sandbox, command):
    """What a command line did, in the form of the files."""
    result = sandbox.run(command)
    lines = [f"$ {command}"]
    for mark, stream in (("1", result.stdout), ("2", result.stderr)):
        text = settled(stream.decode("utf-8", "backslashreplace").replace(str(sandbox.folder), "FOLDER"))
        lines += [f"{mark}> {line}".rstrip() for line in text.split("\n")[:-1]]
        rest = text.rsplit("\n", 1)[-1]
        if rest:
            lines.append(f"{mark}~ {rest}")
    if result.returncode:
        lines.append(f"= {result.returncode}")
    return lines


def replayed(path, program):
    """The file as it would be written now, and its number of cases."""
    lines, count = [], 0
    with Sandbox(program) as sandbox:
        for line in path.read_text().splitlines():
            if line.startswith("$ "):
                lines += recorded(sandbox, line[2:])
                count += 1
            elif line.startswith("#") or not line:
                lines.append(line)
    return "\n".join(lines) + "\n", count


def main():
    program, update = sys.argv[1], "--update" in sys.argv
    failed = cases = 0
    paths = sorted((HERE / "snapshots").glob("*.txt"))
    for path in paths:
        now, count = replayed(path, program)
        cases += count
        then = path.read_text()
        if now == then:
            continue
        if update:
            path.write_text(now)
            print(f"updated {path.name}")
            continue
        failed += 1
        difference = difflib.unified_diff(then.splitlines(True), now.splitlines(True), f"snapshots/{path.name}", "now")
        sys.stdout.writelines(difference)
    print(f"{cases} command lines in {len(paths)} files, {failed} files differ")
    sys.exit(1 if failed or cases == 0 else 0)


if __name__ == "__main__":
    main()
