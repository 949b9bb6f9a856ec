#!/usr/bin/env bash
# Searches for inputs that break a law of crates/laws, and keeps the inputs that reach new code.
#
#   fuzz/run.sh                    every target for one minute
#   fuzz/run.sh 30                 for thirty minutes each
#   fuzz/run.sh 30 json fixes      only these targets
#
# Needs `cargo install cargo-fuzz --locked`. The search starts from fuzz/corpora/<target>.tar.gz and the fixtures, and writes the smallest
# set of inputs that reaches the same code back to fuzz/corpora, which `cargo test` runs. An input that breaks a law is in
# fuzz/artifacts/<target>; keep it as a fixture when the mistake is corrected.
set -euo pipefail
cd "$(dirname "$0")"
root=$(cd .. && pwd)

minutes=${1:-1}
shift || true
targets=("$@")
if [ ${#targets[@]} -eq 0 ]; then
  for file in fuzz_targets/*.rs; do targets+=("$(basename "$file" .rs)"); done
fi

# Our crates have no unsafe code, so nothing needs a sanitizer, and the stable toolchain will do.
options=(--sanitizer none --release --debug-assertions)
cargo fuzz build "${options[@]}"
cargo run --quiet --manifest-path ../Cargo.toml --package voxlint-laws --example seeds -- corpus

for target in "${targets[@]}"; do
  mkdir -p "corpus/$target" "artifacts/$target"
  if [ -e "corpora/$target.tar.gz" ]; then tar --extract --file "corpora/$target.tar.gz" --directory "corpus/$target"; fi
  echo "$target, $minutes min" >&2
  # -fork keeps going after a failure.
  cargo fuzz run "${options[@]}" "$target" -- -max_total_time=$((minutes * 60)) -max_len=4096 -timeout=20 -rss_limit_mb=3000 \
    -dict=dictionary.txt -fork=1 -ignore_crashes=1 -ignore_timeouts=1 -ignore_ooms=1 2> "artifacts/$target.log" || true
  tail -n 1 "artifacts/$target.log" >&2
  # The inputs that reach the same code as all of them, in an archive that is the same for the same inputs.
  cargo fuzz cmin "${options[@]}" "$target" 2>> "artifacts/$target.log"
  find "corpus/$target" -size +3k -delete
  tar --create --sort=name --mtime=@0 --owner=0 --group=0 --numeric-owner --mode=644 --directory "corpus/$target" . \
    | gzip --best --no-name > "corpora/$target.tar.gz"
done

failures=$(find artifacts -mindepth 2 -type f | wc -l)
echo "$failures inputs in fuzz/artifacts" >&2
[ "$failures" -eq 0 ]
