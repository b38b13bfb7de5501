"""What the tests of the program from outside share: its data, and running a command line as a shell does."""
import math
import os
import re
import shutil
import struct
import subprocess
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
VENV = HERE.parents[1] / "build" / "venv"
NVRTC = "lib/python3*/site-packages/nvidia/cu13/lib/libnvrtc.so.13"


def npy(descr, shape, data, fortran=False):
    """The bytes of a version 1.0 .npy file."""
    shape_text = "(" + ", ".join(map(str, shape)) + ("," if len(shape) == 1 else "") + ")"
    header = "{'descr': '%s', 'fortran_order': %s, 'shape': %s, }" % (descr, fortran, shape_text)
    header = header.ljust(117) + "\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode() + data


def read_npy(path):
    """Type, shape and values of a .npy file that flexsnc wrote."""
    bytes_ = Path(path).read_bytes()
    length, = struct.unpack("<H", bytes_[8:10])
    header = eval(bytes_[10:10 + length])  # our own output
    code = {"<f4": "f", "<f8": "d", "<i4": "i", "|b1": "?"}[header["descr"]]
    count = (len(bytes_) - 10 - length) // struct.calcsize(code)
    return header["descr"], header["shape"], list(struct.unpack("<%d%s" % (count, code), bytes_[10 + length:]))


def make_data(folder):
    """Models and arrays that the command lines of the tests name."""
    for file in (HERE / "data").iterdir():
        shutil.copy(file, folder / file.name)
    ramp = [0.5 * i for i in range(12)]
    floats = struct.pack("<12f", *ramp)
    arrays = {
        "x.npy": npy("<f4", (4, 3), floats),
        "x8.npy": npy("<f8", (4, 3), struct.pack("<12d", *ramp)),
        "x2.npy": npy("<f2", (4, 3), struct.pack("<12e", *ramp)),
        "xf.npy": npy("<f4", (4, 3), struct.pack("<12f", *[ramp[3 * t + n] for n in range(3) for t in range(4)]), True),
        "one.npy": npy("<f4", (4,), struct.pack("<4f", 2, 2, 2, 2)),
        "scalar.npy": npy("<f4", (), struct.pack("<f", 2)),
        "v.npy": npy("<f4", (3,), struct.pack("<3f", 0.5, 0.25, 0)),
        "v5.npy": npy("<f4", (5,), bytes(20)),
        "n.npy": npy("<i4", (4, 3), struct.pack("<12i", *range(12))),
        "bytes.npy": npy("|u1", (4, 3), bytes(range(12))),
        "gate.npy": npy("|b1", (4, 3), bytes([0, 1, 1] * 4)),
        "nan.npy": npy("<f4", (4, 3), struct.pack("<12f", *([math.nan] * 2 + [math.inf] + [0.5] * 9))),
        "cut.npy": npy("<f4", (4, 3), floats[:40]),
        "long.npy": npy("<i8", (4, 3), bytes(96)),
        "object.npy": npy("|O", (4, 3), b""),
        "empty.npy": b"",
        "saved.npz": b"PK\x03\x04 and so on",
    }
    for name, bytes_ in arrays.items():
        (folder / name).write_bytes(bytes_)


class Sandbox:
    """A folder with the data, and an environment in which `flexsnc` is the program under test."""

    def __init__(self, program):
        self.program = Path(program).resolve()

    def __enter__(self):
        self.holder = tempfile.TemporaryDirectory(prefix="flexsnc-")
        self.folder = Path(self.holder.name)
        make_data(self.folder)
        # NVRTC as tools/test gets it, whatever else this machine has
        self.environment = {"FLEXSN_NVRTC": next(map(str, VENV.glob(NVRTC)), "build/venv; tools/test makes it")}
        keep = ("ASAN_OPTIONS", "UBSAN_OPTIONS", "TSAN_OPTIONS")
        self.environment.update({name: os.environ[name] for name in keep if name in os.environ})
        self.environment.update(PATH=f"{self.program.parent}:/usr/bin:/bin", HOME=str(self.folder), COLUMNS="80")
        return self

    def __exit__(self, *_):
        self.holder.cleanup()

    def run(self, command):
        return subprocess.run(["bash", "-o", "pipefail", "-c", command], cwd=self.folder, env=self.environment,
                              stdin=subprocess.DEVNULL, capture_output=True, timeout=120)


def settled(text):
    """Text without what differs from run to run and from machine to machine."""
    text = re.sub(r"(compiled in|loaded in|ran in) [0-9.]+ (us|ms|s)\b", r"\1 TIME", text)
    text = re.sub(r'("(?:compile|run|used)": )[0-9.e-]+', r"\1TIME", text)
    text = re.sub(r'("bytes": )[1-9][0-9]*', r"\1BYTES", text)
    text = re.sub(r"\b[0-9a-f]{64}\b|^[0-9a-f]{12}(?=  )", "KEY", text, flags=re.MULTILINE)
    text = re.sub(r"(KEY|entry,|entries,) +[0-9.]+ KiB", r"\1 SIZE", text)
    text = re.sub(r" +(?:now|\d+ (?:min|h|days))(?=  )", "  AGE", text)
    return re.sub(r"\b\d+\.\d+\.\d+\b", "VERSION", text)
