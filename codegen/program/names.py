"""What each name of each module stands for, across modules.

    from .materials import Material    ->    Names("heat").find("Material") == Symbol("class", Ref("materials", "Material"), ...)
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias

from codegen.diagnostics.codes import Code
from codegen.program.types import Ref
from codegen.schema.nodes import (
    AliasDecl,
    ClassDecl,
    DimDecl,
    EnumDecl,
    FunctionDecl,
    ImportDecl,
    ModuleDecl,
    TypeVarDecl,
)
from codegen.schema.scope import Scope, did_you_mean
from codegen.schema.vocabulary import Word

Decl: TypeAlias = DimDecl | AliasDecl | TypeVarDecl | EnumDecl | ClassDecl | FunctionDecl


@dataclass(frozen=True, slots=True)
class Symbol:
    """A declaration of the program."""

    kind: Literal["dimension", "alias", "type parameter", "enum", "class", "function"]
    ref: Ref
    decl: Decl


@dataclass(frozen=True, slots=True)
class Outside:
    """A name from outside the program, imported absolutely; attribute "" is the module itself."""

    module: str
    attribute: str


Meaning: TypeAlias = Word | Symbol | Outside


@dataclass(frozen=True, slots=True)
class Names:
    """The names of one module."""

    module: ModuleDecl
    scope: Scope
    meanings: Mapping[str, Meaning]

    def find(self, name: str) -> Meaning | None:
        """Return what a local name stands for."""
        return self.meanings.get(name)

    def candidates(self, *kinds: str) -> list[str]:
        """Return the local names of these kinds, for suggestions."""
        return sorted(
            name
            for name, meaning in self.meanings.items()
            if isinstance(meaning, Outside) or meaning.kind in kinds
        )


def declared(module: ModuleDecl) -> dict[str, Symbol]:
    """Return the declarations of one module by name."""
    symbols: dict[str, Symbol] = {}
    kinds: tuple[tuple[str, tuple[Decl, ...]], ...] = (
        ("dimension", module.dims),
        ("alias", module.aliases),
        ("type parameter", module.typevars),
        ("enum", module.enums),
        ("class", module.classes),
        ("function", module.functions),
    )
    for kind, decls in kinds:
        for decl in decls:
            symbols[decl.name] = Symbol(kind, Ref(module.name, decl.name), decl)  # type: ignore[arg-type]
    return symbols


def resolve_names(modules: tuple[ModuleDecl, ...]) -> dict[str, Names]:
    """Return the names of every module; relative imports that lead nowhere are reported in its scope."""
    symbols = {module.name: declared(module) for module in modules}
    resolved: dict[str, Names] = {}
    for module in modules:
        scope = Scope(module.source, dict(module.words))
        meanings: dict[str, Meaning] = dict(module.words)
        for imported in module.imports:
            meaning = _import(scope, module.name, imported, symbols)
            # One that leads nowhere is known all the same, or each of its uses would be reported.
            meanings[imported.name] = meaning or Word("unknown", imported.name)
        meanings.update(symbols[module.name])
        resolved[module.name] = Names(module, scope, meanings)
    return resolved


def absolute_module(importer: str, level: int, module: str) -> str | None:
    """Return the dotted name behind a relative import; None where it leaves the schema root.

    A module "a.b" that says `from .c import X` means "a.c"; `from ..c` means "c".
    """
    packages = importer.split(".")[:-1]
    if level - 1 > len(packages):
        return None
    kept = packages[: len(packages) - (level - 1)]
    return ".".join([*kept, *([module] if module else [])])


def _import(
    scope: Scope, importer: str, decl: ImportDecl, symbols: dict[str, dict[str, Symbol]]
) -> Meaning | None:
    if decl.level == 0:
        return Outside(decl.module, decl.attribute)
    target = absolute_module(importer, decl.level, decl.module)
    if target is None:
        scope.add(
            Code.UNKNOWN_MODULE,
            decl.span,
            f"the import of `{decl.attribute}` leaves the schema root",
            f"{decl.level} dots from the module `{importer}`",
            "a relative import names another schema; Python modules are imported absolutely",
        )
        return None
    if f"{target}.{decl.attribute}".lstrip(".") in symbols and not decl.module:
        scope.add(
            Code.UNKNOWN_NAME,
            decl.span,
            f"`{decl.attribute}` is a schema module, and modules are not imported whole",
            "",
            f"write `from {'.' * decl.level}{decl.attribute} import Name`",
        )
        return None
    if target not in symbols:
        dots = "." * decl.level
        scope.add(
            Code.UNKNOWN_MODULE,
            decl.span,
            f"there is no schema module `{dots}{decl.module}`",
            "",
            did_you_mean(
                target,
                sorted(symbols),
                "a relative import names another schema; Python modules are imported absolutely",
            ),
        )
        return None
    if decl.attribute not in symbols[target]:
        scope.add(
            Code.UNKNOWN_NAME,
            decl.span,
            f"the schema module `{target}` declares no `{decl.attribute}`",
            "",
            did_you_mean(decl.attribute, sorted(symbols[target])),
        )
        return None
    return symbols[target][decl.attribute]
