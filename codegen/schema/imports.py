"""Read imports: words of the language, names of other schemas, names of Python modules.

from codegen.schema import f32 as single     ->    scope.words["single"] == Word("dtype", "f32")
from .materials import Material              ->    Import("Material", "materials", level=1, ...)
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from codegen.diagnostics import Code
from codegen.diagnostics.suggest import did_you_mean
from codegen.schema.names import PREFIX
from codegen.schema.nodes import Import
from codegen.schema.scope import Scope, import_help, listed
from codegen.schema.stub import bound
from codegen.schema.vocabulary import (
    BUILTINS,
    HABITS,
    INITIALIZERS,
    MODULES,
    ROLES,
    VOCABULARY,
    WORDS_OF_MODULE,
    Word,
    instead,
    short_dtype,
)

# Modules with words of the language and nothing else that a schema could use.
_CLOSED = ("codegen.schema", "typing", "typing_extensions", "enum")


def decode_imports(scope: Scope, body: Iterable[ast.stmt]) -> Iterator[Import]:
    """Learn which words of the language are imported; give the imports of everything else."""
    for statement in body:
        if isinstance(statement, ast.Import):
            for item in statement.names:
                yield from _module(scope, item)
        elif isinstance(statement, ast.ImportFrom):
            if _is_of_generator(statement):
                _from_elsewhere(scope, statement, "nothing of `codegen` itself is for schemas")
                continue
            role = _misplaced_role(statement)
            if role is not None:
                what = f"`{role}` is a word of `codegen.schema`, and not of `{statement.module}`"
                _from_elsewhere(scope, statement, what)
                continue
            if _is_itself(scope, statement):
                _from_itself(scope, statement)
                continue
            for item in statement.names:
                yield from _name(scope, statement, item)


def _is_of_generator(statement: ast.ImportFrom) -> bool:
    """Say whether it imports from `codegen`, or from a module of it but the language."""
    head, _, rest = (statement.module or "").partition(".")
    return statement.level == 0 and head == "codegen" and rest != "schema"


def _misplaced_role(statement: ast.ImportFrom) -> str | None:
    """The first role that is imported as if another Python module had it: `from shema import static`."""
    if statement.level > 0 or statement.module in WORDS_OF_MODULE:
        return None
    return next((item.name for item in statement.names if item.name in ROLES), None)


def _from_elsewhere(scope: Scope, statement: ast.ImportFrom, message: str) -> None:
    """Report `from codegen import f32`, once; its words are what they were meant to be."""
    meant = [item for item in statement.names if item.name in VOCABULARY]
    scope.words.update((bound(i), Word("unknown", i.name)) for i in statement.names)
    scope.words.update((bound(i), Word(VOCABULARY[i.name], i.name)) for i in meant)
    names = [i.name if i.name == bound(i) else f"{i.name} as {bound(i)}" for i in meant]
    scope.add(
        Code.UNKNOWN_NAME,
        statement,
        message,
        label="the language is `codegen.schema`",
        advice=f"write `from codegen.schema import {', '.join(names) or 'dynamic, f32'}`",
    )


def _is_itself(scope: Scope, statement: ast.ImportFrom) -> bool:
    *packages, own = scope.source.module.split(".")
    # Below a relative import's dots stand the folders that it has not left.
    kept = packages[: len(packages) - (statement.level - 1)]
    written = [*kept, *(statement.module or "").split(".")]
    return 0 < statement.level <= len(packages) + 1 and written == [*packages, own]


def _from_itself(scope: Scope, statement: ast.ImportFrom) -> None:
    """Report `from .heat import Grid` in `heat.pyi`; its names are not looked for, nor are they twice."""
    scope.add(
        Code.UNKNOWN_MODULE,
        statement,
        f"the schema module `{scope.source.module}` imports from itself",
        label="this module",
        advice="leave it out: a module's own names need no import, in whatever order they stand",
    )
    scope.words.update((bound(i), Word("unknown", i.name)) for i in statement.names)


def _module(scope: Scope, item: ast.alias) -> Iterator[Import]:
    """`import numpy as np`."""
    if item.name in WORDS_OF_MODULE:
        words = list(WORDS_OF_MODULE[item.name])[:2]
        _refuse(
            scope,
            item,
            f"`{item.name}` is imported as a whole",
            "its words are imported by name",
            f"write `from {item.name} import {', '.join(words)}`",
        )
    elif item.name in MODULES:
        _refuse(
            scope,
            item,
            f"a schema has no use for `{item.name}`",
            "of no use here",
            MODULES[item.name],
        )
    else:
        _check_bound(scope, item)
        yield Import(bound(item), item.name, 0, "", span=scope.source.span(item))


def _name(scope: Scope, statement: ast.ImportFrom, item: ast.alias) -> Iterator[Import]:
    """`Material` of `from .materials import Material`."""
    module = (statement.module or "") if statement.level == 0 else ""
    words = WORDS_OF_MODULE.get(module, {})
    if item.name in words:
        scope.words[bound(item)] = Word(words[item.name], item.name)
    elif module == "codegen.schema":
        _refuse_word(scope, item, words)
    elif module in MODULES:
        what = f"a schema has no use for `{module}.{item.name}`"
        _refuse(scope, item, what, "of no use here", _instead(module, item.name))
    elif module == "__future__" and item.name != "annotations":
        what = f"`__future__.{item.name}` is of no use in a schema"
        advice = "leave it out; `from __future__ import annotations` may stand"
        _refuse(scope, item, what, "of no use here", advice)
    elif module in _CLOSED or (words and item.name in HABITS):
        what = f"`{module}.{item.name}` is not part of the schema language"
        _refuse(scope, item, what, "not a word of the language", _instead(module, item.name))
    else:
        _check_bound(scope, item)
        yield Import(
            bound(item),
            statement.module or "",
            statement.level,
            item.name,
            span=scope.source.span(item),
        )


def _instead(module: str, name: str) -> str:
    if name == "field":
        return "the language has its own: `from codegen.schema import field`"
    words = WORDS_OF_MODULE.get(module, {})
    known = f"of `{module}` a schema uses {listed(words)}" if words else instead(module, name)
    return HABITS.get(name) or did_you_mean(name, words, known)


def _refuse_word(scope: Scope, item: ast.alias, words: Iterable[str]) -> None:
    scope.add(
        Code.UNKNOWN_NAME,
        item,
        f"`codegen.schema` has no `{item.name}`",
        label="not a word of the language",
        advice=_needless(item.name)
        or _dtype_help(item.name)
        or import_help(item.name)
        or did_you_mean(item.name, words, "`codegen/schema/__init__.pyi` lists all words"),
    )
    scope.words[bound(item)] = Word("unknown", item.name)


def _needless(name: str) -> str:
    """What to do about the import of what needs none; empty for anything else."""
    if name in BUILTINS:
        return f"leave it out: `{name}` is Python's own, and needs no import"
    if name in INITIALIZERS:
        return (
            f"leave it out: `init` knows `{name}` without an import; for a linter's sake, "
            f"`from jax.nn.initializers import {name}` may stand"
        )
    return ""


def _dtype_help(name: str) -> str:
    short = short_dtype(name)
    return f"dtypes are named as jaxprs name them: write `{short}`" if short else ""


def _refuse(scope: Scope, item: ast.alias, message: str, label: str, advice: str) -> None:
    scope.outside(item, message, label=label, advice=advice)
    # Known as a word without a meaning, so that none of its uses is reported again.
    scope.words[bound(item)] = Word("unknown", item.name)


def _check_bound(scope: Scope, item: ast.alias) -> None:
    """The name stands in the generated module, where some are taken."""
    if bound(item).startswith((PREFIX, "__")):
        scope.add(
            Code.RESERVED_NAME,
            item,
            f"the import binds the reserved name `{bound(item)}`",
            label="reserved for Python or for the generator",
            advice=f"import it under another name: `as {bound(item).strip('_')}`",
        )
