"""List the lines of a package whose meaning changes once its classes are generated.

plate.u = u, vars(plate)       see `object_uses.py`
flax.serialization.to_bytes    it does not know generated classes
field.type is jax.Array        the annotations of generated classes are strings
jax.tree.leaves(config)        a plain dataclass is a leaf, a generated static class has none
class Hot(Plate): t: float     a Python subclass that adds fields is refused on definition
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from codegen.adopt.find.fields import all_fields
from codegen.adopt.find.names import PackageNames
from codegen.adopt.find.nodes import ChangedUse, FoundClasses, SourceModule

_CALLS = {
    "flax.serialization.to_state_dict": "serialization",
    "flax.serialization.from_state_dict": "serialization",
    "flax.serialization.to_bytes": "serialization",
    "flax.serialization.from_bytes": "serialization",
    "flax.training.checkpoints.save_checkpoint": "serialization",
    "flax.training.checkpoints.restore_checkpoint": "serialization",
    "dm_tree.map_structure": "mapping library",
    "tree.map_structure": "mapping library",
    "jax.flatten_util.ravel_pytree": "leaf order",
}
_LEAVES = frozenset(
    f"jax.{module}{name}"
    for module, names in (
        ("tree.", ("leaves", "flatten", "map", "structure", "leaves_with_path")),
        ("tree_util.", ("tree_leaves", "tree_flatten", "tree_map", "tree_structure")),
    )
    for name in names
)
_STATIC = ("static argument", "StaticDataclass")
_LIBRARY_OF_USE = {"tuple test": "NamedTuple", "leaf order": "chex", "mapping library": "chex"}
"""Uses that matter only if the package has classes of this mechanism."""
_SERIALIZED = ("flax.struct", "jax_dataclasses")
_WHY = {
    "serialization": "flax.serialization does not know generated classes, and returns their objects unchanged",
    "mapping": "a generated class is not a mapping: use its fields, or `dataclasses.asdict`",
    "mapping library": "a generated class is not a mapping: use `jax.tree.map`",
    "method": "a generated class lacks this method: use its fields, or `dataclasses.asdict`",
    "iteration": "a generated class cannot be iterated: use its fields, or `dataclasses.astuple`",
    "leaf order": "a chex dataclass sorts its leaves by name, but a generated class keeps the order of its "
    "fields",
    "field type": "the types in `dataclasses.fields` of a generated class are strings: use "
    "`typing.get_type_hints`",
    "attribute assignment": "a generated class is frozen: use `replace(...)`",
    "tuple test": "a generated class is not a tuple: test for the class, or use `dataclasses.is_dataclass`",
    "attributes": "a generated object has no `__dict__`: use `dataclasses.fields`",
    "static leaves": "a plain dataclass is one leaf, but a generated static class is a tree without leaves",
    "subclass": "a Python subclass of a generated class cannot add fields: declare it in a schema",
}


def find_uses(found: FoundClasses, names: PackageNames) -> Iterator[ChangedUse]:
    """Yield the uses, file by file; none if the package has no classes."""
    if not found.classes:
        return
    for one in found.object_uses:
        yield ChangedUse(one.kind, one.path, one.place[0], _WHY[one.kind])
    unlike = set[str]()
    if not any(one.library in _SERIALIZED for one in found.classes.values()):
        unlike.add("serialization")
    mechanisms = {one.library for one in found.classes.values()}
    unlike |= {kind for kind, mechanism in _LIBRARY_OF_USE.items() if mechanism not in mechanisms}
    for module in found.modules.values():
        for node in ast.walk(module.tree):
            kind = _kind_of_use(node, module, names)
            if kind and kind not in unlike:
                yield ChangedUse(kind, module.path, getattr(node, "lineno", 1), _WHY[kind])
        yield from _iter_subclasses(module, found, names)
        yield from _iter_static_leaves(module, found, names)


def _kind_of_use(node: ast.AST, module: SourceModule, names: PackageNames) -> str:
    match node:
        case ast.Call(func=ast.Attribute(value=ast.Name(id="dataclasses"))):
            return ""
        case ast.Call(func=ast.Name(id="isinstance"), args=[_, ast.Name(id="tuple")]):
            return "tuple test"
        case ast.Call(func=ast.Name(id="isinstance"), args=[_, ast.Tuple(elts=[*kinds])]) if any(
            isinstance(one, ast.Name) and one.id == "tuple" for one in kinds
        ):
            return "tuple test"
        case ast.Attribute(attr="_fields"):
            return "tuple test"
        case ast.Call(func=func):
            return _CALLS.get(names.resolve(module.name, func), "")
        case ast.Compare(left=ast.Attribute(attr="type"), ops=[ast.Is() | ast.IsNot() | ast.Eq()]):
            return "field type" if "fields(" in module.text else ""
        case _:
            return ""


def _iter_subclasses(
    module: SourceModule, found: FoundClasses, names: PackageNames
) -> Iterator[ChangedUse]:
    for _, line in iter_extended(module, found, names):
        yield ChangedUse("subclass", module.path, line, _WHY["subclass"])


def iter_extended(
    module: SourceModule, found: FoundClasses, names: PackageNames
) -> Iterator[tuple[str, int]]:
    """Yield the classes that other Python classes extend with fields, and the line."""
    for node in ast.walk(module.tree):
        if not isinstance(node, ast.ClassDef) or f"{module.name}.{node.name}" in found.classes:
            continue
        adds = any(isinstance(one, ast.AnnAssign) for one in node.body)
        for base in node.bases if adds else ():
            name = names.resolve(module.name, base)
            if name in found.classes:
                yield name, node.lineno


def find_defaults_read_from_class(
    found: FoundClasses, names: PackageNames
) -> dict[str, tuple[str, str]]:
    """Return the classes whose field default is read from the class: the field, and the place."""
    read: dict[str, tuple[str, str]] = {}
    fields = {name: all_fields(one, found.classes) for name, one in found.classes.items()}
    known = {field for every in fields.values() for field in every}
    for module in found.modules.values():
        own = {
            id(node): one.full_name
            for one in found.classes.values()
            if one.module == module.name
            for node in ast.walk(one.node)
            if isinstance(node, ast.Name) and node.id == "cls"
        }
        for node in ast.walk(module.tree):
            if isinstance(node, ast.Attribute) and node.attr in known:
                owner = own.get(id(node.value)) or names.resolve(module.name, node.value)
                if node.attr in fields.get(owner, ()):
                    read.setdefault(owner, (node.attr, f"{module.path}:{node.lineno}"))
    return read


def _iter_static_leaves(
    module: SourceModule, found: FoundClasses, names: PackageNames
) -> Iterator[ChangedUse]:
    """Yield the calls that take leaves of a parameter with such a class, or of its `self`."""
    static = {name for name, one in found.classes.items() if one.library in _STATIC}
    for function in ast.walk(module.tree) if static else ():
        if not isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef):
            continue
        parameters = [*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs]
        held = {
            one.arg for one in parameters if names.resolve(module.name, one.annotation) in static
        }
        held |= {"self" for name in static if function in found.classes[name].node.body}
        for node in ast.walk(function):
            if isinstance(node, ast.Call) and names.resolve(module.name, node.func) in _LEAVES:
                arguments = {one.id for one in node.args if isinstance(one, ast.Name)}
                if arguments & held:
                    yield ChangedUse(
                        "static leaves", module.path, node.lineno, _WHY["static leaves"]
                    )
