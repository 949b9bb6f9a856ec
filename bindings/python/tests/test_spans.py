"""Spans in bytes and in characters."""

from __future__ import annotations

import json
import pickle
from pathlib import Path

import pytest
import voxlint

TITLES = [
    "Front desk",
    "caf\u00e9",
    "cafe\u0301",  # a combining accent
    "\U0001f3a7",  # an emoji outside of the first plane
    "\U0001f469\u200d\U0001f680",  # several code points that form one character
    "\u4f60\u597d",
    "\u0627\u0644\u0633\u0644\u0627\u0645",
]


@pytest.mark.parametrize("title", TITLES, ids=ascii)
@pytest.mark.parametrize("mark", ["", "\ufeff"], ids=["", "BOM"])
@pytest.mark.parametrize("line_break", ["\n", "\r\n", "\r"], ids=ascii)
def test_offsets_are_those_of_the_characters(title: str, mark: str, line_break: str) -> None:
    lines = ["{", f'  "title": "{title}",', '  "version_number": 3,', f'  "{title}": 1, "kb_max_chunks": 12', "}"]
    text = mark + line_break.join(lines)
    report = voxlint.check(text)
    (found,) = [it for it in report.diagnostics if it.rule == "out-of-range"]
    span = found.span
    assert text[span.char_start : span.char_end] == "12"
    assert text.encode()[span.start : span.end] == b"12"
    assert span.from_ is not None and span.from_.line == 4
    assert lines[3][span.from_.column - 1 :] == "12"
    # The same text as bytes: characters are counted in the decoded text.
    assert voxlint.check(text.encode()).diagnostics == report.diagnostics
    assert report.text("<text>") == text


def test_related_places_and_edits_have_characters() -> None:
    text = '{ "version_number": 3, "welcome_message": "\U0001f3a7", "welcome_message": "\U0001f3a7", "titel": "x" }'
    report = voxlint.check(text)
    (twice,) = [it for it in report.diagnostics if it.related]
    (other,) = twice.related
    assert text[other.span.char_start : other.span.char_end] == text.encode()[other.span.start : other.span.end].decode()
    (misspelled,) = [it for it in report.diagnostics if it.rule == "unknown-field"]
    (edit,) = misspelled.fixes[0].edits
    assert text[edit.char_start : edit.char_end] == '"titel"' and edit.text == '"title"'
    assert misspelled.fixes[0].apply(text) == text.replace("titel", "title")


def test_places_in_the_stored_configuration_are_in_its_text() -> None:
    stored = '{ "version": { "title": "\U0001f3a7", "version_number": 3, "is_published": true }, "complete": true }'
    report = voxlint.check({"version_number": 3, "prompt_text": "x"}, stored=stored)
    places = [it for found in report.diagnostics for it in found.related if it.in_ == "stored"]
    assert places
    for place in places:
        assert place.path == "<stored>"
        assert stored[place.span.char_start : place.span.char_end] == "true"
    assert report.text("<stored>") == stored


def test_bytes_that_are_not_utf_8_are_a_finding() -> None:
    data = b'{ "version_number": 3, "title": "caf\xe9", "kb_max_chunks": 12 }'
    report = voxlint.check(data)
    by_rule = {found.rule: found for found in report.diagnostics}
    wrong, number = by_rule["syntax-error"].span, by_rule["out-of-range"].span
    assert data[wrong.start : wrong.end] == b"\xe9" and data[number.start : number.end] == b"12"
    text = report.text("<text>")
    assert text is not None and text[wrong.char_start : wrong.char_end] == "?"
    assert text[number.char_start : number.char_end] == "12"


def test_lone_surrogates_are_a_finding_at_their_characters() -> None:
    text = '{ "version_number": 3, "title": "\ud83c", "kb_max_chunks": 12 }'
    by_rule = {found.rule: found for found in voxlint.check(text).diagnostics}
    span = by_rule["out-of-range"].span
    assert text[span.char_start : span.char_end] == "12"
    span = by_rule["syntax-error"].span
    assert text[span.char_start : span.char_end] == "\ud83c"
    (report,) = voxlint.check_many([text])
    assert report.diagnostics == voxlint.check(text).diagnostics
    assert report.diagnostics[-1].span.char_start == voxlint.check(text).diagnostics[-1].span.char_start


def test_utf_16_is_a_finding() -> None:
    report = voxlint.check('{ "version_number": 3 }'.encode("utf-16"))
    assert [found.rule for found in report.diagnostics] == ["syntax-error"]


TWO = '{ "kb_max_chunks": "5", "\U0001f3a7": 1, "version_number": 3, "titel": "Desk", "kb_min_score": "0.5" }'


def test_all_fixes_are_applied_together() -> None:
    text = TWO
    safe = text.replace('"5"', "5").replace('"0.5"', "0.5")
    report = voxlint.check(text)
    assert report.fix(text) == safe
    assert report.fix(text, unsafe=True) == safe.replace("titel", "title")
    (of_many,) = voxlint.check_many([text])
    assert of_many.fix(text) == safe
    lines = f"{TWO}\n\n{TWO}\n"
    fixed = voxlint.check(lines, format="ndjson").fix(lines)
    assert fixed == f"{safe}\n\n{safe}\n"
    value = {"version_number": 3, "kb_max_chunks": "5"}
    for report in (voxlint.check(value), *voxlint.check_many([value])):
        written = report.text("<text>")
        assert written is not None and json.loads(report.fix(written)) == {**value, "kb_max_chunks": 5}
    clean = '{ "version_number": 3 }'
    assert voxlint.check(clean).fix(clean) == clean


def test_a_text_with_a_lone_surrogate_keeps_it() -> None:
    text = '{ "version_number": 3, "title": "\ud83c", "kb_max_chunks": "5" }'
    report = voxlint.check(text)
    assert "\ud83c" in report.fix(text)
    for found in report.diagnostics:
        for fix in found.fixes:
            assert fix.apply(text) != text


def test_a_fix_is_only_for_the_text_that_was_checked() -> None:
    report = voxlint.check(TWO)
    fixes = [fix for found in report.diagnostics for fix in found.fixes]
    assert len(fixes) >= 3
    once = fixes[0].apply(TWO)
    with pytest.raises(voxlint.UsageError, match="this is another text: check it again, or use `fix` of the report"):
        fixes[1].apply(once)
    with pytest.raises(voxlint.UsageError, match="this is not the text that was checked"):
        report.fix(once)
    with pytest.raises(voxlint.UsageError, match="only the report of a text can fix it"):
        pickle.loads(pickle.dumps(report)).fix(TWO)
    assert pickle.loads(pickle.dumps(fixes[0])).apply(TWO) == once
    with pytest.raises(voxlint.UsageError):
        pickle.loads(pickle.dumps(fixes[0])).apply(once)


def test_a_fix_of_another_file_is_not_for_the_document(tmp_path: Path) -> None:
    (tmp_path / "voxlint.toml").write_text(
        "root = true\n[[documents]]\nfiles = '*.json'\ntext_files = { prompt_text = '{stem}.prompt.hbs' }\n"
    )
    prompt, document = "Hello {{name} and {{#if x}}y{{/if}}", '{ "version_number": 3 }'
    (tmp_path / "en.json").write_text(document)
    (tmp_path / "en.prompt.hbs").write_text(prompt)
    report = voxlint.Project(tmp_path).check()
    fixes = [fix for found in report.diagnostics for fix in found.fixes if fix.in_ == "text"]
    assert fixes and fixes[0].apply(prompt) != prompt
    with pytest.raises(voxlint.UsageError, match="the fix is for `.*en.prompt.hbs` as it was checked"):
        fixes[0].apply(document)
