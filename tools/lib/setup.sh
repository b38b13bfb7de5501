# Sourced by the scripts in tools/: installs the Debian packages of packages.txt that are missing, and the Python
# packages of python.txt. A machine that has them all is not touched, and no archive is asked.
# shellcheck shell=bash

missing_packages() {
  local wanted installed
  wanted=$(sed 's/#.*//; /^[[:space:]]*$/d' "$root/tools/lib/packages.txt" | sort)
  # shellcheck disable=SC2086 # one word a package
  installed=$(dpkg-query -W -f '${db:Status-Abbrev} ${Package}\n' $wanted 2>/dev/null | sed -n 's/^ii  *//p' | sort)
  comm -23 <(printf '%s\n' "$wanted") <(printf '%s\n' "$installed")
}

# No pipe into `grep -q`: with pipefail the closed pipe would count as a failure of apt-cache.
has_candidate() { [[ $(apt-cache policy "$1" 2>/dev/null) =~ "  Candidate: "[^\(] ]]; }

# LLVM 22 comes to Debian 12 through its security suite, which an installation may lack: it lies beside the archive that
# the system already uses.
enable_security_suite() {
  local archive
  archive=$(apt-get indextargets --format '$(SITE)' 'Codename: bookworm' 'Created-By: Packages' | sed -n 1p)
  [[ $archive == */debian ]] ||
    die "libmlir-22-dev is in Debian 12's security suite, which this system's apt sources lack; add it" \
      "(deb <archive of debian-security> bookworm-security main) and start again"
  say "  Debian's security suite (for LLVM 22) is added: /etc/apt/sources.list.d/bookworm-security.list"
  printf 'deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] %s bookworm-security main\n' \
    "$archive-security" | as_root tee /etc/apt/sources.list.d/bookworm-security.list >/dev/null
}

as_root() {
  if [[ $(id -u) == 0 ]]; then "$@"; else sudo "$@"; fi
}

setup() {
  command -v dpkg-query >/dev/null ||
    die "packages are installed with apt; for systems other than Debian see docs/building.md"
  local missing
  missing=$(missing_packages)
  if [[ -z $missing ]]; then
    printf '  %-34s here\n' packages
    return
  fi
  [[ $(id -u) == 0 ]] || command -v sudo >/dev/null ||
    die "these packages are missing, and installing them needs root or sudo: ${missing//$'\n'/ }"
  step "package lists" as_root apt-get update
  if ! has_candidate libmlir-22-dev; then
    enable_security_suite
    step "package lists, security suite" as_root apt-get update
    has_candidate libmlir-22-dev || die "apt finds no libmlir-22-dev (LLVM 22); flexsn is built on Debian 12"
  fi
  # shellcheck disable=SC2086 # one word a package
  step "packages ($(wc -w <<<"$missing") missing)" as_root env DEBIAN_FRONTEND=noninteractive \
    apt-get install --yes --no-install-recommends $missing
}

# What the tests need beside Debian's packages; neither the build nor the demo does.
setup_python() {
  local venv=$root/build/venv wanted=$root/tools/lib/python.txt
  if cmp --quiet "$wanted" "$venv/installed.txt"; then
    printf '  %-34s here\n' "python packages"
    return
  fi
  rm -rf "$venv"
  step "python environment" python3 -m venv "$venv"
  step "python packages" "$venv/bin/pip" install --disable-pip-version-check --requirement "$wanted"
  cp "$wanted" "$venv/installed.txt"
}
