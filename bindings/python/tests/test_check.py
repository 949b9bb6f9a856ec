"""Checks and their results."""

from __future__ import annotations

import collections
import concurrent.futures
import copy
import dataclasses
import json
import multiprocessing
import pickle
import types

import pytest
import voxlint

BAD = '{ "version_number": 3, "kb_max_chunks": 12 }'


@pytest.mark.parametrize(
    "document",
    [
        BAD,
        BAD.encode(),
        bytearray(BAD.encode()),
        memoryview(BAD.encode()),
        json.loads(BAD),
        types.MappingProxyType(json.loads(BAD)),
        collections.ChainMap({"version_number": 3}, {"kb_max_chunks": 12}),
    ],
    ids=lambda it: type(it).__name__,
)
def test_every_form_of_a_document_has_the_same_finding(document: voxlint.Document) -> None:
    report = voxlint.check(document)
    (found,) = report.diagnostics
    assert (found.rule, found.verdict, found.severity, found.status) == ("out-of-range", "reject", "error", 400)
    assert (found.field, found.in_, found.path, found.record, found.count) == (
        "/kb_max_chunks", "document", "<text>", None, 1,
    )
    assert not report.ok and not report.clean and report.errors == report.diagnostics
    assert report.kind == "update"


@pytest.mark.parametrize(
    ("format", "text"),
    [
        ("json", BAD),
        ("jsonc", '{ "version_number": 3, /* now */ "kb_max_chunks": 12, }'),
        ("yaml", "version_number: 3\nkb_max_chunks: 12\n"),
        ("toml", "version_number = 3\nkb_max_chunks = 12\n"),
        ("ndjson", BAD + "\n"),
    ],
)
def test_every_format_is_read(format: voxlint.Format, text: str) -> None:
    assert [found.rule for found in voxlint.check(text, format=format).diagnostics] == ["out-of-range"]
    by_path = voxlint.check(text, path=f"agents/en.{format}")
    assert [found.path for found in by_path.diagnostics] == [f"agents/en.{format}"]


def test_a_template_is_read_as_text() -> None:
    for report in (
        voxlint.check("Hi {{name}", format="hbs"),
        voxlint.check("Hi {{name}", kind="template"),
        voxlint.check("Hi {{name}", path="prompt.hbs"),
    ):
        assert [found.rule for found in report.diagnostics] == ["template-syntax-error"]
        assert report.kind == "template"


def test_a_kind_is_not_guessed_if_it_is_stated() -> None:
    assert voxlint.check("{}", kind="agent").kind == "agent"
    assert voxlint.check({"agents": []}, kind="facts").kind == "facts"


def test_documents_of_one_text_are_numbered() -> None:
    text = '{ "version_number": 3 }\n\n' + BAD + "\n" + BAD
    report = voxlint.check(text, format="ndjson")
    assert [found.record for found in report.diagnostics] == [1, 2]
    assert [str(found.span.from_) for found in report.diagnostics] == ["3:41", "4:41"]
    assert [text[found.span.char_start : found.span.char_end] for found in report.diagnostics] == ["12", "12"]
    assert report.summary.documents == 3 and report.summary.files == 1
    streams = voxlint.check("version_number: 3\n---\nversion_number: []\n", format="yaml")
    assert [found.record for found in streams.diagnostics] == [1]


def test_a_clean_document_has_no_findings() -> None:
    report = voxlint.check({"version_number": 3, "title": "Front desk"})
    assert report.ok and report.clean and report.diagnostics == () and report.failures == ()
    # An omitted field may still decide something.
    assert any(it.rule == "version-not-found" and it.missing for it in report.undecided)
    assert report.summary.undecided == len(report.undecided)


@pytest.mark.parametrize("path", ["a.hbs", "agents/en.toml", "en.yaml", "en.ndjson", "en.json", "en"])
def test_a_value_is_json_whatever_its_path(path: str) -> None:
    value = {"version_number": 3, "kb_max_chunks": 12}
    (found,) = voxlint.check(value, path=path).diagnostics
    assert (found.rule, found.path) == ("out-of-range", path)
    assert voxlint.check(value, path=path, format="json").diagnostics == (found,)
    assert voxlint.predict(value, path=path).statuses == (400,)
    assert [it.name for it in voxlint.plan({path: value}).agents] == [path]
    stored = {"version": {"version_number": 3}, "complete": True}
    assert voxlint.diff(stored, value, path=path).rejected
    assert [it.ok for it in voxlint.check_many([value, "{"])] == [False, False]


def test_a_stated_kind_is_predicted() -> None:
    assert voxlint.predict({"version_number": 3, "kb_max_chunks": 12}, kind="update").statuses == (400,)
    with pytest.raises(voxlint.UsageError, match="`predict` needs an update"):
        voxlint.predict({"version_number": 3}, kind="agent")


def test_what_was_not_read_is_a_failure() -> None:
    deep = '{ "version_number": 3, "title": ' + "[" * 600 + "]" * 600 + " }"
    report = voxlint.check(deep)
    (failure,) = report.failures
    assert failure.path == "<text>" and "512 levels" in failure.message and str(failure).startswith("<text>: line 1")
    assert not report.ok and report.to_dict()["failures"] == [failure.to_dict()]
    assert voxlint.check("", format="ndjson").failures[0].message == "the file contains no documents"


def test_the_dict_is_the_json_of_the_command_line() -> None:
    report = voxlint.check(BAD, path="en.json")
    data = report.to_dict()
    assert json.loads(report.to_json()) == data
    assert data["schema"] == 1 and data["tool"] == {"name": "voxlint", "version": voxlint.__version__}
    (file,) = data["files"]
    (found,) = file["diagnostics"]
    assert report.files[0].to_dict() == file and report.diagnostics[0].to_dict() == found
    assert report.diagnostics[0].span.to_dict() == found["span"]
    # A change of it changes nothing else.
    data["files"].clear()
    found["rule"] = "another"
    report.diagnostics[0].to_dict()["span"]["start"] = -1
    assert report.to_dict()["files"] and report.diagnostics[0].rule == "out-of-range"
    assert report.diagnostics[0].span.start == 40


def test_results_are_frozen_values() -> None:
    one, two = voxlint.check(BAD), voxlint.check(BAD)
    assert one == two and hash(one) == hash(two) and one != voxlint.check("{}") and one != 3
    assert one.diagnostics == two.diagnostics and hash(one.diagnostics) == hash(two.diagnostics)
    with pytest.raises(dataclasses.FrozenInstanceError):
        one.diagnostics[0].rule = "another"  # type: ignore[misc]
    with pytest.raises(AttributeError):
        one.ok = True  # type: ignore[misc]
    with pytest.raises(AttributeError):
        del one._native
    assert repr(one) == "Report(errors=1, warnings=0, infos=0)"
    assert "out-of-range" in str(one.diagnostics[0]) and "_json" not in repr(one.diagnostics[0])


def test_fields_are_the_members_alone() -> None:
    (found,) = voxlint.check(BAD).diagnostics
    data = dataclasses.asdict(found)
    assert "_json" not in json.dumps(data) and data["span"]["start"] == 40
    other = dataclasses.replace(found, message="another")
    assert other != found and other.span.to_dict() == found.span.to_dict()
    with pytest.raises(TypeError, match="was not made by voxlint"):
        other.to_dict()


def test_a_context_is_frozen() -> None:
    context = voxlint.Context()
    with pytest.raises(AttributeError, match="Context is frozen"):
        context._native = 1  # type: ignore[assignment]
    with pytest.raises(AttributeError, match="Context is frozen"):
        del context._native
    assert copy.copy(context) is context and copy.deepcopy(context) is context


def test_results_and_contexts_are_pickled() -> None:
    stored = '{ "version": { "title": "\U0001f3a7", "version_number": 3, "is_published": true }, "complete": true }'
    context = voxlint.Context(stored=stored, config="[rules]\nunknown-field = 'error'\n")
    texts = ['{ "\U0001f3a7": 1, "version_number": 3, "kb_max_chunks": "5" }', '{ "version_number": 3, "title": "\ud83c", "titel": 1 }', "{}", "{"]
    again: voxlint.Context = pickle.loads(pickle.dumps(context))
    for text in texts:
        report = context.check(text)
        assert again.check(text) == report
        for other in (pickle.loads(pickle.dumps(report)), copy.copy(report), copy.deepcopy(report)):
            assert type(other) is voxlint.Report and other == report and hash(other) == hash(report)
            # The offsets in characters as well.
            assert other.diagnostics == report.diagnostics and other.failures == report.failures
            assert (other.ok, other.clean, repr(other)) == (report.ok, report.clean, repr(report))
            assert other.text("<stored>") == report.text("<stored>")
        assert pickle.loads(pickle.dumps(report.diagnostics)) == report.diagnostics
    update = {"version_number": 3, "title": "Bar", "kb_max_chunks": 12}
    prediction = context.predict(update)
    difference = context.diff(update)
    plan = voxlint.plan({"en": update}, stored={"en": stored})
    for result in (prediction, difference, plan):
        other = pickle.loads(pickle.dumps(result))
        assert other == result and repr(other) == repr(result)
    assert pickle.loads(pickle.dumps(difference)).body == difference.body
    assert pickle.loads(pickle.dumps(difference)).diagnostics == difference.diagnostics
    assert pickle.loads(pickle.dumps(plan)).bodies == plan.bodies and str(pickle.loads(pickle.dumps(plan))) == str(plan)


def test_a_report_comes_back_from_another_process() -> None:
    with concurrent.futures.ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as pool:
        assert pool.submit(voxlint.check, BAD).result(60) == voxlint.check(BAD)


def test_a_report_without_findings_keeps_no_text() -> None:
    assert voxlint.check('{ "version_number": 3 }').text("<text>") is None
    assert voxlint.check(BAD).text("<text>") == BAD


def test_levels_house_rules_and_suppressions_of_a_configuration_apply() -> None:
    config = """
    [rules]
    unknown-field = 'error'
    [[overrides]]
    files = 'drafts/'
    rules = { unknown-field = 'off' }
    [[house_rules]]
    id = 'short-title'
    field = '/title'
    max_length = 5
    message = 'a title is short'
    [[suppressions]]
    files = 'old.json'
    rules = 'out-of-range'
    reason = 'the limit will be raised'
    """
    context = voxlint.Context(config=config)
    document = {"version_number": 3, "titel": 1, "kb_max_chunks": 12, "title": "Front desk"}
    def rules(path: str) -> set[str]:
        return {found.rule for found in context.check(document, path=path).diagnostics}
    assert rules("en.json") >= {"unknown-field", "out-of-range"}
    assert "unknown-field" not in rules("drafts/en.json")
    assert "out-of-range" not in rules("old.json")
    assert context.check(document, path="old.json").summary.suppressed == 1
    severities = {it.rule: it.severity for it in context.check(document, path="en.json").diagnostics}
    assert severities["unknown-field"] == "error"


def test_stored_and_facts_decide_rules() -> None:
    document = {"version_number": 3, "title": "Front desk"}
    stored = {"version_number": 3, "is_published": True}
    for given in (stored, json.dumps(stored), json.dumps(stored).encode()):
        (found,) = voxlint.check(document, stored=given).diagnostics
        assert found.rule == "published-version-edited"
    context = voxlint.Context(facts={"transcribers": {"tr_nova": {}}})
    report = context.check({"version_number": 3, "transcriber_id": "tr_novaa"})
    assert any(found.field == "/transcriber_id" for found in report.diagnostics)


def test_a_page_explains_each_rule_of_a_finding() -> None:
    assert voxlint.explain(voxlint.check(BAD).diagnostics[0].rule).startswith("# out-of-range")


def test_secrets_are_masked() -> None:
    secret = "sk-proj-abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHIJKL"
    report = voxlint.check({"version_number": 3, "prompt_text": f"Use {secret}.", f"x{secret}": 1})
    assert report.diagnostics
    assert secret not in report.to_json() and secret not in repr(report.diagnostics)
