"""Predict what a voice-agent service rejects, before you publish.

voxlint checks the configuration of voice agents: updates, settings, Handlebars prompts, stored agents.

>>> import voxlint
>>> report = voxlint.check({"version_number": 3, "kb_max_chunks": 12})
>>> for found in report.diagnostics:
...     print(f"{found.field}: {found.message} [{found.rule}]")
/kb_max_chunks: `kb_max_chunks` is 12, over the maximum of 10 [out-of-range]
>>> voxlint.predict({"version_number": 3, "kb_max_chunks": 12}).statuses
(400,)

A :class:`Context` is the stored configuration, the workspace facts and a ``voxlint.toml``, parsed once for any number of documents and
threads. A :class:`Project` is a folder of agent documents with their related files. Mistakes in a document are findings and never raise
an exception. :exc:`UsageError` means that an argument cannot be used.
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
from ._native import UsageError, __version__
from ._results import (
    AgentPlan,
    Answer,
    CannotUnset,
    Change,
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
    "CannotUnset",
    "Change",
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
