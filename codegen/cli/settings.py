"""Read `[tool.codegen]` of the nearest pyproject.toml.

load("/home/ada/plates/schemas")
# ("/home/ada/plates", {"root": "schemas", "registration": "exact"})
load("/tmp")
# None: no pyproject.toml, or none with such a table
"""

from __future__ import annotations

import os

from codegen.cli.failure import BadSettings, Failure
from codegen.limits import FEATURES, PATH_CHARACTERS_MAX

TYPE_CHECKING = False
if TYPE_CHECKING:  # read at every start: nothing is imported that is not needed
    from collections.abc import Callable
    from typing import Any

    from codegen.diagnostics import Report

FILE = "pyproject.toml"
DEFAULTS = {"root": "schemas", "out": "generated"}


def load(start: str) -> tuple[str, dict[str, Any]] | None:
    """The settings for the folder `start`, and the folder that they are relative to.

    Raises:
        Failure: where the file cannot be read as TOML.
        BadSettings: where a setting is unknown or has a value that it cannot have.
    """
    folder = _nearest(os.path.abspath(start))
    if folder is None:
        return None
    path = os.path.join(folder, FILE)
    with open(path, "rb") as file:
        data = file.read()
    if b"codegen" not in data:  # spares those without settings the time to load a parser
        return None
    text, table = _parsed(data, path)
    if table is None:
        return None
    wrong = [name for name, value in table.items() if not _is_allowed(name, value)]
    if wrong:
        raise BadSettings(_report(wrong, table, os.path.relpath(path, start), text))
    return folder, table


def _nearest(folder: str) -> str | None:
    while not os.path.isfile(os.path.join(folder, FILE)):
        parent = os.path.dirname(folder)
        if parent == folder:
            return None
        folder = parent
    return folder


def _parsed(data: bytes, path: str) -> tuple[str, dict[str, Any] | None]:
    import tomllib

    try:
        text = data.decode()
        table = tomllib.loads(text).get("tool", {}).get("codegen")
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, AttributeError) as error:
        raise Failure(f"{path} is not read as TOML: {error}") from error
    except RecursionError as error:
        raise Failure(f"{path} is not read as TOML: it is nested too deeply") from error
    if table is not None and not isinstance(table, dict):
        raise Failure(f"{path}: `tool.codegen` is not a table")
    return text, table


def _is_name(value: object) -> bool:
    return isinstance(value, str) and 0 < len(value) <= PATH_CHARACTERS_MAX and "\0" not in value


def _is_list_of_names(value: object) -> bool:
    return isinstance(value, list) and all(map(_is_name, value))


def _is_list_of_features(value: object) -> bool:
    return isinstance(value, list) and all(one in FEATURES for one in value)


_KNOWN: dict[str, tuple[Callable[[object], bool], str]] = {
    "root": (_is_name, "the name of a folder"),
    "out": (_is_name, "the name of a folder"),
    "registration": (lambda value: value in ("exact", "jax"), '"exact" or "jax"'),
    "select": (_is_list_of_names, "a list of codes"),
    "ignore": (_is_list_of_names, "a list of codes"),
    "checks": (lambda value: isinstance(value, bool), "true or false"),
    "features": (_is_list_of_features, f"a list of some of {', '.join(FEATURES)}"),
}


def _is_allowed(name: str, value: object) -> bool:
    return name in _KNOWN and _KNOWN[name][0](value)


def _report(wrong: list[str], table: dict[str, Any], path: str, text: str) -> Report:
    """A diagnostic for each wrong setting, at its place."""
    from reprlib import Repr

    from codegen.diagnostics import Code, Diagnostic, Report
    from codegen.diagnostics.suggest import did_you_mean
    from codegen.source import Source, Span

    source = Source(path.replace(os.sep, "/"), "", text)
    short = Repr()
    short.maxstring = 100
    found = []
    for name in wrong:
        if name in _KNOWN:
            code, wanted = Code.BAD_SETTING, _KNOWN[name][1]
            message = f"`{name}` is {short.repr(table[name])}, which is not {wanted}"
            help_text = f"give {wanted}"
        else:
            code, message = Code.UNKNOWN_SETTING, f"`{name}` is not a setting of codegen"
            help_text = did_you_mean(name, _KNOWN, f"there are {', '.join(_KNOWN)}")
        place = Span(*_span(name, text))
        found.append(Diagnostic(code, source, place, message, help=help_text))
    return Report(found)


def refusal(name: str, value: str, message: str, advice: str) -> BadSettings:
    """What to raise for a setting of the nearest file with a value that means nothing."""
    import re

    from codegen.diagnostics import Code, Diagnostic, Report
    from codegen.source import Source, Span

    folder = _nearest(os.path.abspath(os.curdir))
    assert folder is not None, "the setting was read from there"
    path = os.path.join(folder, FILE)
    with open(path, encoding="utf-8") as file:
        text = file.read()
    source = Source(os.path.relpath(path).replace(os.sep, "/"), "", text)
    setting = _span(name, text)
    quoted = re.compile(rf"[\"']({re.escape(value)})[\"']").search(text, setting[1])
    place = Span(*(quoted.span(1) if quoted else setting))
    return BadSettings(Report([Diagnostic(Code.BAD_SETTING, source, place, message, help=advice)]))


def _span(name: str, text: str) -> tuple[int, int]:
    """Where a setting is named; the table's own place where its spelling is unusual."""
    import re

    table = re.search(r"(?m)^\s*\[\s*tool\s*\.\s*codegen\s*\]|codegen", text)
    assert table is not None, "the table was found by the parser"
    named = re.compile(rf"(?m)^[ \t]*[\"']?({re.escape(name)})\b").search(text, table.end())
    return named.span(1) if named else table.span()
