"""The call by which a class becomes known: to JAX as a pytree, to the support package by its facts.

class Grid: nx: static[int]    ->    register_dataclass(Grid, data_fields=[], meta_fields=["nx"], flatten=...)
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from codegen.checked.plans import Plans
from codegen.program.nodes import Field, FunctionPath, Made
from codegen.view import shares
from codegen.view.constructors import KEY
from codegen.view.expressions import NOTHING, dict_of, list_of
from codegen.view.kinds import Kind
from codegen.view.literals import py_str, strings
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
        *(one for one in _arguments(kind, names, plans) if one[1] not in NOTHING),
    ]
    calls.append(RegistrationView(names.runtime("classes", function), name, tuple(arguments)))
    return calls


def _arguments(kind: Kind, names: Names, plans: Plans) -> Iterator[tuple[str, str]]:
    """Yield the arguments that not every class has; those that hold nothing are left out."""
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
    yield "shares", shares.rows(node)
    yield "donated_fields", _names(f for f in node.fields if f.role == "donated")
    yield "shapes", shapes_of(kind, names, plans)
    yield "all_tags", strings(kind.tags)
    yield "tags", dict_of((py_str(f.name), strings(f.tags)) for f in node.fields if f.tags)
    yield "was", dict_of((py_str(old), py_str(f.name)) for f in node.fields for old in f.was)
    made = ((f, f.default) for f in node.fields)
    yield "factories", dict_of(_path(f, path) for f, path in made if isinstance(path, Made))
    converted = ((f, f.convert) for f in kind.static_fields)
    yield "converted", dict_of(_path(f, path) for f, path in converted if path is not None)


def _path(field: Field, path: FunctionPath | Made) -> tuple[str, str]:
    return py_str(field.name), py_str(f"{path.module}:{path.attribute}")


def _names(fields: Iterable[Field]) -> str:
    return list_of(*(py_str(f.name) for f in fields))
