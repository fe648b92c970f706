"""What the output holds for each declaration, in the one form that it may have.

functions(module)    ->    ["_codegen_unflatten_Grid", ...]
unflatten(node)      ->    "def _codegen_unflatten_Grid(key: _rt.TraceKey, ..."
"""

from __future__ import annotations

import ast
import textwrap
from collections.abc import Sequence

from codegen.emit.render import template_text
from codegen.program.nodes import Class, Field, Module, Program
from codegen.runtime import PROTOCOL
from codegen.schema.names import PREFIX

PROTOCOL_CALL = f"_rt.protocol_v{PROTOCOL}"


def functions(module: Module) -> list[str]:
    """Return the names of the functions beside the classes, and of those for functions."""
    kinds = {
        "flatten": [node.ref.name for node in module.classes if node.traced_fields],
        "unflatten": [node.ref.name for node in module.classes if _is_filled(node)],
        "call": [function.name for function in module.functions],
        "run": [function.name for function in module.functions],
    }
    return [f"{PREFIX}{kind}_{name}" for kind, names in kinds.items() for name in names]


def calls(module: Module) -> list[str]:
    """Return the calls that an import of a module always runs, with their first arguments."""
    has_protocol = module.classes or module.functions or module.enums
    registered = [f"_rt.register_dataclass({node.ref.name})" for node in module.classes]
    return [*([f"{PROTOCOL_CALL}(__name__)"] if has_protocol else []), *registered]


def slots(node: Class, program: Program) -> list[str]:
    """Return the slots of a class: its fields that no base has."""
    base = node.base and program.classes[node.base.ref]
    inherited = {field.name for field in base.fields} if base else set[str]()
    return [field.name for field in node.own_fields if field.name not in inherited]


def comparison(name: str, *, is_static: bool) -> str:
    """Return `__eq__` or `__hash__`, which are the same in all classes of a kind."""
    kind = "static" if is_static else "dynamic"
    template = ast.parse(textwrap.dedent(template_text(f"equality_{kind}.py.jinja")))
    (method,) = (one for one in template.body if getattr(one, "name", "") == name)
    return ast.unparse(method)


def unflatten(node: Class) -> str:
    """Return the function that fills the fields of an object."""
    static = [field for field in node.leaf_order if field.role == "static"]
    sources = (("children", node.traced_fields), ("key.values", static))
    lines = [
        f"def {PREFIX}unflatten_{node.ref.name}("
        f"key: _rt.TraceKey, children: Any, new: Any = _rt.unfrozen({node.ref.name})) -> Any:",
        "obj = new()",
        *(f"{_targets(fields)} = {source}" for source, fields in sources if fields),
        "obj.__codegen_key__ = key",
        "obj.__class__ = key.cls",
        *(["_rt.relink(obj)"] if node.shares else []),
        "return obj",
    ]
    return "\n    ".join(lines)


def _targets(fields: Sequence[Field]) -> str:
    return f"({', '.join(f'obj.{field.name}' for field in fields)},)"


def _is_filled(node: Class) -> bool:
    """Return whether a function of the module fills the objects of a class."""
    return node.base is None and not node.mixins and not node.abstract
