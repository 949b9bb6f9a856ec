# Shared by the scripts that test voxlint, which source this file first. Changes to the root of the repository.
cd "$(dirname "${BASH_SOURCE[0]}")/.."
root=$PWD

# Ends a script that cannot test anything.
skipped() {
  echo "skipped: $*"
  exit 0
}

# The program to test: VOXLINT_BINARY, or else target/release/voxlint, which is built.
program() {
  if [ -n "${VOXLINT_BINARY:-}" ]; then
    realpath "$VOXLINT_BINARY"
  else
    cargo build --release --locked --quiet --bin voxlint >&2
    realpath "${CARGO_TARGET_DIR:-$root/target}/release/voxlint"
  fi
}
