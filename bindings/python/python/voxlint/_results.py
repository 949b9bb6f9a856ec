"""The results of voxlint: the JSON of the command line, as frozen objects."""

from __future__ import annotations

import copy
import json
from dataclasses import dataclass, field
from typing import Any, Dict, List, Literal, Mapping, Optional, Tuple, Union

from . import _native

Verdict = Literal["reject", "possible", "advice"]
Severity = Literal["error", "warning", "info"]
Safety = Literal["safe", "unsafe"]
Input = Literal["document", "stored", "facts", "text"]
Outcome = Literal["no-change", "update", "publish", "refused", "depends", "no-stored-state"]
_Native = Union[_native.Report, _native.Prediction, _native.Difference, _native.Plan]

_Json = Dict[str, Any]


@dataclass(frozen=True)
class _Data:
    """An object with the JSON that it was created from."""

    _json: _Json = field(repr=False, compare=False)

    def to_dict(self) -> Dict[str, Any]:
        """The object in the JSON format of the command line, as a new ``dict``."""
        return copy.deepcopy(self._json)


@dataclass(frozen=True)
class Position:
    """A line and a column, both counted from 1. Columns are in code points."""

    line: int
    column: int

    def __str__(self) -> str:
        return f"{self.line}:{self.column}"


@dataclass(frozen=True)
class Span(_Data):
    """A range of a text. ``start`` and ``end`` are offsets in bytes of UTF-8, ``char_start`` and ``char_end`` in characters of
    a ``str``; the end is exclusive. What is not known is ``None``: a text that was not kept has no characters.

    >>> import voxlint
    >>> text = '{ "title": "🎧", "version_number": 3, "kb_max_chunks": 12 }'
    >>> span = voxlint.check(text).diagnostics[0].span
    >>> text[span.char_start : span.char_end], text.encode()[span.start : span.end]
    ('12', b'12')
    >>> str(span.from_)
    '1:55'
    """

    start: int
    end: int
    char_start: Optional[int]
    char_end: Optional[int]
    from_: Optional[Position]
    to: Optional[Position]


@dataclass(frozen=True)
class Related(_Data):
    """Another position that is involved in a finding."""

    in_: Input
    path: Optional[str]
    field: str
    message: str
    span: Span


@dataclass(frozen=True)
class Edit(_Data):
    """Replaces the characters from ``start`` to ``end`` with ``text``. Offsets are in bytes, and in characters of a ``str``."""

    start: int
    end: int
    char_start: Optional[int]
    char_end: Optional[int]
    text: str


@dataclass(frozen=True)
class Fix(_Data):
    """A change that would resolve a finding. A ``safe`` fix keeps the meaning. An ``unsafe`` fix needs a review.

    >>> import voxlint
    >>> text = '{ "version_number": 3, "kb_max_chunks": "5" }'
    >>> fix = voxlint.check(text).diagnostics[0].fixes[0]
    >>> fix.title, fix.safety
    ('write 5', 'safe')
    >>> fix.apply(text)
    '{ "version_number": 3, "kb_max_chunks": 5 }'
    """

    title: str
    safety: Safety
    in_: Input
    path: Optional[str]
    edits: Tuple[Edit, ...]

    def apply(self, text: str) -> str:
        """The text with the edits of this fix. It must be the text that was checked."""
        data = text.encode("utf-8", "surrogatepass")
        for edit in reversed(self.edits):
            data = data[: edit.start] + edit.text.encode() + data[edit.end :]
        return data.decode("utf-8", "surrogatepass")


@dataclass(frozen=True)
class Diagnostic(_Data):
    """A finding.

    ``field`` is a JSON Pointer into the effective configuration; ``in_`` and ``path`` name the text that ``span`` is in. In a text with
    several documents, ``record`` is the number of the document, from 0. ``count`` is how many findings it stands for.
    """

    rule: str
    verdict: Verdict
    severity: Severity
    status: Optional[int]
    other_status: Optional[int]
    field: str
    in_: Input
    path: Optional[str]
    message: str
    help: Optional[str]
    note: Optional[str]
    span: Span
    related: Tuple[Related, ...]
    fixes: Tuple[Fix, ...]
    record: Optional[int]
    count: int

    def __str__(self) -> str:
        place = self.path or self.in_
        if self.span.from_ is not None:
            place = f"{place}:{self.span.from_}"
        return f"{place}: {self.severity}: {self.message} [{self.rule}]"


@dataclass(frozen=True)
class FleetFinding(_Data):
    """A finding about several documents of a plan. ``others`` has the names of the other documents."""

    diagnostic: Diagnostic
    others: Tuple[str, ...]


@dataclass(frozen=True)
class Undecided(_Data):
    """An undecided rule, and the values that would decide it."""

    rule: str
    missing: Tuple[str, ...]
    why: str
    record: Optional[int]


@dataclass(frozen=True)
class Failure(_Data):
    """A file that could not be read, used or checked as a whole."""

    path: str
    message: str

    def __str__(self) -> str:
        return f"{self.path}: {self.message}"


@dataclass(frozen=True)
class Skipped(_Data):
    """A file that was skipped, or that contains skipped documents."""

    path: str
    why: str


@dataclass(frozen=True)
class Summary(_Data):
    """The counts of a check."""

    files: int
    documents: int
    skipped: int
    errors: int
    warnings: int
    infos: int
    undecided: int
    fixable: int
    unsafe_fixable: int
    suppressed: int
    baselined: int


@dataclass(frozen=True)
class FileReport(_Data):
    """The findings in one file, or in one text."""

    path: str
    kind: str
    diagnostics: Tuple[Diagnostic, ...]
    undecided: Tuple[Undecided, ...]


@dataclass(frozen=True)
class Reason(_Data):
    """Why the service may give an answer. ``verdict`` is the verdict of a finding, or ``undecided``."""

    rule: str
    verdict: str
    field: Optional[str]
    message: str
    depends_on: Optional[str]
    missing: Tuple[str, ...]


@dataclass(frozen=True)
class Answer(_Data):
    """A possible answer of the service. If ``body`` is ``None``, ``no_body`` says why it is unknown."""

    status: int
    phrase: str
    expected: bool
    reasons: Tuple[Reason, ...]
    body: Any
    no_body: Optional[str]


@dataclass(frozen=True)
class Change(_Data):
    """A change that an update makes. Review a ``dangerous`` change before you send the update."""

    field: str
    kind: str
    dangerous: bool
    old: Optional[str]
    new: Optional[str]
    message: str


@dataclass(frozen=True)
class CannotUnset(_Data):
    """A stored value that the desired settings omit and no update can unset."""

    field: str
    value: str
    message: str


@dataclass(frozen=True)
class PlannedStatus(_Data):
    """A status that the service may answer with."""

    status: int
    phrase: str
    expected: bool
    reasons: Tuple[str, ...]


@dataclass(frozen=True)
class PlannedChange(_Data):
    """A change that a planned update makes. It may overwrite a change made in the service, or edit a published version."""

    field: str
    kind: str
    danger: bool
    old: Optional[str]
    new: Optional[str]
    message: str
    overwrites: bool
    live: bool


@dataclass(frozen=True)
class Drift(_Data):
    """A setting that was changed in the service."""

    field: str
    kind: str
    base: Optional[str]
    stored: Optional[str]
    desired: Optional[str]
    message: str
    overwritten: bool
    published: bool


@dataclass(frozen=True)
class AgentPlan(_Data):
    """What would happen to one document if it were sent."""

    name: str
    agent_id: Optional[str]
    version_number: Optional[str]
    title: Optional[str]
    outcome: Outcome
    danger: bool
    statuses: Tuple[PlannedStatus, ...]
    changes: Tuple[PlannedChange, ...]
    notes: Tuple[str, ...]
    drift: Tuple[Drift, ...]
    findings: Tuple[FleetFinding, ...]
    undecided: Tuple[Undecided, ...]


@dataclass(frozen=True)
class PlanSummary(_Data):
    """How many agents of a plan have each outcome."""

    agents: int
    no_change: int
    update: int
    publish: int
    refused: int
    depends: int
    no_stored_state: int
    dangers: int
    drifted: int
    conflicts: int
    undecided: int


class _Offsets:
    """Converts offsets in bytes to offsets in characters, all offsets of a text at once."""

    def __init__(self, native: _Native, odd: Optional[str]) -> None:
        self._native = native
        # A text with unpaired surrogates, which UTF-8 cannot encode.
        self._odd = odd.encode("utf-8", "surrogatepass") if odd is not None else None
        self._wanted: Dict[str, List[int]] = {}
        self._known: Dict[str, Optional[Dict[int, int]]] = {}

    def want(self, path: Optional[str], *offsets: int) -> None:
        if path is not None:
            self._wanted.setdefault(path, []).extend(offsets)

    def get(self, path: Optional[str], offset: int) -> Optional[int]:
        if path is None:
            return None
        if path not in self._known:
            wanted = sorted(set(self._wanted.get(path, [])))
            found = self._native.offsets(path, wanted)
            known = None if found is None else dict(zip(wanted, found))
            if known is not None and self._odd is not None and not path.startswith("<stored") and not path.startswith("<facts"):
                known = {at: len(self._odd[:at].decode("utf-8", "surrogatepass")) for at in wanted}
            self._known[path] = known
        offsets = self._known[path]
        return None if offsets is None else offsets.get(offset)


def _position(data: Optional[_Json]) -> Optional[Position]:
    return None if data is None else Position(data["line"], data["column"])


def _span(data: _Json, path: Optional[str], offsets: _Offsets) -> Span:
    start, end = data["start"], data["end"]
    chars = offsets.get(path, start), offsets.get(path, end)
    return Span(data, start, end, *chars, _position(data["from"]), _position(data["to"]))


def _related(data: _Json, own: Optional[str], offsets: _Offsets) -> Related:
    path = data.get("path", own if data["in"] == "document" else None)
    span = _span(data["span"], path, offsets)
    return Related(data, data["in"], path, data["field"], data["message"], span)


def _fix(data: _Json, own: Optional[str], offsets: _Offsets) -> Fix:
    path = data.get("path", own if data["in"] == "document" else None)
    edits = tuple(
        Edit(it, it["start"], it["end"], offsets.get(path, it["start"]), offsets.get(path, it["end"]), it["text"])
        for it in data["edits"]
    )
    return Fix(data, data["title"], data["safety"], data["in"], path, edits)


def _want(findings: List[_Json], own: Optional[str], offsets: _Offsets) -> None:
    """Collect every offset, so that each text is counted once."""
    for data in findings:
        offsets.want(data["path"], data["span"]["start"], data["span"]["end"])
        for other in data["related"]:
            path = other.get("path", own if other["in"] == "document" else None)
            offsets.want(path, other["span"]["start"], other["span"]["end"])
        for fix in data["fixes"]:
            path = fix.get("path", own if fix["in"] == "document" else None)
            for edit in fix["edits"]:
                offsets.want(path, edit["start"], edit["end"])


def _diagnostic(data: _Json, own: Optional[str], offsets: _Offsets) -> Diagnostic:
    return Diagnostic(
        data,
        data["rule"],
        data["verdict"],
        data["severity"],
        data["status"],
        data.get("other_status"),
        data["field"],
        data["in"],
        data["path"],
        data["message"],
        data["help"],
        data["note"],
        _span(data["span"], data["path"], offsets),
        tuple(_related(it, own, offsets) for it in data["related"]),
        tuple(_fix(it, own, offsets) for it in data["fixes"]),
        data.get("record"),
        data.get("count", 1),
    )


def _diagnostics(findings: List[_Json], own: Optional[str], offsets: _Offsets) -> Tuple[Diagnostic, ...]:
    _want(findings, own, offsets)
    return tuple(_diagnostic(data, own, offsets) for data in findings)


def _undecided(entries: List[_Json]) -> Tuple[Undecided, ...]:
    return tuple(
        Undecided(it, it["rule"], tuple(it["missing"]), it["why"], it.get("record")) for it in entries
    )


def _failures(entries: List[_Json]) -> Tuple[Failure, ...]:
    return tuple(Failure(it, it["path"], it["message"]) for it in entries)


def _skipped(entries: List[_Json]) -> Tuple[Skipped, ...]:
    return tuple(Skipped(it, it["path"], it["why"]) for it in entries)


class _Result:
    """A result that is parsed when it is first used."""

    __slots__ = ("_cache", "_native", "_odd")

    def __init__(self, native: _Native, odd: Optional[str] = None) -> None:
        object.__setattr__(self, "_native", native)
        object.__setattr__(self, "_odd", odd)
        object.__setattr__(self, "_cache", {})

    _cache: Dict[str, Any]
    _native: Any
    _odd: Optional[str]

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"{type(self).__name__} is frozen")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"{type(self).__name__} is frozen")

    def __eq__(self, other: object) -> bool:
        if type(self) is not type(other) or not isinstance(other, _Result):
            return NotImplemented
        return self.to_json() == other.to_json()

    def __hash__(self) -> int:
        return hash(self.to_json())

    def __reduce__(self) -> Tuple[Any, ...]:
        raise TypeError(f"{type(self).__name__} cannot be pickled: use to_dict() or to_json()")

    def to_json(self) -> str:
        """The text that the command line writes with ``--format json``."""
        if "text" not in self._cache:
            self._cache["text"] = self._native.to_json()
        text: str = self._cache["text"]
        return text

    def to_dict(self) -> Dict[str, Any]:
        """The same as a new ``dict``. docs/json.md describes every field."""
        data: Dict[str, Any] = json.loads(self.to_json())
        return data

    def text(self, path: str) -> Optional[str]:
        """The text that spans with this ``path`` refer to; ``None`` if it was not kept.

        Bytes that are not UTF-8 become question marks, one for each byte.
        """
        text: Optional[str] = self._native.text(path)
        return text

    @property
    def _data(self) -> _Json:
        if "data" not in self._cache:
            self._cache["data"] = json.loads(self.to_json())
        data: _Json = self._cache["data"]
        return data

    @property
    def _offsets(self) -> _Offsets:
        return _Offsets(self._native, self._odd)


class Report(_Result):
    """The findings of a check.

    Its parts are created when they are first used, so a report about a document without findings costs very little.

    >>> import voxlint
    >>> report = voxlint.check('{ "version_number": 3, "titel": "Front desk" }')
    >>> report.ok, report.clean
    (False, False)
    >>> print(report.diagnostics[0])
    <text>:1:24: error: `titel` is not a field of an update [unknown-field]
    >>> report.summary.unsafe_fixable
    1
    """

    __slots__ = ()
    _native: _native.Report

    @property
    def ok(self) -> bool:
        """Whether ``voxlint check`` would exit with 0: there are neither errors nor failures."""
        return self._native.ok

    @property
    def clean(self) -> bool:
        """Whether there are neither findings nor failures."""
        return self._native.clean

    @property
    def files(self) -> Tuple[FileReport, ...]:
        """The findings by file. A text counts as one file."""
        if "files" not in self._cache:
            offsets = self._offsets
            for data in self._data["files"]:
                _want(data["diagnostics"], data["path"], offsets)
            self._cache["files"] = tuple(
                FileReport(
                    data,
                    data["path"],
                    data["kind"],
                    _diagnostics(data["diagnostics"], data["path"], offsets),
                    _undecided(data["undecided"]),
                )
                for data in self._data["files"]
            )
        files: Tuple[FileReport, ...] = self._cache["files"]
        return files

    @property
    def kind(self) -> Optional[str]:
        """The kind of the document; ``None`` if there is no document, or if there are several files."""
        kind = self._native.kind
        if kind is not None:
            return kind
        files = self._data["files"]
        return files[0]["kind"] if len(files) == 1 else None

    @property
    def diagnostics(self) -> Tuple[Diagnostic, ...]:
        """All findings, in the order of the files and their texts."""
        if self.clean:
            return ()
        return tuple(found for file in self.files for found in file.diagnostics)

    @property
    def errors(self) -> Tuple[Diagnostic, ...]:
        """The findings of severity ``error``."""
        return tuple(found for found in self.diagnostics if found.severity == "error")

    @property
    def undecided(self) -> Tuple[Undecided, ...]:
        """The rules that are undecided because a stored value or a fact is unknown."""
        return tuple(it for file in self.files for it in file.undecided)

    @property
    def failures(self) -> Tuple[Failure, ...]:
        """What could not be read or checked. If there are failures, do not treat the input as checked."""
        failures = self._native.failures
        return tuple(Failure({"path": path, "message": message}, path, message) for path, message in failures)

    @property
    def skipped(self) -> Tuple[Skipped, ...]:
        """The files that were skipped."""
        return _skipped(self._data["skipped"])

    @property
    def summary(self) -> Summary:
        """The counts."""
        data = dict(self._native.summary)
        return Summary(data, *(data[name] for name in _names(Summary)))

    def __repr__(self) -> str:
        counts = self.summary
        parts = [f"errors={counts.errors}", f"warnings={counts.warnings}", f"infos={counts.infos}"]
        if self.failures:
            parts.append(f"failures={len(self.failures)}")
        return f"Report({', '.join(parts)})"


def _names(kind: Any) -> List[str]:
    """The names of the fields of a dataclass, without its JSON."""
    return [name for name in kind.__dataclass_fields__ if name != "_json"]


class Prediction(_Result):
    """The answers that the service may give to an update.

    >>> import voxlint
    >>> prediction = voxlint.predict({"version_number": 3, "kb_max_chunks": 12})
    >>> prediction.statuses, prediction.certain
    ((400,), False)
    >>> prediction.answers[0].reasons[0].rule
    'out-of-range'
    """

    __slots__ = ()
    _native: _native.Prediction

    @property
    def path(self) -> str:
        """The path of the update."""
        path: str = self._data["path"]
        return path

    @property
    def statuses(self) -> Tuple[int, ...]:
        """The statuses of all answers, in ascending order."""
        return tuple(self._data["statuses"])

    @property
    def certain(self) -> bool:
        """Whether there is exactly one answer, whatever the unknown values are."""
        certain: bool = self._data["certain"]
        return certain

    @property
    def may_be_accepted(self) -> bool:
        """Whether a rejection depends on an unknown value, so that the update may be accepted."""
        may_be: bool = self._data["may_be_accepted"]
        return may_be

    @property
    def other_rejections(self) -> Tuple[int, ...]:
        """Statuses that a certain rejection could have instead."""
        return tuple(self._data["other_rejections"])

    @property
    def answers(self) -> Tuple[Answer, ...]:
        """The answers, in ascending order of status."""
        return tuple(
            Answer(
                it,
                it["status"],
                it["phrase"],
                it["expected"],
                tuple(_reason(reason) for reason in it["reasons"]),
                copy.deepcopy(it["body"]),
                it.get("no_body"),
            )
            for it in self._data["answers"]
        )

    @property
    def diagnostics(self) -> Tuple[Diagnostic, ...]:
        """The findings of a check of the update."""
        return _diagnostics(self._data["diagnostics"], self.path, self._offsets)

    @property
    def undecided(self) -> Tuple[Undecided, ...]:
        """The rules that could not be decided."""
        return _undecided(self._data["undecided"])

    def __repr__(self) -> str:
        return f"Prediction(statuses={self.statuses}, certain={self.certain})"


def _reason(it: _Json) -> Reason:
    missing = tuple(it["missing"])
    return Reason(it, it["rule"], it["verdict"], it["field"], it["message"], it["depends_on"], missing)


class Difference(_Result):
    """The smallest update that turns the stored state into the desired one.

    >>> import voxlint
    >>> stored = {"version": {"version_number": 3, "title": "Desk"}, "complete": True}
    >>> difference = voxlint.diff(stored, {"version_number": 3, "title": "Front desk"})
    >>> difference.update
    {'version_number': 3, 'title': 'Front desk'}
    >>> difference.changes[0].message
    'changes `title` from `Desk` to `Front desk`'
    """

    __slots__ = ()
    _native: _native.Difference

    @property
    def body(self) -> Optional[str]:
        """The body of the update, in which numbers keep all their digits; ``None`` if there is nothing to send.

        It is the exact body to send, so secrets in it are not masked.
        """
        return self._native.update

    @property
    def update(self) -> Optional[Dict[str, Any]]:
        """The body as a ``dict``. Python may round its numbers; those in :attr:`body` keep all their digits."""
        update: Optional[Dict[str, Any]] = copy.deepcopy(self._data["update"])
        return update

    @property
    def rejected(self) -> bool:
        """Whether the service would certainly reject the update."""
        rejected: bool = self._data["rejected"]
        return rejected

    @property
    def changes(self) -> Tuple[Change, ...]:
        """The changes that the update makes, riskiest changes first."""
        return tuple(Change(it, *(it[name] for name in _names(Change))) for it in self._data["changes"])

    @property
    def cannot_unset(self) -> Tuple[CannotUnset, ...]:
        """Stored values that the desired settings omit and no update can unset."""
        entries = self._data["cannot_unset"]
        return tuple(CannotUnset(it, it["field"], it["value"], it["message"]) for it in entries)

    @property
    def notes(self) -> Tuple[str, ...]:
        """Further notes, as sentences."""
        return tuple(self._data["notes"])

    @property
    def diagnostics(self) -> Tuple[Diagnostic, ...]:
        """The findings in :attr:`body`."""
        return _diagnostics(self._data["diagnostics"], None, self._offsets)

    @property
    def undecided(self) -> Tuple[Undecided, ...]:
        """The rules that could not be decided."""
        return _undecided(self._data["undecided"])

    def __repr__(self) -> str:
        return f"Difference(changes={len(self.changes)}, rejected={self.rejected})"


class Plan(_Result):
    """What would happen if all documents were sent now.

    >>> import voxlint
    >>> stored = {"version": {"version_number": 3, "title": "Desk"}, "complete": True}
    >>> plan = voxlint.plan({"en": {"version_number": 3, "title": "Front desk"}}, stored={"en": stored})
    >>> [(agent.name, agent.outcome) for agent in plan.agents]
    [('en', 'depends')]
    >>> plan.bodies["en"]
    '{\\n  "version_number": 3,\\n  "title": "Front desk"\\n}'
    """

    __slots__ = ()
    _native: _native.Plan

    @property
    def summary(self) -> PlanSummary:
        """How many agents have each outcome."""
        data = self._data["summary"]
        return PlanSummary(data, *(data[name] for name in _names(PlanSummary)))

    @property
    def order(self) -> Tuple[str, ...]:
        """The names of the documents whose bodies are sent, in the order to send them."""
        return tuple(self._data["order"])

    @property
    def agents(self) -> Tuple[AgentPlan, ...]:
        """What would happen to each document, by name."""
        offsets = self._offsets
        agents: List[_Json] = self._data["agents"]
        for agent in agents:
            _want(agent["findings"], agent["name"], offsets)
        return tuple(_agent(agent, offsets) for agent in agents)

    @property
    def bodies(self) -> Mapping[str, str]:
        """The exact bodies to send, by the names of their documents. Secrets in them are not masked."""
        return dict(self._native.bodies)

    @property
    def skipped(self) -> Tuple[Skipped, ...]:
        """The files that were skipped."""
        return _skipped(self._data["skipped"])

    @property
    def failures(self) -> Tuple[Failure, ...]:
        """What could not be read. A plan with failures is not complete."""
        return _failures(self._data["failures"])

    def __str__(self) -> str:
        return self._native.line

    def __repr__(self) -> str:
        return f"Plan({self._native.line})"


def _agent(it: _Json, offsets: _Offsets) -> AgentPlan:
    statuses = (
        PlannedStatus(s, s["status"], s["phrase"], s["expected"], tuple(s["reasons"])) for s in it["statuses"]
    )
    return AgentPlan(
        it,
        it["name"],
        it["agent_id"],
        it["version_number"],
        it["title"],
        it["outcome"],
        it["danger"],
        tuple(statuses),
        tuple(PlannedChange(c, *(c[name] for name in _names(PlannedChange))) for c in it["changes"]),
        tuple(it["notes"]),
        tuple(Drift(d, *(d[name] for name in _names(Drift))) for d in it["drift"]),
        tuple(
            FleetFinding(f, _diagnostic(f, it["name"], offsets), tuple(f["others"])) for f in it["findings"]
        ),
        _undecided(it["undecided"]),
    )
