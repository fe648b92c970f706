"""Generate the registration of a class, and the function that splits its objects for a call."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from codegen.check.abstract_signature import AbstractSignatures
from codegen.emit import shares
from codegen.emit.annotations import erased_class
from codegen.emit.class_traits import ClassTraits
from codegen.emit.conversions import is_leaf
from codegen.emit.declared_types import dimensions, field_types
from codegen.emit.expressions import NOTHING, call, dict_of, py_str, strings, tuple_of
from codegen.emit.names import ModuleNames, local_variable
from codegen.emit.view import RegistrationView, SplitView, Statement
from codegen.program.nodes import FactoryCall, Field, FunctionPath


def registration(
    traits: ClassTraits, names: ModuleNames, signatures: AbstractSignatures
) -> RegistrationView:
    """Return the registration call of a class.

    class Grid: nx: static[int]    ->    register_dataclass(Grid, data_fields={}, meta_fields={"nx": int}, key=...)
    """
    name = traits.node.ref.name
    declared = field_types(traits, names, signatures)
    arguments = (
        ("schema", py_str(str(traits.node.ref))),
        ("data_fields", _types(traits.traced_fields, declared)),
        ("meta_fields", _types(traits.static_fields, declared)),
        ("key", f"_codegen_key_{name}"),
        *(one for one in _arguments(traits, names, signatures) if one[1] not in NOTHING),
    )
    return RegistrationView("_rt.register_dataclass", name, arguments)


def _arguments(
    traits: ClassTraits, names: ModuleNames, signatures: AbstractSignatures
) -> Iterator[tuple[str, str]]:
    """Yield the arguments that not every class has. Empty ones are omitted."""
    node, name = traits.node, traits.node.ref.name
    if node.abstract:
        yield "abstract", "True"
    if traits.traced_fields:
        yield "flatten", f"_codegen_flatten_{name}"
    if traits.has_builder:
        yield "unflatten", f"_codegen_unflatten_{name}"
    elif node.shares:
        yield "unflatten", "_rt.unflatten_shared"
    if traits.has_split:
        yield "split", f"_codegen_split_{name}"
    yield "shares", shares.format_alias_groups(node)
    yield from dimensions(traits, names, signatures)
    yield "all_tags", strings(traits.tags)
    yield "tags", dict_of((py_str(f.name), strings(f.tags)) for f in node.fields if f.tags)
    yield "was", dict_of((py_str(old), py_str(f.name)) for f in node.fields for old in f.was)
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


def split_view(traits: ClassTraits, names: ModuleNames) -> SplitView:
    """Return the split function of a class with arrays.

    u: donated[f32[n]]            ->    donated.append(obj.u)
    a, b: dynamic[f32[n]]         ->    kept += (obj.a, obj.b)
    inputs: dynamic[Inputs]       ->    inputs = split(obj.inputs, kept, kept)
    """
    steps: list[Statement] = []
    leaves: dict[str, list[str]] = {"donated": [], "kept": []}
    borrowed, hollow = shares.borrowed_fields(traits.node), shares.fields_with_holes(traits.node)
    keys = ["obj.__codegen_key__"]
    variables = {"obj", "donated", "kept"}
    traced = {f.name: f for f in traits.traced_fields if f.name not in borrowed}
    hollow &= {name for name, f in traced.items() if not is_leaf(f.type)}
    children = local_variable("children", variables | {*traced})
    if hollow:
        steps.append(Statement("", children, shares.children_expression(traits)))
    for number, field in enumerate(traits.traced_fields):
        target = "donated" if field.role == "donated" else "kept"
        if field.name not in traced:
            continue
        if is_leaf(field.type):
            leaves[target].append(f"obj.{field.name}")
        else:
            steps += _append_statements(leaves)
            # A class's own function is not enough: `optax.masked` puts a node of its own where its
            # mask excludes a whole part.
            arguments = [f"obj.{field.name}", target, "kept"]
            split = "split"
            if field.name in hollow:
                arguments = [f"{children}[{number}]", *arguments]
                split = "split_borrower"
            function = f"_rt.{split}"
            variable = local_variable(field.name, variables)
            steps.append(Statement("", variable, call(function, *arguments)))
            keys.append(variable)
    steps += _append_statements(leaves)
    return SplitView(
        name=traits.node.ref.name,
        cls=erased_class(traits.node, names),
        steps=tuple(steps),
        structure=tuple_of(*keys) if len(keys) > 1 else keys[0],
    )


def _append_statements(leaves: dict[str, list[str]]) -> Iterator[Statement]:
    """Yield the statements that append the leaves found so far, and clear the lists."""
    for target, values in leaves.items():
        if len(values) == 1:
            yield Statement("", "", call(f"{target}.append", *values))
        elif values:
            yield Statement("", "", call(f"{target}.extend", tuple_of(*values)))
        values.clear()
