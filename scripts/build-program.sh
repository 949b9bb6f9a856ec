#!/usr/bin/env bash
# Builds the packaged program. The last line of the output is its path.
#
#   scripts/build-program.sh [TARGET]
#
# On Linux with glibc, it is built with profile-guided optimization (PGO): first a program that records which code runs when generated
# documents are checked, then the program itself, for which the compiler reads the recording. It starts faster and checks faster. This needs
# llvm-profdata for the LLVM of the Rust compiler (`rustup component add llvm-tools`). Other targets are built without PGO.
#
# VOXLINT_PROFILE is the Cargo profile (default: dist). Only dist is built with PGO. VOXLINT_PGO=no turns it off, and with VOXLINT_PGO=yes,
# the build fails if it should use PGO and llvm-profdata is missing.
set -euo pipefail
cd "$(dirname "$0")/.."
host=$(rustc -vV | sed -n 's/^host: //p')
target=${1:-$host}
profile=${VOXLINT_PROFILE:-dist}
mkdir -p "${CARGO_TARGET_DIR:-target}"
built=$(cd "${CARGO_TARGET_DIR:-target}" && pwd)
exe='' flags=()
case $target in
  # Statically, so that it runs with any C library or none. At a fixed address it starts faster.
  *-linux-*) flags=(-C target-feature=+crt-static -C relocation-model=static) ;;
  # Linked statically, so that no runtime library has to be installed.
  *-windows-*)
    exe=.exe flags=(-C target-feature=+crt-static)
    # Programs that do not belong to the shell read the path, too.
    ! command -v cygpath > /dev/null || built=$(cygpath -m "$built")
    ;;
esac

# Finds llvm-profdata, which merges recordings: that of the toolchain, or else one for the same version of LLVM.
llvm=$(rustc -vV | sed -n 's/^LLVM version: \([0-9]*\).*/\1/p')
profdata() {
  local found
  for found in "$(rustc --print target-libdir)/../bin/llvm-profdata" "llvm-profdata-$llvm" llvm-profdata; do
    if [[ $("$found" merge --version 2> /dev/null) == *"LLVM version $llvm."* ]]; then
      echo "$found"
      return
    fi
  done
}

# Checks something with the program that records. Most runs have findings.
check() {
  local status=0
  "$recording" check "$@" > /dev/null 2> "$work/errors" || status=$?
  if [ "$status" -gt 1 ]; then
    cat "$work/errors" >&2
    exit 1
  fi
}

# Records what runs for documents that differ from those of the benchmarks.
exercise() {
  local documents=$work/documents name
  "$corpus" --documents 300 --seed 901 --out "$documents/json"
  "$corpus" --documents 200 --seed 902 --clean --out "$documents/clean"
  "$corpus" --documents 60 --seed 903 --yaml --out "$documents/yaml"
  "$corpus" --documents 60 --seed 904 --toml --out "$documents/toml"
  "$corpus" --documents 100 --seed 905 --ndjson "$documents/lines.ndjson"
  "$corpus" --size 2000000 --seed 906 --clean --out "$documents/large"
  export LLVM_PROFILE_FILE=$work/raw/%m.profraw
  for name in json clean yaml toml lines.ndjson large; do
    check "$documents/$name"
  done
  for name in json sarif github junit; do
    check --format "$name" "$documents/json"
  done
  # One file, as in a hook.
  while read -r name; do
    check "$name"
  done < <(find "$documents/clean" "$documents/json" -name 'agent-0000[0-3]*' | sort)
}

tool=''
if [[ $target == "$host" && $target == *-linux-gnu && $profile == dist && ${VOXLINT_PGO:-} != no ]]; then
  tool=$(profdata)
  if [ -z "$tool" ]; then
    echo "no llvm-profdata for LLVM $llvm was found, so the program is built without PGO: rustup component add llvm-tools" >&2
    [ "${VOXLINT_PGO:-}" != yes ] || exit 1
  fi
fi
if [ -z "$tool" ]; then
  # The native target needs no `--target`, which would build everything again in another folder.
  options=(--profile "$profile" --locked) folder=$built
  if [ "$target" != "$host" ]; then
    options+=(--target "$target")
    folder=$built/$target
  fi
  CARGO_TARGET_DIR=$built cargo rustc "${options[@]}" --bin voxlint -- ${flags[@]+"${flags[@]}"}
  echo "$folder/$profile/voxlint$exe"
  exit
fi

# build FOLDER FLAG...: the flags are for every crate. With `--target`, they are not for build scripts and macros.
build() {
  local folder=$1 IFS=$'\x1f'
  shift
  local all=("${flags[@]}" "$@")
  CARGO_TARGET_DIR=$folder CARGO_ENCODED_RUSTFLAGS=${all[*]} cargo build --profile "$profile" --locked --bin voxlint --target "$target"
}
build "$built/recording" -C "profile-generate=$built/recording/raw"
recording=$built/recording/$target/$profile/voxlint
CARGO_TARGET_DIR=$built cargo build --release --locked --quiet --manifest-path benches/Cargo.toml --bin corpus
corpus=$built/release/corpus
# Threads make recordings of the same run differ a little. The recording is kept, so that the program is not built again without a reason.
name=$(cat "$recording" "$corpus" "scripts/${0##*/}" | sha256sum | cut -c 1-16)
recordings=$built/recording/merged
if [ ! -e "$recordings/$name" ]; then
  work=$(mktemp -d)
  trap 'rm -rf "$work"' EXIT
  exercise
  mkdir -p "$recordings"
  "$tool" merge --output "$recordings/$name.$$" "$work/raw"
  mv "$recordings/$name.$$" "$recordings/$name"
fi
build "$built/pgo" -C "profile-use=$recordings/$name"
echo "$built/pgo/$target/$profile/voxlint"
