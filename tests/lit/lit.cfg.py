"""Tests of dialects, passes and the import, as text: RUN lines with flexsn-opt, flexsnc and FileCheck."""
import os

import lit.formats

config.name = "flexsn"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir", ".fsn"]
config.test_source_root = os.path.dirname(__file__)
build = lit_config.params["build"]
config.test_exec_root = os.path.join(build, "tests", "lit")  # outputs (%t) stay out of the source tree
config.environment["PATH"] = os.pathsep.join(
    [os.path.join(build, "bin"), lit_config.params["llvm_tools"], config.environment["PATH"]]
)
for name in ("ASAN_OPTIONS", "UBSAN_OPTIONS", "TSAN_OPTIONS"):  # lit hands down only what it is told to
    if name in os.environ:
        config.environment[name] = os.environ[name]
