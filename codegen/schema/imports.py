"""Read imports: words of the language, names of other schemas, names of Python modules.

from codegen.schema import f32 as single     ->    scope.words["single"] == LanguageWord("dtype", "f32")
from .materials import Material              ->    Import("Material", "materials", level=1, ...)
"""

from __future__ import annotations

import ast
from collections.abc import Iterable
from functools import partial
from typing import Final

from codegen.diagnostics import Code
from codegen.diagnostics.suggest import did_you_mean
from codegen.schema.names import PREFIX, RUN_TIME
from codegen.schema.nodes import Import
from codegen.schema.scope import Refused, Scope, accepted, listed
from codegen.schema.stub import bound_name
from codegen.schema.vocabulary import (
    BUILTINS,
    HABITS,
    HOME_OF_WORD,
    INITIALIZERS,
    MODULES,
    ROLES,
    VOCABULARY,
    WORDS_OF_MODULE,
    LanguageWord,
    replacement_advice,
    short_dtype,
)

_NO_USE: Final = "a schema cannot use"
_OF_NO_USE: Final = "not usable in a schema"
# Modules that hold only words of the language, and nothing else that a schema could use.
_CLOSED: Final = ("codegen.schema", "typing", "typing_extensions", "enum")


def decode_imports(scope: Scope, body: Iterable[ast.stmt]) -> list[Import]:
    """Learn which words of the language are imported, and return all other imports."""
    imports: list[Import] = []
    for statement in body:
        if isinstance(statement, ast.Import):
            imports += accepted(partial(_module, scope), statement.names)
        elif isinstance(statement, ast.ImportFrom) and not _is_misplaced(scope, statement):
            # A word of the language is not kept as an import, and is not a mistake.
            imports += accepted(partial(_name, scope, statement), statement.names)
    return imports


def _is_misplaced(scope: Scope, statement: ast.ImportFrom) -> bool:
    """Report an import of words from another module, or of names from the module itself."""
    module = statement.module or ""
    head, _, rest = module.partition(".")
    if statement.level == 0 and head == "codegen" and rest != "schema":
        _report_words_from_elsewhere(scope, statement, f"a schema cannot import from `{module}`")
        return True
    roles = [item.name for item in statement.names if item.name in ROLES]
    if statement.level == 0 and module not in WORDS_OF_MODULE and roles:
        what = f"`{roles[0]}` is a name of `codegen.schema`, not of `{module}`"
        _report_words_from_elsewhere(scope, statement, what)
        return True
    own = scope.source.module
    if statement.level and absolute_module(own, statement.level, module) == own:
        _report_import_of_itself(scope, statement)
        return True
    return False


def absolute_module(importer: str, level: int, module: str) -> str | None:
    """Return the dotted name of a relative import's module; None where it leaves the schema root.

    In a module "a.b", `from .c import X` means "a.c", and `from ..c` means "c".
    """
    packages = importer.split(".")[:-1]
    if level - 1 > len(packages):
        return None
    parents = packages[: len(packages) - (level - 1)]
    return ".".join([*parents, *([module] if module else [])])


def _report_words_from_elsewhere(scope: Scope, statement: ast.ImportFrom, message: str) -> None:
    """Report `from codegen import f32`, once. Its words count as the words of the language."""
    meant = [item for item in statement.names if item.name in VOCABULARY]
    scope.words.update((bound_name(i), LanguageWord("unknown", i.name)) for i in statement.names)
    scope.words.update((bound_name(i), LanguageWord(VOCABULARY[i.name], i.name)) for i in meant)
    scope.add(
        Code.UNKNOWN_NAME,
        statement,
        message,
        label="the schema language is in `codegen.schema`",
        advice=f"write `from codegen.schema import {', '.join(i.name for i in meant) or 'dynamic, f32'}`",
    )


def _report_import_of_itself(scope: Scope, statement: ast.ImportFrom) -> None:
    """Report `from .heat import Grid` in `heat.pyi`. Its names are not looked up, and are not
    duplicates.
    """
    scope.add(
        Code.UNKNOWN_MODULE,
        statement,
        f"the schema module `{scope.source.module}` imports from itself",
        label="this module",
        advice="remove the import: a module can use its own names without an import, in any order",
    )
    scope.words.update((bound_name(i), LanguageWord("unknown", i.name)) for i in statement.names)


def _module(scope: Scope, item: ast.alias) -> Import:
    """`import numpy as np`."""
    if item.name in WORDS_OF_MODULE:
        words = list(WORDS_OF_MODULE[item.name])[:2]
        what, label = f"`{item.name}` is imported as a whole", "import its names instead"
        advice = f"write `from {item.name} import {', '.join(words)}`"
        raise _refuse_import(scope, item, what, label, advice)
    if item.name in MODULES:
        raise _refuse_import(
            scope, item, f"{_NO_USE} `{item.name}`", _OF_NO_USE, MODULES[item.name]
        )
    _check_bound(scope, item)
    return Import(bound_name(item), item.name, 0, "", span=scope.source.span(item))


def _name(scope: Scope, statement: ast.ImportFrom, item: ast.alias) -> Import:
    """`Material` of `from .materials import Material`."""
    module = (statement.module or "") if statement.level == 0 else ""
    words = WORDS_OF_MODULE.get(module, {})
    what = f"`{module}.{item.name}` is not part of the schema language"
    label, advice = "not a name of the schema language", ""
    if item.name in words:
        scope.words[bound_name(item)] = LanguageWord(words[item.name], item.name)
        raise Refused
    if module == "codegen.schema":
        raise _refuse_words(scope, item, words)
    if module in MODULES:
        what, label = f"{_NO_USE} `{module}.{item.name}`", _OF_NO_USE
        advice = _schema_import_advice(module, item.name)
    elif module == "__future__" and item.name != "annotations":
        what, label = f"a schema cannot use `__future__.{item.name}`", _OF_NO_USE
        advice = "remove this import: only `from __future__ import annotations` is allowed"
    elif module in _CLOSED or (words and item.name in HABITS):
        advice = _schema_import_advice(module, item.name)
    if advice:
        raise _refuse_import(scope, item, what, label, advice)
    _check_bound(scope, item)
    name, span = item.name, scope.source.span(item)
    return Import(bound_name(item), statement.module or "", statement.level, name, span=span)


def _schema_import_advice(module: str, name: str) -> str:
    if name == "field":
        return "use the `field` of the schema language: `from codegen.schema import field`"
    words = WORDS_OF_MODULE.get(module, {})
    known = (
        f"a schema can use these names of `{module}`: {listed(words)}"
        if words
        else replacement_advice(module, name)
    )
    return HABITS.get(name) or did_you_mean(name, words, known)


def _refuse_words(scope: Scope, item: ast.alias, words: Iterable[str]) -> Refused:
    scope.words[bound_name(item)] = LanguageWord("unknown", item.name)
    return scope.refused(
        Code.UNKNOWN_NAME,
        item,
        f"`codegen.schema` has no `{item.name}`",
        label="not a name of the schema language",
        advice=_import_advice(item.name)
        or HABITS.get(item.name)
        or did_you_mean(item.name, words, "`codegen/schema/__init__.pyi` lists all names"),
    )


def _import_advice(name: str) -> str:
    """Return the advice for a name that is imported from another module, or needs no import."""
    if name in BUILTINS or name in INITIALIZERS:
        return f"remove `{name}` from the import: a schema uses this name without an import"
    if name in HOME_OF_WORD:
        return f"add `from {HOME_OF_WORD[name]} import {name}`"
    short = short_dtype(name)
    return f"write `{short}`: dtypes have the names that jaxprs use" if short else ""


def _refuse_import(scope: Scope, item: ast.alias, message: str, label: str, advice: str) -> Refused:
    # Kept as a word without a meaning, so that none of its uses is reported again.
    scope.words[bound_name(item)] = LanguageWord("unknown", item.name)
    return scope.outside_language(item, message, label=label, advice=advice)


def _check_bound(scope: Scope, item: ast.alias) -> None:
    """Report a name that the generated module itself uses."""
    if bound_name(item).startswith((PREFIX, "__")) or bound_name(item) == RUN_TIME:
        scope.add(
            Code.RESERVED_NAME,
            item,
            f"the import binds the reserved name `{bound_name(item)}`",
            label="reserved by Python or by generated code",
            advice=f"import `{item.name}` under another name: `as {bound_name(item).strip('_')}`",
        )
