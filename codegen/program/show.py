"""Types, values and programs as stable text, in the words of the schema language.

    type_text(Array("float32", "f32", (DimName("nx"),)))    ->    "f32[nx]"
"""

from __future__ import annotations

from codegen.program import types
from codegen.program.nodes import (
    Class,
    Constant,
    Construction,
    DTypeName,
    Entries,
    EnumMember,
    Field,
    Function,
    Items,
    Module,
    Program,
    Value,
)
from codegen.program.types import Type


def dim_text(dim: types.Dim) -> str:
    """Write a dimension."""
    match dim:
        case types.DimName():
            return dim.name
        case types.Size():
            return str(dim.value)
        case types.Batch():
            return f"*{dim.name}"
        case types.AnyDims():
            return "..."
        case types.AnyDim():
            return "_"
        case types.DimSum():
            sides = [
                f"({dim_text(s)})" if isinstance(s, types.DimSum) else dim_text(s)
                for s in (dim.left, dim.right)
            ]
            return f" {dim.operator} ".join(sides)


def type_text(type: Type) -> str:
    """Write a type as a schema would; classes by their names alone."""
    match type:
        case types.Array():
            return type.written + _brackets([dim_text(d) for d in type.shape])
        case types.Scalar():
            return type.name
        case types.NoneType():
            return "None"
        case types.Sequence():
            dots = ", ..." if type.container == "tuple" else ""
            return f"{type.container}[{type_text(type.element)}{dots}]"
        case types.FixedTuple():
            return f"tuple[{', '.join(map(type_text, type.elements)) or '()'}]"
        case types.Mapping():
            return f"{type.container}[{type_text(type.key)}, {type_text(type.value)}]"
        case types.Union():
            return " | ".join(map(type_text, type.members))
        case types.Callable():
            inner = ", ".join(map(type_text, type.parameters or ()))
            parameters = "..." if type.parameters is None else f"[{inner}]"
            return f"Callable[{parameters}, {type_text(type.result)}]"
        case types.DType():
            return "dtype"
        case types.Anything():
            return "Any"
        case types.Literals():
            return f"Literal[{', '.join(ascii(v) for v in type.values)}]"
        case types.ClassType():
            inside = [dim_text(d) for d in type.dims] + [type_text(a) for a in type.arguments]
            return type.ref.name + _brackets(inside)
        case types.EnumType():
            return type.ref.name
        case types.External():
            return type.local + _brackets([type_text(a) for a in type.arguments])
        case types.TypeParameter():
            return type.name


def _brackets(items: list[str]) -> str:
    return f"[{', '.join(items)}]" if items else ""


def value_text(value: Value) -> str:
    """Write a value as a schema would."""
    match value:
        case Constant():
            return ascii(value.value)
        case EnumMember():
            return f"{value.ref.name}.{value.member}"
        case DTypeName():
            return value.written
        case Construction():
            keywords = [f"{k}={value_text(v)}" for k, v in value.keywords]
            return f"{value.ref.name}({', '.join([*map(value_text, value.arguments), *keywords])})"
        case Items():
            inside = ", ".join(map(value_text, value.items))
            inside = f"({inside},)" if len(value.items) == 1 else f"({inside})"
            return inside if value.container == "tuple" else f"frozenset({inside})"
        case Entries():
            pairs = ", ".join(f"{value_text(k)}: {value_text(v)}" for k, v in value.items)
            return f"frozendict({{{pairs}}})"


def show(program: Program, name: str | None = None) -> str:
    """Print a program, or one module, class or function of it."""
    return "\n".join(line for module in program.modules for line in _module(module, name))


def _module(module: Module, name: str | None) -> list[str]:
    everything = name is None or name == module.name
    lines = [f"module {module.name}"] if everything else []
    for node in module.classes:
        if everything or name in (node.ref.name, str(node.ref)):
            lines += _class(node)
    for function in module.functions:
        if everything or name in (function.name, f"{module.name}.{function.name}"):
            lines.append(_function(function, "  function"))
    return lines


def _class(node: Class) -> list[str]:
    options = [f"({node.base.ref})"] if node.base else []
    options += ["abstract"] if node.abstract else []
    options += [f"dims={','.join(node.dims)}"] if node.dims else []
    lines = [" ".join([f"  class {node.ref}", *options])]
    lines += [_field(field, node) for field in node.fields]
    lines += [_function(m, "    property" if m.is_property else "    method") for m in node.methods]
    for share in node.shares:
        lines.append("    share " + " ".join(".".join(p.parts) for p in share.paths))
    return lines


def _field(field: Field, node: Class) -> str:
    default = f" = {value_text(field.default)}" if field.default is not None else ""
    origin = "" if field.owner == node.ref else f"  # from {field.owner}"
    return f"    {field.role} {field.name}: {type_text(field.type)}{default}{origin}"


def _function(node: Function, what: str) -> str:
    parameters = [
        f"{p.name}: {f'{p.role}[{type_text(p.type)}]' if p.role else type_text(p.type)}"
        + (f" = {value_text(p.default)}" if p.default is not None else "")
        for p in node.parameters
    ]
    place = f"{node.impl.module}:{node.impl.attribute}"
    return f"{what} {node.name}({', '.join(parameters)}) -> {type_text(node.returns)} = {place}"
