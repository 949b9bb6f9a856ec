#!/usr/bin/env bash
# Builds the program as packages contain it. The last line of the output is its path.
#
#   scripts/build-program.sh [TARGET]
#
# On Linux with glibc, the compiler uses a profile: the program is built once to record what runs when generated documents are checked, and once
# more with that knowledge. It then starts faster and checks faster. This needs llvm-profdata for the LLVM of the Rust compiler (`rustup
# component add llvm-tools`). Without it, and for other targets, the program is built without a profile.
#
# VOXLINT_PROFILE is the profile of Cargo (default: dist; a profile is recorded only for dist). With VOXLINT_RECORD=no, none is recorded.
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
  *-windows-*) exe=.exe flags=(-C target-feature=+crt-static) ;;
esac

# The program that reads recordings: that of the toolchain, or else one for the same version of LLVM.
profdata() {
  local version found
  version=$(rustc -vV | sed -n 's/^LLVM version: \([0-9]*\).*/\1/p')
  for found in "$(rustc --print target-libdir)/../bin/llvm-profdata" "llvm-profdata-$version" llvm-profdata; do
    if "$found" merge --version 2> /dev/null | grep -q "LLVM version $version\."; then
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
  local corpus=$built/release/corpus documents=$work/documents name
  CARGO_TARGET_DIR=$built cargo build --release --locked --quiet --manifest-path benches/Cargo.toml --bin corpus
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
if [[ $target == "$host" && $target == *-linux-gnu && $profile == dist && ${VOXLINT_RECORD:-} != no ]]; then
  tool=$(profdata)
  [ -n "$tool" ] || echo "built without a profile: llvm-profdata is not installed (rustup component add llvm-tools)" >&2
fi
if [ -z "$tool" ]; then
  # The native target needs no `--target`, which would build everything again in another folder.
  options=(--profile "$profile" --locked) folder=$built
  if [ "$target" != "$host" ]; then
    options+=(--target "$target")
    folder=$built/$target
  fi
  cargo rustc "${options[@]}" --bin voxlint -- ${flags[@]+"${flags[@]}"}
  echo "$folder/$profile/voxlint$exe"
  exit
fi

# The flags are for every crate. With `--target`, they are not for build scripts and macros.
build() {
  CARGO_TARGET_DIR=$1 RUSTFLAGS="${flags[*]} $2" cargo build --profile "$profile" --locked --bin voxlint --target "$target"
}
build "$built/recording" "-C profile-generate=$built/recording/raw"
recording=$built/recording/$target/$profile/voxlint
# The same program gets the same profile, so that it is not built again.
name=$(sha256sum "$recording" | cut -c 1-16)
profiles=$built/recording/profiles
if [ ! -e "$profiles/$name.profdata" ]; then
  work=$(mktemp -d)
  trap 'rm -rf "$work"' EXIT
  exercise
  mkdir -p "$profiles"
  "$tool" merge --output "$work/profdata" "$work/raw"
  mv "$work/profdata" "$profiles/$name.profdata"
fi
build "$built/profiled" "-C profile-use=$profiles/$name.profdata"
echo "$built/profiled/$target/$profile/voxlint"
