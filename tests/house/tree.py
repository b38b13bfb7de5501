"""The files that the rules of the house are held against, and the shape of a rule."""
import pathlib
import re

SKIPPED = {".git", ".venv", ".cache", "__pycache__", "build", ".ccache"}
CXX = (".cpp", ".h", ".hpp", ".c", ".def")
SOURCES = CXX + (".td", ".cuh", ".py", ".sh", ".cmake", ".mlir")


class Tree:
    """A folder with sources: `files` are paths relative to it, in order, without what is built or fetched."""

    def __init__(self, root):
        self.root = pathlib.Path(root)
        self.files = sorted(self._walk(self.root))
        self._texts = {}

    def _walk(self, folder):
        for entry in folder.iterdir():
            if entry.name in SKIPPED or entry.is_symlink():
                continue
            if entry.is_dir():
                yield from self._walk(entry)
            else:
                yield entry.relative_to(self.root).as_posix()

    def under(self, *folders):
        """The files in these folders, or in all."""
        return [f for f in self.files if not folders or f.startswith(tuple(folder + "/" for folder in folders))]

    def sources(self, *folders):
        """Hand-written sources: by ending, CMakeLists.txt, and scripts without an ending."""
        return [f for f in self.under(*folders) if f.endswith(SOURCES) or is_cmake(f) or self.is_script(f)]

    def is_script(self, file):
        return "." not in pathlib.PurePath(file).name and self.text(file).startswith("#!")

    def has(self, file):
        return file in self.files

    def text(self, file):
        """The file's text; empty if it is no UTF-8 (arrays, corpus files)."""
        if file not in self._texts:
            data = (self.root / file).read_bytes()
            try:
                self._texts[file] = data.decode()
            except UnicodeDecodeError:
                self._texts[file] = ""
        return self._texts[file]

    def lines(self, file):
        return self.text(file).split("\n")

    def matches(self, file, pattern):
        """(line number, match) for every line of the file on which the pattern is found."""
        for number, line in enumerate(self.lines(file), 1):
            match = re.search(pattern, line)
            if match:
                yield number, match


def is_cmake(file):
    return file.endswith("CMakeLists.txt")


def is_data(file):
    """Texts whose odd bytes, lengths or lines are what a test is about."""
    return file.startswith(("tests/diagnostics/", "tests/fuzz/corpus/", "tests/cli/snapshots/"))
