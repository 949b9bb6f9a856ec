#!/usr/bin/env bash
# Builds the files of a release for one platform, as the release workflow does:
#
#   scripts/build-release.sh TARGET FOLDER         the archive, the wheel, the npm package and, for Linux, the Debian package
#   scripts/build-release.sh --complete FOLDER     the files that do not depend on a platform, and SHA256SUMS
#
# VOXLINT_PARTS selects parts: archive, wheel, npm, deb. VOXLINT_PROFILE is the profile of the build (default: dist). With VOXLINT_ZIG=no,
# the modules for Python and Node.js need the C library of this machine. Needs Python with the packages of packaging/requirements.txt, for npm
# Node.js, for Debian packages dpkg, and for profile-guided optimization llvm-tools (see build-program.sh).
set -euo pipefail
cd "$(dirname "$0")/.."
target=$1
mkdir -p "$2"
out=$(cd "$2" && pwd)
parts=${VOXLINT_PARTS:-archive wheel npm deb}
profile=${VOXLINT_PROFILE:-dist}
# On Windows, an environment has no python3.
python=$(command -v python || command -v python3)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

wants() { [[ " $parts " == *" $1 "* ]]; }
# package NAME: prints a field of the package of the program, or nothing.
package() {
  cargo metadata --no-deps --format-version 1 --locked \
    | "$python" -c 'import json, sys; print(next(it for it in json.load(sys.stdin)["packages"] if it["name"] == "voxlint-cli")[sys.argv[1]] or "")' "$1" \
    | tr -d '\r'
}
version=$(package version)
# Archives and packages do not depend on the time of the build.
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct)}
export SOURCE_DATE_EPOCH

if [ "$target" = --complete ]; then
  if wants npm; then
    node packaging/npm/assemble.mjs "$work/npm"
    npm pack --silent --pack-destination "$out" "$work/npm/voxlint" > /dev/null
  fi
  # The action compares it with the commit that it is used at.
  git rev-parse HEAD > "$out/COMMIT"
  cd "$out"
  rm -f SHA256SUMS
  "$python" - > "$work/sums" << 'SCRIPT'
import hashlib, os
for name in sorted(os.listdir(".")):
    with open(name, "rb") as file:
        print(f"{hashlib.sha256(file.read()).hexdigest()}  {name}")
SCRIPT
  mv "$work/sums" SHA256SUMS
  exit 0
fi

# --- the program -----------------------------------------------------------------------------------------------------------------
case $target in
  *-windows-*) exe=.exe ;;
  *) exe='' ;;
esac
host=$(rustc -vV | sed -n 's/^host: //p')
program=$(VOXLINT_PROFILE=$profile scripts/build-program.sh "$target" | tail -n 1)
if [ "$("$program" --version)" != "voxlint $version" ]; then
  echo "$program is not voxlint $version" >&2
  exit 1
fi

# The files of the archive and the Debian package.
files=$work/files
mkdir -p "$files/completions" "$files/man"
for shell in bash elvish fish powershell zsh; do
  case $shell in
    powershell) name=voxlint.ps1 ;;
    elvish) name=voxlint.elv ;;
    zsh) name=_voxlint ;;
    *) name=voxlint.$shell ;;
  esac
  "$program" completions "$shell" > "$files/completions/$name"
done
"$program" man > "$files/man/voxlint.1"
cp "$program" "$files/voxlint$exe"
cp README.md CHANGELOG.md LICENSE-APACHE LICENSE-MIT "$files"

# --- the archive -----------------------------------------------------------------------------------------------------------------
if wants archive; then
  "$python" - "$files" "$out" "voxlint-$version-$target" << 'SCRIPT'
import gzip, io, os, sys, tarfile, time, zipfile
files, out, name = sys.argv[1:]
date = int(os.environ["SOURCE_DATE_EPOCH"])
found = sorted(
    os.path.relpath(os.path.join(folder, file), files).replace(os.sep, "/")
    for folder, _, names in os.walk(files) for file in names
)
mode = lambda path: 0o755 if path.startswith("voxlint") else 0o644
if "windows" in name:
    with zipfile.ZipFile(os.path.join(out, f"{name}.zip"), "w", zipfile.ZIP_DEFLATED) as archive:
        for path in found:
            about = zipfile.ZipInfo(f"{name}/{path}", time.gmtime(date)[:6])
            about.compress_type, about.external_attr = zipfile.ZIP_DEFLATED, mode(path) << 16
            with open(os.path.join(files, path), "rb") as file:
                archive.writestr(about, file.read())
else:
    # gzip would write the time into its header.
    with open(os.path.join(out, f"{name}.tar.gz"), "wb") as raw, gzip.GzipFile("", "wb", 9, raw, date) as zipped:
        with tarfile.open(fileobj=zipped, mode="w", format=tarfile.PAX_FORMAT) as archive:
            for path in found:
                with open(os.path.join(files, path), "rb") as file:
                    content = file.read()
                about = tarfile.TarInfo(f"{name}/{path}")
                about.size, about.mtime, about.mode = len(content), date, mode(path)
                archive.addfile(about, io.BytesIO(content))
SCRIPT
fi

# --- the wheel -------------------------------------------------------------------------------------------------------------------
# Python and Node.js load their modules, which use the same C library as they do. zig links the modules with its oldest supported version.
zig=
[[ $target != *-linux-* ]] || zig=${VOXLINT_ZIG:-yes}
if wants wheel; then
  arguments=(--profile "$profile")
  # The native target needs no `--target`, which would build everything again in another folder, unless zig links.
  if [ "$zig" = yes ] || [ "$target" != "$host" ]; then arguments+=(--target "$target"); fi
  case $zig-$target in
    yes-*-gnu) arguments+=(--zig --compatibility manylinux2014) ;;
    yes-*-musl) arguments+=(--zig --compatibility musllinux_1_2) ;;
    no-*) arguments+=(--compatibility linux) ;;
  esac
  VOXLINT_PROGRAM=$program MATURIN_PEP517_ARGS=${arguments[*]} \
    "$python" -m pip wheel --quiet --no-deps --no-build-isolation --wheel-dir "$work/wheel" .
  mv "$work"/wheel/*.whl "$out"
fi

# --- the npm package of the platform ---------------------------------------------------------------------------------------------
if wants npm; then
  case $target in
    x86_64-unknown-linux-gnu) platform=linux-x64-glibc ;;
    x86_64-unknown-linux-musl) platform=linux-x64-musl ;;
    aarch64-unknown-linux-gnu) platform=linux-arm64-glibc ;;
    aarch64-unknown-linux-musl) platform=linux-arm64-musl ;;
    x86_64-apple-darwin) platform=darwin-x64 ;;
    aarch64-apple-darwin) platform=darwin-arm64 ;;
    x86_64-pc-windows-msvc) platform=win32-x64 ;;
    aarch64-pc-windows-msvc) platform=win32-arm64 ;;
    *)
      echo "there is no npm package for $target" >&2
      exit 1
      ;;
  esac
  cargo=(cargo build) library=libvoxlint_node.so folder=${CARGO_TARGET_DIR:-bindings/target}
  arguments=(--manifest-path bindings/Cargo.toml --package voxlint-node --profile "$profile" --locked)
  case $zig-$target in
    yes-*-gnu) cargo=(cargo-zigbuild zigbuild) arguments+=(--target "$target.2.17") folder=$folder/$target ;;
    # A module cannot be static.
    yes-*-musl)
      cargo=(env RUSTFLAGS="-C target-feature=-crt-static" cargo-zigbuild zigbuild)
      arguments+=(--target "$target") folder=$folder/$target
      ;;
    *-darwin) library=libvoxlint_node.dylib ;;
    *-windows-*) library=voxlint_node.dll ;;
  esac
  if [ "$zig" != yes ] && [ "$target" != "$host" ]; then arguments+=(--target "$target") folder=$folder/$target; fi
  "${cargo[@]}" "${arguments[@]}"
  program=$program,$folder/$profile/$library
  node packaging/npm/assemble.mjs "$work/npm" "$platform=$program"
  npm pack --silent --pack-destination "$out" "$work/npm/$platform" > /dev/null
fi

# --- the Debian package ----------------------------------------------------------------------------------------------------------
# The static program depends on nothing, so one package for each processor runs on every Debian and Ubuntu. dpkg builds it, because
# cargo-deb takes longer to build than voxlint.
if wants deb && [[ $target == *-linux-gnu ]]; then
  case $target in
    x86_64-*) processor=amd64 ;;
    *) processor=arm64 ;;
  esac
  deb=$work/deb
  # Debian sorts 1.2.3~rc.1 before 1.2.3.
  debian=${version/-/\~}-1
  mkdir -p "$deb/DEBIAN"
  install -D -m 755 "$files/voxlint" "$deb/usr/bin/voxlint"
  install -D -m 644 "$files/man/voxlint.1" "$deb/usr/share/man/man1/voxlint.1"
  install -D -m 644 "$files/completions/voxlint.bash" "$deb/usr/share/bash-completion/completions/voxlint"
  install -D -m 644 "$files/completions/_voxlint" "$deb/usr/share/zsh/vendor-completions/_voxlint"
  install -D -m 644 "$files/completions/voxlint.fish" "$deb/usr/share/fish/vendor_completions.d/voxlint.fish"
  install -D -m 644 "$files/README.md" "$deb/usr/share/doc/voxlint/README.md"
  install -D -m 644 "$files/CHANGELOG.md" "$deb/usr/share/doc/voxlint/changelog"
  { cat LICENSE-MIT; printf '\nOr, at your option:\n\n'; cat LICENSE-APACHE; } > "$deb/usr/share/doc/voxlint/copyright"
  gzip -9n "$deb/usr/share/man/man1/voxlint.1" "$deb/usr/share/doc/voxlint/changelog"
  repository=$(package repository)
  {
    echo "Package: voxlint"
    echo "Version: $debian"
    echo "Architecture: $processor"
    echo "Section: devel"
    echo "Priority: optional"
    echo "Maintainer: The voxlint authors"
    [ -z "$repository" ] || echo "Homepage: $repository"
    echo "Installed-Size: $(du -k -s "$deb/usr" | cut -f 1)"
    echo "Suggests: git"
    echo "Description: $(package description)"
    echo " voxlint checks JSON, YAML, TOML and Handlebars. It works offline."
  } > "$deb/DEBIAN/control"
  find "$deb" -exec touch --no-dereference --date "@$SOURCE_DATE_EPOCH" {} +
  dpkg-deb --build --root-owner-group -Zxz "$deb" "$out/voxlint_${debian}_$processor.deb" > /dev/null
fi
