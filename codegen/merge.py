r"""Add settings to files that people wrote, and keep all that stands there.

toml("[tool.ruff]\nline-length = 100\n", '[tool.ruff]\nextend-exclude = ["generated"]\n')
# '[tool.ruff]\nline-length = 100\nextend-exclude = ["generated"]\n'

What comes of it is read back: it says what was said before and what is added, and nothing else.
Where that cannot be reached, the answer is None, and somebody has to add it by hand.
"""

from __future__ import annotations

import json
import re
import tomllib
from itertools import pairwise
from typing import Any

import tomlkit
from tomlkit.exceptions import TOMLKitError


def toml(text: str, addition: str) -> str | None:
    """A TOML file with the tables of `addition`, whose lists are appended to those in the file."""
    wanted = tomllib.loads(addition)
    try:
        before = tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        return None
    after = _union(before, wanted)
    if after is None or after == before:
        return text if after is not None else None
    for attempt in (_appended, _inserted):
        result = attempt(text, addition)
        try:
            if result is not None and tomllib.loads(result) == after:
                return result
        except tomllib.TOMLDecodeError:
            continue
    return None


def _union(before: Any, wanted: Any) -> Any:
    """Both together; None where the one says another thing than the other."""
    if isinstance(before, dict) and isinstance(wanted, dict):
        result = dict(before)
        for key, value in wanted.items():
            result[key] = _union(before[key], value) if key in before else value
            if result[key] is None:
                return None
        return result
    if isinstance(wanted, list):
        # mypy takes one pattern in place of a list of them.
        before = [before] if isinstance(before, str) else before
        if not isinstance(before, list):
            return None
        return [*before, *(item for item in wanted if item not in before)]
    return before if before == wanted else None


def _appended(text: str, addition: str) -> str:
    """The tables with their comments, below the others; no TOML where one of them is there."""
    return f"{text}{_gap(text)}{addition}" if text else addition


def _gap(text: str) -> str:
    return "\n" if text.endswith("\n") else "\n\n"


def _inserted(text: str, addition: str) -> str | None:
    """What is lacking, put into the tables that are there."""
    try:
        # It keeps comments, blanks and quotes as they are.
        document = tomlkit.parse(text)
        _insert(document, tomllib.loads(addition))
        return _spaced(tomlkit.dumps(document), text)
    except (TOMLKitError, TypeError, AttributeError):
        return None


def _spaced(after: str, before: str) -> str:
    """An empty line above each head of a table that has come to stand right below something."""
    kept = {*pairwise(before.splitlines(keepends=True))}
    lines = after.splitlines(keepends=True)
    result = lines[:1]
    for above, line in pairwise(lines):
        is_below = above.strip() and not above.startswith("#")
        if line.startswith("[") and is_below and (above, line) not in kept:
            result.append("\n")
        result.append(line)
    return "".join(result)


def _insert(table: Any, wanted: dict[str, Any]) -> None:
    for key, value in wanted.items():
        if key not in table:
            table[key] = value
        elif isinstance(value, dict):
            _insert(table[key], value)
        elif isinstance(value, list):
            if isinstance(table[key], str):
                table[key] = [str(table[key])]
            for item in value:
                if item not in table[key]:
                    table[key].append(item)


def ini(text: str, section: str, option: str, value: str) -> str | None:
    """An INI file with one more option in a section that it has; None where the option is there."""
    lines = text.splitlines(keepends=True)
    head = re.compile(rf"\[{re.escape(section)}\]\s*([#;].*)?")
    starts = [number for number, line in enumerate(lines) if head.fullmatch(line.strip())]
    if len(starts) != 1:
        return None
    for line in lines[starts[0] + 1 :]:
        if line.startswith("["):
            break
        name, equals, given = re.split(r"([=:])", f"{line}=", maxsplit=1)[:3]
        if name.strip() == option and equals:
            return text if given.removesuffix("=").strip() == value else None
    if not lines[starts[0]].endswith("\n"):
        lines[starts[0]] += "\n"
    lines.insert(starts[0] + 1, f"{option} = {value}\n")
    return "".join(lines)


def json_list(text: str, key: str, value: str) -> str | None:
    """A JSON object with one more item in a list; None where the list is there without it."""
    try:
        before = json.loads(text)
    except ValueError:  # with comments, perhaps
        return None
    if not isinstance(before, dict):
        return None
    if key in before:
        return text if isinstance(before[key], list) and value in before[key] else None
    comma = "," if before else ""
    result = text.replace("{", f'{{\n  "{key}": [{json.dumps(value)}]{comma}', 1)
    return result if json.loads(result) == before | {key: [value]} else None


def yaml_list(text: str, key: str, items: str) -> str | None:
    """A YAML file with more items at the end of its last list, if that is the one under `key`.

    `items` are written without indentation, and get that of the items that are there.
    """
    lines = text.splitlines()
    keys = [number for number, line in enumerate(lines) if re.match(r"[\w-]+:", line)]
    if not keys or lines[keys[-1]].strip() != f"{key}:":
        return None
    found = [re.match(r"( *)- ", line) for line in lines[keys[-1] + 1 :]]
    indents = [match[1] for match in found if match is not None]
    if not indents:
        return None
    own = "".join(f"{indents[0]}{line}\n" for line in items.splitlines())
    return f"{text}{'' if text.endswith(chr(10)) else chr(10)}{own}"
