"""The meaning of each name of each module, across modules.

from .materials import Material
names.find("Material")    ->    Symbol("class", Ref("materials", "Material"), ClassDecl(...))
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterable, Mapping
from functools import partial
from typing import TypeAlias

from msgspec import Struct, field
from msgspec.structs import replace

from codegen.diagnostics import Code
from codegen.diagnostics.suggest import did_you_mean
from codegen.schema.imports import absolute_module
from codegen.schema.nodes import KINDS, Decl, Import, Kind, ModuleDecl, Ref, declarations
from codegen.schema.scope import Refused, Scope, attempt
from codegen.schema.stub import dotted, name_of
from codegen.schema.vocabulary import LanguageWord

_PYTHON = "a relative import must name another schema. Import a Python module without the dots"


class Symbol(Struct, frozen=True):
    """A declaration of the program."""

    kind: Kind
    ref: Ref
    decl: Decl


class ExternalName(Struct, frozen=True):
    """A name from outside the program; attribute "" is the module itself."""

    module: str
    attribute: str


Meaning: TypeAlias = LanguageWord | Symbol | ExternalName


class NameTable(Scope, kw_only=True):
    """The names of one module, and the mistakes found in it."""

    module: ModuleDecl
    meanings: dict[str, Meaning] = field(default_factory=dict[str, Meaning])
    own: frozenset[str] = frozenset()  # the dimension parameters of the current class
    # The declarations of all modules, by module and name.
    symbols: Mapping[str, Mapping[str, Symbol]] = field(
        default_factory=dict[str, dict[str, Symbol]]
    )

    def in_class(self, dims: Iterable[str]) -> NameTable:
        """Return the names in a class with these dimension parameters."""
        return replace(self, own=frozenset(dims))

    def find(self, expr: ast.expr | str) -> Meaning | None:
        """Return the meaning of a local name."""
        return self.meanings.get(expr if isinstance(expr, str) else name_of(expr))

    def symbol(self, expr: ast.expr | str, *kinds: Kind) -> Symbol | None:
        """Return the declaration that a local name means, of one of these kinds if any
        are given.
        """
        meaning = self.find(expr)
        if isinstance(meaning, Symbol) and (not kinds or meaning.kind in kinds):
            return meaning
        return None

    def is_refused(self, expr: ast.expr | str) -> bool:
        """Return whether the import of a name was refused, so that its uses are not reported."""
        meaning = self.find(expr)
        return isinstance(meaning, LanguageWord) and meaning.kind == "unknown"

    def external(self, expr: ast.expr) -> ExternalName | None:
        """Return what an absolutely imported name, or an attribute of one, refers to."""
        path = dotted(expr)
        meaning = self.find(path[0])
        if not isinstance(meaning, ExternalName):
            return None
        if meaning.attribute:
            return ExternalName(meaning.module, ".".join([meaning.attribute, *path[1:]]))
        # `import a.b` binds `a`, and `a.b.C` is in `a.b`.
        plain = {i.module for i in self.module.imports if not (i.level or i.attribute)}
        for count in range(len(path) - 1, 1, -1):
            if (longest := ".".join(path[:count])) in plain:
                return ExternalName(longest, ".".join(path[count:]))
        return ExternalName(meaning.module, ".".join(path[1:]))

    def import_advice(self, name: str) -> str:
        """Advise to import a type that another schema declares; empty if none does."""
        here = self.module.name
        lines = [
            f"`from {relative_path(here, other)} import {name}`"
            for other, symbols in self.symbols.items()
            if other != here
            and name in symbols
            and symbols[name].kind in ("class", "enum", "alias")
        ]
        return f"add {' or '.join(lines[:3])}" if lines else ""

    def report_undefined(self, name: ast.Name, advice: str, label: str = "unknown name") -> Refused:
        """Report an undefined name, once."""
        message = f"`{name.id}` is not defined"
        self.add_once(Code.UNKNOWN_NAME, name.id, name, message, label, advice)
        return Refused()

    def candidates(self, *kinds: str) -> list[str]:
        """Return the local names of these kinds, for suggestions."""
        return [
            name
            for name, meaning in self.meanings.items()
            if isinstance(meaning, ExternalName) or meaning.kind in kinds
        ]


def symbols_of(module: ModuleDecl) -> dict[str, Symbol]:
    """Return the declarations of one module by name."""
    return {
        decl.name: Symbol(KINDS[type(decl)], Ref(module.name, decl.name), decl)
        for decl in declarations(module)
    }


def resolve_names(
    modules: tuple[ModuleDecl, ...], folders: frozenset[str] = frozenset()
) -> dict[str, NameTable]:
    """Resolve the names of every module, and report imports that cannot be resolved.

    `folders` are the names under which the schema root and the output may be imported:
    "plates.generated".
    """
    known = _Modules({module.name: (module, symbols_of(module)) for module in modules}, folders)
    resolved: dict[str, NameTable] = {}
    symbols = {name: symbols for name, (_, symbols) in known.modules.items()}
    for module in modules:
        names = NameTable(module.source, dict(module.words), module=module, symbols=symbols)
        names.meanings.update(module.words)
        for imported in module.imports:
            meaning = attempt(partial(_resolve_import, names, known), imported)
            # An import that cannot be resolved still binds its name, or each use would be reported.
            names.meanings[imported.name] = meaning or LanguageWord("unknown", imported.name)
        names.meanings.update(known.modules[module.name][1])
        resolved[module.name] = names
    return resolved


class _Modules(Struct, frozen=True):
    """The modules of the program, with the declarations of each by name, and the folders around
    them.
    """

    modules: Mapping[str, tuple[ModuleDecl, Mapping[str, Symbol]]]
    folders: frozenset[str]


def _resolve_import(names: NameTable, known: _Modules, decl: Import) -> ExternalName | Symbol:
    return (
        _resolve_from_other_schema(names, known, decl)
        if decl.level
        else _resolve_absolute(names, known, decl)
    )


def _resolve_absolute(names: NameTable, known: _Modules, decl: Import) -> ExternalName:
    """Resolve a name of a Python module. `from schemas.steel import Steel` names another schema."""
    path = f"{decl.module}.{decl.attribute}"
    for folder in sorted(known.folders):
        below = path.removeprefix(f"{folder}.") if path.startswith(f"{folder}.") else ""
        for target in (below, below.rpartition(".")[0]):
            if target in known.modules:
                name = "Name" if target == below else decl.attribute
                advice = f"write `from {relative_path(names.module.name, target)} import {name}`"
                if target == names.module.name:
                    advice = f"remove the import: `{target}` is this module"
                message = f"the schema module `{target}` is imported through the folder `{folder}`"
                label = "schemas import each other relatively"
                raise names.refused(Code.UNKNOWN_MODULE, decl.span, message, label, advice)
    return ExternalName(decl.module, decl.attribute)


def _resolve_from_other_schema(names: NameTable, known: _Modules, decl: Import) -> Symbol:
    """Resolve a declaration of another schema."""
    importer = names.module.name
    target = absolute_module(importer, decl.level, decl.module)
    path = "." * decl.level + decl.module
    if target is None:
        message = f"the import of `{decl.attribute}` from `{path}` leaves the schema folder"
        raise _unknown_module(names, decl, message, _PYTHON)
    if target in known.modules:
        module, symbols = known.modules[target]
        if decl.attribute in symbols:
            return symbols[decl.attribute]
        raise _unknown_name(names, decl, module, symbols)
    if f"{target}.{decl.attribute}".lstrip(".") in known.modules:
        dot = "" if path.endswith(".") else "."
        raise names.refused(
            Code.UNKNOWN_NAME,
            decl.span,
            f"the schema module `{decl.attribute}` cannot be imported as a whole",
            label="a module",
            advice=f"write `from {path}{dot}{decl.attribute} import Name`",
        )
    others = [relative_path(importer, name) for name in known.modules if name != importer]
    nearest = did_you_mean(path, others, _PYTHON)
    raise _unknown_module(names, decl, f"there is no schema module `{path}`", nearest)


def _unknown_module(names: NameTable, decl: Import, message: str, advice: str) -> Refused:
    key, label = f"{decl.level} {decl.module}", "no schema at this path"
    names.add_once(Code.UNKNOWN_MODULE, key, decl.span, message, label, advice)
    return Refused()


def _unknown_name(
    names: NameTable, decl: Import, target: ModuleDecl, known: Collection[str]
) -> Refused:
    """Report a name that a module does not declare."""
    advice = did_you_mean(
        decl.attribute,
        known,
        f"import `{decl.attribute}` from the schema that declares it, or declare it in "
        f"`{target.source.path}`",
    )
    return names.refused(
        Code.UNKNOWN_NAME,
        decl.span,
        f"the schema module `{target.name}` does not declare `{decl.attribute}`",
        label="not declared there",
        advice=advice,
    )


def relative_path(importer: str, module: str) -> str:
    """Return the relative path from one module to another. Example: "a.b" names "materials" as
    "..materials".
    """
    here, there = importer.split(".")[:-1], module.split(".")
    shared = 0
    while shared < min(len(here), len(there) - 1) and here[shared] == there[shared]:
        shared += 1
    return "." * (len(here) - shared + 1) + ".".join(there[shared:])
