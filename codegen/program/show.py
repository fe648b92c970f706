"""Format types, values and programs as stable text, in the words of the schema language.

type_text(Array("float32", "f32", (DimName("nx"),)))    ->    "f32[nx]"
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec import Struct

from codegen.program import types
from codegen.program.nodes import (
    EMPTY_CONTAINERS,
    Class,
    Collection,
    Constant,
    Construction,
    Dimension,
    DTypeName,
    Entries,
    Enum,
    EnumMember,
    FactoryCall,
    Field,
    Function,
    FunctionPath,
    Imported,
    Initializer,
    Member,
    Module,
    Program,
    Value,
)
from codegen.program.types import Type


class Selection(Struct, frozen=True):
    """The selection to show: ("heat", "") is all of a module, ("heat", "Plate") one class."""

    paths: frozenset[tuple[str, str]] | None  # None: everything

    def has_module(self, module: str) -> bool:
        """Return whether anything of a module is selected."""
        return self.paths is None or any(place[0] == module for place in self.paths)

    def has_whole_module(self, module: str) -> bool:
        """Return whether a whole module is selected."""
        return self.paths is None or (module, "") in self.paths

    def has_declaration(self, module: str, name: str) -> bool:
        """Return whether a declaration is selected."""
        return self.has_whole_module(module) or (
            self.paths is not None and (module, name) in self.paths
        )

    def declarations_of(self, module: str) -> tuple[str, ...]:
        """Return the declarations of a module that are selected by name."""
        return tuple(sorted(name for place, name in self.paths or () if place == module and name))


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


def show_program(program: Program, selection: Selection) -> str:
    """Format the selected modules, or their selected declarations."""
    modules = (module for module in program.modules if selection.has_module(module.name))
    return "".join(f"{line}\n" for module in modules for line in _module(module, selection))


def _module(module: Module, selection: Selection) -> Iterator[str]:
    yield f"module {module.name}"
    if selection.has_whole_module(module.name):
        for imported in module.imports:
            named = f"{imported.module}.{imported.attribute}".rstrip(".")
            yield f"  import {named} as {imported.name}"
        yield from (f"  import {ref} as {name}" for ref, name in module.refs)
    for name, lines in _declarations(module):
        if selection.has_declaration(module.name, name):
            yield from lines


def _declarations(module: Module) -> Iterator[tuple[str, Iterable[str]]]:
    for dim in module.dims:
        over = f" over {', '.join(dim.mesh)}" if dim.mesh else ""
        yield dim.name, [f"  dimension {dim.name}{over}{_former_names_comment(dim)}"]
    for typevar in module.typevars:
        bounds = [typevar.bound] if typevar.bound else typevar.constraints
        limit = f": {' or '.join(map(type_text, bounds))}" if bounds else ""
        yield typevar.name, [f"  type parameter {typevar.name}{limit}"]
    for alias in module.aliases:
        yield alias.name, [f"  alias {alias.name} = {type_text(alias.type)}"]
    for enum in module.enums:
        yield (
            enum.name,
            [
                f"  {enum.kind} {enum.name}{_former_names_comment(enum)}",
                *map(_member, enum.members),
            ],
        )
    for node in module.classes:
        yield node.name, _class(node)
    for function in module.functions:
        yield function.name, [_function(function, "  function")]


def _member(member: Member) -> str:
    value = "auto()" if member.value is None else value_text(member.value)
    return f"    {member.name} = {value}{_former_names_comment(member)}"


def _former_names_comment(one: Dimension | Enum | Member | Class) -> str:
    return f"  # was {', '.join(one.was)}" if one.was else ""


def _class(node: Class) -> Iterator[str]:
    options = [f"from {type_text(node.base)}"] if node.base else []
    options += [f"mixin {type_text(mixin)}" for mixin in node.mixins]
    options += [f"dims {' '.join(node.dims)}"] if node.dims else []
    options += [f"types {' '.join(node.type_parameters)}"] if node.type_parameters else []
    options += ["abstract"] if node.abstract else []
    options += [] if node.eq else ["eq=False"]
    options += [] if node.init else ["init=False"]
    if node.kw_only is not None:
        options += ["kw_only" if node.kw_only else "positional"]
    options += ["draft"] if node.draft else []
    options += [f"use {node.use}"] if node.use else []
    options += [f"registration {node.registration}"] if node.registration else []
    options += ["sort_leaves"] if node.sort_leaves else []
    yield (
        f"  class {node.ref.name}"
        + (f" ({', '.join(options)})" if options else "")
        + _former_names_comment(node)
    )
    for constant in node.constants:
        yield f"    constant {constant.name}: {type_text(constant.type)} = " + value_text(
            constant.value
        )
    for field in node.fields:
        yield _field(field, node)
    for method in node.methods:
        yield _function(method, f"    {method.kind}")
    if node.reserved:
        yield f"    reserved {' '.join(one.name for one in node.reserved)}"
    for share in node.shares:
        yield "    share " + " ".join(".".join(path.parts) for path in share.paths)


def _field(field: Field, node: Class) -> str:
    default = f" = {value_text(field.default)}" if field.default is not None else ""
    notes = [] if field.owner == node.ref else [f"from {field.owner}"]
    notes += [f"convert {_format_path(field.convert)}"] if field.convert else []
    notes += [f"init {_initializer(field.init)}"] if field.init else []
    notes += [f"spec {field.spec!a}"] if field.spec is not None else []
    notes += [f"was {' '.join(field.was)}"] if field.was else []
    notes += [f"tag {field.tags!a}"] if field.tags else []
    notes += [f"doc {field.doc!a}"] if field.doc else []
    note = f"  # {', '.join(notes)}" if notes else ""
    return f"    {field.role} {field.name}: {type_text(field.type)}{default}{note}"


def _format_path(path: FunctionPath) -> str:
    return f"{path.module}:{path.attribute}"


def _initializer(init: Initializer | FunctionPath) -> str:
    if isinstance(init, FunctionPath):
        return _format_path(init)
    if init.arguments is None:
        return init.name
    keywords = [f"{name}={value_text(value)}" for name, value in init.keywords]
    return f"{init.name}({', '.join([*map(value_text, init.arguments), *keywords])})"


def _function(node: Function, what: str) -> str:
    parameters: list[str] = []
    for parameter in node.parameters:
        if parameter.keyword_only and "*" not in parameters:
            parameters.append("*")
        inner = type_text(parameter.type)
        default = f" = {value_text(parameter.default)}" if parameter.default is not None else ""
        annotation = f"{parameter.role}[{inner}]" if parameter.role else inner
        parameters.append(f"{parameter.name}: {annotation}{default}")
    flags = ", keep_unused" if node.impl.keep_unused else ""
    flags += ", inline" if node.impl.inline else ""
    options = dict(node.impl.compiler_options)
    flags += f", compiler_options={options}" if options else ""
    flags += "" if node.impl.checks else ", checks=False"
    flags += f", traces={node.impl.traces}" if node.impl.traces else ""
    result = type_text(node.returns)
    return f"{what} {node.name}({', '.join(parameters)}) -> {result} = {node.impl.path}{flags}"
