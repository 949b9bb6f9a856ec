"""Only arguments that cannot be used raise exceptions."""

from __future__ import annotations

from typing import Any, Callable

import pytest
import voxlint

DEEP: Any = []
for _ in range(100_000):
    DEEP = [DEEP]


STORED = {"version": {"version_number": 3}, "complete": True}


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: voxlint.check("{}", format="xml"), "`xml` is not a format; allowed: json, jsonc, yaml, toml, ndjson, hbs"),  # type: ignore[arg-type]
        (lambda: voxlint.check("{}", kind="agnet"), "`agnet` is not a kind of document; allowed: update,"),  # type: ignore[arg-type]
        (lambda: voxlint.check("{}", stored="{"), "<stored>: cannot be used as the stored configuration: 1:1:"),
        (lambda: voxlint.check("{}", stored={"x": 1}), "<stored>: cannot be used as the stored configuration:"),
        (lambda: voxlint.check("{}", facts={"voice": []}), "<facts>: cannot be used as workspace facts:"),
        (lambda: voxlint.check("{}", config="[rules]\nno-such = 'off'"), "voxlint.toml: cannot be used as a configuration: 2:1:"),
        (lambda: voxlint.check("{}", config="extends = 'base.toml'"), "use a project"),
        (lambda: voxlint.check({"a": object()}), "the document cannot be written as JSON: object is not a type of JSON"),
        (lambda: voxlint.check({"a": DEEP}), "the document cannot be written as JSON"),
        (lambda: voxlint.predict("Hello", format="hbs"), "<text>: looks like a template, but `predict` needs an update"),
        (lambda: voxlint.predict("a: 1\n---\nb: 2\n", format="yaml"), "<text>: contains 2 documents, but only one is allowed"),
        (lambda: voxlint.diff({"version_number": 3}, "{"), "<text>: cannot be used as the desired settings"),
        (lambda: voxlint.Context().diff("{}"), "`diff` needs the stored configuration: give it as `stored`"),
        (lambda: voxlint.plan({"a": "Hello"}, format="hbs"), "a: looks like a template, but `plan` needs an update"),
        (lambda: voxlint.plan({"a": "{}"}, stored={"b": "{}"}), "there is no document `b`"),
        (lambda: voxlint.explain("out-of-rage"), "did you mean `out-of-range`?"),
        (lambda: voxlint.check_many(["{}"], threads=0), "`threads` is 0: at least one is needed"),
        (lambda: voxlint.check_many(["{}"], format="xml"), "`xml` is not a format"),  # type: ignore[arg-type]
        (lambda: voxlint.check({}, format="hbs"), "a template is a text, not a value: give its text"),
        (lambda: voxlint.check({}, kind="template"), "a template is a text, not a value: give its text"),
        (lambda: voxlint.check([], format="yaml"), "a value is read as JSON, not as `yaml`: give the text, or leave `format` out"),
        (lambda: voxlint.predict({}, format="jsonc"), "not as `jsonc`"),
        (lambda: voxlint.diff(STORED, {}, format="toml"), "not as `toml`"),
        (lambda: voxlint.plan({"en": {}}, format="toml"), "not as `toml`"),
        (lambda: list(voxlint.check_many(["", {}], format="yaml")), "not as `yaml`"),
        (lambda: voxlint.Project(".").check_text("en.hbs", {}), "en.hbs: a value is read as JSON, not as `hbs`"),
        (lambda: voxlint.Project("no/such/folder"), "no/such/folder: no such file or directory"),
    ],
)
def test_misuse_says_what_to_do(call: Callable[[], object], message: str) -> None:
    with pytest.raises(voxlint.UsageError) as raised:
        call()
    assert message in str(raised.value)
    assert isinstance(raised.value, ValueError)


def test_a_bug_is_not_misuse() -> None:
    assert issubclass(voxlint.InternalError, RuntimeError) and not issubclass(voxlint.InternalError, ValueError)
    assert "report it" in (voxlint.InternalError.__doc__ or "")


def test_surrogates_in_paths_and_names_are_replaced() -> None:
    value = {"version_number": 3, "kb_max_chunks": 12}
    assert voxlint.check(value, path="a\udcff.json").diagnostics[0].path == "a\ufffd.json"
    assert voxlint.predict(value, path="a\udcff.json").path == "a\ufffd.json"
    assert [it.name for it in voxlint.plan({"\udcff": value}).agents] == ["\ufffd"]
    for arguments in ({"config": "# \udcff"}, {"agent_id": "\udcff"}):
        with pytest.raises(voxlint.UsageError, match="has a lone surrogate"):
            voxlint.Context(**arguments)


@pytest.mark.parametrize("document", [3, None, 1.5, object(), {1, 2}])
def test_another_type_is_a_type_error(document: Any) -> None:
    with pytest.raises(TypeError, match="give its text as str or bytes, or its value as dict"):
        voxlint.check(document)


@pytest.mark.parametrize(
    "document",
    [
        "", " ", "\0", "{", "null", "[]", "3", "\ud800", '{ "a": "\ud800" }', b"\xff\xfe\0", b"{ \"a\": \xff }",
        {"a": float("nan")}, {"a": "\ud800"}, [], {}, "{" * 5000, '{"a":' * 5000, b"\xef\xbb\xbf{}",
    ],
    ids=lambda it: ascii(it)[:30],
)
@pytest.mark.parametrize("format", ["json", "jsonc", "yaml", "toml", "ndjson", "hbs"])
def test_no_text_raises(document: Any, format: voxlint.Format) -> None:
    is_text = isinstance(document, (str, bytes))
    report = voxlint.check(document, format=format if is_text else None, path=f"a.{format}")
    assert report.to_dict()["files"] or report.failures
    for found in report.diagnostics:
        assert found.span.char_start is not None and found.span.char_end is not None
