"""The results of voxlint: the JSON of the command line, as frozen objects."""

from __future__ import annotations

import copy
import hashlib
import json
from dataclasses import dataclass, field
from typing import Any, ClassVar, Dict, List, Literal, Mapping, Optional, Tuple, TypeVar, Union

from . import _native

Verdict = Literal["reject", "possible", "advice"]
Severity = Literal["error", "warning", "info"]
Safety = Literal["safe", "unsafe"]
Input = Literal["document", "stored", "facts", "text"]
Outcome = Literal["no-change", "update", "publish", "refused", "depends", "no-stored-state"]
_Native = Union[_native.Report, _native.Prediction, _native.Difference, _native.Plan]

_Json = Dict[str, Any]


class _Data:
    """An object with the JSON that it was made of, which is none of its fields."""

    def to_dict(self) -> Dict[str, Any]:
        """The object in the JSON format of the command line, as a new ``dict``."""
        data: Optional[_Json] = self.__dict__.get("_json")
        if data is None:
            raise TypeError(f"this {type(self).__name__} was not made by voxlint, so it has no JSON")
        return copy.deepcopy(data)


_Made = TypeVar("_Made", bound=_Data)


def _made(data: _Json, it: _Made) -> _Made:
    """An object with the JSON that it is made of."""
    object.__setattr__(it, "_json", data)
    return it


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
        """The text with the edits of this fix alone. It must be the text that was checked, so one fix cannot be applied to the result
        of another: :meth:`Report.fix` applies all of them.

        Raises :exc:`UsageError` if the text is another one.
        """
        data = text.encode("utf-8", "surrogatepass")
        checked: Optional[bytes] = self.__dict__.get("_checked")
        if checked is not None and _digest(data) != checked:
            place = "the document" if self.in_ == "document" else f"`{self.path}`"
            raise _native.UsageError(
                f"the fix is for {place} as it was checked, and this is another text: "
                "check it again, or use `fix` of the report for several fixes"
            )
        if any(edit.end > len(data) for edit in self.edits):
            raise _native.UsageError("the fix is for a longer text than this one")
        for edit in reversed(self.edits):
            data = data[: edit.start] + edit.text.encode() + data[edit.end :]
        return data.decode("utf-8", "surrogatepass")


@dataclass(frozen=True)
class AssumedReading(_Data):
    """A reading of the service's description on which a verdict depends. ``rejects`` are the values under which the service rejects
    the document; ``set_to`` and ``set_in`` are those of ``[readings]`` in ``voxlint.toml``, or ``None`` if the reading is open.
    """

    name: str
    set_to: Optional[Tuple[str, ...]]
    set_in: Optional[str]
    rejects: Tuple[str, ...]


@dataclass(frozen=True)
class Diagnostic(_Data):
    """A finding.

    ``field`` is a JSON Pointer into the effective configuration; ``in_`` and ``path`` name the text that ``span`` is in. In a text with
    several documents, ``record`` is the number of the document, from 0; ``kind`` is what it was checked as, if that is not
    the kind of the file. ``count`` is how many findings it stands for. ``readings`` are the readings of the description on which the
    verdict depends.
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
    kind: Optional[str]
    count: int
    readings: Tuple[AssumedReading, ...]

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
    readings: Tuple[AssumedReading, ...]


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
    fixed: int
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
    """An answer of the service. ``body`` is ``None`` if it is not known, and ``no_body`` says why.
    ``words`` is ``voxlint`` if the messages in it are voxlint's own.
    """

    status: int
    phrase: str
    expected: bool
    reasons: Tuple[Reason, ...]
    body: Any = field(hash=False)
    no_body: Optional[str]
    words: Optional[str]


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
class ChangedTexts(_Data):
    """The whole texts of a change, if they are long. Secrets in them are masked."""

    old: str
    new: str


@dataclass(frozen=True)
class PlannedChange(_Data):
    """What an update of a plan changes. It may overwrite a change made in the service, or edit a published version.

    ``takes_from`` names the documents or stored configurations whose published agents have the number.
    """

    field: str
    kind: str
    danger: bool
    old: Optional[str]
    new: Optional[str]
    message: str
    overwrites: bool
    live: bool
    takes_from: Tuple[str, ...]
    texts: Optional[ChangedTexts]


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


def _digest(data: bytes) -> bytes:
    return hashlib.blake2b(data, digest_size=16).digest()


class _Offsets:
    """Converts offsets in bytes to offsets in characters, all offsets of a text at once."""

    def __init__(self, native: _Native, odd: Optional[str], own: Optional[str]) -> None:
        self._native = native
        # A text with lone surrogates, which UTF-8 does not have, and its path.
        self._odd = odd.encode("utf-8", "surrogatepass") if odd is not None else None
        self._own = own
        self._wanted: Dict[str, List[int]] = {}
        self._known: Dict[str, Optional[Dict[int, int]]] = {}
        self._digests: Dict[str, Optional[bytes]] = {}

    def digest(self, path: Optional[str]) -> Optional[bytes]:
        """The digest of the text at a path; ``None`` if it was not kept."""
        if path is None:
            return None
        if path not in self._digests:
            text = self._native.text(path)
            odd = self._odd if path == self._own else None
            self._digests[path] = None if text is None else _digest(odd or text.encode())
        return self._digests[path]

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
            if known is not None and self._odd is not None and path == self._own:
                known = {at: len(self._odd[:at].decode("utf-8", "surrogatepass")) for at in wanted}
            self._known[path] = known
        offsets = self._known[path]
        return None if offsets is None else offsets.get(offset)


def _position(data: Optional[_Json]) -> Optional[Position]:
    return None if data is None else Position(data["line"], data["column"])


def _span(data: _Json, path: Optional[str], offsets: _Offsets) -> Span:
    start, end = data["start"], data["end"]
    chars = offsets.get(path, start), offsets.get(path, end)
    return _made(data, Span(start, end, *chars, _position(data["from"]), _position(data["to"])))


def _related(data: _Json, own: Optional[str], offsets: _Offsets) -> Related:
    path = data.get("path", own if data["in"] == "document" else None)
    span = _span(data["span"], path, offsets)
    return _made(data, Related(data["in"], path, data["field"], data["message"], span))


def _fix(data: _Json, own: Optional[str], offsets: _Offsets) -> Fix:
    path = data.get("path", own if data["in"] == "document" else None)
    edits = tuple(
        _made(
            it,
            Edit(it["start"], it["end"], offsets.get(path, it["start"]), offsets.get(path, it["end"]), it["text"]),
        )
        for it in data["edits"]
    )
    fix = _made(data, Fix(data["title"], data["safety"], data["in"], path, edits))
    object.__setattr__(fix, "_checked", offsets.digest(path))
    return fix


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


def _readings(data: _Json) -> Tuple[AssumedReading, ...]:
    def reading(it: _Json) -> AssumedReading:
        set_to = None if it["set_to"] is None else tuple(it["set_to"])
        return _made(it, AssumedReading(it["name"], set_to, it["set_in"], tuple(it["rejects"])))

    return tuple(reading(it) for it in data.get("readings", ()))


def _diagnostic(data: _Json, own: Optional[str], offsets: _Offsets) -> Diagnostic:
    found = Diagnostic(
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
        data.get("kind"),
        data.get("count", 1),
        _readings(data),
    )
    return _made(data, found)


def _diagnostics(findings: List[_Json], own: Optional[str], offsets: _Offsets) -> Tuple[Diagnostic, ...]:
    _want(findings, own, offsets)
    return tuple(_diagnostic(data, own, offsets) for data in findings)


def _undecided(entries: List[_Json]) -> Tuple[Undecided, ...]:
    return tuple(
        _made(it, Undecided(it["rule"], tuple(it["missing"]), it["why"], it.get("record"), _readings(it)))
        for it in entries
    )


def _failures(entries: List[_Json]) -> Tuple[Failure, ...]:
    return tuple(_made(it, Failure(it["path"], it["message"])) for it in entries)


def _skipped(entries: List[_Json]) -> Tuple[Skipped, ...]:
    return tuple(_made(it, Skipped(it["path"], it["why"])) for it in entries)


_How = Tuple[_native.Context, bool, Optional[str], Optional[str], Optional[str]]
_Self = TypeVar("_Self", bound="_Result")


class _Stored:
    """What a native result has, for one that was pickled."""

    def __init__(self, text: str, texts: List[Tuple[str, str]], members: Dict[str, Any]) -> None:
        self._json = text
        self._texts = dict(texts)
        self.__dict__.update(members)

    def to_json(self) -> str:
        return self._json

    def texts(self) -> List[Tuple[str, str]]:
        return list(self._texts.items())

    def text(self, path: str) -> Optional[str]:
        return self._texts.get(path)

    def offsets(self, path: str, offsets: List[int]) -> Optional[List[int]]:
        text = self._texts.get(path)
        if text is None:
            return None
        data = text.encode()
        found, count, at = {}, 0, 0
        for offset in sorted(set(offsets)):
            # Of a character, only the first byte is none of these.
            count += sum(1 for byte in data[at:offset] if not 0x80 <= byte < 0xC0)
            at = offset
            found[offset] = count
        return [found[offset] for offset in offsets]


def _restored(
    kind: Any, text: str, texts: List[Tuple[str, str]], members: Dict[str, Any], odd: Optional[str]
) -> Any:
    """A result that was pickled."""
    return kind(_Stored(text, texts, members), odd)


class _Result:
    """A result that is parsed when it is first used."""

    __slots__ = ("_cache", "_how", "_native", "_odd")

    def __init__(self, native: _Native, odd: Optional[str] = None, how: Optional[_How] = None) -> None:
        object.__setattr__(self, "_native", native)
        object.__setattr__(self, "_odd", odd)
        # What a report without findings was checked with is not needed again.
        is_clean = isinstance(native, _native.Report) and native.clean
        object.__setattr__(self, "_how", None if is_clean else how)
        object.__setattr__(self, "_cache", {})

    _cache: Dict[str, Any]
    _native: Any
    _odd: Optional[str]
    # What a text was checked with.
    _how: Optional[_How]

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

    def __copy__(self: _Self) -> _Self:
        return self

    def __deepcopy__(self: _Self, memo: object) -> _Self:
        return self

    def __reduce__(self) -> Tuple[Any, ...]:
        """The JSON, and the texts that spans point into."""
        members = {name: getattr(self._native, name) for name in self._members}
        return _restored, (type(self), self.to_json(), self._native.texts(), members, self._odd)

    # What the native result has beside its JSON.
    _members: ClassVar[Tuple[str, ...]] = ()

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
        own = None
        if self._odd is not None:
            files = self._data.get("files")
            own = files[0]["path"] if files else self._data.get("path")
        return _Offsets(self._native, self._odd, own)


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
    _members = ("ok", "clean", "failures")

    @property
    def ok(self) -> bool:
        """Whether ``voxlint check`` would exit with 0: there are neither errors nor failures."""
        return self._native.ok

    @property
    def clean(self) -> bool:
        """Whether there are neither findings nor failures."""
        return self._native.clean

    def fix(self, text: str, *, unsafe: bool = False) -> str:
        """The text that was checked, after its fixes: those that are safe, or with ``unsafe`` also those that need a review. They are
        applied in rounds and proven, as ``voxlint check --fix`` does. Of a value, the text is ``report.text(path)``.

        Raises :exc:`UsageError` if this is not the text that was checked, or the report is that of a project or was pickled.

        >>> import voxlint
        >>> text = '{ "version_number": 3, "kb_max_chunks": "5", "titel": "Front desk" }'
        >>> report = voxlint.check(text)
        >>> report.fix(text)
        '{ "version_number": 3, "kb_max_chunks": 5, "titel": "Front desk" }'
        >>> report.fix(text, unsafe=True)
        '{ "version_number": 3, "kb_max_chunks": 5, "title": "Front desk" }'
        """
        if not isinstance(text, str):
            raise TypeError(f"the text is a {type(text).__name__}: give the str that was checked")
        if self.clean:
            # A report without findings keeps no text, and has nothing to fix.
            return text
        if self._how is None:
            raise _native.UsageError(
                "only the report of a text can fix it: check the text again, or use `voxlint check --fix` for files"
            )
        context, is_value, format, kind, path = self._how
        data = text.encode("utf-8", "surrogatepass")
        checked = self._offsets.digest(path or "<text>")
        if checked is not None and checked != _digest(data):
            raise _native.UsageError("this is not the text that was checked: check it again")
        fixed = context.fix(data, is_value, format, kind, path, unsafe)
        return fixed.decode("utf-8", "surrogatepass")

    @property
    def files(self) -> Tuple[FileReport, ...]:
        """The findings by file. A text counts as one file."""
        if "files" not in self._cache:
            offsets = self._offsets
            for data in self._data["files"]:
                _want(data["diagnostics"], data["path"], offsets)
            self._cache["files"] = tuple(
                _made(
                    data,
                    FileReport(
                        data["path"],
                        data["kind"],
                        _diagnostics(data["diagnostics"], data["path"], offsets),
                        _undecided(data["undecided"]),
                    ),
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
        return _failures([{"path": path, "message": message} for path, message in failures])

    @property
    def skipped(self) -> Tuple[Skipped, ...]:
        """The files that were skipped."""
        return _skipped(self._data["skipped"])

    @property
    def summary(self) -> Summary:
        """The counts."""
        data = self._data["summary"]
        return _made(data, Summary(*(data[name] for name in _names(Summary))))

    def __repr__(self) -> str:
        counts = self.summary
        parts = [f"errors={counts.errors}", f"warnings={counts.warnings}", f"infos={counts.infos}"]
        if self.failures:
            parts.append(f"failures={len(self.failures)}")
        return f"Report({', '.join(parts)})"


def _names(kind: Any) -> List[str]:
    """The names of the fields of a dataclass."""
    return list(kind.__dataclass_fields__)


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
    def unsendable(self) -> bool:
        """Whether the document cannot be sent, because its YAML or TOML cannot be read. Then there are no answers."""
        unsendable: bool = self._data["unsendable"]
        return unsendable

    @property
    def other_rejections(self) -> Tuple[int, ...]:
        """Statuses that a certain rejection could have instead."""
        return tuple(self._data["other_rejections"])

    @property
    def answers(self) -> Tuple[Answer, ...]:
        """The answers, in ascending order of status."""
        return tuple(
            _made(
                it,
                Answer(
                    it["status"],
                    it["phrase"],
                    it["expected"],
                    tuple(_reason(reason) for reason in it["reasons"]),
                    copy.deepcopy(it["body"]),
                    it.get("no_body"),
                    it.get("words"),
                ),
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
    reason = Reason(it["rule"], it["verdict"], it["field"], it["message"], it["depends_on"], missing)
    return _made(it, reason)


class Difference(_Result):
    """The smallest update that turns the stored configuration into the desired one.

    >>> import voxlint
    >>> stored = {"version": {"version_number": 3, "title": "Desk"}, "complete": True}
    >>> difference = voxlint.diff(stored, {"version_number": 3, "title": "Front desk"})
    >>> difference.update
    {'version_number': 3, 'title': 'Front desk'}
    >>> difference.changes[0].message
    'changes `title` from `Desk` to `Front desk`'

    :attr:`body`, :attr:`update`, :meth:`to_json` and :meth:`to_dict` have the exact body to send, so secrets in it are not masked.
    Everything else is, also the ``repr()``.
    """

    __slots__ = ()
    _native: _native.Difference
    _members = ("update",)

    @property
    def body(self) -> Optional[str]:
        """The body of the update, in which numbers keep all their digits; ``None`` if there is nothing to send.

        It is the exact body to send, so secrets in it are not masked.
        """
        return self._native.update

    @property
    def update(self) -> Optional[Dict[str, Any]]:
        """The same as a ``dict``, with its secrets. Numbers are Python's: :attr:`body` has every digit."""
        update: Optional[Dict[str, Any]] = copy.deepcopy(self._data["update"])
        return update

    @property
    def rejected(self) -> bool:
        """Whether the service would certainly reject the update."""
        rejected: bool = self._data["rejected"]
        return rejected

    @property
    def changes(self) -> Tuple[Change, ...]:
        """What the update changes, the riskiest changes first."""
        return tuple(
            _made(it, Change(*(it[name] for name in _names(Change)))) for it in self._data["changes"]
        )

    @property
    def cannot_unset(self) -> Tuple[CannotUnset, ...]:
        """Stored values that the desired settings omit and no update can unset."""
        entries = self._data["cannot_unset"]
        return tuple(_made(it, CannotUnset(it["field"], it["value"], it["message"])) for it in entries)

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
    _members = ("bodies", "line")

    @property
    def summary(self) -> PlanSummary:
        """How many agents have each outcome."""
        data = self._data["summary"]
        return _made(data, PlanSummary(*(data[name] for name in _names(PlanSummary))))

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
        _made(s, PlannedStatus(s["status"], s["phrase"], s["expected"], tuple(s["reasons"])))
        for s in it["statuses"]
    )
    agent = AgentPlan(
        it["name"],
        it["agent_id"],
        it["version_number"],
        it["title"],
        it["outcome"],
        it["danger"],
        tuple(statuses),
        tuple(_planned_change(c) for c in it["changes"]),
        tuple(it["notes"]),
        tuple(_made(d, Drift(*(d[name] for name in _names(Drift)))) for d in it["drift"]),
        tuple(
            _made(f, FleetFinding(_diagnostic(f, it["name"], offsets), tuple(f["others"])))
            for f in it["findings"]
        ),
        _undecided(it["undecided"]),
    )
    return _made(it, agent)


def _planned_change(it: _Json) -> PlannedChange:
    texts = it.get("texts")
    change = PlannedChange(
        it["field"],
        it["kind"],
        it["danger"],
        it["old"],
        it["new"],
        it["message"],
        it["overwrites"],
        it["live"],
        tuple(it.get("takes_from", ())),
        None if texts is None else _made(texts, ChangedTexts(texts["old"], texts["new"])),
    )
    return _made(it, change)
