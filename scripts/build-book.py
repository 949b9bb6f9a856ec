#!/usr/bin/env python3
"""Builds docs/ as a book with search into target/book, and fails if a link leads nowhere or a page loads something from the network.

  scripts/build-book.py          prints the first page of the book

Links of the book to other files of the repository lead to its address in Cargo.toml. Links of the other pages into docs/ are checked as well.
pip installs mdBook into target/book-tools, from its registry. MDBOOK is another mdBook.
"""

import html.parser
import os
import pathlib
import re
import subprocess
import sys
import urllib.parse

ROOT = pathlib.Path(__file__).resolve().parent.parent
DOCS, BOOK, TOOLS = ROOT / "docs", ROOT / "target" / "book", ROOT / "target" / "book-tools"
OTHER_PAGES = ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md", "editors/vscode/README.md"]
# Elements of a page whose address is loaded, and not only followed.
LOADING = {"audio", "embed", "iframe", "img", "link", "object", "script", "source", "video"}


def mdbook():
    """The path of mdBook, which is installed if it is missing."""
    if "MDBOOK" in os.environ:
        return os.environ["MDBOOK"]
    wanted = ROOT / "packaging" / "book-requirements.txt"
    installed, program = TOOLS / "installed.txt", TOOLS / "bin" / "mdbook"
    if not (program.exists() and installed.exists() and installed.read_bytes() == wanted.read_bytes()):
        subprocess.run([sys.executable, "-m", "venv", "--clear", TOOLS], check=True)
        options = ["--quiet", "--disable-pip-version-check", "--no-deps", "--only-binary=:all:", "--require-hashes"]
        subprocess.run([TOOLS / "bin" / "pip", "install", *options, "--requirement", wanted], check=True)
        installed.write_bytes(wanted.read_bytes())
    return program


class Page(html.parser.HTMLParser):
    """The places that a page defines, and the addresses that it links to or loads."""

    def __init__(self, text):
        super().__init__()
        self.places, self.linked, self.loaded = {""}, set(), set()
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        values = dict(attributes)
        self.places.add(values.get("id") or "")
        addresses = {values[name] for name in ("href", "src", "data") if values.get(name)}
        (self.loaded if tag in LOADING else self.linked).update(addresses)


def is_elsewhere(address):
    return bool(urllib.parse.urlsplit(address).scheme) or address.startswith("//")


def repository():
    """The address of the repository."""
    found = re.search(r'^repository = "(.*)"$', (ROOT / "Cargo.toml").read_text(encoding="utf-8"), re.MULTILINE)
    return found[1] if found else "https://github.com/OWNER/voxlint"


def file_of(target):
    """The file of the repository that a page of the book outside of the book stands for; None if there is none."""
    source = DOCS / os.path.relpath(target, BOOK)
    candidates = [source.with_suffix(".md"), source] if source.suffix == ".html" else [source]
    return next((it.resolve() for it in candidates if it.exists()), None)


def main():
    built = subprocess.run([mdbook(), "build", DOCS], check=False)
    if built.returncode:
        sys.exit("mdBook cannot build the book")
    (BOOK / "book.toml").unlink(missing_ok=True)
    texts = {path: path.read_text(encoding="utf-8") for path in sorted(BOOK.rglob("*.html"))}
    pages = {path: Page(text) for path, text in texts.items()}
    faults = []
    for path, page in pages.items():
        name = path.relative_to(BOOK)
        faults += [f"{name} loads {it}" for it in sorted(page.loaded) if is_elsewhere(it)]
        # What is served for a missing page has addresses from the root of the site.
        local = set() if name.name == "404.html" else page.linked | page.loaded
        for address in sorted(it for it in local if not is_elsewhere(it)):
            target, _, place = address.partition("#")
            target = pathlib.Path(os.path.normpath(path.parent / urllib.parse.unquote(target))) if target else path
            if target.is_relative_to(BOOK):
                known = pages[target].places if target in pages else {"", place} if target.is_file() else set()
                if urllib.parse.unquote(place) not in known:
                    faults.append(f"{name} links to {address}")
            elif found := file_of(target):
                kind = "tree" if found.is_dir() else "blob"
                new = f"{repository()}/{kind}/HEAD/{found.relative_to(ROOT)}" + (place and f"#{place}")
                texts[path] = texts[path].replace(f'href="{address}"', f'href="{new}"')
            else:
                faults.append(f"{name} links to {address}")
        path.write_text(texts[path], encoding="utf-8")
    for style in sorted(BOOK.rglob("*.css")):
        for address in re.findall(r"url\(\s*['\"]?([^'\")]+)", style.read_text(encoding="utf-8")):
            if is_elsewhere(address) and not address.startswith("data:"):
                faults.append(f"{style.relative_to(BOOK)} loads {address}")

    for name in OTHER_PAGES:
        text = re.sub(r"(?ms)^ *```.*?^ *```", "", (ROOT / name).read_text(encoding="utf-8"))
        for address in re.findall(r"\]\(([^)\s]+)\)", text):
            if is_elsewhere(address) or address.startswith("#"):
                continue
            target, _, place = address.partition("#")
            target = (ROOT / name).parent / target
            page = pages.get(BOOK / os.path.relpath(target.with_suffix(".html").resolve(), DOCS))
            if not target.exists() or (page and place not in page.places):
                faults.append(f"{name} links to {address}")

    if faults:
        sys.exit("\n".join(["the book is not complete:", *faults]))
    print(BOOK / "index.html")


if __name__ == "__main__":
    main()
