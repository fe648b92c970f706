"""Places of Python functions, as schemas write them.

split_path(<"heat_model:Model.step">)    ->    ("heat_model", "Model.step")
"""

from __future__ import annotations

import ast
import keyword

from codegen.schema.stub import constant


def split_path(expr: ast.expr | None) -> tuple[str, str] | None:
    """Take `"module:function"` apart; None where the expression is nothing of the kind."""
    text = constant(expr)
    return split(text) if isinstance(text, str) else None


def path_help(expr: ast.expr | None, form: str) -> str:
    """What to write instead of something that is no path; `form` holds a `{}` for the path."""
    text = constant(expr)
    if isinstance(text, str):
        # Written as a name, or as a file: "heat_model.step", "src/heat_model.py:step".
        plain = text.replace("/", ".").replace(".py:", ":").strip(".")
        module, _, name = plain.rpartition(".")
        for nearest in (plain, f"{module}:{name}"):
            if split(nearest):
                return f"write `{form.format(nearest)}`"
    return f"write `{form.format('heat_model:step')}`: a module, a colon, and a function in it"


def split(text: str) -> tuple[str, str] | None:
    """The module and the attribute of `module:attribute`."""
    module, colon, attribute = text.partition(":")
    names = [*module.split("."), *attribute.split(".")]
    return (module, attribute) if colon and all(map(is_name, names)) else None


def is_name(name: str) -> bool:
    """Whether something can be imported by a name."""
    # ASCII alone: a path is an import of somebody's module, and NFKC twins have no place there.
    return name.isascii() and name.isidentifier() and not keyword.iskeyword(name)
