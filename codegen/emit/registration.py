"""Generate the registration of a class, and the function that splits its objects for a call."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from codegen.check.abstract_signature import AbstractSignatures
from codegen.emit import shares
from codegen.emit.class_traits import ClassTraits
from codegen.emit.declared_types import Descriptions, omitted_types
from codegen.emit.expressions import NOTHING, dict_of, py_str, strings
from codegen.emit.names import ModuleNames
from codegen.emit.view import RegistrationView
from codegen.program.nodes import FactoryCall, Field, FunctionPath


def registration(
    traits: ClassTraits, names: ModuleNames, signatures: AbstractSignatures
) -> RegistrationView:
    """Return the registration call of a class.

    class Grid: nx: static[int]    ->    _rt.register_dataclass(Grid, meta_fields={"nx": int}, ...)
    """
    name = traits.node.ref.name
    signature = signatures.of(traits.node.ref) if traits.node.has_creatable_arrays else None
    descriptions = Descriptions(names, signatures.contents, signature)
    declared = descriptions.fields(traits.node)
    fields = (
        ("data_fields", _types(traits.traced_fields, declared)),
        ("meta_fields", _types(traits.static_fields, declared)),
    )
    arguments = (
        ("schema", py_str(str(traits.node.ref))),
        *(one for one in fields if one[1] != "{}"),
        *(one for one in _arguments(traits, descriptions) if one[1] not in NOTHING),
    )
    return RegistrationView("_rt.register_dataclass", name, arguments)


def _arguments(traits: ClassTraits, descriptions: Descriptions) -> Iterator[tuple[str, str]]:
    """Yield the arguments that not every class has. Empty ones are omitted."""
    node, name = traits.node, traits.node.ref.name
    if node.abstract:
        yield "abstract", "True"
    if traits.traced_fields:
        yield "flatten", f"_codegen_flatten_{name}"
    if traits.has_unflatten:
        yield "unflatten", f"_codegen_unflatten_{name}"
    yield "shares", shares.format_alias_groups(node)
    yield from descriptions.dimensions(node)
    yield "all_tags", strings(traits.tags)
    yield "tags", dict_of((py_str(f.name), strings(f.tags)) for f in node.fields if f.tags)
    yield "was", dict_of((py_str(old), py_str(f.name)) for f in node.fields for old in f.was)
    yield "declared", dict_of(omitted_types(node, descriptions.contents))
    yield "type_parameters", strings(node.type_parameters)
    yield "reserved", strings(one.name for one in node.reserved)
    steps = ((py_str(one.since), py_str(one.impl.path)) for one in node.migrations)
    yield "migrations", dict_of(steps)
    defaults = ((f, f.default) for f in node.fields)
    yield (
        "factories",
        dict_of(_path(f, path) for f, path in defaults if isinstance(path, FactoryCall)),
    )
    converted = ((f, f.convert) for f in traits.static_fields)
    yield "converted", dict_of(_path(f, path) for f, path in converted if path is not None)


def _path(field: Field, path: FunctionPath | FactoryCall) -> tuple[str, str]:
    return py_str(field.name), py_str(f"{path.module}:{path.attribute}")


def _types(fields: Iterable[Field], declared: dict[str, str]) -> str:
    return dict_of((py_str(f.name), declared[f.name]) for f in fields)
