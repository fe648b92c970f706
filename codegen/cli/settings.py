"""Read `[tool.codegen]` of the nearest pyproject.toml.

load("/home/ada/plates/schemas")
# ("/home/ada/plates", {"root": "schemas", "registration": "exact"})
load("/tmp")
# (".", {}): no pyproject.toml, or none with such a table
"""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Callable
from reprlib import Repr
from typing import Any

from codegen.cli.failure import BadSettings, Failure
from codegen.diagnostics import Code, Diagnostic, Report
from codegen.diagnostics.suggest import nearest
from codegen.options import FEATURES, PATH_CHARACTERS_MAX
from codegen.output.system import regular
from codegen.output.write import text_of
from codegen.source import Source, Span

FILE = "pyproject.toml"
DEFAULTS = {"root": "schemas", "out": "generated"}


def load(start: str) -> tuple[str, dict[str, Any]]:
    """The settings for the folder `start`, and the folder that they are relative to.

    Raises:
        Failure: where the file cannot be read as TOML.
        BadSettings: where a setting is unknown or has a value that it cannot have.
    """
    folder = _folder_of(os.path.abspath(start))
    path = os.path.join(folder or "", FILE)
    # A file that has nothing to say here may be as wrong as it likes.
    if folder is None or b"codegen" not in regular(os.path.realpath(path)):
        return os.curdir, {}
    tool = parsed(path).get("tool", {})
    table = tool.get("codegen") if isinstance(tool, dict) else tool
    if table is None:
        return os.curdir, {}
    if not isinstance(table, dict):
        raise Failure(f"{path}: `tool.codegen` is not a table")
    wrong = [name for name, value in table.items() if not _is_allowed(name, value)]
    if wrong:
        source = _source(path, start)
        raise BadSettings(Report(_wrong(name, table[name], source) for name in wrong))
    return folder, table


def _folder_of(folder: str) -> str | None:
    while not os.path.isfile(os.path.join(folder, FILE)):
        parent = os.path.dirname(folder)
        if parent == folder:
            return None
        folder = parent
    return folder


def parsed(path: str) -> dict[str, Any]:
    """What a TOML file says; nothing where there is none.

    Raises:
        Failure: where it cannot be read as TOML.
    """
    try:
        return tomllib.loads(text_of(path) or "")
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise Failure(f"{path} is not read as TOML: {error}") from error
    except RecursionError as error:
        raise Failure(f"{path} is not read as TOML: it is nested too deeply") from error


def _is_name(value: object) -> bool:
    return isinstance(value, str) and 0 < len(value) <= PATH_CHARACTERS_MAX and "\0" not in value


def _is_list(value: object, is_one: Callable[[object], bool]) -> bool:
    return isinstance(value, list) and all(map(is_one, value))


_KNOWN: dict[str, tuple[Callable[[object], bool], str]] = {
    "root": (_is_name, "the name of a folder"),
    "out": (_is_name, "the name of a folder"),
    "registration": (lambda value: value in ("exact", "jax"), '"exact" or "jax"'),
    "select": (lambda value: _is_list(value, _is_name), "a list of codes"),
    "ignore": (lambda value: _is_list(value, _is_name), "a list of codes"),
    "checks": (lambda value: isinstance(value, bool), "true or false"),
    "keep_module": (lambda value: isinstance(value, bool), "true or false"),
    "features": (
        lambda value: _is_list(value, FEATURES.__contains__),
        f"a list of some of {', '.join(FEATURES)}",
    ),
    "runtime": (lambda value: value in ("vendored", "package"), '"vendored" or "package"'),
}


def _is_allowed(name: str, value: object) -> bool:
    return name in _KNOWN and _KNOWN[name][0](value)


def _source(path: str, start: str) -> Source:
    """A file that was parsed, as shown to somebody in the folder `start`."""
    return Source(os.path.relpath(path, start).replace(os.sep, "/"), "", text_of(path) or "")


def _wrong(name: str, value: object, source: Source) -> Diagnostic:
    """What is wrong with a setting, at its place."""
    if name in _KNOWN:
        short = Repr()
        short.maxstring = 100
        code, wanted = Code.BAD_SETTING, _KNOWN[name][1]
        message = f"`{name}` is {short.repr(value)}, which is not {wanted}"
        help_text = f"give {wanted}"
    else:
        code, message = Code.UNKNOWN_SETTING, f"`{name}` is not a setting of codegen"
        help_text = nearest(name, _KNOWN)
    return Diagnostic(code, source, _span(name, source.text), message, help=help_text)


def refusal(
    name: str, value: str, message: str, advice: str, start: str = os.curdir
) -> BadSettings:
    """What to raise for a setting of the file nearest to `start` with a value that means nothing."""
    folder = _folder_of(os.path.abspath(start))
    assert folder is not None, "the setting was read from there"
    source = _source(os.path.join(folder, FILE), start)
    place = _span(name, source.text)
    quoted = re.compile(rf"[\"']({re.escape(value)})[\"']").search(source.text, place.end)
    place = Span(*quoted.span(1)) if quoted else place
    return BadSettings(Report([Diagnostic(Code.BAD_SETTING, source, place, message, help=advice)]))


def _span(name: str, text: str) -> Span:
    """Where a setting is named; the table's own place where its spelling is unusual."""
    table = re.search(r"(?m)^\s*\[\s*tool\s*\.\s*codegen\s*\]|codegen", text)
    assert table is not None, "the table was found by the parser"
    named = re.compile(rf"(?m)^[ \t]*[\"']?({re.escape(name)})\b").search(text, table.end())
    return Span(*(named.span(1) if named else table.span()))
