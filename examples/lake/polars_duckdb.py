"""Checks a column of documents on one machine: python polars_duckdb.py documents.parquet reports.parquet --engine duckdb"""

from pathlib import Path

import pyarrow as pa
import report_column as column


def with_polars(checker: column.Checker, options) -> None:
    import polars as pl

    if options.documents.endswith(".parquet"):
        documents = pl.scan_parquet(options.documents)
    else:
        files = sorted(Path(options.documents).rglob(f"*.{options.format}"))
        documents = pl.LazyFrame({"path": map(str, files), "document": [file.read_bytes() for file in files]})

    def check(texts: pl.Series) -> pl.Series:
        return pl.from_arrow(checker.check(texts.to_arrow(), options.workers))

    kind = pl.from_arrow(pa.array([], column.REPORT)).dtype
    # The report of a document depends on nothing else, so Polars may pass on the column in parts.
    report = pl.col("document").map_batches(check, return_dtype=kind, is_elementwise=True)
    documents.select("path", report.alias("report")).sink_parquet(options.reports)


def with_duckdb(checker: column.Checker, options) -> None:
    import duckdb

    database = duckdb.connect()
    if options.documents.endswith(".parquet"):
        query, source = "select path, document from read_parquet($1)", options.documents
    else:
        query, source = "select filename, content from read_blob($1)", f"{options.documents}/**/*.{options.format}"
    batches = database.sql(query, params=[source]).to_arrow_reader(1000)

    def checked():
        for batch in batches:
            yield pa.RecordBatch.from_arrays([batch[0], checker.check(batch[1], options.workers)], schema=column.REPORTS)

    reports = pa.RecordBatchReader.from_batches(column.REPORTS, checked())
    database.cursor().execute("copy (from reports) to $1 (format parquet)", [options.reports])


def main() -> None:
    import duckdb

    options = column.arguments("one process")
    checker = column.Checker(column.inputs(options))
    column.took("start-up")
    {"polars": with_polars, "duckdb": with_duckdb}[options.engine](checker, options)
    documents = duckdb.execute("select count(*) from read_parquet($1)", [options.reports]).fetchone()[0]
    column.took("check", documents)
    rules = """
        select count(*), rule from (select unnest(report.findings).rule as rule from read_parquet($1))
        group by rule order by count(*) desc, rule
    """
    for findings, rule in duckdb.execute(rules, [options.reports]).fetchall():
        print(f"{findings:8} {rule}")


if __name__ == "__main__":
    main()
