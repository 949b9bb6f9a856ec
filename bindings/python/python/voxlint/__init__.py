"""Predict what a voice-agent service rejects, before you publish.

voxlint checks the configuration of voice agents: updates, settings, Handlebars prompts, stored configurations.

>>> import voxlint
>>> report = voxlint.check({"version_number": 3, "kb_max_chunks": 12})
>>> for found in report.diagnostics:
...     print(f"{found.field}: {found.message} [{found.rule}]")
/kb_max_chunks: `kb_max_chunks` is 12, over the maximum of 10 [out-of-range]
>>> voxlint.predict({"version_number": 3, "kb_max_chunks": 12}).statuses
(400,)

A :class:`Context` keeps the stored configuration, the workspace facts and a ``voxlint.toml``, parsed once for any number of
documents and threads. A :class:`Project` is a folder with its files. What is wrong with a document is a finding, never an exception;
:exc:`UsageError` says that an argument cannot be used, and :exc:`InternalError` that voxlint has a bug.
"""

from ._api import (
    Context,
    Document,
    Format,
    Kind,
    Project,
    check,
    check_many,
    diff,
    explain,
    plan,
    predict,
)
from ._native import InternalError, UsageError, __version__
from ._results import (
    AgentPlan,
    Answer,
    AssumedReading,
    CannotUnset,
    Change,
    ChangedTexts,
    Diagnostic,
    Difference,
    Drift,
    Edit,
    Failure,
    FileReport,
    Fix,
    FleetFinding,
    Plan,
    PlannedChange,
    PlannedStatus,
    PlanSummary,
    Position,
    Prediction,
    Reason,
    Related,
    Report,
    Skipped,
    Span,
    Summary,
    Undecided,
)

__all__ = [
    "AgentPlan",
    "Answer",
    "AssumedReading",
    "CannotUnset",
    "Change",
    "ChangedTexts",
    "Context",
    "Diagnostic",
    "Difference",
    "Document",
    "Drift",
    "Edit",
    "Failure",
    "FileReport",
    "Fix",
    "FleetFinding",
    "Format",
    "InternalError",
    "Kind",
    "Plan",
    "PlanSummary",
    "PlannedChange",
    "PlannedStatus",
    "Position",
    "Prediction",
    "Project",
    "Reason",
    "Related",
    "Report",
    "Skipped",
    "Span",
    "Summary",
    "Undecided",
    "UsageError",
    "__version__",
    "check",
    "check_many",
    "diff",
    "explain",
    "plan",
    "predict",
]
