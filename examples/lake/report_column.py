"""Reports of voxlint as a column of Arrow, which the examples for Spark, Ray, Polars and DuckDB share.

A worker gets the texts of `Inputs` once, and keeps the `Checker` that it makes of them. A report has findings, in which secrets are masked,
and never the document.
"""

import argparse
import hashlib
import sys
import time
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate, chain, count
from pathlib import Path
from typing import Optional

import pyarrow as pa
import voxlint

FINDING = pa.struct(
    [
        ("rule", pa.string()),
        ("verdict", pa.string()),
        ("severity", pa.string()),
        ("status", pa.int32()),
        ("field", pa.string()),
        ("message", pa.string()),
        ("help", pa.string()),
        ("line", pa.int32()),
        ("column", pa.int32()),
    ]
)
REPORT = pa.struct(
    [
        # What the document was checked with: the version of voxlint, and the SHA-256 of the facts and of voxlint.toml.
        ("version", pa.string()),
        ("facts", pa.string()),
        ("config", pa.string()),
        # Null if nothing was recognized.
        ("kind", pa.string()),
        ("errors", pa.int32()),
        ("warnings", pa.int32()),
        ("infos", pa.int32()),
        # How many rules depend on values that neither the document nor the facts have.
        ("undecided", pa.int32()),
        ("findings", pa.list_(FINDING)),
        # Why the document was not checked, or only in part.
        ("failure", pa.string()),
    ]
)
REPORTS = pa.schema([("path", pa.string()), ("report", REPORT)])


@dataclass(frozen=True)
class Inputs:
    """What every worker has to check with. `facts` and `config` are texts, so that no worker reads a file."""

    version: str
    facts: Optional[str] = None
    config: Optional[str] = None
    format: str = "json"


class Checker:
    """A context that is parsed once, for any number of documents."""

    def __init__(self, inputs: Inputs) -> None:
        if voxlint.__version__ != inputs.version:
            raise RuntimeError(
                f"this worker has voxlint {voxlint.__version__}, and the job is for {inputs.version}:"
                f" install voxlint=={inputs.version} on every worker"
            )
        self._context = voxlint.Context(facts=inputs.facts, config=inputs.config)
        self._format = inputs.format
        self._inputs = {"version": inputs.version, "facts": sha256(inputs.facts), "config": sha256(inputs.config)}

    def check(self, documents: pa.Array, threads: int = 1) -> pa.Array:
        """The reports of documents, which are texts or bytes. One thread is right where the engine has several workers."""
        reports = self._context.check_many(documents.drop_null().to_pylist(), format=self._format, threads=threads)
        # A report keeps its document, so only the parts that are needed are kept of each.
        rows = [(it.kind, it.summary, findings(it), "; ".join(map(str, it.failures)) or None) for it in reports]
        kinds, summaries, found, failures = zip(*rows) if rows else ((), (), (), ())
        columns = {
            **{name: pa.repeat(pa.scalar(value, pa.string()), len(rows)) for name, value in self._inputs.items()},
            **{name: [getattr(it, name) for it in summaries] for name in ("errors", "warnings", "infos", "undecided")},
            "kind": kinds,
            "findings": pa.ListArray.from_arrays(
                pa.array(accumulate(map(len, found), initial=0), pa.int32()), pa.array(chain.from_iterable(found), FINDING)
            ),
            "failure": failures,
        }
        arrays = [pa.array(columns[field.name], field.type) for field in REPORT]
        result = pa.StructArray.from_arrays(arrays, fields=list(REPORT))
        # A null document has a null report.
        number = count()
        return result.take(pa.array([next(number) if it else None for it in documents.is_valid().to_pylist()], pa.int64()))


def findings(report: voxlint.Report) -> list:
    if report.clean:
        return []
    files = report.to_dict()["files"]
    return [{**it, **place(it["span"])} for file in files for it in file["diagnostics"]]


def place(span: dict) -> dict:
    return span["from"] or {"line": None, "column": None}


@lru_cache(maxsize=1)
def checker(inputs: Inputs) -> Checker:
    """The checker of this process, for engines that call functions in processes of their own."""
    return Checker(inputs)


def sha256(text: Optional[str]) -> Optional[str]:
    return None if text is None else hashlib.sha256(text.encode()).hexdigest()


def arguments(engine: str) -> argparse.Namespace:
    """The command line that all examples have."""
    parser = argparse.ArgumentParser(description=f"Check a column of documents with voxlint in {engine}.")
    parser.add_argument("documents", help="Parquet with the columns `path` and `document` (its name ends in .parquet), or a folder of files")
    parser.add_argument("reports", help="where to write the columns `path` and `report`, as Parquet")
    parser.add_argument("--facts", type=Path, help="the workspace facts")
    parser.add_argument("--config", type=Path, help="a voxlint.toml")
    parser.add_argument("--format", default="json", help="how the documents are written, and the extension of files (default: json)")
    parser.add_argument("--workers", type=int, default=2, help="how many processes, or threads on one machine, check (default: 2)")
    parser.add_argument("--pin", default=voxlint.__version__, help="the version that every worker must have (default: the one installed here)")
    if engine == "Spark":
        parser.add_argument("--pandas", action="store_true", help="use mapInPandas instead of mapInArrow")
        parser.add_argument("--direct", action="store_true", help="let the workers read Parquet, from a path that all of them can open")
    if engine == "one process":
        parser.add_argument("--engine", choices=["polars", "duckdb"], default="duckdb")
    return parser.parse_args()


def inputs(options: argparse.Namespace) -> Inputs:
    texts = (None if path is None else path.read_text(encoding="utf-8") for path in (options.facts, options.config))
    return Inputs(options.pin, *texts, format=options.format)


_started = time.monotonic()


def took(what: str, documents: Optional[int] = None) -> None:
    """Says on standard error how long a part took."""
    global _started
    now = time.monotonic()
    seconds, _started = now - _started, now
    rate = "" if documents is None else f", {documents} documents, {documents / seconds:.0f} per second"
    print(f"{what}: {seconds:.1f} s{rate}", file=sys.stderr)
