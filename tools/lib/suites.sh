# Sourced by tools/test: one function a suite. Each adds its closing line to `results`; a failure stops the script.
# shellcheck shell=bash

results=()

# run_ctest PRESET [ctest options]: shows failures in full, adds ctest's own summary. A suite that ran no test fails.
run_ctest() {
  local preset=$1 log=$logs/ctest-$1.log summary
  shift
  setup_python
  mkdir -p "$logs"
  say "  tests $preset"
  cd "$root"
  ctest --preset "$preset" --parallel "$jobs" "$@" >"$log" 2>&1 </dev/null || {
    cat "$log"
    die "tests of the $preset build failed; run one again with: ctest --preset $preset -R NAME"
  }
  summary=$(grep -E '^[0-9]+% tests passed, 0 tests failed out of [1-9][0-9]*$' "$log") ||
    die "ctest said nothing of tests that passed; all of its output: $log"
  say "$summary"
  results+=("  $(printf '%-8s' "$preset") $summary")
}

sources() {
  find "$root"/{compiler,dialects,runtime,tools,tests,examples} -type f \
    \( -name '*.cpp' -o -name '*.h' -o -name '*.hpp' -o -name '*.c' \) | LC_ALL=C sort
}

suite_style() {
  local files
  mapfile -t files < <(sources)
  step "clang-format of ${#files[@]} files" clang-format-22 --dry-run -Werror "${files[@]}"
  results+=("  style    ${#files[@]} files are as clang-format wants them")
}

suite_release() {
  needs_built release
  run_ctest release
}

# The demo takes the programs of the release build.
suite_demo() {
  local picture=$root/build/demo/raster.svg
  rm -f "$picture"
  step demo "$root/tools/demo"
  grep -q '<svg' "$picture" || die "tools/demo ended well, but $picture is no picture"
  results+=("  demo     build/demo/raster.svg")
}

suite_quick() {
  needs_built release
  run_ctest release -LE slow
}

# The second compiler is there for its warnings and for the language it accepts; the slow tests compare numbers that the
# release suite has compared already.
suite_gcc() {
  needs_built gcc
  run_ctest gcc -LE slow
}

suite_asan() {
  needs_built asan
  run_ctest asan
}

# Programs whose tests start threads, and those tests' names; a rule of tests/house compares both with the sources.
thread_programs=(
  flexsn-abi-test
  flexsn-cache-test
  flexsn-cli-test
  flexsn-compiler-test
  flexsn-cuda-test
  flexsn-numerics-test
  flexsn-nvrtc-test
  flexsn-runtime-test
)
thread_tests='Thread|ProgramCache'

suite_tsan() {
  needs_built tsan "${thread_programs[@]}"
  run_ctest tsan -R "$thread_tests"
}

# A file is looked at again when it, a header of ours or the rules changed: build/tidy keeps an empty file for each pair
# of contents that was clean.
suite_tidy() {
  needs_built release
  step clang-tidy "$root/tools/lib/tidy" "$root/build" "$jobs"
  results+=("  tidy     $(tail -n 1 "$logs/clang-tidy.log")")
}
