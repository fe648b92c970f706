"""Fixtures: a project in a temporary folder, and compiler stages that need no real schemas."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeAlias

import pytest

from codegen import pipeline
from codegen.cli import show
from codegen.cli.main import main
from codegen.diagnostics import Code, Diagnostic, Report
from codegen.emit.rendered import Rendered, with_header
from codegen.options import Options
from codegen.pipeline import CompileResult
from codegen.source import Source

# The types of the fixtures `run` and `capsys`.
Run: TypeAlias = Callable[..., int]
Capture: TypeAlias = pytest.CaptureFixture[str]


def _compile(
    found: Sequence[tuple[str, str, bytes]], options: Options, *_: object
) -> CompileResult:
    """Copy each schema's text to its module; a text that contains "wrong" is an error."""
    sources = [Source(path, module, data.decode()) for path, module, data in found]
    report = Report(_wrong(source) for source in sources if "wrong" in source.text)
    rendered = tuple(
        Rendered(f"{source.module.replace('.', '/')}.py", with_header(source.text))
        for source in sources
    )
    typed = Rendered("py.typed", "")
    return CompileResult(report, () if report else (*rendered, typed))


def _wrong(source: Source) -> Diagnostic:
    start = source.text.index("wrong")
    return Diagnostic(Code.OUTSIDE_LANGUAGE, source.at(start, start + 5), "`wrong` is wrong")


def _show(
    found: Sequence[tuple[str, str, bytes]], options: Options, stage: str, name: str | None
) -> str | Report:
    return _compile(found, options).report or f"{stage} of {name} in {options.root}\n"


@pytest.fixture
def empty(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, empty."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    folder = tmp_path / "project"
    folder.mkdir()
    monkeypatch.chdir(folder)
    return folder


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, with two schemas."""
    monkeypatch.setattr(pipeline, "compile", _compile)
    monkeypatch.setattr(show, "text_of", _show)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    folder = tmp_path / "project"
    (folder / "schemas" / "plants").mkdir(parents=True)
    (folder / "schemas" / "heat.pyi").write_text("heat\n")
    (folder / "schemas" / "plants" / "boiler.pyi").write_text("boiler\n")
    monkeypatch.chdir(folder)
    return folder


@pytest.fixture
def run() -> Run:
    """Run `codegen` with these arguments; return the exit status, also of usage errors."""

    def run(*words: str) -> int:
        try:
            return main(words)
        except SystemExit as ended:
            return int(ended.code or 0)

    return run
