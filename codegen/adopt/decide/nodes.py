r"""The schemas to write: their syntax tree, and its text.

    SchemaModule("plate", "heat.plate", "...", (SchemaClass("Plate", fields=(SchemaField(...),)),))

Types and defaults are text in the schema language. A name that must be imported is marked:
"\\0jax:Array\\0 | None". Its name in the file is chosen when the file is written.

`format_schema` writes that text.
"""

from __future__ import annotations

import keyword
import re
import textwrap
from collections.abc import Iterator, Mapping
from itertools import groupby

from msgspec import Struct, field

from codegen.program.names import relative_path
from codegen.schema.names import BUILTIN_NAMES

NAME_MARK = "\0"


def mark_name(module: str, name: str) -> str:
    """Return the mark for a name of a module: of the language, Python, or an adopted class."""
    return f"{NAME_MARK}{module}:{name}{NAME_MARK}"


class SchemaField(Struct, frozen=True):
    """A field of a schema."""

    name: str
    role: str
    type: str
    default: str = ""
    options: Mapping[str, str] = field(default_factory=dict[str, str])
    """The arguments of `field(...)`. Example: {"factory": '"heat.plate:zeros"'}"""
    doc: str = ""
    comments_above: tuple[str, ...] = ()
    """The lines of comments above it."""


class SchemaClass(Struct, frozen=True):
    """A class of a schema."""

    name: str
    full_name: str  # of the class that it replaces
    bases: tuple[str, ...]
    options: Mapping[str, str]
    """The options in the class header. Example: {"kw_only": "True"}"""
    doc: str
    fields: tuple[SchemaField, ...]
    dimensions: tuple[str, ...] = ()
    """Its dimension parameters."""


class SchemaModule(Struct, frozen=True):
    """A schema file."""

    name: str  # relative to the schema folder. Example: "envs.cart"
    source: str  # the module that defined its classes. Example: "gym.envs.cart"
    doc: str
    classes: tuple[SchemaClass, ...]
    parameters: tuple[str, ...] = ()
    """Its TypeVars."""
    dimensions: tuple[str, ...] = ()
    """The dimensions of its classes."""


class Note(Struct, frozen=True):
    """A remark in the report about a class that is adopted."""

    kind: str  # Example: "not observed"
    name: str
    path: str = field(name="file")
    line: int
    why: str


class Factory(Struct, frozen=True):
    """A function to add to a source. It creates the default of a field."""

    name: str  # Example: "_plate_u_default"
    module: str
    owner: str  # the class. Example: "heat.plate.Plate"
    expression: str  # Example: "jnp.zeros(3)"
    is_shared: bool = False
    """Whether all objects share one value, created at import, as with a default."""


class Decision(Struct, frozen=True):
    """The decision for a package."""

    modules: tuple[SchemaModule, ...]
    notes: tuple[Note, ...] = ()
    factories: tuple[Factory, ...] = ()


MARKED_NAME = re.compile(f"{NAME_MARK}([^{NAME_MARK}:]*):([^{NAME_MARK}]*){NAME_MARK}")
_LINE_MAX = 100
INDENT = "    "
_PYTHON = ("collections.abc", "typing", "enum")


def format_schema(module: SchemaModule, homes: Mapping[str, str]) -> str:
    """Return the text of a schema file; `homes` maps each adopted class to its schema."""
    body = "\n\n".join(_format_class(one) for one in module.classes)
    imported = _SchemaImports(module, homes)
    head = [_format_docstring(module.doc or f"From `{module.source}`.", "")]
    body = MARKED_NAME.sub(lambda match: imported.local_name(match[1], match[2]), body)
    imports = list(imported.lines(needs_type_variable=bool(module.parameters)))
    variables = [f'{name} = TypeVar("{name}")' for name in module.parameters]
    variables += [f"{name} = Dim()" for name in module.dimensions]
    parts = ["\n".join(head), "\n\n".join(imports), "\n".join(variables), body]
    return "\n\n".join(part for part in parts if part) + "\n"


def _format_class(one: SchemaClass) -> str:
    options = [f"{name}={value}" for name, value in one.options.items()]
    inside = ", ".join([*one.bases, *options])
    lines = [f"class {one.name}({inside}):" if inside else f"class {one.name}:"]
    lines.append(_format_docstring(one.doc or f"From `{one.full_name}`.", "    "))
    lines += ["", *(_format_field(each) for each in one.fields)] if one.fields else []
    return "\n".join(lines)


def _format_field(each: SchemaField) -> str:
    line = f"    {each.name}: {each.role}[{each.type}]"
    if each.options:
        options = ", ".join(f"{name}={value}" for name, value in each.options.items())
        default = f"default={each.default}, " if each.default else ""
        line += f" = {NAME_MARK}codegen.schema:field{NAME_MARK}({default}{options})"
    elif each.default:
        line += f" = {each.default}"
    doc = _format_comment(" ".join(each.doc.split()))
    above = [
        f"    # {_format_comment(one.lstrip('#').strip())}".rstrip() for one in each.comments_above
    ]
    return "\n".join([*above, f"{line}  # {doc}" if doc else line])


def _format_comment(text: str) -> str:
    """Return text for a comment, without directives that codegen would read."""
    plain = "".join(one for one in text if one.isprintable())
    return "" if plain.startswith("codegen:") else plain


def _format_docstring(text: str, indent: str) -> str:
    plain = textwrap.dedent(text).strip().replace("\\", "\\\\").replace('"""', r"\"\"\"")
    plain = "".join(one for one in plain if one.isprintable() or one == "\n")
    lines = [f"{indent}{line}".rstrip() for line in plain.split("\n")]
    if plain.endswith('"'):
        lines[-1] = f'{lines[-1][:-1]}\\"'
    first = f'{indent}"""{lines[0].lstrip()}'
    if len(lines) == 1:
        return f'{first}"""'
    return "\n".join([first, *lines[1:], f'{indent}"""'])


class _SchemaImports:
    """The imports of a file, and the local name of each import."""

    def __init__(self, module: SchemaModule, homes: Mapping[str, str]) -> None:
        self._module = module
        self._homes = homes
        own = {one.name for one in module.classes} | {*module.parameters}
        fields = {each.name for one in module.classes for each in one.fields}
        self._taken = own | {"TypeVar", "Dim", *module.dimensions, *fields}
        self._imports: dict[str, dict[str, str]] = {}  # module -> name -> local name
        self._own = {one.full_name: one.name for one in module.classes}

    def local_name(self, module: str, name: str) -> str:
        """Return the local name for a marked name."""
        if not name:
            if module in self._own:
                return self._own[module]
            source, name = self._homes[module], module.rpartition(".")[2]
            module = relative_path(self._module.name, source)
        known = self._imports.setdefault(module, {})
        if name not in known:
            known[name] = self._free(module, name)
            self._taken.add(known[name])
        return known[name]

    def _free(self, module: str, name: str) -> str:
        own = {one.name for one in self._module.classes}
        if name not in self._taken and not (name in own or keyword.iskeyword(name)):
            return name
        last = module.rpartition(".")[2] or "schema"
        called, count = f"{last.strip('_')}_{name}", 1
        while called in self._taken or called in BUILTIN_NAMES:
            count += 1
            called = f"{last.strip('_')}_{name}_{count}"
        return called

    def lines(self, *, needs_type_variable: bool) -> Iterator[str]:
        """Yield the import statements; those of the language and Python come before schemas."""
        imports = {module: dict(names) for module, names in self._imports.items()}
        if needs_type_variable:
            imports.setdefault("typing", {})["TypeVar"] = "TypeVar"
        for role in ("static", "dynamic"):
            if any(each.role == role for one in self._module.classes for each in one.fields):
                imports.setdefault("codegen.schema", {})[role] = role
        if self._module.dimensions:
            imports.setdefault("codegen.schema", {})["Dim"] = "Dim"
        ordered = sorted(imports, key=lambda one: (_group(one), one.startswith("."), one))
        for _, modules in groupby(ordered, key=_group):
            every = {one: dict(sorted(imports[one].items())) for one in modules}
            yield "\n".join(format_import(one, names) for one, names in every.items())


def _group(module: str) -> int:
    """Return the place of a module's group of imports: Python, the language, schemas."""
    return 0 if module in _PYTHON else 1 if module == "codegen.schema" else 2


def format_import(
    module: str, names: Mapping[str, str], line_max: int = _LINE_MAX, comment: str = ""
) -> str:
    """Return an import of names with their local names; in parentheses if the line is too long."""
    parts = [name if name == local else f"{name} as {local}" for name, local in names.items()]
    line = f"from {module} import {', '.join(parts)}"
    if len(line) <= line_max:
        return line + comment
    inner = "".join(f"{INDENT}{part},\n" for part in parts)
    return f"from {module} import ({comment}\n{inner})"
