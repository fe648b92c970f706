"""What a class is registered with, and how a call takes an object apart."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from codegen.check.plans import Plans
from codegen.emit import shares
from codegen.emit.annotations import erased
from codegen.emit.constructors import KEY
from codegen.emit.conversions import is_leaf
from codegen.emit.expressions import NOTHING, call, dict_of, list_of, py_str, strings, tuple_of
from codegen.emit.kinds import Kind
from codegen.emit.names import Names, local
from codegen.emit.shapes import shapes_of
from codegen.emit.view import RegistrationView, SplitView, Step
from codegen.program.nodes import Field, FunctionPath, Made


def registrations(kind: Kind, names: Names, plans: Plans) -> list[RegistrationView]:
    """Write the call for a class, behind JAX's own where the schema says so.

    class Grid: nx: static[int]    ->    register_dataclass(Grid, data_fields=[], meta_fields=["nx"], flatten=...)
    """
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


def split_view(kind: Kind, names: Names) -> SplitView:
    """Write the function of a class with arrays.

    u: donated[f32[n]]            ->    donated.append(obj.u)
    a, b: dynamic[f32[n]]         ->    kept += (obj.a, obj.b)
    inputs: dynamic[Inputs]       ->    inputs = split(obj.inputs, kept, kept)
    """
    steps: list[Step] = []
    leaves: dict[str, list[str]] = {"donated": [], "kept": []}
    borrowed, hollow = shares.borrowed(kind.node), shares.hollow(kind.node)
    keys = ["obj.__codegen_key__"]
    variables = {"obj", "donated", "kept"}
    traced = {f.name: f for f in kind.traced_fields if f.name not in borrowed}
    hollow &= {name for name, f in traced.items() if not is_leaf(f.type)}
    children = local("children", variables | {*traced})
    if hollow:
        steps.append(Step("", children, shares.children(kind, names)))
    for number, field in enumerate(kind.traced_fields):
        target = "donated" if field.role == "donated" else "kept"
        if field.name not in traced:
            continue
        if is_leaf(field.type):
            leaves[target].append(f"obj.{field.name}")
        else:
            steps += _appended(leaves)
            # A class's own function will not do: `optax.masked` leaves a node of its own in
            # the place of a part that its mask excludes as a whole.
            given = [f"obj.{field.name}", target, "kept"]
            split = "split"
            if field.name in hollow:
                given = [f"{children}[{number}]", *given]
                split = "split_borrower"
            function = names.runtime("sharing" if field.name in hollow else "split", split)
            variable = local(field.name, variables)
            steps.append(Step("", variable, call(function, *given)))
            keys.append(variable)
    steps += _appended(leaves)
    return SplitView(
        n=names.used(("builtins", "list"), ("typing", "Any"), ("collections.abc", "Hashable")),
        name=kind.node.ref.name,
        cls=erased(kind.node, names),
        steps=tuple(steps),
        structure=tuple_of(*keys) if len(keys) > 1 else keys[0],
    )


def _appended(leaves: dict[str, list[str]]) -> Iterator[Step]:
    """Write what appends the leaves found so far, and forget them."""
    for target, found in leaves.items():
        if len(found) == 1:
            yield Step("", "", call(f"{target}.append", *found))
        elif found:
            yield Step("", "", call(f"{target}.extend", tuple_of(*found)))
        found.clear()
