"""Read `[tool.codegen]` of the nearest pyproject.toml.

load("/home/ada/plates/schemas")
# ("/home/ada/plates", {"root": "schemas", "registration": "exact"})
load("/tmp")
# None: no pyproject.toml, or none with such a table
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator

from codegen.cli.failure import BadSettings, Failure

TYPE_CHECKING = False
if TYPE_CHECKING:  # read at every start: nothing is imported that is not needed
    from typing import Any

    from codegen.diagnostics import Diagnostic

FILE = "pyproject.toml"


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
    problems = list(_problems(table, os.path.relpath(path, start), text))
    if problems:
        from codegen.diagnostics import Report

        raise BadSettings(Report(problems))
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
    if table is not None and not isinstance(table, dict):
        raise Failure(f"{path}: `tool.codegen` is not a table")
    return text, table


def _is_name(value: object) -> bool:
    return isinstance(value, str) and value != ""


def _is_list_of_names(value: object) -> bool:
    return isinstance(value, list) and all(map(_is_name, value))


_KNOWN: dict[str, tuple[Callable[[object], bool], str]] = {
    "root": (_is_name, "the name of a folder"),
    "out": (_is_name, "the name of a folder"),
    "registration": (lambda value: value in ("exact", "jax"), '"exact" or "jax"'),
    "select": (_is_list_of_names, "a list of codes"),
    "ignore": (_is_list_of_names, "a list of codes"),
}


def _problems(table: dict[str, Any], path: str, text: str) -> Iterator[Diagnostic]:
    from codegen.diagnostics import Code, Diagnostic
    from codegen.diagnostics.suggest import did_you_mean
    from codegen.source import Source, Span

    source = Source(path.replace(os.sep, "/"), "", text)
    for name, value in table.items():
        place = Span(*_span(name, text))
        if name not in _KNOWN:
            yield Diagnostic(
                Code.UNKNOWN_SETTING,
                source,
                place,
                f"`{name}` is not a setting of codegen",
                help=did_you_mean(name, _KNOWN, f"there are {', '.join(_KNOWN)}"),
            )
        elif not _KNOWN[name][0](value):
            wanted = _KNOWN[name][1]
            message = f"`{name}` is {value!r}, which is not {wanted}"
            yield Diagnostic(Code.BAD_SETTING, source, place, message, help=f"give {wanted}")


def _span(name: str, text: str) -> tuple[int, int]:
    """Where a setting is named; the table's own place where its spelling is unusual."""
    table = re.search(r"(?m)^\s*\[\s*tool\s*\.\s*codegen\s*\]|codegen", text)
    assert table is not None, "the table was found by the parser"
    named = re.compile(rf"(?m)^[ \t]*[\"']?({re.escape(name)})\b").search(text, table.end())
    return named.span(1) if named else table.span()
