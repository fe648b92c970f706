"""What each name of each module stands for, across modules.

from .materials import Material
names.find("Material")    ->    Symbol("class", Ref("materials", "Material"), ClassDecl(...))
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import TypeAlias

from msgspec import Struct

from codegen.diagnostics import Code
from codegen.diagnostics.suggest import did_you_mean
from codegen.program.types import Ref
from codegen.schema.nodes import (
    KINDS,
    Decl,
    Import,
    Kind,
    ModuleDecl,
    declarations,
)
from codegen.schema.scope import Scope
from codegen.schema.vocabulary import Word

_PYTHON = "a relative import names another schema; Python modules are imported absolutely"


class Symbol(Struct, frozen=True):
    """A declaration of the program."""

    kind: Kind
    ref: Ref
    decl: Decl


class Outside(Struct, frozen=True):
    """A name from outside the program; attribute "" is the module itself."""

    module: str
    attribute: str


Meaning: TypeAlias = Word | Symbol | Outside


class NameTable(Struct, frozen=True):
    """The names of one module."""

    module: ModuleDecl
    scope: Scope
    meanings: Mapping[str, Meaning]

    def find(self, name: str) -> Meaning | None:
        """What a local name stands for."""
        return self.meanings.get(name)

    def below(self, module: str, path: list[str]) -> tuple[str, str]:
        """The module and the name in it: `import a.b` binds `a`, and `a.b.C` is what `a.b` holds."""
        plain = {i.module for i in self.module.imports if not (i.level or i.attribute)}
        for count in range(len(path) - 1, 1, -1):
            if (longest := ".".join(path[:count])) in plain:
                return longest, ".".join(path[count:])
        return module, ".".join(path[1:])

    def candidates(self, *kinds: str) -> list[str]:
        """The local names of these kinds, for suggestions."""
        return [
            name
            for name, meaning in self.meanings.items()
            if isinstance(meaning, Outside) or meaning.kind in kinds
        ]


def declared(module: ModuleDecl) -> dict[str, Symbol]:
    """The declarations of one module by name."""
    return {
        decl.name: Symbol(KINDS[type(decl)], Ref(module.name, decl.name), decl)
        for decl in declarations(module)
    }


def resolve_names(
    modules: tuple[ModuleDecl, ...], folders: frozenset[str] = frozenset()
) -> dict[str, NameTable]:
    """The names of every module; imports that lead nowhere are reported in its scope.

    `folders` are what the schema root and the output may be imported as: "plates.generated".
    """
    symbols = {module.name: declared(module) for module in modules}
    by_name = {module.name: module for module in modules}
    resolved: dict[str, NameTable] = {}
    for module in modules:
        scope = Scope(module.source, dict(module.words))
        meanings: dict[str, Meaning] = dict(module.words)
        for imported in module.imports:
            meaning = None
            if not _is_own_folder(scope, module.name, imported, symbols, folders):
                meaning = _import(scope, module.name, imported, symbols, by_name)
            # One that leads nowhere is known all the same, or each of its uses would be reported.
            meanings[imported.name] = meaning or Word("unknown", imported.name)
        meanings.update(symbols[module.name])
        resolved[module.name] = NameTable(module, scope, meanings)
    return resolved


def absolute_module(importer: str, level: int, module: str) -> str | None:
    """The dotted name behind a relative import; None where it leaves the schema root.

    A module "a.b" that says `from .c import X` means "a.c"; `from ..c` means "c".
    """
    packages = importer.split(".")[:-1]
    if level - 1 > len(packages):
        return None
    kept = packages[: len(packages) - (level - 1)]
    return ".".join([*kept, *([module] if module else [])])


def _import(
    scope: Scope,
    importer: str,
    decl: Import,
    symbols: Mapping[str, Mapping[str, Symbol]],
    modules: Mapping[str, ModuleDecl],
) -> Meaning | None:
    if decl.level == 0:
        return Outside(decl.module, decl.attribute)
    target = absolute_module(importer, decl.level, decl.module)
    written = "." * decl.level + decl.module
    if target is None:
        message = f"the import of `{decl.attribute}` from `{written}` leaves the schema root"
        _unknown_module(scope, decl, message, _PYTHON)
    elif target not in symbols:
        whole = f"{target}.{decl.attribute}".lstrip(".")
        if whole in symbols:
            dot = "" if written.endswith(".") else "."
            scope.add(
                Code.UNKNOWN_NAME,
                decl.span,
                f"`{decl.attribute}` is a schema module, and no module is imported as a whole",
                label="a module",
                advice=f"write `from {written}{dot}{decl.attribute} import Name`",
            )
        else:
            known = {relative(importer, name): name for name in symbols if name != importer}
            nearest = did_you_mean(written, known, _PYTHON)
            _unknown_module(scope, decl, f"there is no schema module `{written}`", nearest)
    elif decl.attribute not in symbols[target]:
        _unknown_name(scope, importer, decl, modules[target], list(symbols[target]))
    else:
        return symbols[target][decl.attribute]
    return None


def _is_own_folder(
    scope: Scope,
    importer: str,
    decl: Import,
    modules: Collection[str],
    folders: frozenset[str],
) -> bool:
    """Report `from schemas.steel import Steel`, which means another schema; whether it does."""
    found = None if decl.level else _below_a_folder(decl, modules, folders)
    if found is None:
        return False
    folder, target, name = found
    advice = f"write `from {relative(importer, target)} import {name or 'Name'}`"
    if target == importer:
        advice = "leave it out: it is this module"
    message = f"the schema module `{target}` is imported through the folder `{folder}`"
    label = "schemas name each other relatively"
    scope.add(Code.UNKNOWN_MODULE, decl.span, message, label=label, advice=advice)
    return True


def _below_a_folder(
    decl: Import, modules: Collection[str], folders: frozenset[str]
) -> tuple[str, str, str] | None:
    """The folder, the schema module and the name in it that an absolute import means."""
    for folder in sorted(folders):
        if decl.module == folder:
            target, name = decl.attribute, ""
        elif decl.module.startswith(f"{folder}."):
            target, name = decl.module.removeprefix(f"{folder}."), decl.attribute
        else:
            continue
        if target in modules:
            return folder, target, name
    return None


def _unknown_module(scope: Scope, decl: Import, message: str, advice: str) -> None:
    key = f"{decl.level} {decl.module}"
    label = "no schema is there"
    scope.add_once(Code.UNKNOWN_MODULE, key, decl.span, message, label=label, advice=advice)


def _unknown_name(
    scope: Scope, importer: str, decl: Import, target: ModuleDecl, names: list[str]
) -> None:
    """A name that a module does not declare; what it imports is to be had where it comes from."""
    passed_on = next((i for i in target.imports if i.name == decl.attribute and i.level), None)
    advice = did_you_mean(decl.attribute, names, f"`{target.source.path}` is where to declare it")
    if passed_on is not None:
        home = absolute_module(target.name, passed_on.level, passed_on.module) or ""
        where = relative(importer, home)
        advice = f"it is declared elsewhere: write `from {where} import {passed_on.attribute}`"
    scope.add(
        Code.UNKNOWN_NAME,
        decl.span,
        f"the schema module `{target.name}` declares no `{decl.attribute}`",
        label="not declared there",
        advice=advice,
    )


def relative(importer: str, module: str) -> str:
    """How one module names another. Example: "a.b" names "materials" as "..materials"."""
    here, there = importer.split(".")[:-1], module.split(".")
    shared = 0
    while shared < min(len(here), len(there) - 1) and here[shared] == there[shared]:
        shared += 1
    return "." * (len(here) - shared + 1) + ".".join(there[shared:])
