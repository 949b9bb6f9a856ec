"""Measures the examples: python measure.py documents.parquet, or only some: python measure.py documents.parquet check_many:1 spark:2

Each run is in a process of its own, with one and with two workers. Time is wall-clock time; CPU time and memory are those of all processes
of a run, so that they mean something on a machine that does other work as well. It needs Linux.
"""

import os
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

EXAMPLES = Path(__file__).resolve().parent
RUNS = {
    "check_many": [__file__, "--check-many"],
    "duckdb": ["polars_duckdb.py", "--engine", "duckdb"],
    "polars": ["polars_duckdb.py", "--engine", "polars"],
    "spark": ["spark.py"],
    "spark-direct": ["spark.py", "--direct"],
    "spark-pandas": ["spark.py", "--pandas"],
    "ray": ["ray_data.py"],
}


def check_many(documents: str, workers: int) -> None:
    """What the others are compared with: documents in memory, and no report is read."""
    import pyarrow.parquet
    import voxlint

    import report_column as column

    texts = pyarrow.parquet.read_table(documents, columns=["document"])["document"].to_pylist()
    column.took("start-up")
    errors = sum(not report.ok for report in voxlint.check_many(texts, threads=workers))
    column.took("check", len(texts))
    print(errors)


class Watch:
    """The CPU time and the memory of a process and its descendants, also of those that have ended."""

    def __init__(self, root: int) -> None:
        self.known, self.seconds, self.peak = {root}, {}, 0

    def look(self) -> None:
        parents = {}
        for entry in os.listdir("/proc"):
            if entry.isdigit():
                try:
                    stat = Path(f"/proc/{entry}/stat").read_text().rpartition(")")[2].split()
                except OSError:
                    continue
                parents[int(entry)] = int(stat[1])
                if int(entry) in self.known:
                    self.seconds[int(entry)] = (int(stat[11]) + int(stat[12])) / os.sysconf("SC_CLK_TCK")
        while new := {pid for pid, parent in parents.items() if parent in self.known} - self.known:
            self.known |= new
        memory = 0
        for pid in self.known & parents.keys():
            try:
                memory += int(re.search(r"^Pss:\s+(\d+)", Path(f"/proc/{pid}/smaps_rollup").read_text(), re.M)[1])
            except (OSError, TypeError):
                pass
        self.peak = max(self.peak, memory)


def measure(name: str, documents: str, workers: int) -> None:
    script, *flags = RUNS[name]
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, EXAMPLES / script, os.path.abspath(documents), f"{folder}/reports.parquet"]
        environment = {**os.environ, "HOME": folder}
        with open(f"{folder}/log", "w+b") as log:
            run = subprocess.Popen([*command, "--workers", str(workers), *flags], stdout=log, stderr=log, cwd=folder, env=environment)
            watch, before = Watch(run.pid), None
            while run.poll() is None:
                watch.look()
                if before is None and b"start-up:" in Path(log.name).read_bytes():
                    before = sum(watch.seconds.values())
                if b"check:" in Path(log.name).read_bytes():
                    break
                time.sleep(0.2)
            during = sum(watch.seconds.values()) - (before or 0)
            run.wait()
            text = Path(log.name).read_bytes().decode(errors="replace")
    times = re.search(r"start-up: ([\d.]+) s[\s\S]*check: ([\d.]+) s, (\d+) documents, (\d+) per second", text)
    if times is None:
        print(f"{name} failed:\n{text[-2000:]}", file=sys.stderr)
        return
    start, check, _, rate = times.groups()
    print(f"| {name} | {workers} | {start} | {check} | {rate} | {during:.0f} | {watch.peak / 1024:.0f} |", flush=True)


def main() -> None:
    documents, *names = sys.argv[1:]
    print("| run | workers | start-up, s | check, s | documents per second | CPU of the check, s | memory, MiB |")
    print("|---|---|---|---|---|---|---|")
    for name in names or [f"{name}:{workers}" for name in RUNS for workers in (1, 2)]:
        name, _, workers = name.partition(":")
        measure(name, documents, int(workers or 2))


if __name__ == "__main__":
    if "--check-many" in sys.argv:
        check_many(sys.argv[1], int(sys.argv[sys.argv.index("--workers") + 1]))
    else:
        main()
