"""Predictions, differences, plans and projects."""

from __future__ import annotations

import dataclasses
import json
import os
import pickle
import sys
from itertools import product
from pathlib import Path
from typing import Any, List, Literal

import pytest
import voxlint

STORED = {
    "agent": {
        "id": "ag_desk",
        "agent_type": "Single_Prompt_Agent",
        "versions": [{"version_number": 3, "is_published": False}],
    },
    "version": {"version_number": 3, "title": "Desk", "is_published": False},
    "complete": True,
}


def test_counts_and_kind_are_those_of_the_json(repository: Path) -> None:
    texts = ["", "{}", '{ "version_number": 3, "kb_max_chunks": 12, "titel": "Bar" }', '{ "keys": [] }', "- 1\n---\n- 2\n"]
    formats: List[Literal["json", "yaml", "ndjson"]] = ["json", "yaml", "ndjson"]
    for text, format in product(texts, formats):
        report = voxlint.check(text, format=format)
        data = report.to_dict()
        assert report.summary.to_dict() == data["summary"]
        assert report.kind == (data["files"][0]["kind"] if data["files"] else None)
    project = voxlint.Project(repository / "fixtures/suppression").check()
    assert project.summary.to_dict() == project.to_dict()["summary"]


def test_a_prediction_has_the_answers() -> None:
    prediction = voxlint.predict({"version_number": 3, "title": "Front desk"}, stored=STORED)
    assert 200 in prediction.statuses
    (accepted,) = [it for it in prediction.answers if it.status == 200]
    assert accepted.phrase == "OK" and accepted.expected and accepted.reasons == ()
    assert accepted.body["id"] == "ag_desk"
    accepted.body["id"] = "another"
    assert [it.body["id"] for it in prediction.answers if it.status == 200] == ["ag_desk"]
    rejected = voxlint.predict({"version_number": 4}, stored=STORED)
    assert rejected.statuses == (404,) and not rejected.may_be_accepted
    assert rejected.diagnostics[0].rule == rejected.answers[0].reasons[0].rule == "version-not-found"
    assert rejected.to_dict()["statuses"] == [404]


def test_every_part_of_a_prediction_has_a_hash() -> None:
    prediction = voxlint.predict({"version_number": 3, "title": "Front desk", "kb_max_chunks": 12}, stored=STORED)
    assert len({hash(answer) for answer in prediction.answers}) == len(prediction.answers)
    assert hash(prediction.answers) == hash(pickle.loads(pickle.dumps(prediction.answers)))


def test_an_answer_says_whose_words_it_has() -> None:
    answers = voxlint.predict({"version_number": 3, "kb_max_chunks": 12}, stored=STORED).answers
    assert [it.words for it in answers] == [it.to_dict().get("words") for it in answers]
    assert any(it.words == "voxlint" for it in answers)


def test_every_member_of_the_json_is_a_member_here() -> None:
    """Other names are only those that Python reserves."""
    long = {name: {"version_number": 3, "prompt_text": f"{name} {index} " * 200} for index, name in enumerate(("Be kind.", "Be quick."))}
    (old, new) = long.values()
    stored = {**STORED, "version": {**old, "is_published": False}}
    (agent,) = voxlint.plan({"en": new}, stored={"en": stored}).agents
    (change,) = agent.changes
    assert change.texts is not None and change.texts.new == new["prompt_text"] and change.takes_from == ()
    stream = '{ "version_number": 3, "kb_max_chunks": 12 }\n{ "id": "ag_desk", "agent_type": 3, "versions": [] }\n'
    report = voxlint.check(stream, format="ndjson")
    assert {found.kind for found in report.diagnostics} == {"update", "agent"}
    assert [it.kind for it in voxlint.check("{").diagnostics] == [None]
    assert report.summary.fixed == 0
    parts: List[Any] = [report.summary, change, change.texts, *agent.statuses, *report.diagnostics, *report.files]
    parts += voxlint.predict({"version_number": 3, "kb_max_chunks": 12}, stored=STORED).answers
    for part in parts:
        assert {name.rstrip("_") for name in dataclasses.asdict(part)} >= set(part.to_dict()), part


def test_the_update_of_a_difference_is_not_masked_and_everything_else_is() -> None:
    secret = "sk-proj-abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHIJKL"
    difference = voxlint.diff(STORED, {"version_number": 3, "prompt_text": f"Use {secret}."})
    assert difference.body is not None and secret in difference.body
    assert difference.update is not None and secret in difference.update["prompt_text"]
    assert difference.to_dict()["update"] == difference.update
    shown = (repr(difference), repr(difference.changes), repr(difference.diagnostics), str(difference))
    assert difference.changes and not any(secret in it for it in shown)


def test_bytes_that_are_not_utf_8_are_predicted() -> None:
    assert 400 in voxlint.predict(b'{ "version_number": 3, "title": "caf\xe9" }').statuses


def test_a_difference_has_every_digit() -> None:
    difference = voxlint.diff(STORED, '{ "version_number": 3, "title": "Desk", "kb_min_score": 0.50000000000000000001, "is_published": false }')
    assert difference.body is not None and "0.50000000000000000001" in difference.body
    assert difference.update == {"version_number": 3, "kb_min_score": 0.5}
    (change,) = difference.changes
    assert (change.field, change.kind, change.dangerous, change.old) == ("/kb_min_score", "set", False, None)
    nothing = voxlint.diff(STORED, {"version_number": 3, "title": "Desk", "is_published": False})
    assert nothing.body is None and nothing.update is None and nothing.changes == ()
    bad = voxlint.diff(STORED, {"version_number": 3, "kb_max_chunks": 12})
    assert bad.rejected and bad.body is not None
    span = bad.diagnostics[0].span
    assert bad.body[span.char_start : span.char_end] == "12"


def test_a_plan_has_an_order_and_bodies() -> None:
    documents = {"b.json": {"version_number": 3, "title": "Bar"}, "a.json": {"version_number": 3, "title": "Desks"}}
    plan = voxlint.plan(documents, stored={name: STORED for name in documents})
    assert [agent.name for agent in plan.agents] == ["a.json", "b.json"]
    assert plan.summary.agents == 2 and set(plan.bodies) == set(plan.order)
    assert json.loads(plan.bodies["a.json"]) == documents["a.json"]
    findings = {agent.name: [(it.diagnostic.rule, it.others) for it in agent.findings] for agent in plan.agents}
    assert findings["b.json"] == [("version-planned-twice", ("a.json",))]
    assert plan.agents[0].changes[0].kind == "changed" and not plan.agents[0].danger
    reverse = dict(reversed(list(documents.items())))
    assert voxlint.plan(reverse, stored={name: STORED for name in documents}) == plan


def test_a_base_shows_what_was_changed_in_the_service() -> None:
    base = {**STORED, "version": {"version_number": 3, "title": "Reception", "is_published": False}}
    update = {"en": {"version_number": 3, "title": "Front desk"}}
    (agent,) = voxlint.plan(update, stored={"en": STORED}, base={"en": base}).agents
    (drift,) = agent.drift
    assert (drift.field, drift.kind, drift.stored) == ("/title", "conflict", "Desk")


def test_a_project_is_checked_with_its_files(tmp_path: Path) -> None:
    (tmp_path / "agents").mkdir()
    (tmp_path / "voxlint.toml").write_text(
        "root = true\n[[documents]]\nfiles = 'agents/*.json'\nstored = '{stem}.stored.json'\n"
        "text_files = { prompt_text = '{stem}.prompt.hbs' }\n"
    )
    (tmp_path / "agents/en.json").write_text('{ "version_number": 3, "title": "Front desk" }')
    (tmp_path / "agents/en.stored.json").write_text(json.dumps(STORED))
    (tmp_path / "agents/en.prompt.hbs").write_text("Hi \U0001f3a7 {{name}")
    project = voxlint.Project(tmp_path)
    report = project.check()
    (found,) = [it for it in report.diagnostics if it.rule == "template-syntax-error"]
    assert found.in_ == "text" and found.path is not None and found.path.endswith("agents/en.prompt.hbs")
    text = report.text(found.path)
    assert text is not None and text[found.span.char_start : found.span.char_end] == "}"
    # A text that is not saved.
    (tmp_path / "agents/en.prompt.hbs").write_text("Hi {{name}}")
    assert project.check("agents").clean
    unsaved = project.check_text("agents/en.json", {"version_number": 3, "kb_max_chunks": 12})
    assert [it.rule for it in unsaved.errors] == ["out-of-range"]
    assert project.check("agents/en.json").clean
    assert project.predict("agents/en.json").statuses == voxlint.predict(
        {"version_number": 3, "title": "Front desk", "prompt_text": "Hi {{name}}"}, stored=STORED
    ).statuses
    difference = project.diff("agents/en.json")
    assert {change.field for change in difference.changes} == {"/title", "/prompt_text"}
    plan = project.plan()
    assert [agent.outcome for agent in plan.agents] == ["update"] or plan.agents[0].outcome in ("update", "depends")
    missing = project.check("agents/gone.json")
    assert not missing.ok and "gone.json" in missing.failures[0].path


def test_an_empty_project_is_a_failure(tmp_path: Path) -> None:
    report = voxlint.Project(tmp_path).check()
    assert report.failures[0].message == "no agent documents found, so nothing was checked"
    assert not report.ok and report.files == ()


def test_an_unusable_configuration_is_a_failure(tmp_path: Path) -> None:
    (tmp_path / "voxlint.toml").write_text("[rules]\nno-such-rule = 'error'\n")
    (tmp_path / "en.json").write_text('{ "version_number": 3 }')
    project = voxlint.Project(tmp_path)
    assert not project.check().ok
    with pytest.raises(voxlint.UsageError, match="no-such-rule"):
        project.predict("en.json")


def test_an_unsaved_text_that_utf_8_does_not_have_is_a_finding(tmp_path: Path) -> None:
    project = voxlint.Project(tmp_path)
    text = '{ "version_number": 3, "title": "\ud83c", "kb_max_chunks": 12 }'
    by_rule = {found.rule: found.span for found in project.check_text("en.json", text).diagnostics}
    assert text[by_rule["syntax-error"].char_start : by_rule["syntax-error"].char_end] == "\ud83c"
    assert text[by_rule["out-of-range"].char_start : by_rule["out-of-range"].char_end] == "12"
    report = project.check_text("en.json", b'{ "version_number": 3, "title": "caf\xe9" }')
    assert [found.rule for found in report.diagnostics] == ["syntax-error"]


@pytest.mark.skipif(sys.platform in ("win32", "darwin"), reason="file names are Unicode there")
def test_a_file_name_that_is_not_utf_8_is_shown(tmp_path: Path) -> None:
    name = os.fsdecode(b"caf\xe9.json")
    (tmp_path / name).write_text('{ "version_number": 3, "kb_max_chunks": 12 }')
    project = voxlint.Project(tmp_path)
    for report in (project.check(), project.check(name), project.check_text(name, '{ "kb_max_chunks": 12, "version_number": 3 }')):
        (found,) = report.diagnostics
        assert found.path is not None and found.path.endswith("caf\ufffd.json") and found.span.char_start is not None
