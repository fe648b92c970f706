"""The quick check of a class whose fields are plain arrays.

w: donated[f32[n_in, n_out]]    ->    def _codegen_fits_Linear(obj: Linear) -> bool:
b: donated[f32[n_out]]                    _, n_out = shape_of(obj.w, FLOAT32)
                                          return fits(obj.b, FLOAT32, (n_out,))

It says yes only where all is exactly as declared; `check_shapes` of the runtime has the last word.
"""

from __future__ import annotations

from collections import Counter

from codegen.program import types
from codegen.program.nodes import Field
from codegen.program.types import Array, Dim
from codegen.view.annotations import erased
from codegen.view.drawing import Drawing
from codegen.view.kinds import Kind
from codegen.view.layout import (
    WIDTH,
    Node,
    call,
    flat,
    is_too_long,
    signature,
    statement,
    tuple_of,
    unpacking,
)
from codegen.view.literals import after
from codegen.view.names import Names, local
from codegen.view.nodes import FitsView
from codegen.view.shapes import holds_arrays
from codegen.view.sizes import may_say_more, size_paths


def fits_view(kind: Kind, names: Names, drawing: Drawing) -> FitsView | None:
    """Write the quick check of a class; None where its fields are more than plain arrays."""
    fields = [f for f in kind.node.fields if holds_arrays(f, drawing)]
    arrays = [(f, f.type) for f in fields if isinstance(f.type, Array) and _is_plain(f.type)]
    paths = size_paths(kind.node, drawing)
    is_told_once = all(len(p) == 1 for p in paths.values())
    is_certain = is_told_once and not may_say_more(kind.node, drawing)
    if not arrays or len(arrays) < len(fields) or not is_certain:
        return None
    sizes = [name for _, array in arrays for dim in array.shape for name in types.names_in(dim)]
    variables = {name: local(name, {"obj"}) for name in sizes}
    known = {name for name in variables if name in paths}
    statements: list[str] = []
    if known:
        ordered = [name for name in variables if name in known]
        statements.append(_assignment(ordered, [f"obj.{paths[n][0]}" for n in ordered], variables))
    tests: list[Node] = []
    uses = {field.name: _named(array) for field, array in arrays}
    users = Counter(name for named in uses.values() for name in named)
    mark = names.mark()
    for field, array in arrays:
        new = {d.name for d in array.shape if isinstance(d, types.DimName)} - known
        known |= new
        # Where every axis binds a name of its own, there is nothing to compare.
        binds = bool(new) and len(new) == len(array.shape)
        if new:
            # Of one that only binds, what others read.
            read = {n for n in uses[field.name] if not binds or users[n] > 1}
            targets = _targets(array, new, {n: variables[n] for n in read})
            if binds and {*targets} == {"_"}:
                tests.append(_fits_rank(field, array, names))
            else:
                statements.append(unpacking(targets, _shape(field, array, names, typed=binds), 4))
        if not binds:
            tests.append(_fits(field, array, variables, names))
    is_any = any(f.role == "static" for f, _ in arrays)
    result = _result(tests, local("same", {*variables}), names.builtin("bool") if is_any else "")
    if known != {*variables} or any(map(is_too_long, statements)) or not result:
        names.forget(mark)
        return None
    name = kind.node.ref.name
    tail = f") -> {names.builtin('bool')}:"
    return FitsView(
        signature=signature(
            f"def _codegen_fits_{name}(", [f"obj: {erased(kind.node, names)}"], tail, 0
        ),
        statements=tuple(statements),
        result=tuple(result),
    )


def _is_plain(array: Array) -> bool:
    """Say whether an array has one dtype, and axes whose sizes follow from names."""
    plain = (types.DimName, types.Size, types.DimSum)
    is_named = array.dtype != "key" and not array.dtype[0].isupper()
    return is_named and all(isinstance(dim, plain) for dim in array.shape)


def _assignment(names: list[str], values: list[str], variables: dict[str, str]) -> str:
    targets = ", ".join(variables[name] for name in names)
    return f"    {targets} = {', '.join(values)}"


def _named(array: Array) -> set[str]:
    return {name for dim in array.shape for name in types.names_in(dim)}


def _targets(array: Array, new: set[str], read: dict[str, str]) -> list[str]:
    """Name the axes where their array is taken apart: a name is bound once, and only if it is read."""
    left = {*new}
    targets: list[str] = []
    for dim in array.shape:
        if isinstance(dim, types.DimName) and dim.name in left:
            targets.append(read.get(dim.name, "_"))
            left.discard(dim.name)
        else:
            targets.append("_")
    return targets


def _shape(field: Field, array: Array, names: Names, *, typed: bool) -> Node:
    """Write the shape of an array, whose dtype is compared here where nothing else is."""
    if not typed or field.role == "static":
        return f"obj.{field.name}.shape"
    dtype = names.runtime("shapes.fits", array.dtype.upper())
    return call(names.runtime("shapes.fits", "shape_of"), f"obj.{field.name}", dtype)


def _fits_rank(field: Field, array: Array, names: Names) -> Node:
    """Write the test of an array of which no axis is compared with anything."""
    rank = str(len(array.shape))
    if field.role == "static":
        return f"obj.{field.name}.ndim == {rank}"
    dtype = names.runtime("shapes.fits", array.dtype.upper())
    return call(names.runtime("shapes.fits", "fits_rank"), f"obj.{field.name}", dtype, rank)


def _fits(field: Field, array: Array, variables: dict[str, str], names: Names) -> Node:
    shape = tuple_of(*(size_text(dim, variables) for dim in array.shape))
    if field.role == "static":
        # Its dtype is the declared one: see `as_constant`.
        return after(f"obj.{field.name}.shape == ", shape)
    dtype = names.runtime("shapes.fits", array.dtype.upper())
    return call(names.runtime("shapes.fits", "fits"), f"obj.{field.name}", dtype, shape)


def size_text(dim: Dim, variables: dict[str, str]) -> str:
    """Write the size of a dimension as an expression of Python."""
    match dim:
        case types.DimName():
            return variables[dim.name]
        case types.Size():
            return str(dim.value)
        case types.DimSum():
            sides = [size_text(side, variables) for side in (dim.left, dim.right)]
            left, right = (
                f"({text})" if isinstance(side, types.DimSum) else text
                for text, side in zip(sides, (dim.left, dim.right), strict=True)
            )
            return f"{left} {dim.operator} {right}"
        case types.Batch():
            return f"*{variables[f'*{dim.name}']}"
        case _:
            raise AssertionError(dim)


def _result(tests: list[Node], same: str, annotated: str) -> list[str]:
    """Write the statements that return whether all tests hold.

    To type checkers a shape of NumPy's is anything, and so is the result of comparing it: then
    it is annotated. Nothing is returned where that does not fit.
    """
    if annotated:
        return _annotated(list(map(flat, tests)), f"    {same}: {annotated} = ", same)
    line = f"    return {' and '.join(map(flat, tests))}"
    if len(line) <= WIDTH:
        return [line]
    first, *rest = tests
    if not rest:
        return [statement("return ", first, 4)]
    if len(tests) == 2:
        # Formatters would break inside the second one, not before it.
        return [statement(f"{same} = ", first, 4), statement(f"return {same} and ", rest[0], 4)]
    lines = [statement("", first, 8), *(statement("and ", test, 8) for test in rest)]
    return ["    return (", *lines, "    )"]


def _annotated(tests: list[str], prefix: str, same: str) -> list[str]:
    last = f"    return {same}"
    lines = [prefix + " and ".join(tests), last]
    if len(lines[0]) > WIDTH and len(tests) == 2:
        lines = [prefix + tests[0], f"    {same} = {same} and {tests[1]}", last]
    elif len(lines[0]) > WIDTH:
        rest = [f"        and {test}" for test in tests[1:]]
        lines = [f"{prefix}(", f"        {tests[0]}", *rest, "    )", last]
    return [] if any(map(is_too_long, lines)) else lines
