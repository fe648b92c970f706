"""What `codegen init` adds to a project, as values.

tables("schemas", "generated")   # what pyproject.toml says of each tool, with the reason
attributes("generated")          # the line of .gitattributes
"""

from __future__ import annotations

import re
import textwrap

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


def tables(root: str, out: str) -> list[tuple[str, str]]:
    """The tools, each with what pyproject.toml says of it."""
    return [
        ("codegen", f'[tool.codegen]\nroot = "{root}"\nout = "{out}"\n'),
        (
            "mypy",
            "# Schemas are not meant for type checkers: dimensions are values in type positions.\n"
            f'[tool.mypy]\nexclude = ["{mypy_pattern(root)}"]\n',
        ),
        ("pyright", f'[tool.pyright]\nignore = ["{root}"]\n'),
        (
            "ruff",
            "# Generated code stays as it is written.\n"
            f'[tool.ruff]\nextend-exclude = ["{out}"]\n'
            "\n# A default stays a default in a schema, where PYI015 would make it `...`.\n"
            f'[tool.ruff.lint.per-file-ignores]\n"{root}/**" = ["PYI"]\n',
        ),
    ]


def formatters(out: str) -> list[tuple[str, str]]:
    """What is said of other formatters, where a project has settings for them."""
    return [
        ("black", f'[tool.black]\nextend-exclude = "^/{_escaped(out)}/"\n'),
        ("isort", f'[tool.isort]\nextend_skip = ["{out}"]\n'),
    ]


def mypy_pattern(root: str) -> str:
    """The regular expression for mypy's `exclude`, as TOML's basic strings have it."""
    return f"^{_escaped(root)}/"


def _escaped(folder: str) -> str:
    return re.escape(folder).replace("\\-", "-").replace("\\", "\\\\")


def attributes(out: str) -> str:
    """The line of .gitattributes: folded in reviews, and the same bytes on every system."""
    return f"{out}/** linguist-generated=true text eol=lf\n"


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
