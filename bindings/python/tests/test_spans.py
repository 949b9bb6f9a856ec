"""Spans in bytes and in characters."""

from __future__ import annotations

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
