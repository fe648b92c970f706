"""List the lines of a package whose meaning changes once its classes are generated.

dict(state), state["u"]        a chex dataclass is a mapping, a generated class is not
state.to_tuple()               a chex dataclass has this method, a generated class does not
flax.serialization.to_bytes    it does not know generated classes
field.type is jax.Array        the annotations of generated classes are strings
jax.tree.leaves(config)        a plain dataclass is a leaf, a generated static class has none
class Hot(Plate): t: float     a Python subclass that adds fields is refused on definition
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from codegen.adopt.find.fields import all_fields
from codegen.adopt.find.names import PackageNames
from codegen.adopt.find.nodes import ChangedUse, FoundClasses, SourceModule

_MAPPING = ("keys", "values", "items")
_TUPLES = ("to_tuple", "from_tuple")
_CALLS = {
    "flax.serialization.to_state_dict": "serialization",
    "flax.serialization.from_state_dict": "serialization",
    "flax.serialization.to_bytes": "serialization",
    "flax.serialization.from_bytes": "serialization",
    "dm_tree.map_structure": "mapping",
    "tree.map_structure": "mapping",
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
_LIBRARY_OF_USE = {"set": "jax_md", "tuple test": "NamedTuple"}
"""Uses that matter only if the package has classes of this mechanism."""
_SERIALIZED = ("flax.struct", "jax_dataclasses")
_WHY = {
    "serialization": "flax.serialization does not know generated classes, and returns their objects unchanged",
    "mapping": "a generated class is not a mapping: use its fields, or `dataclasses.asdict`",
    "tuple": "a generated class has no `to_tuple`: use `jax.tree.flatten`",
    "leaf order": "a chex dataclass sorts its leaves by name, but a generated class keeps the order of its "
    "fields",
    "field type": "the types in `dataclasses.fields` of a generated class are strings: use "
    "`typing.get_type_hints`",
    "attribute assignment": "a generated class is frozen: use `replace(...)`",
    "set": "a generated class has no `set`: use `replace(...)`",
    "tuple test": "a generated class is not a tuple: test for the class, or use `dataclasses.is_dataclass`",
    "attributes": "a generated object has no `__dict__`: use `dataclasses.fields`",
    "static leaves": "a plain dataclass is one leaf, but a generated static class is a tree without leaves",
    "subclass": "a Python subclass of a generated class cannot add fields: declare it in a schema",
}


def find_uses(found: FoundClasses, names: PackageNames) -> Iterator[ChangedUse]:
    """Yield the uses, file by file; none if the package has no classes."""
    if not found.classes:
        return
    has_mapping = any(one.options.get("mappable_dataclass") for one in found.classes.values())
    fields = {
        field.name
        for one in found.classes.values()
        for field in one.fields
        if one.library == "chex"
    }
    changed = {
        field.name for one in found.classes.values() for field in one.fields if not one.is_frozen
    }
    unlike = {"leaf order"} if not fields else set[str]()
    if not any(one.library in _SERIALIZED for one in found.classes.values()):
        unlike.add("serialization")
    mechanisms = {one.library for one in found.classes.values()}
    unlike |= {kind for kind, mechanism in _LIBRARY_OF_USE.items() if mechanism not in mechanisms}
    for module in found.modules.values():
        for node in ast.walk(module.tree):
            kind = _kind_of_use(
                node, module, names, fields if has_mapping else frozenset(), changed
            )
            if kind and kind not in unlike:
                yield ChangedUse(kind, module.path, getattr(node, "lineno", 1), _WHY[kind])
        yield from _iter_subclasses(module, found, names)
        yield from _iter_static_leaves(module, found, names)


def find_assigned_attributes(modules: Iterable[SourceModule]) -> dict[str, str]:
    """Return the assigned attributes, except `self.` in `__init__`, each with its first place."""
    places: dict[str, str] = {}
    for module in modules:
        own = {
            id(node)
            for method in ast.walk(module.tree)
            if isinstance(method, ast.FunctionDef) and method.name == "__init__"
            for node in ast.walk(method)
        }
        for node in ast.walk(module.tree):
            is_set = isinstance(node, ast.Attribute) and not isinstance(node.ctx, ast.Load)
            if isinstance(node, ast.Attribute) and is_set and id(node) not in own:
                places.setdefault(node.attr, f"{module.path}:{node.lineno}")
    return places


def _kind_of_use(
    node: ast.AST,
    module: SourceModule,
    names: PackageNames,
    fields: set[str] | frozenset[str],
    changed: set[str],
) -> str:
    match node:
        case ast.Call(func=ast.Attribute(attr=attr)) if attr in _TUPLES and fields:
            return "tuple"
        case ast.Call(func=ast.Attribute(value=ast.Name(id="dataclasses"))):
            return ""
        case ast.Call(func=ast.Attribute(attr="set"), args=[], keywords=[_, *_]):
            return "set"
        case ast.Call(func=ast.Name(id="vars"), args=[_]) | ast.Attribute(attr="__dict__"):
            return "attributes"
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
        case ast.Subscript(slice=ast.Constant(value=str() as key)) if key in fields:
            return "mapping"
        case ast.Compare(left=ast.Attribute(attr="type"), ops=[ast.Is() | ast.IsNot() | ast.Eq()]):
            return "field type" if "fields(" in module.text else ""
        case ast.Assign(targets=[ast.Attribute(value=ast.Name(id=owner), attr=attr)]) if (
            attr in changed and owner != "self"
        ):
            return "attribute assignment"
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
