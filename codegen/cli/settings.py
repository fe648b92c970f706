"""Read `[tool.codegen]` of the nearest pyproject.toml.

load("/home/ada/plates/schemas")    # ("/home/ada/plates", ProjectSettings(root="schemas", registration="exact"))
load("/tmp")                        # (".", ProjectSettings()): no pyproject.toml, or none with such a table
"""

from __future__ import annotations

import os
import re
import tomllib
from reprlib import Repr
from typing import Annotated, Any, Final, Literal, get_type_hints

from msgspec import Meta, Struct, ValidationError, convert

from codegen.cli.failure import BadSettings, Failure
from codegen.diagnostics import Code, Diagnostic, Report
from codegen.diagnostics.suggest import nearest
from codegen.options import FEATURES, PATH_CHARACTERS_MAX
from codegen.output.system import regular
from codegen.output.write import text_of
from codegen.source import Source, Span

FILE = "pyproject.toml"
_Name = Annotated[str, Meta(min_length=1, max_length=PATH_CHARACTERS_MAX, pattern=r"\A[^\0]*\Z")]
_Folder = Annotated[_Name | None, "the name of a folder"]
_Codes = Annotated[tuple[_Name, ...] | None, "a list of codes"]
_Feature = Annotated[str, Meta(pattern=rf"\A({'|'.join(FEATURES)})\Z")]


class ProjectSettings(Struct, frozen=True):
    """The settings, each with its type, the words for what is allowed, and its default."""

    root: _Folder = None
    out: _Folder = None
    registration: Annotated[Literal["exact", "jax"], '"exact" or "jax"'] = "exact"
    select: _Codes = None
    ignore: _Codes = None
    checks: Annotated[bool, "true or false"] = True
    keep_module: Annotated[bool, "true or false"] = False
    features: Annotated[tuple[_Feature, ...], f"a list of some of {', '.join(FEATURES)}"] = ()
    runtime: Annotated[Literal["vendored", "package"], '"vendored" or "package"'] = "vendored"


_TYPES: Final = get_type_hints(ProjectSettings, include_extras=True)


def load(start: str) -> tuple[str, ProjectSettings]:
    """The settings for the folder `start`, and the folder that they are relative to.

    Raises:
        Failure: where the file cannot be read as TOML.
        BadSettings: where a setting is unknown or has a value that it cannot have.
    """
    folder = _folder_of(os.path.abspath(start))
    path = os.path.join(folder or "", FILE)
    # A file that has nothing to say here may be as wrong as it likes.
    if folder is None or b"codegen" not in regular(os.path.realpath(path)):
        return os.curdir, ProjectSettings()
    tool = parsed(path).get("tool", {})
    table = tool.get("codegen") if isinstance(tool, dict) else tool
    if table is None:
        return os.curdir, ProjectSettings()
    if not isinstance(table, dict):
        raise Failure(f"{path}: `tool.codegen` is not a table")
    wrong = [name for name, value in table.items() if not _is_allowed(name, value)]
    if wrong:
        source = _source(path, start)
        raise BadSettings(Report(_wrong(name, table[name], source) for name in wrong))
    return folder, convert(table, ProjectSettings)


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


def _is_allowed(name: str, value: object) -> bool:
    try:
        convert(value, _TYPES[name])
    except (KeyError, ValidationError):
        return False
    return True


def _source(path: str, start: str) -> Source:
    """A file that was parsed, as shown to somebody in the folder `start`."""
    return Source(os.path.relpath(path, start).replace(os.sep, "/"), "", text_of(path) or "")


def _wrong(name: str, value: object, source: Source) -> Diagnostic:
    """What is wrong with a setting, at its place."""
    if name in _TYPES:
        short = Repr()
        short.maxstring = 100
        code, wanted = Code.BAD_SETTING, _TYPES[name].__metadata__[-1]
        message = f"`{name}` is {short.repr(value)}, which is not {wanted}"
        help_text = f"give {wanted}"
    else:
        code, message = Code.UNKNOWN_SETTING, f"`{name}` is not a setting of codegen"
        help_text = nearest(name, _TYPES)
    return Diagnostic(code, _span(name, source), message, help=help_text)


def refusal(
    name: str, value: str, message: str, advice: str, start: str = os.curdir
) -> BadSettings:
    """What to raise for a setting of the file nearest to `start` with a value that means nothing."""
    folder = _folder_of(os.path.abspath(start))
    assert folder is not None, "the setting was read from there"
    source = _source(os.path.join(folder, FILE), start)
    place = _span(name, source)
    quoted = re.compile(rf"[\"']({re.escape(value)})[\"']").search(source.text, place.end)
    place = source.at(*quoted.span(1)) if quoted else place
    return BadSettings(Report([Diagnostic(Code.BAD_SETTING, place, message, help=advice)]))


def _span(name: str, source: Source) -> Span:
    """Where a setting is named; the table's own place where its spelling is unusual."""
    table = re.search(r"(?m)^\s*\[\s*tool\s*\.\s*codegen\s*\]|codegen", source.text)
    assert table is not None, "the table was found by the parser"
    named = re.compile(rf"(?m)^[ \t]*[\"']?({re.escape(name)})\b").search(source.text, table.end())
    return source.at(*(named.span(1) if named else table.span()))
