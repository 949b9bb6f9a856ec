"""Checks files with one document per line with the program on every worker: python spark_pipe.py documents.ndjson findings

The Python workers only pass lines on, so they need no package. Lines have the number of a document in its partition; use spark.py to know
which document it is.
"""

import json
import os
import shlex
import sys
from pathlib import Path

from pyspark.sql import SparkSession


def main() -> None:
    documents, findings, *arguments = sys.argv[1:]
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    spark = SparkSession.builder.appName("voxlint").master("local[2]").getOrCreate()
    lines = spark.sparkContext.textFile(documents)
    script = Path(__file__).with_name("pipe.sh")
    # With `checkCode`, a worker whose run fails fails the job. Findings do not fail a run.
    found = lines.pipe(shlex.join([str(script), *arguments]), env=dict(os.environ), checkCode=True)
    found.saveAsTextFile(findings)

    summaries = [json.loads(line) for line in spark.sparkContext.textFile(findings).filter(lambda it: '"type":"summary"' in it).collect()]
    if len(summaries) != lines.getNumPartitions():
        sys.exit("a partition has no summary: its run was interrupted")
    print(*(f"{sum(it[name] for it in summaries)} {name}" for name in ("documents", "errors", "warnings", "infos")), sep=", ")
    spark.stop()


if __name__ == "__main__":
    main()
