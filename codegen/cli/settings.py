"""Read `[tool.codegen]` of the nearest pyproject.toml.

load("/home/ada/plates/schemas")    # ("/home/ada/plates", ProjectSettings(root="schemas", out="generated"))
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
_Folder = Annotated[_Name | None, "a folder name"]
_Codes = Annotated[tuple[_Name, ...] | None, "a list of codes"]
_Feature = Annotated[str, Meta(pattern=rf"\A({'|'.join(FEATURES)})\Z")]


class ProjectSettings(Struct, frozen=True):
    """The settings. Each has a type, a description of the allowed values, and a default."""

    root: _Folder = None
    out: _Folder = None
    select: _Codes = None
    ignore: _Codes = None
    checks: Annotated[bool, "true or false"] = True
    features: Annotated[tuple[_Feature, ...], f"a list of names from: {', '.join(FEATURES)}"] = ()
    runtime: Annotated[Literal["vendored", "package"], '"vendored" or "package"'] = "package"


NO_FEATURES: Final = "the run time has every part"
_TYPES: Final = get_type_hints(ProjectSettings, include_extras=True)
_REMOVED: Final = {
    "keep_module": "a class has the module that defines it, so pickles of the class that it replaces "
    "do not load",
    "registration": "every class has the exact registration",
}


def load(start: str) -> tuple[str, ProjectSettings]:
    """Return the folder that the settings for `start` are relative to, and the settings.

    Raises:
        Failure: if the file cannot be read as TOML.
        BadSettings: if a setting is unknown or has an invalid value.
    """
    folder = _folder_of(os.path.abspath(start))
    path = os.path.join(folder or "", FILE)
    # A file that does not mention codegen is not parsed, so it may be invalid.
    if folder is None or b"codegen" not in regular(os.path.realpath(path)):
        return os.curdir, ProjectSettings()
    tool = parsed(path).get("tool", {})
    table = tool.get("codegen") if isinstance(tool, dict) else tool
    if table is None:
        return os.curdir, ProjectSettings()
    if not isinstance(table, dict):
        raise Failure(f"{path}: `tool.codegen` is not a table; write `[tool.codegen]`")
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
    """Return the content of a TOML file; an empty table if the file does not exist.

    Raises:
        Failure: if it cannot be read as TOML.
    """
    try:
        return tomllib.loads(text_of(path) or "")
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise Failure(f"{path} is not valid TOML: {error}") from error
    except RecursionError as error:
        raise Failure(f"{path} is nested too deeply for TOML") from error


def _is_allowed(name: str, value: object) -> bool:
    try:
        convert(value, _TYPES[name])
    except (KeyError, ValidationError):
        return False
    return True


def _source(path: str, start: str) -> Source:
    """Return a parsed file as a source, with its path relative to the folder `start`."""
    return Source(os.path.relpath(path, start), "", text_of(path) or "")


def _wrong(name: str, value: object, source: Source) -> Diagnostic:
    """Return the diagnostic for a wrong setting, at its place."""
    if name in _TYPES:
        short = Repr()
        short.maxstring = 100
        code, wanted = Code.BAD_SETTING, _TYPES[name].__metadata__[-1]
        message = f"`{name}` is {short.repr(value)}, but must be {wanted}"
        help_text = f"write {wanted}"
        if name == "features":
            help_text = f"remove `features`, which is no longer needed: {NO_FEATURES}"
    else:
        code, message = Code.UNKNOWN_SETTING, f"`{name}` is not a setting of codegen"
        help_text = nearest(name, _TYPES)
        if name in _REMOVED:
            help_text = f"`{name}` was removed: {_REMOVED[name]}. Remove it"
    return Diagnostic(code, _span(name, source), message, help=help_text)


def refusal(
    name: str, value: str, message: str, advice: str, start: str = os.curdir
) -> BadSettings:
    """Return the exception for an invalid value of a setting, in the file nearest to `start`."""
    folder = _folder_of(os.path.abspath(start))
    assert folder is not None, "the setting was read from there"
    source = _source(os.path.join(folder, FILE), start)
    place = _span(name, source)
    quoted = re.compile(rf"[\"']({re.escape(value)})[\"']").search(source.text, place.end)
    place = source.at(*quoted.span(1)) if quoted else place
    return BadSettings(Report([Diagnostic(Code.BAD_SETTING, place, message, help=advice)]))


def _span(name: str, source: Source) -> Span:
    """Return the span of a setting's name; that of the table if an unusual spelling hides it."""
    table = re.search(r"(?m)^\s*\[\s*tool\s*\.\s*codegen\s*\]|codegen", source.text)
    assert table is not None, "the table was found by the parser"
    named = re.compile(rf"(?m)^[ \t]*[\"']?({re.escape(name)})\b").search(source.text, table.end())
    return source.at(*(named.span(1) if named else table.span()))
