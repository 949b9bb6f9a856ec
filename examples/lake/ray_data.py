"""Checks a column of documents in Ray Data: python ray_data.py documents.parquet reports.parquet --workers 2

On a cluster: ray job submit --working-dir examples/lake -- python ray_data.py documents.parquet reports.parquet
"""

import pyarrow as pa
import ray
import report_column as column


def check(batch: pa.Table, inputs: ray.ObjectRef) -> pa.Table:
    """The reports of a batch. Ray uses a worker process for many batches, and the process keeps its checker."""
    return pa.table([batch["path"], column.checker(ray.get(inputs)).check(batch["document"])], schema=column.REPORTS)


def read(source: str, format: str) -> ray.data.Dataset:
    if source.endswith(".parquet"):
        return ray.data.read_parquet(source).select_columns(["path", "document"])
    files = ray.data.read_binary_files(source, file_extensions=[format], include_paths=True)
    return files.rename_columns({"bytes": "document"})


def rules_of(reports: pa.Table) -> pa.Table:
    findings = reports["report"].combine_chunks().field("findings").flatten()
    return pa.table({"rule": findings.field("rule")})


def main() -> None:
    options = column.arguments("Ray Data")
    ray.init(num_cpus=options.workers, include_dashboard=False, log_to_driver=False)
    ray.data.DataContext.get_current().enable_progress_bars = False
    # Each machine gets the inputs once.
    inputs = ray.put(column.inputs(options))

    def checked(documents: ray.data.Dataset) -> ray.data.Dataset:
        return documents.map_batches(check, fn_kwargs={"inputs": inputs}, batch_format="pyarrow", batch_size=1000)

    # A worker with another version fails here, before hours of work.
    checked(ray.data.from_items([{"path": "", "document": b"{}"}])).materialize()
    column.took("start-up")

    checked(read(options.documents, options.format)).write_parquet(options.reports, mode="overwrite")
    reports = ray.data.read_parquet(options.reports)
    column.took("check", reports.count())
    rules = reports.map_batches(rules_of, batch_format="pyarrow").groupby("rule").count()
    for row in sorted(rules.take_all(), key=lambda row: (-row["count()"], row["rule"])):
        print(f"{row['count()']:8} {row['rule']}")
    ray.shutdown()


if __name__ == "__main__":
    main()
