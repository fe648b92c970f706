"""Format types and values as stable text, in the words of the schema language.

type_text(Array("float32", "f32", (DimName("nx"),)))    ->    "f32[nx]"
"""

from __future__ import annotations

from codegen.program import types
from codegen.program.nodes import (
    EMPTY_CONTAINERS,
    Collection,
    Constant,
    Construction,
    DTypeName,
    Entries,
    EnumMember,
    FactoryCall,
    Imported,
    Value,
)
from codegen.program.types import Type


def dim_text(dim: types.Dim) -> str:
    """Format a dimension."""
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
    """Format a type as a schema would; classes by their bare names."""
    match type:
        case types.Array():
            return type.spelling + _brackets([dim_text(d) for d in type.shape])
        case types.Scalar() | types.PlainType():
            return type.name
        case types.NoneType():
            return "None"
        case types.Sequence(is_any=True):
            return f"Sequence[{type_text(type.element)}]"
        case types.Mapping(is_any=True):
            return f"Mapping[{type_text(type.key)}, {type_text(type.value)}]"
        case types.Sequence():
            count = "..." if type.size is None else dim_text(type.size)
            count = f", {count}" if type.container == "tuple" else ""
            return f"{type.container}[{type_text(type.element)}{count}]"
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
        case types.Identity():
            return f"identity[{type_text(type.type)}]"
        case types.Anything():
            return "Any"
        case types.Literals():
            return f"Literal[{', '.join(ascii(v) for v in type.values)}]"
        case types.ClassType():
            inside = [dim_text(d) for d in type.dims] + [type_text(a) for a in type.arguments]
            text = type.ref.name + _brackets(inside)
            for dim in reversed(type.stacked):
                text = f"stacked[{text}, {dim_text(dim)}]"
            return text
        case types.EnumType():
            return type.ref.name
        case types.External():
            return type.local + _brackets([type_text(a) for a in type.arguments])
        case types.TypeParameter():
            return type.name


def _brackets(items: list[str]) -> str:
    return f"[{', '.join(items)}]" if items else ""


def value_text(value: Value) -> str:
    """Format a value as a schema would."""
    match value:
        case Constant():
            return ascii(value.value)
        case EnumMember():
            return f"{value.ref.name}.{value.member}"
        case DTypeName():
            return value.spelling
        case Construction():
            keywords = [f"{k}={value_text(v)}" for k, v in value.keywords]
            return f"{value.ref.name}({', '.join([*map(value_text, value.arguments), *keywords])})"
        case Collection():
            inside = ", ".join(map(value_text, value.items))
            inside = f"({inside},)" if len(value.items) == 1 else f"({inside})"
            return inside if value.container == "tuple" else f"frozenset({inside})"
        case Entries():
            pairs = ", ".join(f"{value_text(k)}: {value_text(v)}" for k, v in value.items)
            return f"frozendict({{{pairs}}})"
        case Imported():
            return value.spelling
        case FactoryCall(module="builtins"):
            return EMPTY_CONTAINERS[value.attribute]
        case FactoryCall():
            return f'field(factory="{value.module}:{value.attribute}")'
