"""Compiled templates, kept beside the templates: they save time, and never change what is printed."""

from __future__ import annotations

import marshal
import sys
from pathlib import Path

import jinja2
import pytest

from codegen.rendered.bytecode import TemplateBytecode

NAME = "greeting.py.jinja"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    monkeypatch.setattr(sys, "pycache_prefix", None)
    return tmp_path


def _printed(folder: Path, text: str) -> str:
    """What a new process prints of a template with this text."""
    environment = jinja2.Environment(
        loader=jinja2.DictLoader({NAME: text}), bytecode_cache=TemplateBytecode(str(folder))
    )
    return environment.get_template(NAME).render(view="Ada")


def _kept(folder: Path) -> Path:
    (kept,) = (folder / "__pycache__").iterdir()
    return kept


def test_a_template_is_compiled_once(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert _printed(folder, "hello {{ view }}") == "hello Ada"
    assert _kept(folder).name == f"{NAME}.{sys.implementation.cache_tag}.cache"
    monkeypatch.delattr(jinja2.Environment, "compile")
    assert _printed(folder, "hello {{ view }}") == "hello Ada"


def test_a_template_that_changed_is_compiled_anew(folder: Path) -> None:
    assert _printed(folder, "hello {{ view }}") == "hello Ada"
    assert _printed(folder, "goodbye {{ view }}") == "goodbye Ada"
    assert _printed(folder, "hello {{ view }}") == "hello Ada"


def test_a_damaged_file_costs_time_alone(folder: Path) -> None:
    assert _printed(folder, "hello {{ view }}") == "hello Ada"
    whole = _kept(folder).read_bytes()
    half = whole[: len(whole) // 2]
    other = whole.replace(b"hello", b"jello")
    assert other != whole
    number = whole[:32] + marshal.dumps(3)
    for damaged in (b"", b"\0" * 64, whole[:20], half, half + b"\0" * len(half), other, number):
        _kept(folder).write_bytes(damaged)
        assert _printed(folder, "hello {{ view }}") == "hello Ada"
        assert _kept(folder).read_bytes() == whole


def test_what_another_jinja_compiled_is_compiled_anew(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("jinja2.compiler.__file__", __file__)
    assert _printed(folder, "hello {{ view }}") == "hello Ada"
    before = _kept(folder).read_bytes()
    monkeypatch.undo()
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    assert _printed(folder, "hello {{ view }}") == "hello Ada"
    assert _kept(folder).read_bytes() != before


def test_where_no_file_can_be_kept(folder: Path) -> None:
    (folder / "__pycache__").write_text("in the way")
    assert _printed(folder, "hello {{ view }}") == "hello Ada"


def test_where_no_bytecode_is_wanted(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    assert _printed(folder, "hello {{ view }}") == "hello Ada"
    assert not list(folder.iterdir())


def test_where_bytecode_lies_elsewhere(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "pycache_prefix", str(folder / "elsewhere"))
    assert _printed(folder, "hello {{ view }}") == "hello Ada"
    assert [path.name for path in folder.iterdir()] == ["elsewhere"]
