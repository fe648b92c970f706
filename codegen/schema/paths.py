"""Places of Python functions, as schemas write them.

    split_path(<"heat_model:Model.step">)    ->    ("heat_model", "Model.step")
"""

import keyword

from codegen.syntax import nodes as syntax


def split_path(expr: syntax.Expr | None) -> tuple[str, str] | None:
    """Take `"module:function"` apart; None where the expression is nothing of the kind."""
    text = expr.value if isinstance(expr, syntax.Constant) else None
    if not isinstance(text, str):
        return None
    module, colon, attribute = text.partition(":")
    names = [*module.split("."), *attribute.split(".")]
    return (module, attribute) if colon and all(map(_is_name, names)) else None


def _is_name(name: str) -> bool:
    # ASCII alone: a path is an import of somebody's module, and NFKC twins have no place there.
    return name.isascii() and name.isidentifier() and not keyword.iskeyword(name)
