"""Format values as stable text, in the words of the schema language.

value_text(Collection("tuple", (Constant(1), Constant(2))))    ->    "(1, 2)"
"""

from __future__ import annotations

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
