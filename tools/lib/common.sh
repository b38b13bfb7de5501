# Sourced by the scripts in tools/: where the project is, and how a script talks.
# shellcheck shell=bash

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
logs=$root/build/logs
jobs=${FLEXSN_JOBS:-$(nproc)}
export LC_ALL=C.UTF-8 # one order of names for sort and comm, whatever the user's language

die() {
  printf '\n%s: %s\n' "$(basename "$0")" "$*" >&2
  exit 1
}

# say TEXT: a heading for people; results go to stdout as they are.
say() { printf '%s\n' "$*"; }

# step LABEL COMMAND...: runs COMMAND with its output in a log; prints one line with the time it took, or on failure
# the end of the log and the command itself.
step() {
  local label=$1 log start=$SECONDS
  shift
  log=$logs/${label//[^a-z0-9]/-}.log
  mkdir -p "$logs"
  printf '  %-34s ' "$label"
  if "$@" >"$log" 2>&1 </dev/null; then
    printf '%4d s\n' $((SECONDS - start))
  else
    local code=$?
    printf 'FAILED after %d s (exit code %d)\n\n' $((SECONDS - start)) "$code"
    tail -n 40 "$log"
    die "'$*' failed; all of its output: $log"
  fi
}

# needs_built PRESET TARGET...: configures the preset (release lies in build, the others in build/PRESET) and builds.
needs_built() {
  local preset=$1
  shift
  cd "$root"
  step "configure $preset" cmake --preset "$preset"
  step "build $preset" cmake --build --preset "$preset" --parallel "$jobs" ${1:+--target "$@"}
}
