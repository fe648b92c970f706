"""What `codegen init` adds to a project, as values.

tables("schemas", "generated", ())   # what pyproject.toml says of each tool, with the reason
attributes("generated")          # the lines of .gitattributes
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Collection

from codegen.plan import manifest

SCHEMA = '''"""A plate that conducts heat: a first schema, to be changed."""

from codegen.schema import Dim, donated, dynamic, f32, static

nx = Dim()  # cells along x
ny = Dim()  # cells along y

class Grid:
    """Equal cells that cover the plate."""

    nx: static[int]  # cells along x
    ny: static[int]  # cells along y
    dx: static[float] = 0.01  # size of a cell [m]

class Plate:
    """The plate's state, which changes from step to step."""

    temperature: donated[f32[nx, ny]]  # [K]
    diffusivity: dynamic[f32[nx, ny]]  # [m^2/s]
    grid: static[Grid]
    time: dynamic[f32] = 0.0  # [s]
'''


def tables(root: str, out: str, known: Collection[str]) -> list[tuple[str, str]]:
    """The tools, each with what pyproject.toml says of it; some only where they are known there."""
    found = [
        ("codegen", f"[tool.codegen]\nroot = {_toml(root)}\nout = {_toml(out)}\n"),
        (
            "mypy",
            "# Schemas are not meant for type checkers: dimensions are values in type positions.\n"
            f"[tool.mypy]\nexclude = [{_toml(mypy_pattern(root))}]\n",
        ),
        ("pyright", f"[tool.pyright]\nignore = [{_toml(root)}]\n"),
        (
            "ruff",
            "# Generated code stays as it is written.\n"
            f"[tool.ruff]\nextend-exclude = [{_toml(out)}]\n"
            "\n# In a schema a default stays one, not `...`, and `{}` and `[]` are made anew each time.\n"
            f'[tool.ruff.lint.per-file-ignores]\n{_toml(f"{root}/**")} = ["PYI", "RUF012"]\n',
        ),
    ]
    formatters = {
        "black": f"[tool.black]\nextend-exclude = {_toml(f'^/{_escaped(out)}/')}\n",
        "isort": f"[tool.isort]\nextend_skip = [{_toml(out)}]\n",
    }
    return found + [(tool, table) for tool, table in formatters.items() if tool in known]


def mypy_pattern(root: str) -> str:
    """The regular expression for mypy's `exclude`."""
    return f"^{_escaped(root)}/"


def _escaped(folder: str) -> str:
    """A regular expression for this text, on one line."""
    return "".join(
        character
        if character.isalnum() or character in "_-/"
        else f"\\{character}"
        if character.isprintable()
        else f"\\U{ord(character):08x}"
        for character in folder
    )


def _toml(text: str) -> str:
    """A basic string of TOML."""
    return f'"{"".join(map(_toml_character, text))}"'


def _toml_character(character: str) -> str:
    if character in ('"', "\\"):
        return f"\\{character}"
    return character if character.isprintable() else f"\\U{ord(character):08x}"


def attributes(out: str) -> str:
    """The lines of .gitattributes: folded in reviews, the same bytes on every system, and merged."""
    files, listing = _git_pattern(out, "**"), _git_pattern(out, manifest.NAME)
    return f"{files} linguist-generated=true text eol=lf\n{listing} merge=codegen-manifest\n"


# Git takes a driver from the settings of a clone alone: from anywhere else, it would run anything.
MERGE_DRIVER = 'git config merge.codegen-manifest.driver "codegen merge-manifest %O %A %B"'


def _git_pattern(folder: str, names: str) -> str:
    """What stands for files of a folder; where it has to be, quoted as strings of C are."""
    plain = re.sub(r"^!|[\\*?\[]", r"\\\g<0>", folder) + f"/{names}"
    if re.fullmatch(r"[\w./*?!\[\]\\-]+", plain, re.ASCII):
        return plain
    codes = plain.encode().replace(b"\\", b"\\\\").replace(b'"', b'\\"')
    shown = "".join(chr(code) if 0x20 <= code < 0x7F else f"\\{code:03o}" for code in codes)
    return f'"{shown}"'


HOOK = """\
- repo: local
  hooks:
    - id: codegen-check
      name: codegen check (mend with `codegen build`)
      entry: codegen check
      language: system
      always_run: true
      pass_filenames: false
"""
HOOKS = f"repos:\n{textwrap.indent(HOOK, '  ')}"
