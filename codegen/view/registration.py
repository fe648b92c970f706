"""The call by which a class becomes known: to JAX as a pytree, to the support package by its facts.

class Grid: nx: static[int]    ->    register_dataclass(Grid, data_fields=[], meta_fields=["nx"], flatten=...)
"""

from __future__ import annotations

from collections.abc import Iterator

from codegen.checked.plans import Plans
from codegen.program.nodes import Field, Made
from codegen.view import shares
from codegen.view.constructors import KEY
from codegen.view.expressions import dict_of, list_of, tuple_of
from codegen.view.kinds import Kind
from codegen.view.literals import py_str
from codegen.view.names import Names
from codegen.view.nodes import RegistrationView
from codegen.view.shapes import shapes_of


def registrations(kind: Kind, names: Names, plans: Plans) -> list[RegistrationView]:
    """Write the call for a class, behind JAX's own where the schema says so."""
    name = kind.node.ref.name
    statics, traced = _names(kind.static_fields), _names(kind.traced_fields)
    calls: list[RegistrationView] = []
    function = "register_dataclass"
    if kind.registration == "jax":
        jax = (("data_fields", traced), ("meta_fields", list_of(py_str(KEY))))
        register = f"{names.use('jax.tree_util', '')}.register_dataclass"
        calls.append(RegistrationView(register, name, (*jax, ("drop_fields", statics))))
        function = "adopt_dataclass"
    arguments = [
        ("schema", py_str(str(kind.node.ref))),
        ("data_fields", traced),
        ("meta_fields", statics),
        ("key", f"_codegen_key_{name}"),
        *_arguments(kind, names, plans),
    ]
    calls.append(RegistrationView(names.runtime("classes", function), name, tuple(arguments)))
    return calls


def _arguments(kind: Kind, names: Names, plans: Plans) -> Iterator[tuple[str, str]]:
    """Yield the arguments that not every class has."""
    node, name = kind.node, kind.node.ref.name
    if node.abstract:
        yield "abstract", "True"
    if kind.traced_fields:
        yield "flatten", f"_codegen_flatten_{name}"
    if kind.has_twin:
        yield "unflatten", f"_codegen_unflatten_{name}"
    elif node.shares:
        yield "unflatten", names.runtime("sharing", "unflatten")
    if kind.has_split:
        yield "split", f"_codegen_split_{name}"
    if node.shares:
        yield "shares", shares.rows(node)
    donated = [f for f in kind.traced_fields if f.role == "donated"]
    if donated:
        yield "donated_fields", _names(donated)
    shapes = shapes_of(kind, names, plans)
    if shapes:
        yield "shapes", shapes
    if kind.tags:
        yield "all_tags", tuple_of(*map(py_str, kind.tags))
    tags = [(py_str(f.name), tuple_of(*map(py_str, f.tags))) for f in node.fields if f.tags]
    if tags:
        yield "tags", dict_of(tags)
    was = [(py_str(old), py_str(f.name)) for f in node.fields for old in f.was]
    if was:
        yield "was", dict_of(was)
    factories = [
        (py_str(f.name), py_str(f"{f.default.module}:{f.default.attribute}"))
        for f in node.fields
        if isinstance(f.default, Made)
    ]
    if factories:
        yield "factories", dict_of(factories)
    converted = [
        (py_str(f.name), py_str(f"{f.convert.module}:{f.convert.attribute}"))
        for f in kind.static_fields
        if f.convert is not None
    ]
    if converted:
        yield "converted", dict_of(converted)


def _names(fields: tuple[Field, ...] | list[Field]) -> str:
    return list_of(*(py_str(f.name) for f in fields))
