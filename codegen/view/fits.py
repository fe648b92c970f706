"""The quick check of a class whose fields are plain arrays.

u: donated[f32[nx, ny]]    ->    def _codegen_fits_Plate(obj: Plate) -> bool:
                                     nx, ny = obj.u.shape
                                     return fits(obj.u, FLOAT32, (nx, ny))

It says yes only where all is exactly as declared; `check_shapes` of the runtime has the last word.
"""

from __future__ import annotations

from codegen.program import types
from codegen.program.nodes import Field
from codegen.program.types import Array, Dim
from codegen.view.drawing import Drawing, names_of_dim
from codegen.view.kinds import Kind
from codegen.view.layout import (
    WIDTH,
    Node,
    call,
    flat,
    signature,
    statement,
    subscript,
    tuple_of,
    unpacking,
)
from codegen.view.names import Names, local
from codegen.view.nodes import FitsView
from codegen.view.shapes import holds_arrays, size_paths


def fits_view(kind: Kind, names: Names, drawing: Drawing) -> FitsView | None:
    """Write the quick check of a class; None where its fields are more than plain arrays."""
    fields = [f for f in kind.node.fields if holds_arrays(f, drawing)]
    arrays = [(f, f.type) for f in fields if isinstance(f.type, Array) and _is_plain(f.type)]
    paths = size_paths(kind.node, drawing)
    if not arrays or len(arrays) < len(fields) or any(len(p) > 1 for p in paths.values()):
        return None
    variables = {n: local(n, {"obj"}) for _, t in arrays for d in t.shape for n in names_of_dim(d)}
    known = {name for name in variables if name in paths}
    statements: list[str] = []
    if known:
        ordered = [name for name in variables if name in known]
        statements.append(_assignment(ordered, [f"obj.{paths[n][0]}" for n in ordered], variables))
    for field, array in arrays:
        new = {d.name for d in array.shape if isinstance(d, types.DimName)} - known
        if new:
            targets = [_target(dim, new, variables) for dim in array.shape]
            statements.append(unpacking(targets, f"obj.{field.name}.shape", 4))
            known |= {d.name for d in array.shape if isinstance(d, types.DimName)}
    if known != {*variables} or any(_is_too_wide(line) for line in statements):
        return None
    name = kind.node.ref.name
    dots = [names.use("typing", "Any") for _ in kind.node.type_parameters]
    cls = flat(subscript(name, *dots)) if dots else name
    tail = f") -> {names.builtin('bool')}:"
    return FitsView(
        signature=signature(f"def _codegen_fits_{name}(", [f"obj: {cls}"], tail, 0),
        statements=tuple(statements),
        result=tuple(
            _result(
                [_fits(f, array, variables, names) for f, array in arrays],
                local("same", {*variables}),
            )
        ),
    )


def _is_plain(array: Array) -> bool:
    """Say whether an array has one dtype, and axes whose sizes follow from names."""
    plain = (types.DimName, types.Size, types.DimSum)
    is_named = array.dtype != "key" and not array.dtype[0].isupper()
    return is_named and all(isinstance(dim, plain) for dim in array.shape)


def _assignment(names: list[str], values: list[str], variables: dict[str, str]) -> str:
    targets = ", ".join(variables[name] for name in names)
    return f"    {targets} = {', '.join(values)}"


def _target(dim: Dim, new: set[str], variables: dict[str, str]) -> str:
    """Name an axis where its array is taken apart; a name is bound once."""
    if isinstance(dim, types.DimName) and dim.name in new:
        new.discard(dim.name)
        return variables[dim.name]
    return "_"


def _is_too_wide(line: str) -> bool:
    return any(len(part) > WIDTH for part in line.split("\n"))


def _fits(field: Field, array: Array, variables: dict[str, str], names: Names) -> Node:
    fits = names.runtime("fits", "constant_fits" if field.role == "static" else "fits")
    dtype = names.runtime("fits", array.dtype.upper())
    shape = tuple_of(*(size_text(dim, variables) for dim in array.shape))
    return call(fits, f"obj.{field.name}", dtype, shape)


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


def _result(tests: list[Node], same: str) -> list[str]:
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
