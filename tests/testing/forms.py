"""Find classes that put a word of the language into another one that no earlier class has there.

`u: donated[f32[nx]]`    ->    ("AnnAssign", "donated"), ("donated", "f32"), ("f32", "_"), ...
"""

import ast
from collections.abc import Mapping, Sequence
from pathlib import Path

from codegen.output.schemas import Schema
from codegen.schema.vocabulary import BUILTINS, ENUMS, TYPING, VOCABULARY
from tests.inputs import examples

_WORDS = {*VOCABULARY, *TYPING, *ENUMS, *BUILTINS}
# An outer and an inner word, such as `donated` and `f32`.
Form = tuple[str, str]


def forms(root: Path) -> set[Form]:
    """Return the forms in which the schemas of a folder declare classes and fields."""
    return {
        form
        for path in root.rglob("*.pyi")
        for statement in ast.parse(path.read_bytes()).body
        for form in _forms_of(statement)
    }


def _forms_of(node: ast.AST) -> set[Form]:
    """Return the forms in a syntax node, without names, numbers and functions."""
    found: set[Form] = set()
    for child in ast.iter_child_nodes(node):
        if not isinstance(child, (ast.FunctionDef, ast.expr_context)):
            found |= {(_word(node), _word(child)), *_forms_of(child)}
    return found


def _word(node: ast.AST) -> str:
    match node:
        case ast.Name(id=name):
            return name if name in _WORDS else "_"
        case ast.Constant(value=value):
            return type(value).__name__
        case ast.Subscript(value=inner) | ast.Call(func=inner):
            return _word(inner)
        case _:
            return type(node).__name__


def classes_without_new_form(packages: Mapping[str, Sequence[Schema]]) -> dict[str, set[str]]:
    """Return these classes of each package, in order: `{"oracle": {"heat.Grid"}}`.

    With EXAMPLES_FACTOR above 1 there are none, so all classes are tested.
    """
    known: set[Form] = set()
    left: dict[str, set[str]] = {}
    if examples(1) > 1:
        return left
    for package, found in packages.items():
        for _, module, data in found:
            for node in ast.parse(data).body:
                if isinstance(node, ast.ClassDef) and (new := _forms_of(node)) <= known:
                    left.setdefault(package, set()).add(f"{module}.{node.name}")
                elif isinstance(node, ast.ClassDef):
                    known |= new
    return left
