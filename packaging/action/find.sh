#!/usr/bin/env bash
# Finds the program for the action: the released program for this revision, or, if there is none, a folder to build it in.
#
# Outputs: `program` is the path of the program, `folder` is the folder to cache, `key` is the key of the cache, and `ready` says whether
# the program has been downloaded. VERSION selects a released version, or "source" to build; by default the revision of the action decides.
set -euo pipefail

say() { echo "voxlint: $*"; }
output() { printf '%s=%s\n' "$1" "$2" >> "$GITHUB_OUTPUT"; }
# The checksum of standard input. With the name of a file in which there is a backslash, the output would begin with one.
sha256() { if command -v sha256sum > /dev/null; then sha256sum; else shasum --algorithm 256; fi | cut -d ' ' -f 1; }

folder=$RUNNER_TEMP/voxlint
program=$folder/bin/voxlint
[ "$RUNNER_OS" != Windows ] || program=$program.exe
output folder "$folder"
output program "$program"

# The platforms with released programs. The program for Linux is linked statically, so that it also runs in containers without glibc.
archive=tar.gz
case $RUNNER_OS-$RUNNER_ARCH in
  Linux-X64) target=x86_64-unknown-linux-gnu ;;
  Linux-ARM64) target=aarch64-unknown-linux-gnu ;;
  macOS-X64) target=x86_64-apple-darwin ;;
  macOS-ARM64) target=aarch64-apple-darwin ;;
  Windows-X64) target=x86_64-pc-windows-msvc archive=zip ;;
  Windows-ARM64) target=aarch64-pc-windows-msvc archive=zip ;;
  *) target= ;;
esac

# fetch FILE TO: downloads a file of the release to a path.
fetch() { curl --fail --silent --location --retry 3 --output "$2" "$ACTION_SERVER/$ACTION_REPOSITORY/releases/download/v$version/$1"; }

# download: downloads and unpacks the program of the release.
download() {
  local name=voxlint-$version-$target downloads=$RUNNER_TEMP/voxlint-download wanted
  rm -rf "$downloads"
  mkdir -p "$downloads" "$folder/bin"
  fetch SHA256SUMS "$downloads/SHA256SUMS" || return 1
  # A commit is the revision of a release only if the release says so.
  if [ -n "$commit" ] && ! { fetch COMMIT "$downloads/COMMIT" && [ "$(cat "$downloads/COMMIT")" = "$commit" ]; }; then
    say "$commit is not the commit of version $version"
    return 1
  fi
  fetch "$name.$archive" "$downloads/$name.$archive" || return 1
  wanted=$(awk -v file="$name.$archive" '$2 == file || $2 == "*" file { print $1 }' "$downloads/SHA256SUMS")
  if [ -z "$wanted" ] || [ "$(sha256 < "$downloads/$name.$archive")" != "$wanted" ]; then
    echo "::error::the checksum of $name.$archive is not the one in SHA256SUMS"
    exit 2
  fi
  # Files of a release can be replaced later. What its workflow has built is attested, and the runners of GitHub can verify that.
  if [ -n "${GH_TOKEN:-}" ] && command -v gh > /dev/null; then
    if ! gh attestation verify "$downloads/$name.$archive" --repo "$ACTION_REPOSITORY" > /dev/null; then
      say "the attestation of $name.$archive could not be verified"
      return 1
    fi
  fi
  case $archive in
    zip) unzip -q "$downloads/$name.zip" -d "$downloads" ;;
    *) tar -xzf "$downloads/$name.tar.gz" -C "$downloads" ;;
  esac
  mv "$downloads/$name/$(basename "$program")" "$program"
  chmod +x "$program"
}

declared=$(sed -n 's/^version = "\(.*\)"$/\1/p' "$GITHUB_ACTION_PATH/Cargo.toml" | head -n 1)
commit='' version=
if [ -n "$VERSION" ] && [ "$VERSION" != source ]; then
  version=${VERSION#v}
  if ! [[ $version =~ ^[0-9]+\.[0-9]+\.[0-9]+[0-9A-Za-z.-]*$ ]]; then
    # A line break would end the command of the runner.
    echo "::error::\`version\` must be a version such as $declared, or \"source\""
    exit 2
  fi
elif [ "$VERSION" = source ]; then
  say "\`version\` is \"source\""
elif [[ $ACTION_REF =~ ^v[0-9]+\.[0-9]+\.[0-9]+ ]]; then
  version=${ACTION_REF#v}
elif [[ $ACTION_REF =~ ^[0-9a-f]{40}$ ]]; then
  version=$declared commit=$ACTION_REF
fi

if [ -n "$version" ] && [ -n "$target" ] && [ -n "$ACTION_REPOSITORY" ] && download; then
  output ready true
  say "downloaded version $version for $target"
  exit 0
fi
if [ -n "$VERSION" ] && [ "$VERSION" != source ]; then
  echo "::error::version $version cannot be downloaded for $RUNNER_OS on $RUNNER_ARCH"
  exit 2
fi

# The build depends on the sources, the compiler, and the C library that the program is linked with.
key=$(
  cd "$GITHUB_ACTION_PATH"
  {
    find Cargo.toml Cargo.lock crates -type f | LC_ALL=C sort | while IFS= read -r file; do echo "$file $(sha256 < "$file")"; done
    rustc --version 2> /dev/null || true
    ldd --version 2>&1 | head -n 1 || true
  } | sha256
)
output ready false
output key "voxlint-$RUNNER_OS-$RUNNER_ARCH-$key"
say "version ${version:-$declared} was not downloaded, so it is built, and the build is cached"
