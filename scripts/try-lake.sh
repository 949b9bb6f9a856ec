#!/usr/bin/env bash
# Runs the examples for lakes of documents (examples/lake) on their real engines, in local mode.
#
#   scripts/try-lake.sh             DuckDB, Polars and the shell: less than a minute
#   VOXLINT_LAKE=1 scripts/try-lake.sh     also Spark and Ray, whose packages have hundreds of megabytes and take minutes
#
# Arguments are passed on to pytest. pip installs the engines into a temporary environment, or into VOXLINT_LAKE_ENVIRONMENT, which is
# kept. What cannot be installed is skipped, with a message; Spark needs Java 17 or later. VOXLINT_WHEEL is the wheel to try (default: the
# one that scripts/try-python.sh has built, or else a new one). CI runs the first form.
set -euo pipefail
. "$(dirname "$0")/common.sh"
export PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_NO_INPUT=1

folder=${VOXLINT_LAKE_ENVIRONMENT:-}
if [ -z "$folder" ]; then
  folder=$(mktemp -d)
  trap 'rm -rf "$folder"' EXIT
fi
# The engines do not have packages for every version of Python on the day of its release.
python=
for candidate in python3 python3.{11..13} "${PYENV_ROOT:-$HOME/.pyenv}"/versions/3.1[1-3].*/bin/python; do
  if "$candidate" -c 'import ensurepip, sys, venv; sys.exit(not (3, 11) <= sys.version_info < (3, 14))' 2> /dev/null; then
    python=$candidate
    break
  fi
done
[ -n "$python" ] || skipped "Python 3.11, 3.12 or 3.13 is not installed"
"$python" -m venv "$folder" 2> /dev/null || skipped "$python cannot make a virtual environment"
pip() { "$folder/bin/pip" --quiet "$@"; }
pip install --requirement examples/lake/requirements.txt || skipped "pip cannot install DuckDB and Polars"

wheel=${VOXLINT_WHEEL:-}
if [ -z "$wheel" ]; then
  for found in target/python/wheels/voxlint-*-abi3-*.whl; do
    [ ! -e "$found" ] || wheel=$found
  done
fi
if [ -z "$wheel" ]; then
  pip install 'maturin>=1.9,<2' || skipped "pip cannot install maturin"
  binary=$(program)
  export CARGO_TARGET_DIR=${CARGO_TARGET_DIR:-$root/target}
  PATH=$folder/bin:$PATH VOXLINT_PROGRAM=$binary pip wheel --no-deps --no-build-isolation --wheel-dir "$folder/wheels" .
  wheel=$(echo "$folder"/wheels/voxlint-*.whl)
fi
pip install --no-index --no-deps --force-reinstall "$wheel"

if [ -n "${VOXLINT_LAKE:-}" ]; then
  command -v java > /dev/null || echo "skipped: Spark, because Java is not installed"
  for engine in spark ray; do
    pip install --requirement "examples/lake/requirements-$engine.txt" || echo "skipped: pip cannot install $engine"
  done
else
  echo "skipped: Spark and Ray (VOXLINT_LAKE=1 tries them)"
fi
"$folder/bin/python" -m pytest --quiet -p no:cacheprovider examples/lake/tests "$@"
