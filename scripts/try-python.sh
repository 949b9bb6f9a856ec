#!/usr/bin/env bash
# Tests the wheel for Python in empty environments of the oldest and the newest installed Python.
#
#   scripts/try-python.sh           arguments are passed on to pytest
#
# pip installs the tools into target/python, which needs its registry. Without Python 3.9 or pip, everything is skipped, with a message.
# The tests of the newest Python include the comparison with the command line on every fixture, mypy and stubtest. VOXLINT_BINARY is the
# program in the wheel (default: target/release/voxlint, which is built).
set -euo pipefail
. "$(dirname "$0")/common.sh"
export CARGO_TARGET_DIR=${CARGO_TARGET_DIR:-$root/target} PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_NO_INPUT=1
folder=$root/target/python

# Every Python from 3.9, the oldest first: "minor path".
pythons() {
  local python minor
  for python in python3 python3.{9..20} "${PYENV_ROOT:-$HOME/.pyenv}"/versions/3.*/bin/python \
    "${RUNNER_TOOL_CACHE:-/opt/hostedtoolcache}"/Python/3.*/*/bin/python; do
    python=$(command -v "$python") || continue
    minor=$("$python" -c 'import ensurepip, sys, venv; print(sys.version_info[1] if sys.version_info >= (3, 9) and sys.implementation.name == "cpython" else "")' 2> /dev/null) || continue
    [ -z "$minor" ] || echo "$minor $python"
  done | sort --numeric-sort --stable --unique --key=1,1
}
found=$(pythons)
[ -n "$found" ] || skipped "Python 3.9 or later is not installed"
oldest=$(head -n 1 <<< "$found")
newest=$(tail -n 1 <<< "$found")

# environment NAME PYTHON PACKAGE...: creates a virtual environment that contains only these packages.
environment() {
  local name=$1 python=$2
  shift 2
  rm -rf "${folder:?}/$name"
  "$python" -m venv "$folder/$name" 2> /dev/null || skipped "$python cannot make a virtual environment"
  "$folder/$name/bin/pip" install --quiet "$@" || skipped "pip cannot install $*"
}

mkdir -p "$folder"
if [ ! -x "$folder/tools/bin/maturin" ]; then
  environment tools "${newest#* }" 'maturin>=1.9,<2'
fi
binary=$(program)
rm -rf "$folder/wheels"
PATH=$folder/tools/bin:$PATH VOXLINT_PROGRAM=$binary "$folder/tools/bin/pip" wheel --quiet --no-deps --no-build-isolation --wheel-dir "$folder/wheels" .
wheel=("$folder"/wheels/voxlint-*-abi3-*.whl)
echo "ok: the wheel ($(basename "${wheel[0]}"), $(du -k "${wheel[0]}" | cut -f1) KiB)"
[ -e "${wheel[0]}" ]

# The tests must not find the sources.
cp -r bindings/python/tests/. "$folder/tests.new"
rm -rf "$folder/tests" && mv "$folder/tests.new" "$folder/tests"
# try NAME PYTHON ARGUMENT...: installs the wheel, and runs the tests.
try() {
  local name=$1 python=$2
  shift 2
  environment "$name" "$python" pytest
  "$folder/$name/bin/pip" install --quiet --no-index --no-deps "${wheel[0]}"
  echo "== $("$folder/$name/bin/python" --version)"
  (cd "$folder" && VOXLINT_REPOSITORY=$root "$name/bin/python" -m pytest --quiet -p no:cacheprovider tests "$@")
}
if [ "${oldest%% *}" != "${newest%% *}" ]; then
  try oldest "${oldest#* }" --ignore tests/test_agreement.py "$@"
else
  echo "skipped: there is only one version of Python"
fi
try newest "${newest#* }" "$@"

"$folder/newest/bin/pip" install --quiet mypy || skipped "pip cannot install mypy"
cd "$folder"
newest/bin/python -m mypy --config-file "$root/pyproject.toml" tests
newest/bin/python -m mypy --config-file "$root/pyproject.toml" -p voxlint
newest/bin/python -m mypy.stubtest --mypy-config-file "$root/pyproject.toml" voxlint._native
