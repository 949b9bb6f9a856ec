# For the scripts that try voxlint, which read this file first: goes to the root of the repository.
cd "$(dirname "${BASH_SOURCE[0]}")/.."
root=$PWD

# Ends a script that cannot try anything.
skipped() {
  echo "skipped: $*"
  exit 0
}

# The program to try: VOXLINT_BINARY, or else target/release/voxlint, which is built.
program() {
  if [ -n "${VOXLINT_BINARY:-}" ]; then
    realpath "$VOXLINT_BINARY"
  else
    cargo build --release --locked --quiet --bin voxlint >&2
    realpath "${CARGO_TARGET_DIR:-$root/target}/release/voxlint"
  fi
}
