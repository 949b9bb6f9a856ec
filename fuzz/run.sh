#!/usr/bin/env bash
# Searches for inputs that break a law of crates/laws, and keeps the inputs that reach new code.
#
#   fuzz/run.sh                    every target for one minute
#   fuzz/run.sh 30                 for thirty minutes each
#   fuzz/run.sh 30 json fixes      only these targets
#
# Needs `cargo install cargo-fuzz --locked`. The search starts from fuzz/corpora/<target>.tar.gz and the fixtures. It writes small inputs
# that reach different code back to fuzz/corpora, and `cargo test` runs the laws on them. Inputs that break a law are in
# fuzz/artifacts/<target>. Add such an input to the fixtures when the bug is fixed.
set -euo pipefail
cd "$(dirname "$0")"
root=$(cd .. && pwd)

minutes=${1:-1}
shift || true
targets=("$@")
if [ ${#targets[@]} -eq 0 ]; then
  for file in fuzz_targets/*.rs; do targets+=("$(basename "$file" .rs)"); done
fi

# The crates have no unsafe code, so no sanitizer is needed, and the stable toolchain is enough.
options=(--sanitizer none --release --debug-assertions)
cargo fuzz build "${options[@]}"
cargo run --quiet --manifest-path ../Cargo.toml --package voxlint-laws --example seeds -- corpus

for target in "${targets[@]}"; do
  mkdir -p "corpus/$target" "artifacts/$target"
  if [ -e "corpora/$target.tar.gz" ]; then tar --extract --file "corpora/$target.tar.gz" --directory "corpus/$target"; fi
  echo "$target, $minutes min" >&2
  # With -fork, the search continues after a failure.
  cargo fuzz run "${options[@]}" "$target" -- -max_total_time=$((minutes * 60)) -max_len=4096 -timeout=20 -rss_limit_mb=3000 \
    -dict=dictionary.txt -fork=1 -ignore_crashes=1 -ignore_timeouts=1 -ignore_ooms=1 2> "artifacts/$target.log" || true
  if ! grep -q '^INFO: exiting' "artifacts/$target.log"; then
    tail -n 20 "artifacts/$target.log" >&2
    exit 1
  fi
  tail -n 1 "artifacts/$target.log" >&2
  # Drop inputs that do not reach more code, and keep the smallest of the others. The same inputs give the same archive.
  cargo fuzz cmin "${options[@]}" "$target" 2>> "artifacts/$target.log"
  (
    cd "corpus/$target"
    find . -type f -size -1025c -printf '%s %f\n' | sort --numeric-sort | head -n 1000 | cut -d ' ' -f 2 | LC_ALL=C sort > "$root/fuzz/artifacts/$target.txt"
    tar --create --mtime=@0 --owner=0 --group=0 --numeric-owner --mode=644 --files-from "$root/fuzz/artifacts/$target.txt" \
      | gzip --best --no-name > "$root/fuzz/corpora/$target.tar.gz"
  )
done

failures=$(find artifacts -mindepth 2 -type f | wc -l)
echo "$failures failing inputs in fuzz/artifacts" >&2
[ "$failures" -eq 0 ]
