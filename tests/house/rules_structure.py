"""Rules about how the parts hang together: who may include what, and that each list names what there is."""
import pathlib
import re

from tree import CXX, is_cmake, is_data

INCLUDE = r'^\s*#\s*include\s*[<"]([^>"]+)[>"]'


def starts(*folders):
    return lambda file: file.startswith(folders)


# (what is included, who may, why)
LAYERS = [
    (r"mlir/InitAll", lambda file: False, "an aggregate MLIR header: half a minute a file; take the single ones"),
    (r"mlir/", starts("compiler/", "dialects/", "tools/flexsn-opt/", "tests/"),
     "MLIR belongs to compiler/, dialects/, tools/flexsn-opt and tests"),
    (r"llvm/", starts("compiler/", "dialects/", "tools/flexsn-opt/", "tests/", "runtime/CpuJit", "runtime/Hash"),
     "LLVM belongs to the compiler; in runtime/ to CpuJit and Hash alone"),
    (r"(compiler|dialects)/", starts("compiler/", "dialects/", "runtime/", "tools/flexsn-opt/", "tests/"),
     "a program or an example uses flexsn's public headers"),
    (r"runtime/", starts("runtime/", "compiler/", "tests/"), "runtime/ is behind flexsn/flexsn.h"),
    (r"(cuda|cuda_runtime|nvrtc)\.h", starts("runtime/Driver", "runtime/Nvrtc"), "CUDA belongs to Driver and Nvrtc"),
    (r"format$", lambda file: False, "libstdc++ 12 has no <format>: take fmt"),
]


def layers(tree):
    """A file includes only what its place in the house may know."""
    for file in tree.files:
        if not file.endswith(CXX):
            continue
        for number, match in tree.matches(file, INCLUDE):
            for what, may, why in LAYERS:
                if re.match(what, match.group(1)) and not may(file):
                    yield f"{file}:{number}: includes {match.group(1)}: {why}"
                    break


def pass_tests(tree):
    """Every pass that a .td declares has lit tests of its stem. That the pipeline runs it: tests/docs/lists.py."""
    tests = {pathlib.PurePath(file).stem for file in tree.under("tests/lit")}
    for file in tree.under("compiler"):
        if not file.endswith(".td"):
            continue
        for number, match in tree.matches(file, r'^def (\w+)\s*:\s*Pass<"([\w-]+)"'):
            if not {match.group(2), match.group(2) + "-errors"} & tests:
                yield f"{file}:{number}: there is no tests/lit/**/{match.group(2)}.mlir for {match.group(1)}"


def built(tree):
    """Every C++ source is in a CMakeLists.txt of its folder or above, or elsewhere by its path."""
    all_lists = "\n".join(tree.text(file) for file in tree.files if is_cmake(file))
    for file in tree.files:
        if not file.endswith((".cpp", ".c")):
            continue
        place = pathlib.PurePath(file)
        lists = [(parent / "CMakeLists.txt").as_posix() for parent in place.parents]
        texts = "\n".join(tree.text(name) for name in lists if tree.has(name))
        by_path = f"{place.parent.name}/{place.name}" in all_lists
        if not by_path and not re.search(rf"\b{re.escape(place.stem)}\b", texts):
            yield f"{file}:1: no CMakeLists.txt names it"


def subdirectories(tree):
    """Every folder with a CMakeLists.txt is added by the one above; the C++ examples are a project of their own."""
    for file in tree.files:
        folder = pathlib.PurePath(file).parent
        if not is_cmake(file) or folder == pathlib.PurePath(".") or file.startswith("examples/cpp/"):
            continue
        above = "\n".join(tree.text((parent / "CMakeLists.txt").as_posix()) for parent in folder.parents
                          if tree.has((parent / "CMakeLists.txt").as_posix()))
        if not re.search(rf"\b{re.escape(folder.name)}\b", above):
            yield f"{file}:1: no CMakeLists.txt above it adds this folder"


def folders(tree):
    """docs/README.md describes every folder at the top of the tree, and none that is not there."""
    there = {file.split("/")[0] for file in tree.files if "/" in file and not file.startswith(".")}
    text = tree.text("docs/README.md") if tree.has("docs/README.md") else ""
    described = set(re.findall(r"^\| `(\w+)/[^`]*`", text, re.MULTILINE))
    yield from (f"docs/README.md:1: does not describe the folder {name}/" for name in sorted(there - described))
    yield from (f"docs/README.md:1: describes {name}/, which does not exist" for name in sorted(described - there))


def links(tree):
    """Every relative link of a page leads to a file, and docs/README.md leads to every page of docs/."""
    for file in tree.files:
        if not file.endswith(".md") or is_data(file):
            continue
        for number, line in enumerate(tree.lines(file), 1):
            for target in re.findall(r"\]\(([^)#\s]+)[^)]*\)", line):
                if "://" not in target and not (tree.root / file).parent.joinpath(target).exists():
                    yield f"{file}:{number}: the link to {target} leads nowhere"
    index = tree.text("docs/README.md") if tree.has("docs/README.md") else ""
    for file in tree.under("docs"):
        name = file.removeprefix("docs/")
        if name.endswith(".md") and name != "README.md" and f"]({name})" not in index:
            yield f"docs/README.md:1: does not lead to {name}"


def changelog(tree):
    """CHANGELOG.md has a section for what is not released yet, and one for the version that CMakeLists.txt names."""
    if not tree.has("CHANGELOG.md"):
        yield "CHANGELOG.md:1: does not exist"
    elif not re.search(r"^## \[Unreleased\]$", tree.text("CHANGELOG.md"), re.MULTILINE):
        yield "CHANGELOG.md:1: lacks the section '## [Unreleased]'"


def test_names(tree, files):
    return [test for file in files
            for test in re.findall(r"^TEST(?:_F|_P)?\((\w+), (\w+)\)", tree.text(file), re.MULTILINE)]


def threads(tree):
    """A test program that starts threads is among those that the thread sanitizer runs; its tests say so by name."""
    suites = tree.text("tools/lib/suites.sh") if tree.has("tools/lib/suites.sh") else ""
    names = re.search(r"^thread_tests='(.*)'$", suites, re.MULTILINE)
    for file in tree.under("tests"):
        if not file.endswith(".cpp") or not re.search(r"std::(thread|jthread|async)\b", tree.text(file)):
            continue
        folder = [other for other in tree.under(pathlib.PurePath(file).parent.as_posix()) if other.endswith(".cpp")]
        tests = test_names(tree, [file]) or test_names(tree, folder)  # a helper is run by the tests beside it
        if not names or not any(re.search(names.group(1), ".".join(test)) for test in tests):
            yield f"{file}:1: starts threads, but thread_tests in tools/lib/suites.sh matches none of its tests"
        lists = pathlib.PurePath(file).parent / "CMakeLists.txt"
        programs = re.findall(r"add_executable\(([\w-]+)", tree.text(lists.as_posix()))
        if not any(re.search(rf"^  {program}$", suites, re.MULTILINE) for program in programs):
            yield f"{file}:1: starts threads, but thread_programs in tools/lib/suites.sh has no program of {lists}"


RULES = [layers, pass_tests, built, subdirectories, folders, links, threads, changelog]
