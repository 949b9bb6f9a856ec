"""Python and the command line agree on every fixture."""

from __future__ import annotations

import json
import subprocess
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Dict, List, Optional

import pytest
import voxlint

RELATED = (".stored.json", ".facts.json", ".variables.json", ".hbs")


def cases(repository: Path) -> List[Path]:
    files = (path for path in (repository / "fixtures/rules").glob("*/*") if path.is_file())
    rules = [path for path in files if not path.name.endswith(RELATED)]
    agents = [path for path in (repository / "fixtures/agents").rglob("*") if path.is_file()]
    templates = [path for path in (repository / "fixtures/rules").glob("*/*.hbs") if "." not in path.stem]
    return sorted([*rules, *agents, *templates])


def beside(path: Path, ending: str) -> Optional[Path]:
    found = path.with_name(path.stem + ending)
    return found if found.is_file() else None


def run(program: str, repository: Path, command: str, path: Path, options: List[str]) -> "subprocess.CompletedProcess[bytes]":
    arguments = [program, command, str(path.relative_to(repository)), "--format", "json", *options]
    if command == "check":
        arguments.append("--quiet")
    return subprocess.run(arguments, cwd=repository, capture_output=True, check=False)


def renamed(value: Any, names: Dict[str, str]) -> Any:
    """The JSON of Python with the paths that the command line shows."""
    if isinstance(value, dict):
        return {name: renamed(member, names) for name, member in value.items()}
    if isinstance(value, list):
        return [renamed(item, names) for item in value]
    return names.get(value, value) if isinstance(value, str) else value


def test_python_and_the_command_line_agree_on_every_fixture(program: str, repository: Path) -> None:
    compared = with_related = 0

    def compare(path: Path) -> str:
        nonlocal compared, with_related
        if any(path.parent.glob(f"{path.stem}.*.hbs")):
            return ""
        stored, facts = beside(path, ".stored.json"), beside(path, ".facts.json")
        options, names = [], {}
        for flag, file in (("stored", stored), ("facts", facts)):
            if file is not None:
                options += [f"--{flag}", str(file.relative_to(repository))]
                names[f"<{flag}>"] = str(file.relative_to(repository))
        by_program = run(program, repository, "check", path, options)
        try:
            context = voxlint.Context(
                stored.read_bytes() if stored else None, facts.read_bytes() if facts else None
            )
        except voxlint.UsageError:
            return "" if by_program.returncode == 2 else f"{path}: only Python rejects the inputs"
        shown = str(path.relative_to(repository))
        report = context.check(path.read_bytes(), path=shown)
        expected = json.loads(by_program.stdout)
        if renamed(report.to_dict(), names) != expected:
            return f"{path}: the reports differ"
        exit_code = 2 if report.failures else 1 if report.errors else 0
        if by_program.returncode != exit_code:
            return f"{path}: exit code {by_program.returncode}"
        spans = [(found.rule, found.field, found.span.start, found.span.end) for found in report.diagnostics]
        wanted = [
            (found["rule"], found["field"], found["span"]["start"], found["span"]["end"])
            for file in expected["files"]
            for found in file["diagnostics"]
        ]
        if spans != wanted:
            return f"{path}: the spans differ"
        compared += 1
        with_related += bool(options)
        if len(report.files) == 1 and report.kind == "update" and path.suffix != ".ndjson":
            by_program = run(program, repository, "predict", path, options)
            try:
                prediction: Any = renamed(context.predict(path.read_bytes(), path=shown).to_dict(), names)
            except voxlint.UsageError:
                prediction = None
            if prediction != (json.loads(by_program.stdout) if by_program.stdout else None):
                return f"{path}: the predictions differ"
        return ""

    with ThreadPoolExecutor(4) as pool:
        problems = [problem for problem in pool.map(compare, cases(repository)) if problem]
    assert problems == []
    assert compared > 1000 and with_related > 100


def test_a_project_and_the_command_line_agree(
    program: str, repository: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Paths are shown from the working directory.
    monkeypatch.chdir(repository)
    for folder in ("fixtures/team", "fixtures/agents", "fixtures/realistic/faulty", "fixtures/realistic/clean"):
        ran = run(program, repository, "check", repository / folder, [])
        assert voxlint.Project(folder).check().to_json() == ran.stdout.decode(), folder
    ran = run(program, repository, "plan", repository / "fixtures/team", ["--no-base"])
    assert voxlint.Project("fixtures/team").plan().to_json() == ran.stdout.decode()


@pytest.mark.parametrize("unsafe", [False, True], ids=["safe", "unsafe"])
def test_texts_are_fixed_like_files(program: str, repository: Path, tmp_path: Path, unsafe: bool) -> None:
    (tmp_path / "voxlint.toml").write_text("root = true\n")
    texts = {}
    for extension in ("json", "yaml", "toml", "jsonl"):
        for number, path in enumerate(sorted((repository / "fixtures/rules").rglob(f"*.{extension}"))[::5]):
            data = path.read_bytes()
            try:
                texts[f"{number}.{extension}"] = data.decode()
            except UnicodeDecodeError:
                continue
            (tmp_path / f"{number}.{extension}").write_bytes(data)
    arguments = [program, "check", "--fix-only", *(["--unsafe-fixes"] if unsafe else []), *texts]
    subprocess.run(arguments, cwd=tmp_path, capture_output=True, check=False)
    changed = 0
    for name, text in texts.items():
        fixed = (tmp_path / name).read_bytes().decode()
        assert voxlint.check(text, path=name).fix(text, unsafe=unsafe) == fixed, name
        changed += fixed != text
    assert changed > 10
