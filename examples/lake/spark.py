"""Checks a column of documents in Spark: python spark.py documents.parquet reports.parquet --workers 2

On a cluster: spark-submit --py-files report_column.py spark.py documents.parquet reports.parquet --workers 0
"""

import os
import sys

import pyarrow as pa
import pyarrow.dataset
import pyarrow.parquet
import report_column as column
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.functions import col, count, explode
from pyspark.sql.pandas.types import from_arrow_schema


def arrow_checks(inputs):
    """A function for mapInArrow. Each worker process makes its checker once, from the broadcast inputs."""

    def check(batches):
        checker = column.checker(inputs.value)
        for batch in batches:
            reports = checker.check(batch["document"])
            yield pa.RecordBatch.from_arrays([batch["path"], reports], schema=column.REPORTS)

    return check


def pandas_checks(inputs):
    """The same for mapInPandas."""

    def check(frames):
        import pandas as pd

        checker = column.checker(inputs.value)
        for frame in frames:
            reports = checker.check(pa.array(frame["document"], pa.binary()))
            yield pd.DataFrame({"path": frame["path"], "report": reports.to_pylist()})

    return check


def direct_checks(inputs):
    """For batches of row groups: a worker reads the documents itself, so that they do not pass through Java."""

    def check(batches):
        checker = column.checker(inputs.value)
        for row in (row for batch in batches for row in batch.to_pylist()):
            file = pyarrow.parquet.ParquetFile(row["file"])
            for batch in file.iter_batches(1000, row_groups=[row["group"]], columns=["path", "document"]):
                yield pa.RecordBatch.from_arrays([batch["path"], checker.check(batch["document"])], schema=column.REPORTS)

    return check


def row_groups(spark: SparkSession, source: str) -> DataFrame:
    """Where the documents are. Only the footers of the files are read."""
    files = pyarrow.dataset.dataset(source, format="parquet").get_fragments()
    groups = [(file.path, group.id) for file in files for group in file.row_groups]
    return spark.createDataFrame(groups, "file string, group int")


def read(spark: SparkSession, source: str, format: str) -> DataFrame:
    if source.endswith(".parquet"):
        documents = spark.read.parquet(source)
    else:
        files = spark.read.format("binaryFile").option("recursiveFileLookup", True)
        documents = files.option("pathGlobFilter", f"*.{format}").load(source).withColumnRenamed("content", "document")
    # Bytes reach voxlint as they are in the file, also those that are not UTF-8.
    return documents.select("path", col("document").cast("binary"))


def main() -> None:
    options = column.arguments("Spark")
    # Workers on this machine run the Python of this program. On a cluster, the configuration says which one they run.
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    builder = SparkSession.builder.appName("voxlint")
    if options.workers:
        builder = builder.master(f"local[{options.workers}]")
    # Batches of 1,000 documents of 10 KB take 10 MB in each worker. The default of 10,000 takes 100 MB.
    spark = builder.config("spark.sql.execution.arrow.maxRecordsPerBatch", 1000).getOrCreate()
    spark.sparkContext.addPyFile(column.__file__)
    inputs = spark.sparkContext.broadcast(column.inputs(options))
    schema = from_arrow_schema(column.REPORTS)

    def checked(documents: DataFrame) -> DataFrame:
        if options.pandas:
            return documents.mapInPandas(pandas_checks(inputs), schema)
        return documents.mapInArrow(arrow_checks(inputs), schema)

    # A worker with another version fails here, before hours of work.
    tasks = max(spark.sparkContext.defaultParallelism, 1)
    checked(spark.range(0, tasks, 1, tasks).selectExpr("'' as path", "cast('{}' as binary) as document")).count()
    column.took("start-up")

    if options.direct:
        column_of_reports = row_groups(spark, options.documents).mapInArrow(direct_checks(inputs), schema)
    else:
        column_of_reports = checked(read(spark, options.documents, options.format))
    column_of_reports.write.mode("overwrite").parquet(options.reports)
    reports = spark.read.parquet(options.reports)
    column.took("check", reports.count())

    rules = reports.select(explode("report.findings.rule").alias("rule")).groupBy("rule").agg(count("*").alias("findings"))
    for row in rules.orderBy(col("findings").desc(), "rule").collect():
        print(f"{row.findings:8} {row.rule}")
    spark.stop()


if __name__ == "__main__":
    main()
