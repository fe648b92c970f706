"""What `codegen init` adds to a project, as values.

tables("schemas", "generated")   # the tables of pyproject.toml, each with its reason
attributes("generated")          # the line of .gitattributes
"""

from __future__ import annotations

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


def tables(root: str, out: str) -> list[str]:
    """The tables of pyproject.toml. Each is added as a whole or given to the user to add."""
    return [
        f'[tool.codegen]\nroot = "{root}"\nout = "{out}"\n',
        "# Schemas are not meant for type checkers: dimensions are values in type positions.\n"
        f'[tool.mypy]\nexclude = ["^{root}/"]\n',
        f'[tool.pyright]\nignore = ["{root}"]\n',
        "# A default stays a default in a schema, where PYI015 would make it `...`.\n"
        f'[tool.ruff.lint.per-file-ignores]\n"{root}/**" = ["PYI"]\n',
        f'# Generated code has its own line length.\n[tool.ruff.format]\nexclude = ["{out}/**"]\n',
    ]


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
HOOKS = f"repos:\n{HOOK}"
