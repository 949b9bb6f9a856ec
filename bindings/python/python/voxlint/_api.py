"""The functions of voxlint, and the context that documents are checked with."""

from __future__ import annotations

import json
import operator
import os
import re
from typing import Any, Dict, Iterable, Iterator, List, Literal, Mapping, Optional, Set, Tuple, Union

from . import _native
from ._results import Difference, Plan, Prediction, Report

# The types of arguments.
Document = Union[str, bytes, bytearray, memoryview, Mapping[str, Any], List[Any]]
Format = Literal["json", "jsonc", "yaml", "toml", "ndjson", "hbs"]
Kind = Literal["update", "settings", "agent", "version", "api-keys", "error", "stored", "facts", "template"]
_Path = Union[str, "os.PathLike[str]"]


def _read(document: Document, name: str = "document") -> Tuple[bytes, bool, Optional[str]]:
    """The bytes of a document, and whether it is a value; also its text, if that has characters that UTF-8 does not have."""
    if isinstance(document, bytes):
        return document, False, None
    if isinstance(document, (bytearray, memoryview)):
        return bytes(document), False, None
    is_value = not isinstance(document, str)
    if isinstance(document, str):
        text = document
    elif isinstance(document, (Mapping, list)):
        try:
            text = json.dumps(document, ensure_ascii=False, indent=2, default=_plain)
        except (TypeError, ValueError, RecursionError) as error:
            raise _native.UsageError(f"the {name} cannot be written as JSON: {error}") from error
    else:
        kind = type(document).__name__
        raise TypeError(f"the {name} is a {kind}: give its text as str or bytes, or its value as dict")
    try:
        return text.encode(), is_value, None
    except UnicodeEncodeError:
        # Lone surrogates are reported like bytes that are not UTF-8.
        return text.encode("utf-8", "surrogatepass"), is_value, text


def _plain(value: object) -> object:
    """Convert other mappings and sequences to types that can be written as JSON."""
    if isinstance(value, Mapping):
        return dict(value)
    raise TypeError(f"{type(value).__name__} is not a type of JSON")


def _bytes(document: Optional[Document], name: str) -> Optional[bytes]:
    return None if document is None else _read(document, name)[0]


def _shown(path: Optional[_Path]) -> Optional[str]:
    return None if path is None else _clean(os.fspath(path))


# Bytes of a file name that are not UTF-8 are surrogates in Python.
_SURROGATES = re.compile("[\ud800-\udfff]")


def _clean(text: str) -> str:
    """A text as reports can show it."""
    return _SURROGATES.sub("\N{REPLACEMENT CHARACTER}", text) if isinstance(text, str) else text


def _usable(text: Optional[str], name: str) -> Optional[str]:
    if text is not None and isinstance(text, str) and _SURROGATES.search(text):
        raise _native.UsageError(f"the {name} has a lone surrogate, which UTF-8 does not have")
    return text


class Context:
    """The stored configuration, facts and configuration, parsed once. Any number of threads may use it at the same time.

    ``stored`` is the stored configuration of the agent: the agent, the settings of its version, or both as
    ``{"agent": …, "version": …, "complete": True}``. An update keeps the stored value of every field that it omits. ``facts`` are
    the workspace facts, such as its voices. Both are JSON, as ``str``, ``bytes`` or ``dict``. ``config`` is the text of a
    ``voxlint.toml``: its rules, levels and suppressions apply, but files that it names are not read (use a :class:`Project` for that).
    ``agent_id`` is the id of the agent that the documents are for.

    Raises :exc:`UsageError` if one of them cannot be used, because a check without it would give another result.

    >>> import voxlint
    >>> context = voxlint.Context(stored={"version_number": 3, "is_published": True})
    >>> report = context.check({"version_number": 3, "title": "Front desk"})
    >>> [found.rule for found in report.diagnostics]
    ['published-version-edited']
    """

    __slots__ = ("_native", "_texts")
    _native: _native.Context
    _texts: Tuple[Optional[bytes], Optional[bytes], Optional[str], Optional[str]]

    def __init__(
        self,
        stored: Optional[Document] = None,
        facts: Optional[Document] = None,
        config: Optional[str] = None,
        *,
        agent_id: Optional[str] = None,
    ) -> None:
        texts = (
            _bytes(stored, "stored configuration"),
            _bytes(facts, "facts"),
            _usable(config, "configuration"),
            _usable(agent_id, "id of the agent"),
        )
        object.__setattr__(self, "_native", _native.Context(*texts))
        object.__setattr__(self, "_texts", texts)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError("Context is frozen")

    def __delattr__(self, name: str) -> None:
        raise AttributeError("Context is frozen")

    def __copy__(self) -> Context:
        return self

    def __deepcopy__(self, memo: object) -> Context:
        return self

    def __reduce__(self) -> Tuple[Any, ...]:
        return _context_of, self._texts

    def check(
        self,
        document: Document,
        *,
        kind: Optional[Kind] = None,
        format: Optional[Format] = None,
        path: Optional[_Path] = None,
    ) -> Report:
        """Check a document. See :func:`check`."""
        data, is_value, odd = _read(document)
        how = (self._native, is_value, format, kind, _shown(path))
        return Report(self._native.check(data, is_value, format, kind, how[4]), odd, how)

    def check_many(
        self,
        documents: Iterable[Document],
        *,
        kind: Optional[Kind] = None,
        format: Optional[Format] = None,
        threads: Optional[int] = None,
    ) -> Iterator[Report]:
        """Check many documents on several threads. See :func:`check_many`."""
        if isinstance(documents, (str, bytes, bytearray, memoryview, Mapping)):
            kind_of = type(documents).__name__
            raise TypeError(f"the documents are one {kind_of}: give an iterable of documents, such as a list")
        if threads is None:
            threads = _cores()
        elif isinstance(threads, bool) or not hasattr(threads, "__index__"):
            raise TypeError(f"`threads` is a {type(threads).__name__}: give a whole number")
        count = operator.index(threads)
        if count < 1:
            raise _native.UsageError(f"`threads` is {count}: at least one is needed")
        batch = _native.Batch(self._native, format, kind, min(count, _MAX_THREADS))
        return _results(batch, iter(documents), (self._native, format, kind))

    def predict(
        self,
        document: Document,
        *,
        kind: Optional[Kind] = None,
        format: Optional[Format] = None,
        path: Optional[_Path] = None,
    ) -> Prediction:
        """Predict the answers to an update. See :func:`predict`."""
        data, is_value, odd = _read(document)
        return Prediction(self._native.predict(data, is_value, format, kind, _shown(path)), odd)

    def diff(
        self,
        document: Document,
        *,
        complete: bool = False,
        format: Optional[Format] = None,
        path: Optional[_Path] = None,
    ) -> Difference:
        """Compare the stored configuration with the desired settings. The update has its secrets. See :func:`diff`."""
        data, is_value, _ = _read(document)
        return Difference(self._native.diff(data, is_value, complete, format, _shown(path)))

    def explain(self, rule: str) -> str:
        """The page of a rule, including house rules in ``config``. See :func:`explain`."""
        return self._native.explain(rule)


# More would not be faster on any machine.
_MAX_THREADS = 1024


def _context_of(
    stored: Optional[bytes], facts: Optional[bytes], config: Optional[str], agent_id: Optional[str]
) -> Context:
    """The context with some texts, for pickle."""
    return Context(stored, facts, config, agent_id=agent_id)


def _cores() -> int:
    """The number of cores that this process may use."""
    try:
        return max(len(os.sched_getaffinity(0)), 1)
    except (AttributeError, OSError):
        return os.cpu_count() or 1


def _results(
    batch: _native.Batch,
    documents: Iterator[Document],
    how: Tuple[_native.Context, Optional[Format], Optional[Kind]],
) -> Iterator[Report]:
    context, format, kind = how
    # Texts with lone surrogates, and values, by the numbers of their documents.
    odd: Dict[int, str] = {}
    values: Set[int] = set()
    added = taken = 0
    failure: Optional[BaseException] = None
    is_over = False
    while True:
        while not is_over and batch.wants_more():
            try:
                document = next(documents)
            except StopIteration:
                is_over = True
                break
            except Exception as error:  # It is raised after the results of what came before it.
                is_over, failure = True, error
                break
            try:
                data, is_value, text = _read(document, f"document `documents[{added}]`")
                batch.add(data, is_value)
            except _native.UsageError as error:
                message = str(error)
                place = f"documents[{added}]"
                is_over = True
                failure = error if place in message else _native.UsageError(f"{place}: {message}")
            except Exception as error:
                is_over, failure = True, error
            else:
                if text is not None:
                    odd[added] = text
                if is_value:
                    values.add(added)
                added += 1
        report = batch.next()
        if report is None:
            break
        is_value = taken in values
        values.discard(taken)
        yield Report(report, odd.pop(taken, None), (context, is_value, format, kind, None))
        taken += 1
    if failure is not None:
        raise failure


def check(
    document: Document,
    *,
    kind: Optional[Kind] = None,
    format: Optional[Format] = None,
    path: Optional[_Path] = None,
    stored: Optional[Document] = None,
    facts: Optional[Document] = None,
    config: Optional[str] = None,
    agent_id: Optional[str] = None,
) -> Report:
    """Check a document: its text as ``str`` or ``bytes``, or its value as ``dict``.

    ``kind`` is what the document is; without it, that is recognized. ``format`` is how a text is written: that of the extension
    of ``path`` by default, and ``"json"`` without a path; a value is always JSON. ``path`` is what reports call the document, and what the patterns of
    ``config`` are compared with; no file is read. The other arguments are those of :class:`Context`, which parses them once for
    many documents.

    All mistakes in the document are in the report, even bytes that are not UTF-8.

    >>> import voxlint
    >>> report = voxlint.check("version_number: 3\\nkb_max_chunks: 12\\n", format="yaml")
    >>> found = report.diagnostics[0]
    >>> found.rule, found.verdict, found.status, str(found.span.from_)
    ('out-of-range', 'reject', 400, '2:16')
    >>> voxlint.check(b'{ "version_number": 3, "title": "caf\\xe9" }').diagnostics[0].rule
    'syntax-error'
    """
    context = _context(stored, facts, config, agent_id)
    return context.check(document, kind=kind, format=format, path=path)


def check_many(
    documents: Iterable[Document],
    *,
    kind: Optional[Kind] = None,
    format: Optional[Format] = None,
    stored: Optional[Document] = None,
    facts: Optional[Document] = None,
    config: Optional[str] = None,
    agent_id: Optional[str] = None,
    threads: Optional[int] = None,
) -> Iterator[Report]:
    """Check many documents on several threads, by default one for each core.

    The reports come in the order of the documents, whatever the number of threads. Documents are taken from the iterable as the
    reports are, a few in advance for each thread, so it may be endless. If it raises, that is raised after the reports of the
    documents before. There are at most 1,024 threads, and never more than documents.

    >>> import voxlint
    >>> updates = ({"version_number": 3, "kb_max_chunks": count} for count in (3, 12, 7))
    >>> [report.ok for report in voxlint.check_many(updates, threads=2)]
    [True, False, True]
    """
    context = _context(stored, facts, config, agent_id)
    return context.check_many(documents, kind=kind, format=format, threads=threads)


def predict(
    document: Document,
    *,
    kind: Optional[Kind] = None,
    format: Optional[Format] = None,
    path: Optional[_Path] = None,
    stored: Optional[Document] = None,
    facts: Optional[Document] = None,
    config: Optional[str] = None,
    agent_id: Optional[str] = None,
) -> Prediction:
    """Predict how the service would answer an update, without sending it. The arguments are those of :func:`check`.

    Without the stored configuration and the workspace facts, there may be several possible answers, each with what it depends on.
    Raises :exc:`UsageError` if the document is not exactly one update.

    >>> import voxlint
    >>> prediction = voxlint.predict({"version_number": 3, "title": "Front desk"})
    >>> prediction.statuses
    (200, 400, 404)
    >>> prediction.certain
    False
    """
    return _context(stored, facts, config, agent_id).predict(document, kind=kind, format=format, path=path)


def diff(
    stored: Document,
    desired: Document,
    *,
    complete: bool = False,
    format: Optional[Format] = None,
    path: Optional[_Path] = None,
    facts: Optional[Document] = None,
    config: Optional[str] = None,
    agent_id: Optional[str] = None,
) -> Difference:
    """Compare the stored configuration with the desired settings: the smallest update, and what each change does.

    A setting that ``desired`` omits keeps its stored value; with ``complete``, it is to be unset. ``format`` and ``path`` are those of
    ``desired``. The update is the body to send, so its secrets are not masked, also in ``to_json()`` and ``to_dict()``. Raises :exc:`UsageError` if one of the two cannot be used.

    >>> import voxlint
    >>> stored = {"version": {"version_number": 3, "prompt_text": "Be kind."}, "complete": True}
    >>> difference = voxlint.diff(stored, {"version_number": 3, "prompt_text": ""})
    >>> [(change.kind, change.dangerous) for change in difference.changes]
    [('prompt-emptied', True)]
    """
    context = _context(stored, facts, config, agent_id)
    return context.diff(desired, complete=complete, format=format, path=path)


def plan(
    documents: Mapping[str, Document],
    *,
    stored: Optional[Mapping[str, Document]] = None,
    base: Optional[Mapping[str, Document]] = None,
    format: Optional[Format] = None,
    facts: Optional[Document] = None,
    config: Optional[str] = None,
) -> Plan:
    """Plan what would happen if all documents were sent now.

    ``documents`` maps names to updates, and ``stored`` maps the same names to stored configurations. ``base`` maps them to the stored
    configurations that the repository last knew, so that changes made in the service are found. Raises :exc:`UsageError` if one of
    them cannot be used. :meth:`Project.plan` plans the files of a folder.

    >>> import voxlint
    >>> update = {"version_number": 3, "title": "Front desk"}
    >>> print(voxlint.plan({"en.json": update}))
    1 without a stored configuration
    """
    context = _native.Context(None, _bytes(facts, "facts"), config, None)
    stored, base = stored or {}, base or {}
    for name in (*stored, *base):
        if name not in documents:
            raise _native.UsageError(f"there is no document `{name}` for the stored configuration of that name")
    entries = []
    for name, document in documents.items():
        known = stored.get(name)
        of_document = context
        if known is not None:
            of_document = context.with_stored(_bytes(known, f"stored configuration of {name}"))
        text, is_value, _ = _read(document, f"document {name}")
        entries.append((_clean(name), text, is_value, of_document, _bytes(base.get(name), f"base of {name}")))
    return Plan(_native.plan(entries, format))


def explain(rule: str, *, config: Optional[str] = None) -> str:
    """The page of a rule in Markdown: what it finds, why, and examples. ``config`` may define house rules.

    >>> import voxlint
    >>> print(voxlint.explain("out-of-range").splitlines()[0])
    # out-of-range
    >>> voxlint.explain("out-of-rage")
    Traceback (most recent call last):
    voxlint.UsageError: there is no rule `out-of-rage`: did you mean `out-of-range`?
    """
    return _context(None, None, config, None).explain(rule)


_DEFAULT = Context()


def _context(
    stored: Optional[Document], facts: Optional[Document], config: Optional[str], agent_id: Optional[str]
) -> Context:
    if stored is None and facts is None and config is None and agent_id is None:
        return _DEFAULT
    return Context(stored, facts, config, agent_id=agent_id)


class Project:
    """The agent documents of a folder (or one file), with their ``voxlint.toml``, stored configurations, facts and text files,
    as ``voxlint check FOLDER`` finds them. Its methods take paths relative to this folder.

    ``stored``, ``facts`` and ``config`` are files to use instead of those that ``voxlint.toml`` names. A project keeps parsed files,
    and reads a file again when it has changed. Threads may share it; they take turns.

    Files that cannot be read are in :attr:`Report.failures`. Raises :exc:`UsageError` if the folder does not exist.
    """

    __slots__ = ("_native", "_path")

    def __init__(
        self,
        path: _Path = ".",
        *,
        stored: Optional[_Path] = None,
        facts: Optional[_Path] = None,
        config: Optional[_Path] = None,
        agent_id: Optional[str] = None,
    ) -> None:
        self._path = os.fspath(path)
        self._native = _native.Project(self._path, stored, facts, config, agent_id)

    @property
    def path(self) -> str:
        """The folder or file."""
        return self._path

    def check(self, *paths: _Path) -> Report:
        """Check files and folders of the project, or all of it."""
        return Report(self._native.check(paths))

    def check_text(self, path: _Path, text: Document) -> Report:
        """Check a text as if it were saved at a path of the project, for example before it is.

        A value is JSON, so it needs a path of a JSON file.
        """
        data, is_value, odd = _read(text, "text")
        return Report(self._native.check_text(path, data, is_value), odd)

    def predict(self, path: _Path) -> Prediction:
        """Predict how the service would answer the update in a file."""
        return Prediction(self._native.predict(path))

    def diff(self, path: _Path, *, complete: bool = False) -> Difference:
        """Compare the stored configuration of a file with the settings in it. The update has its secrets."""
        return Difference(self._native.diff(path, complete))

    def plan(self, *paths: _Path, base: Optional[str] = None) -> Plan:
        """Plan the updates in files and folders of the project, or in all of it.

        ``base`` is the commit or folder with the stored configurations that the repository last knew.
        """
        return Plan(self._native.plan(paths, base))

    def __repr__(self) -> str:
        return f"Project({self._path!r})"
