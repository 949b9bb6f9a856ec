"""Runs every example on its real engine: scripts/try-lake.sh. An engine that is not installed is skipped."""

import hashlib
import json
import os
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pyarrow as pa
import pyarrow.dataset
import pyarrow.parquet
import pytest
import voxlint

EXAMPLES = Path(__file__).resolve().parents[1]
FIXTURES = EXAMPLES.parents[1] / "fixtures"
FACTS = FIXTURES / "rules/unknown-id/bad-each-of-them.facts.json"
NEEDS_FACTS = "rules/unknown-id/bad-each-of-them.json"
CONFIG = '[rules]\nunknown-field = "error"\n'
MISSPELLED = '{ "version_number": 3, "titel": "Bar" }'

ENGINES = {
    "duckdb": ["polars_duckdb.py", "--engine", "duckdb"],
    "polars": ["polars_duckdb.py", "--engine", "polars"],
    "ray": ["ray_data.py"],
    "spark": ["spark.py"],
    "spark-direct": ["spark.py", "--direct"],
    "spark-pandas": ["spark.py", "--pandas"],
}
PACKAGES = {"duckdb": ["duckdb"], "polars": ["polars", "duckdb"], "ray": ["ray"], "spark": ["pyspark"], "spark-direct": ["pyspark"], "spark-pandas": ["pyspark", "pandas"]}

# The other programs read in the same way as one of these.
ALL_WAYS_TO_READ = ["duckdb", "polars", "ray", "spark"]


def needs(engine):
    for package in PACKAGES[engine]:
        if find_spec(package) is None:
            pytest.skip(f"{package} is not installed")
    if engine.startswith("spark") and shutil.which("java") is None:
        pytest.skip("Java is not installed")


def execute(command, folder, **options):
    # Ray writes a token into the home directory.
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    environment = {**os.environ, "HOME": str(folder), "PATH": path, "SPARK_LOCAL_IP": "127.0.0.1"}
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False, **options)


def run(engine, folder, *arguments):
    needs(engine)
    script, *flags = ENGINES[engine]
    return execute([sys.executable, EXAMPLES / script, *map(str, arguments), *flags], folder)


def secrets():
    lines = (FIXTURES / "secrets.tsv").read_text(encoding="utf-8").splitlines()
    pairs = [line.split("\t") for line in lines if not line.startswith("#")]
    return [(f"rules/{path}", secret) for path, secret in pairs if path.endswith(".json")]


@pytest.fixture(scope="session")
def documents():
    """Documents by name: with and without mistakes, with secrets, and some that cannot be read."""
    named = {path.relative_to(FIXTURES).as_posix() for path in FIXTURES.glob("agents/**/*.json")}
    named |= {path for path, _ in secrets()} | {NEEDS_FACTS}
    found = {name: (FIXTURES / name).read_bytes() for name in sorted(named)}
    odd = {"odd/misspelled": MISSPELLED.encode(), "odd/empty": b"", "odd/not-utf-8": b'{ "title": "caf\xe9" }', "odd/null": None}
    return {**found, **odd}


class Run:
    def __init__(self, engine, documents, folder):
        table = pa.table({"path": list(documents), "document": pa.array(documents.values(), pa.binary())})
        # Several row groups, so that every worker has documents.
        pyarrow.parquet.write_table(table, folder / "documents.parquet", row_group_size=10)
        (folder / "voxlint.toml").write_text(CONFIG)
        self.reports = folder / "reports.parquet"
        inputs = ["--facts", FACTS, "--config", "voxlint.toml"]
        result = run(engine, folder, "documents.parquet", self.reports, *inputs)
        self.output = result.stdout + result.stderr
        assert result.returncode == 0, self.output
        self.rows = rows(self.reports)


def rows(reports):
    files = [reports] if reports.is_file() else sorted(reports.glob("**/*.parquet"))
    found = pyarrow.dataset.dataset(files).to_table().to_pylist()
    return {row["path"]: row["report"] for row in found}


@pytest.fixture(scope="session", params=ENGINES)
def finished(request, documents, tmp_path_factory):
    return Run(request.param, documents, tmp_path_factory.mktemp(request.param))


def places(report):
    """The findings of a report, without the code of the examples."""
    return [
        (it.rule, it.severity, it.status, it.field, it.message, it.help, it.span.from_.line, it.span.from_.column)
        for it in report.diagnostics
    ]


COLUMNS = ("rule", "severity", "status", "field", "message", "help", "line", "column")


def test_reports_are_those_of_voxlint(finished, documents):
    context = voxlint.Context(facts=FACTS.read_text(encoding="utf-8"), config=CONFIG)
    assert finished.rows.keys() == documents.keys()
    for path, document in documents.items():
        report = finished.rows[path]
        if document is None:
            assert report is None
            continue
        expected = context.check(document)
        assert [tuple(it[name] for name in COLUMNS) for it in report["findings"]] == places(expected), path
        assert report["kind"] == expected.kind, path
        summary = expected.summary
        counts = (summary.errors, summary.warnings, summary.infos, summary.undecided)
        assert tuple(report[name] for name in ("errors", "warnings", "infos", "undecided")) == counts, path
        assert (report["failure"] is None) == (not expected.failures), path


def test_facts_and_configuration_reach_the_workers(finished):
    assert "unknown-id" in {it["rule"] for it in finished.rows[NEEDS_FACTS]["findings"]}
    assert [it["severity"] for it in finished.rows["odd/misspelled"]["findings"]] == ["error"]


def test_a_report_says_what_it_was_checked_with(finished):
    expected = {
        "version": voxlint.__version__,
        "facts": hashlib.sha256(FACTS.read_bytes()).hexdigest(),
        "config": hashlib.sha256(CONFIG.encode()).hexdigest(),
    }
    reports = [report for report in finished.rows.values() if report is not None]
    assert all({name: report[name] for name in expected} == expected for report in reports)


def test_no_secret_leaves_the_workers(finished, documents):
    shown = str(finished.rows) + finished.output
    plain = [(path, secret) for path, secret in secrets() if secret.encode() in documents[path]]
    assert len(plain) > 10
    for path, secret in plain:
        assert finished.rows[path]["findings"], path
        assert secret not in shown, path


@pytest.mark.parametrize("engine", ALL_WAYS_TO_READ)
def test_a_folder_has_the_same_reports(engine, tmp_path):
    (tmp_path / "agents/bar").mkdir(parents=True)
    (tmp_path / "agents/desk.json").write_text('{ "version_number": 3, "kb_max_chunks": 12 }')
    (tmp_path / "agents/bar/en.json").write_text(MISSPELLED)
    (tmp_path / "agents/notes.txt").write_text("not a document")
    result = run(engine, tmp_path, "agents", tmp_path / "reports.parquet")
    assert result.returncode == 0, result.stdout + result.stderr
    found = {Path(path).name: [it["rule"] for it in row["findings"]] for path, row in rows(tmp_path / "reports.parquet").items()}
    assert found == {"desk.json": ["out-of-range"], "en.json": ["unknown-field"]}


@pytest.mark.parametrize("engine", ALL_WAYS_TO_READ)
def test_a_worker_with_another_version_fails_the_job(engine, tmp_path):
    pyarrow.parquet.write_table(pa.table({"path": ["en"], "document": [MISSPELLED]}), tmp_path / "documents.parquet")
    result = run(engine, tmp_path, "documents.parquet", "reports.parquet", "--pin", "0.0.1")
    assert result.returncode != 0
    assert f"this worker has voxlint {voxlint.__version__}, and the job is for 0.0.1" in result.stdout + result.stderr
    assert not (tmp_path / "reports.parquet").exists()


def lines(documents):
    """Each document as one line, as far as it is JSON."""
    for document in documents.values():
        try:
            yield json.dumps(json.loads(document))
        except (TypeError, ValueError):
            pass


def test_the_pipe_answers_lines_with_lines(documents, tmp_path):
    texts = list(lines(documents))
    result = execute([EXAMPLES / "pipe.sh", "--facts", str(FACTS)], tmp_path, input="\n".join(texts))
    assert result.returncode == 0, result.stderr
    found = [json.loads(line) for line in result.stdout.splitlines()]
    assert found[0]["type"] == "run"
    assert found[-1]["type"] == "summary"
    assert found[-1]["documents"] == len(texts)
    rules = {it["rule"] for it in found if it["type"] == "finding"}
    assert {"unknown-id", "secret-in-document", "unknown-field"} <= rules
    assert not any(secret in result.stdout for _, secret in secrets())
    assert execute([EXAMPLES / "pipe.sh", "--facts", "missing.json"], tmp_path, input=texts[0]).returncode == 2


def test_spark_pipes_every_partition(documents, tmp_path):
    needs("spark")
    texts = list(lines(documents))
    (tmp_path / "documents").mkdir()
    for half in range(2):
        (tmp_path / f"documents/{half}.ndjson").write_text("\n".join(texts[half::2]) + "\n")
    (tmp_path / "documents/empty.ndjson").touch()
    result = execute([sys.executable, EXAMPLES / "spark_pipe.py", "documents", "findings", "--facts", str(FACTS)], tmp_path)
    assert result.returncode == 0, result.stderr
    assert result.stdout.startswith(f"{len(texts)} documents, ")
    parts = [path.read_text(encoding="utf-8") for path in (tmp_path / "findings").glob("part-*")]
    found = "".join(parts)
    # An empty file is a partition as well.
    assert found.count('"type":"summary"') == len(parts) > 2
    assert '"rule":"unknown-id"' in found
    assert not any(secret in found + result.stdout + result.stderr for _, secret in secrets())
