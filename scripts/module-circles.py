#!/usr/bin/env python3
"""Lists the circles of files of a crate that import each other, and fails if there is one.

  scripts/module-circles.py              the circles of each crate with their arrows
  scripts/module-circles.py CRATE...     those of these crates

An import is a `use`, or a path in the code that starts with `crate`, `super`, `self` or the name of an imported module. It counts
for the file that defines what it names: re-exports are followed, and do not count themselves. Tests do not count either.
"""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
# Comments, strings and characters, where braces and paths mean nothing.
SILENT = re.compile(
    r"""//[^\n]*|/\*.*?\*/|\bb?r(#*)".*?"\1|b?"(?:\\.|[^"\\])*"|b?'(?:\\[^\n]{1,8}?|[^'\\\n])'""", re.DOTALL
)
TEST = re.compile(r"#\[cfg\((?:all\()?test\b[^\]]*\]\s*(?:#\[[^\]]*\]\s*)*")
USE = re.compile(r"(?P<public>\bpub(?:\([^)]*\))?\s+)?\buse\s+(?P<tree>[^;]+);")
MODULE = re.compile(r"\bmod\s+(\w+)\s*([;{])")
PATH = re.compile(r"(?<![\w:.])([a-z_]\w*(?:\s*::\s*\w+)+)")


def without_tests(text):
    """The code without comments, texts and what only tests see."""
    text = SILENT.sub(lambda found: '""' if '"' in found.group() else " ", text)
    while found := TEST.search(text):
        at = found.end()
        depth, end = 0, at
        while end < len(text) and not (depth == 0 and text[end] == ";"):
            depth += {"{": 1, "}": -1}.get(text[end], 0)
            if depth == 0 and text[end] == "}":
                break
            end += 1
        text = text[: found.start()] + text[end + 1 :]
    return text


def names_of(tree, before=()):
    """Each name that a `use` binds, with the path it stands for: `a::{b, c as d}` gives b and d."""
    head, brace, rest = tree.partition("{")
    path = before + tuple(part for part in re.split(r"\s*::\s*", head.strip()) if part)
    if not brace:
        *start, last = path
        last, _, other = last.partition(" as ")
        path = (*start, last) if last != "self" or not start else tuple(start)
        yield (other.strip() or path[-1]), path
        return
    depth, part = 0, ""
    for letter in rest.rstrip()[:-1] + ",":
        depth += {"{": 1, "}": -1}.get(letter, 0)
        if letter == "," and depth == 0:
            if part.strip():
                yield from names_of(part.strip(), path)
            part = ""
        else:
            part += letter


class Module:
    def __init__(self, name, file):
        self.name, self.file, self.modules, self.uses, self.globs, self.code = name, file, set(), {}, [], ""


def read(folder):
    """The modules of a crate by their paths."""
    modules = {}
    entry = next(path for path in (folder / "lib.rs", folder / "main.rs") if path.exists())
    waiting = [((), entry, folder)]
    while waiting:
        name, file, inside = waiting.pop()
        module = modules[name] = Module(name, file)
        text = without_tests(file.read_text())
        for found in MODULE.finditer(text):
            child = found[1]
            paths = (inside / f"{child}.rs", inside / child / "mod.rs")
            if path := next((path for path in paths if path.exists()), None):
                module.modules.add(child)
                waiting.append(((*name, child), path, inside / child))
        for found in USE.finditer(text):
            for bound, path in names_of(found["tree"]):
                if bound == "*":
                    module.globs.append((path[:-1], bool(found["public"])))
                else:
                    module.uses[bound] = (path, bool(found["public"]))
        module.code = USE.sub("", text)
    return modules


def resolved(modules, at, path, seen=frozenset()):
    """The module that defines what a path names in the module `at`, and what is left of the path; `None` if it is of another crate."""
    first, *rest = path
    here = at
    if first in ("crate", "self", "super"):
        here = () if first == "crate" else at if first == "self" else at[:-1]
        while rest and rest[0] == "super":
            here, rest = here[:-1], rest[1:]
    elif first in modules[at].modules or first in modules[at].uses:
        rest = list(path)
    else:
        return None
    for index, part in enumerate(rest):
        module = modules[here]
        # A function may have the name of its module.
        is_function = part in module.uses and index + 1 == len(rest)
        if part in module.modules and not is_function:
            here = (*here, part)
            continue
        if part in module.uses:
            if (here, part) in seen:
                return None
            return resolved(modules, here, (*module.uses[part][0], *rest[index + 1 :]), seen | {(here, part)})
        for path, public in module.globs:
            target = resolved(modules, here, path, seen)
            if target and re.search(rf"\b(?:fn|struct|enum|trait|type|const|static)\s+{part}\b", modules[target[0]].code):
                return target[0], rest[index:]
        return here, rest[index:]
    return here, []


def arrows(modules):
    """For each module, the modules that it imports with what it takes from each."""
    found = {name: {} for name in modules}
    for name, module in modules.items():
        paths = [tuple(re.split(r"\s*::\s*", path)) for path in PATH.findall(module.code)]
        paths += [path for path, public in module.uses.values() if not public]
        paths += [(*path, "*") for path, public in module.globs if not public]
        for path in paths:
            target = resolved(modules, name, path)
            # A module that is named alone is an import only for the paths through it, which are in the code.
            if target and target[0] != name and target[1]:
                found[name].setdefault(target[0], set()).add(target[1][0])
    return found


def circles(graph):
    """The strongly connected parts of more than one module."""
    order, seen = [], set()

    def visit(name, graph, into):
        stack = [(name, iter(graph[name]))]
        seen.add(name)
        while stack:
            here, targets = stack[-1]
            target = next((target for target in targets if target not in seen), None)
            if target is None:
                into.append(here)
                stack.pop()
            else:
                seen.add(target)
                stack.append((target, iter(graph[target])))

    for name in graph:
        if name not in seen:
            visit(name, graph, order)
    back = {name: [other for other in graph if name in graph[other]] for name in graph}
    seen.clear()
    for name in reversed(order):
        if name not in seen:
            part = []
            visit(name, back, part)
            if len(part) > 1:
                yield sorted(part)


def main():
    status = 0
    for folder in sorted((ROOT / "crates").glob("*/src")):
        crate = folder.parent.name
        if sys.argv[1:] and crate not in sys.argv[1:]:
            continue
        modules = read(folder)
        graph = arrows(modules)
        parts = list(circles(graph))
        if parts:
            status = 1
            print(f"{crate}: {sum(map(len, parts))} files are in circles")
        path = lambda name: modules[name].file.relative_to(folder)
        for part in parts:
            print(f"  {len(part)} files:")
            for name in part:
                for target, names in sorted(graph[name].items()):
                    if target in part:
                        print(f"    {path(name)} -> {path(target)}: {', '.join(sorted(names))}")
    return status


if __name__ == "__main__":
    sys.exit(main())
