"""The meaning of the local names of one stub, as far as its own imports define it, and its
mistakes.

from codegen.schema import f32 as single    ->    scope.word(<single>) == LanguageWord("dtype", "f32")
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import Any, Final, NamedTuple, TypeAlias, TypeVar, cast

from msgspec import Struct, field

from codegen.diagnostics import Code, Diagnostic, Related, Report
from codegen.diagnostics.suggest import did_you_mean
from codegen.schema.stub import Stub, name_of
from codegen.schema.vocabulary import BUILTINS, DECORATORS, LanguageWord
from codegen.source import Located, Source, Span

# Advice does not repeat a longer expression.
SHORT: Final = 40

Where: TypeAlias = Span | Located
Given = TypeVar("Given")
Found = TypeVar("Found")


class Refused(Exception):
    """The expression or statement has a mistake, which is already reported."""


def accepted(read: Callable[[Given], Found], items: Iterable[Given]) -> list[Found]:
    """Read each item, and omit those that are refused."""
    results: list[Found] = []
    for item in items:
        try:
            results.append(read(item))
        except Refused:
            continue
    return results


def each(read: Callable[[Given], Found], items: Iterable[Given]) -> tuple[Found, ...]:
    """Read each item, so that all mistakes are reported.

    Raises:
        Refused: if an item is refused.
    """
    results: list[Found] = []
    refused = None
    for item in items:
        try:
            results.append(read(item))
        except Refused as error:
            refused = error
    if refused is not None:
        raise refused
    return tuple(results)


def attempt(read: Callable[[Given], Found], item: Given) -> Found | None:
    """Read an item; None if it is refused."""
    try:
        return read(item)
    except Refused:
        return None


class Fault(NamedTuple):
    """The texts of one diagnostic."""

    message: str
    label: str
    advice: str


class Option(Struct, frozen=True):
    """An option that takes a literal: which ones, in code and in words, and an example."""

    is_valid: Callable[[object], bool]
    expected: str
    example: str


def flag(example: str) -> Option:
    """Return an option that is either set or not. Example: `flag("kw_only=True")`."""
    return Option(lambda value: isinstance(value, bool), "`True` or `False`", example)


def option_value(node: ast.expr) -> object:
    """Return the value of a literal; a dict of names and literals as its items. Else None."""
    try:
        value: object = ast.literal_eval(node)
    except (ValueError, TypeError):
        return None
    if not isinstance(value, dict):
        return value
    items = tuple(cast("dict[object, object]", value).items())
    is_known = all(isinstance(k, str) and isinstance(v, str | int | float) for k, v in items)
    return items if is_known else None


class Scope(Struct):
    """The words that a stub has imported, and the mistakes found in it so far."""

    source: Source
    words: dict[str, LanguageWord] = field(default_factory=dict[str, LanguageWord])
    declared: frozenset[str] = frozenset()  # the names that the stub declares or imports itself
    stub: Stub | None = None  # None where only names are looked up
    _found: list[Diagnostic] = field(default_factory=list[Diagnostic])
    _firsts: dict[tuple[Code, str], Diagnostic] = field(
        default_factory=dict[tuple[Code, str], Diagnostic]
    )

    def word(self, expr: ast.expr | None) -> LanguageWord | None:
        """Return the word of the language that a name means, if any."""
        return self.words.get(name_of(expr))

    def kind(self, expr: ast.expr | None) -> str:
        """Return the kind of that word; "unknown" for one whose import was refused, "" for none."""
        word = self.word(expr)
        return word.kind if word else ""

    def add(
        self,
        code: Code,
        where: Where,
        message: str,
        label: str,
        advice: str,
        related: tuple[Related, ...] = (),
    ) -> None:
        """Add a mistake."""
        span = where if isinstance(where, Span) else self.source.span(where)
        self.add_diagnostic(Diagnostic(code, span, message, label, advice, related))

    def add_diagnostic(self, diagnostic: Diagnostic) -> None:
        """Add a mistake that is already described."""
        self._found.append(diagnostic)

    def refused(self, code: Code, where: Where, message: str, label: str, advice: str) -> Refused:
        """Add a mistake that leaves nothing to read, and return the exception for the caller to
        raise.
        """
        self.add(code, where, message, label, advice)
        return Refused()

    def outside_language(
        self, where: Where, message: str, *, label: str = "", advice: str
    ) -> Refused:
        """Add a mistake for syntax outside the language; the caller may raise the result."""
        return self.refused(Code.OUTSIDE_LANGUAGE, where, message, label, advice)

    def add_once(
        self, code: Code, name: str, where: Where, message: str, label: str, advice: str
    ) -> None:
        """Add a mistake that counts once: only its first occurrence is reported."""
        span = where if isinstance(where, Span) else self.source.span(where)
        diagnostic = Diagnostic(code, span, message, label, advice)
        first = self._firsts.setdefault((code, name), diagnostic)
        if span.start < first.span.start:
            self._firsts[code, name] = diagnostic

    def unknown_option(
        self,
        keyword: ast.keyword,
        owner: str,
        known: Iterable[str],
        otherwise: str,
        habits: Mapping[str, str] = MappingProxyType({}),
    ) -> None:
        """Report an option that does not exist; `owner` is, for example, "`field` has"."""
        name = keyword.arg or ""
        self.add(
            Code.UNKNOWN_OPTION,
            self.source.name_span(keyword),
            f"{owner} no option `{name}`",
            label="unknown option",
            advice=habits.get(name) or did_you_mean(name, known, otherwise),
        )

    def options(
        self,
        keywords: Iterable[ast.keyword],
        known: Mapping[str, Option],
        owner: str,
        otherwise: str,
        habits: Mapping[str, str] = MappingProxyType({}),
    ) -> dict[str, Any]:
        """Return the values of options by name. Report those that do not exist, and wrong values."""
        values: dict[str, Any] = {}
        for keyword in keywords:
            name, value = keyword.arg or "", option_value(keyword.value)
            if name not in known:
                self.unknown_option(keyword, f"{owner} has", known, otherwise, habits)
            elif known[name].is_valid(value):
                values[name] = value
            else:
                self.add(
                    Code.WRONG_OPTION,
                    keyword.value,
                    f"the option `{name}` of {owner} cannot have this value",
                    label=f"expected {known[name].expected}",
                    advice=f"write `{known[name].example}`, or remove `{name}`",
                )
        return values

    def check_no_arguments(self, call: ast.Call, owner: str, advice: str) -> None:
        """Report arguments of a call that takes only keywords."""
        for extra in call.args:
            self.add(
                Code.UNKNOWN_OPTION,
                extra,
                f"`{owner}` takes keyword arguments only",
                label="a positional argument",
                advice=advice,
            )

    def doc(self, node: ast.AST) -> str:
        """The documentation of a class, a function or an assignment."""
        return self.stub.doc(node) if self.stub else ""

    @property
    def report(self) -> Report:
        """Return all mistakes found so far."""
        return Report((*self._found, *self._firsts.values()))


def builtin_words() -> dict[str, LanguageWord]:
    """Return the words that need no import."""
    return {name: LanguageWord("builtin", name) for name in BUILTINS} | {
        name: LanguageWord("decorator", name) for name in DECORATORS
    }


def listed(words: Iterable[str], joint: str = "and") -> str:
    """Words for a sentence: "`a`, `b` and `c`"."""
    *others, last = [f"`{word}`" for word in words]
    return f"{', '.join(others)} {joint} {last}" if others else last


def a_or_an(name: str) -> str:
    """A name with its article: "a `Plate`", "an `Auto`"."""
    return f"{'an' if name[:1] in 'AEIOaeio' else 'a'} `{name}`"


def short_text(scope: Scope, expr: ast.expr, otherwise: str = "...") -> str:
    """An expression as it is written, for a sentence; `otherwise` for a long one."""
    text = scope.source.text_of(expr)
    return text if len(text) <= SHORT else otherwise


def counted(number: int, noun: str = "argument", plural: str = "") -> str:
    """A number of things for a sentence: "no arguments", "1 argument", "2 arguments"."""
    return f"{number or 'no'} {noun if number == 1 else plural or f'{noun}s'}"
