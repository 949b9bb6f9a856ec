"""Compares the package with the Rust library, on the same documents.

    cargo build --release -p voxlint-bindings --example time
    python bindings/python/benches/compare.py

The two take turns, and the numbers are medians over all rounds, in CPU time, which depends little on what else the machine does. What two
threads gain is wall-clock time, so it needs two idle cores; the row also says how much CPU time they take together. Needs Linux. The
target folder is CARGO_TARGET_DIR, or `target`.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Callable, List

import voxlint

ROUNDS = 60
DOCUMENTS = 200
REPOSITORY = Path(__file__).resolve().parents[3]


def document(number: int) -> str:
    """An update of about 12 KB. One in ten has a mistake."""
    paragraph = (
        "You answer the phone of {{clinic_name}} in ward %d. Greet {{caller_name}} by name, and never read out more than two times.\n"
        "{{#if is_new}}Ask for the date of birth before anything else.{{/if}} Say “one moment” while you look something up.\n"
    )
    variables = {"clinic_name": "Northside", "caller_name": "there", "is_new": "yes"}
    update = {
        "version_number": 3,
        "title": f"Front desk {number}",
        "welcome_message": "{{clinic_name}}, good morning.",
        "kb_max_chunks": 12 if number % 10 == 0 else 5,
        "default_dynamic_variables": variables,
        "prompt_text": "".join(paragraph % at for at in range(49)),
    }
    return json.dumps(update, ensure_ascii=number % 2 == 0, indent=2 if number % 3 == 0 else None)


def timed(work: Callable[[], object]) -> tuple[float, float]:
    """The CPU time and the wall-clock time of a function."""
    cpu, wall = time.process_time(), time.perf_counter()
    work()
    return time.process_time() - cpu, time.perf_counter() - wall


def main() -> None:
    target = Path(os.environ.get("CARGO_TARGET_DIR", REPOSITORY / "target"))
    example = target / "release/examples/time"
    if not example.is_file():
        sys.exit(f"{example} is not built: cargo build --release -p voxlint-bindings --example time")
    # One document per line, for the other side.
    texts = [json.dumps(json.loads(document(it)), ensure_ascii=it % 2 == 0) for it in range(DOCUMENTS)]
    encoded = [text.encode() for text in texts]
    size = sum(map(len, encoded)) / len(encoded)
    print(f"{DOCUMENTS} documents of {size / 1000:.1f} KB, {ROUNDS} rounds, Python {sys.version.split()[0]}, {os.cpu_count()} cores")
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "documents.ndjson"
        file.write_bytes(b"\n".join(encoded))
        rust = subprocess.Popen([example, file], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        requests, answers = rust.stdin, rust.stdout
        assert requests is not None and answers is not None

        # The clock of the CPU time of another process.
        clock = (~rust.pid << 3) | 2

        def one() -> float:
            """The CPU time of a document in Rust, in seconds."""
            started = time.clock_gettime(clock)
            requests.write(b"\n")
            requests.flush()
            answers.readline()
            return (time.clock_gettime(clock) - started) / DOCUMENTS

        context = voxlint.Context()
        sides: List[tuple[str, Callable[[], object]]] = [
            ("check(str), ok", lambda: [context.check(text).ok for text in texts]),
            ("check(bytes), ok", lambda: [context.check(text).ok for text in encoded]),
            ("check(str), diagnostics", lambda: [context.check(text).diagnostics for text in texts]),
            ("voxlint.check(str), ok", lambda: [voxlint.check(text).ok for text in texts]),
        ]
        for name, work in sides:
            work()
            pairs = [(one(), timed(work)[0] / DOCUMENTS) for _ in range(ROUNDS)]
            ratio = statistics.median(python / other for other, python in pairs)
            more = statistics.median(python - other for other, python in pairs)
            other, python = (statistics.median(side) for side in zip(*pairs))
            allowed = statistics.median(python - 1.5 * other for other, python in pairs)
            print(
                f"{name:26} {python * 1e6:7.1f} µs, Rust {other * 1e6:7.1f} µs, ratio {ratio:.2f}, {more * 1e6:+6.1f} µs; "
                f"over 1.5 times: {allowed * 1e6:+6.1f} µs (aim: at most +20)"
            )
        requests.close()
        rust.wait()
    many = encoded * 5
    gains, costs = [], []
    for _ in range(ROUNDS // 2):
        alone, both = (timed(lambda: sum(it.ok for it in context.check_many(many, threads=count))) for count in (1, 2))
        costs.append(both[0] / alone[0])
        gains.append(alone[1] / both[1])
    print(
        f"check_many on two threads: {statistics.median(gains):.2f} times as fast as one (best {max(gains):.2f}; aim: 1.8), "
        f"for {statistics.median(costs):.2f} times the CPU time; load {os.getloadavg()[0]:.1f}"
    )


if __name__ == "__main__":
    main()
