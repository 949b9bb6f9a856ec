"""Many documents, on several threads."""

from __future__ import annotations

import itertools
import threading
import time
from typing import Any, Dict, Iterator, List

import pytest
import voxlint


def document(number: int) -> Dict[str, object]:
    return {"version_number": 3, "prompt_text": "x" * (number * 7919 % 3000 + 1), "kb_max_chunks": number % 15 + 1}


@pytest.mark.parametrize("threads", [None, 1, 2, 5])
def test_reports_come_in_order_whatever_the_number_of_threads(threads: int) -> None:
    documents = [document(number) for number in range(300)]
    alone = [voxlint.check(it).to_json() for it in documents]
    assert [report.to_json() for report in voxlint.check_many(documents, threads=threads)] == alone


@pytest.mark.parametrize("threads", [1, 2, 8])
def test_an_endless_iterable_is_read_a_little_ahead(threads: int) -> None:
    pulled = 0

    def endless() -> Iterator[Dict[str, object]]:
        nonlocal pulled
        for number in itertools.count():
            pulled += 1
            yield document(number)

    reports = voxlint.check_many(endless(), threads=threads)
    assert pulled == 0
    for wanted, report in enumerate(itertools.islice(reports, 500)):
        assert report.ok == (wanted % 15 + 1 <= 10)
        assert pulled <= wanted + 1 + threads * 32
    reports.close()  # type: ignore[attr-defined]


def test_a_slow_iterable_delays_no_report() -> None:
    """The first report is ready before the third document is read."""
    gate = threading.Event()

    def slow() -> Iterator[str]:
        yield "{}"
        deadline = time.monotonic() + 30
        # The check of the first document needs no other document.
        while time.monotonic() < deadline and not gate.wait(0.05):
            return
        yield "{}"

    reports = voxlint.check_many(slow(), threads=2)
    next(reports)
    gate.set()
    assert len(list(reports)) <= 1


def test_an_exception_of_the_iterable_comes_after_the_reports_before_it() -> None:
    def broken() -> Iterator[str]:
        yield "{}"
        yield "[]"
        raise KeyError("gone")

    seen: List[voxlint.Report] = []
    with pytest.raises(KeyError, match="gone"):
        for report in voxlint.check_many(broken(), threads=2):
            seen.append(report)
    assert len(seen) == 2
    with pytest.raises(TypeError):
        list(voxlint.check_many(["{}", 3]))  # type: ignore[list-item]


@pytest.mark.parametrize("one", ["text", b"text", bytearray(b"text"), {"a": {}}], ids=lambda it: type(it).__name__)
def test_one_document_is_not_many(one: Any) -> None:
    with pytest.raises(TypeError, match=f"the documents are one {type(one).__name__}: give an iterable"):
        voxlint.check_many(one)


def test_a_document_that_cannot_be_used_is_named() -> None:
    seen: List[voxlint.Report] = []
    with pytest.raises(TypeError, match=r"documents\[1\]` is a NoneType"):
        seen.extend(voxlint.check_many([{}, None, {}]))  # type: ignore[list-item]
    assert len(seen) == 1
    seen.clear()
    with pytest.raises(voxlint.UsageError, match=r"documents\[2\]"):
        for report in voxlint.check_many(["", "", {"a": object()}]):
            seen.append(report)
    assert len(seen) == 2
    with pytest.raises(voxlint.UsageError, match=r"^documents\[1\]: a value is read as JSON, not as `yaml`"):
        list(voxlint.check_many(["", {}], format="yaml"))


def test_any_whole_number_of_threads_is_fine() -> None:
    assert [it.ok for it in voxlint.check_many(["{", "[]"], threads=2**70)] == [False, False]
    threads: Any
    for threads in ("2", 2.0, True):
        with pytest.raises(TypeError, match="give a whole number"):
            voxlint.check_many([], threads=threads)
    with pytest.raises(voxlint.UsageError, match="`threads` is -3: at least one is needed"):
        voxlint.check_many([], threads=-3)


def test_a_context_is_shared_by_threads() -> None:
    context = voxlint.Context(stored={"version_number": 3, "is_published": True})
    expected = context.check({"version_number": 3, "title": "x"}).to_json()
    results: List[str] = []

    def work() -> None:
        for _ in range(50):
            results.append(context.check({"version_number": 3, "title": "x"}).to_json())

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == [expected] * 400


def test_other_threads_run_during_a_check() -> None:
    """Other Python code runs while a large document is checked, because the global interpreter lock is released."""
    large = '{ "version_number": 3, "prompt_text": "' + "Hello {{name}}. " * 2_000_000 + '" }'
    beats: List[float] = []
    is_over = threading.Event()

    def beat() -> None:
        while not is_over.is_set():
            beats.append(time.perf_counter())
            time.sleep(0.001)

    thread = threading.Thread(target=beat)
    thread.start()
    started = time.perf_counter()
    voxlint.check(large)
    ended = time.perf_counter()
    is_over.set()
    thread.join()
    within = [it for it in beats if started + (ended - started) * 0.25 < it < started + (ended - started) * 0.75]
    assert len(within) >= 2, f"{len(within)} beats in {ended - started:.2f} s"
