"""The declarations of a generated package, as texts: read from the records of its classes.

    declarations("generated.")["heat.Grid"]["fields"]["nx"]    # 'static int'
    type_text(optional(array("float32", "nx")), "generated.")  # 'f32[nx] | None'

Saved files have these texts, and `migrate(since=...)` has digests of them. So they are
the same, byte for byte, as those of the compiler.
"""

import dataclasses
import enum
import importlib.util
import re
import sys
from collections.abc import Iterable, Mapping
from typing import Any, Final

from ..declared import (
    AnyOf,
    Declared,
    Dim,
    Each,
    Foreign,
    Given,
    Items,
    Later,
    Literal,
    Part,
    Shaped,
    Word,
)
from ..evolution import Entry
from ..keys.names import generated_modules, module_and_name
from ..shapes.dimensions import format_dim

_DTYPE: Final = re.compile("(b?)(float|int|uint|complex)(?=[0-9])")


def declarations(package: str) -> dict[str, Entry]:
    """Return the declarations of the modules of a package that are imported."""
    table: dict[str, Entry] = {}
    for module in modules_of(package):
        schema, facts = module.removeprefix(package), generated_modules[module]
        former = {f"{schema}.{name}": [*old] for name, old in facts.was.items()}
        for value in [*vars(sys.modules[module]).values()]:
            if not isinstance(value, type) or value.__module__ != module:
                continue
            name = f"{schema}.{value.__qualname__}"
            record = vars(value).get("__codegen_record__")
            if record is not None and record.package == package:
                table[name] = _class(record, former.get(name, []))
            elif issubclass(value, enum.Enum):
                table[name] = _enum(value, name, former)
        others = (n for n in facts.was if "." not in n and f"{schema}.{n}" not in table)
        dims = {name: former[f"{schema}.{name}"] for name in others}
        imports = [*facts.imports]
        table[schema] = _without_empty(kind="module", dims=dims, imports=imports)
    return table


def modules_of(package: str) -> list[str]:
    """Return the modules of a package that are imported."""
    return [m for m in generated_modules if m.startswith(package) and m in sys.modules]


def _class(record: Any, was: list[str]) -> Entry:
    names = [field.name for field in dataclasses.fields(record.cls)]
    fields = {
        name: f"{_role(record, name)} {_field_type(record, name)}" for name in names
    }
    default = {*record.defaults, *record.factories}
    entries = _without_empty(
        kind="class",
        was=was,
        fields=fields,
        parameters=[*record.parameters, *record.type_parameters],
        former=dict(record.was),
        shares=[" ".join(map(".".join, paths)) for paths in record.shares],
        default=[name for name in names if name in default],
        init=[name for name in names if _has_init(record.data_fields.get(name))],
        abstract="yes" if record.abstract else "",
        reserved=[*record.reserved],
        migrations=[" ".join(one) for one in record.migrations.items()],
    )
    # Classes without fields are read as well.
    return entries | {"fields": fields}


def _enum(kind: Any, name: str, former: Mapping[str, list[str]]) -> Entry:
    members = [*kind.__members__]
    return _without_empty(
        kind="enum",
        was=former.get(name, []),
        former={old: one for one in members for old in former.get(f"{name}.{one}", ())},
    )


def _without_empty(**entries: Any) -> Entry:
    return {name: entry for name, entry in entries.items() if entry}


def _role(record: Any, name: str) -> str:
    if name in record.meta_fields:
        return "static"
    if name in record.donated_fields:
        return "donated"
    return "ref" if name in record.ref_fields else "dynamic"


def _field_type(record: Any, name: str) -> str:
    if name in record.declared:
        return str(record.declared[name])
    fields = record.meta_fields if name in record.meta_fields else record.data_fields
    return type_text(fields[name], record.package)


def _has_init(declared: Declared) -> bool:
    if isinstance(declared, AnyOf):
        return any(map(_has_init, declared.options))
    return isinstance(declared, Shaped) and declared.init is not None


# --- types


def type_text(declared: Declared, package: str) -> str:
    """Format a declared type as its schema does, and a class with its module."""
    match declared:
        case None:
            return "None"
        case Shaped():
            return _DTYPE.sub(_short, declared.dtype) + _brackets(
                map(_dim, declared.dims)
            )
        case Part():
            dims = map(_dim, declared.dims.values())
            types = (type_text(one, package) for one in declared.types.values())
            text = class_name(declared.cls, package) + _brackets([*dims, *types])
            for dim in reversed(declared.stacked):
                text = f"stacked[{text}, {format_dim(dim)}]"
            return text
        case Each() | Items():
            return _container(declared, package)
        case AnyOf():
            texts = (type_text(one, package) for one in declared.options)
            return " | ".join(dict.fromkeys(texts))
        case Literal():
            return f"Literal[{', '.join(sorted(map(ascii, declared.values)))}]"
        case Given():
            return declared.parameter
        case Word():
            return declared.name
        case Foreign(kind=kind):
            return ".".join(map(str, module_and_name(kind)))
        case _:
            return class_name(declared, package)


def _container(declared: Each | Items, package: str) -> str:
    if isinstance(declared, Items):
        texts = [type_text(one, package) for one in declared.items]
        return f"tuple[{', '.join(texts) or '()'}]"
    item = type_text(declared.item, package)
    kind = declared.kind if isinstance(declared.kind, str) else declared.kind.__name__
    if kind in ("dict", "frozendict"):
        name = "Mapping" if declared.is_any else kind
        return f"{name}[{type_text(declared.key, package)}, {item}]"
    if declared.is_any:
        return f"Sequence[{item}]"
    size = "..." if declared.size is None else format_dim(declared.size)
    return f"tuple[{item}, {size}]" if kind == "tuple" else f"{kind}[{item}]"


def class_name(kind: Any, package: str) -> str:
    """Return the name of a class; one of a generated module, with the module."""
    if isinstance(kind, Later):
        # It is not looked up here: that would import its module.
        module = importlib.util.resolve_name(kind.module, kind.package)
        return f"{module.removeprefix(package)}.{kind.name}"
    is_own = kind.__module__ in generated_modules
    module = f"{kind.__module__.removeprefix(package)}." if is_own else ""
    return f"{module}{kind.__name__}"


def _short(match: re.Match[str]) -> str:
    """Return the letters of a dtype in schemas: `bf` for "bfloat"."""
    return match[1] + match[2][0]


def _brackets(items: Iterable[str]) -> str:
    inside = ", ".join(items)
    return f"[{inside}]" if inside else ""


def _dim(dim: Dim) -> str:
    return format_dim(_sorted(dim))


def _sorted(dim: Dim) -> Dim:
    """Sort the operands of sums and products: `n + 1` is `1 + n`."""
    if not isinstance(dim, tuple):
        return dim
    left, operator, right = dim
    if operator not in ("+", "*"):
        return _sorted(left), operator, _sorted(right)
    return _tree(
        operator, sorted(map(_sorted, _operands(dim, operator)), key=format_dim)
    )


def _tree(operator: str, operands: list[Dim]) -> Dim:
    """Return one tree of operands, always the same for the same operands."""
    if len(operands) == 1:
        return operands[0]
    middle = len(operands) // 2
    return (
        _tree(operator, operands[:middle]),
        operator,
        _tree(operator, operands[middle:]),
    )


def _operands(dim: Dim, operator: str) -> list[Dim]:
    if isinstance(dim, tuple) and dim[1] == operator:
        return [*_operands(dim[0], operator), *_operands(dim[2], operator)]
    return [dim]
