"""What the local names of one stub mean, as far as its own imports say, and a place for mistakes.

from codegen.schema import f32 as single    ->    scope.word(<single>) == LanguageWord("dtype", "f32")
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import Final, NamedTuple, TypeAlias, TypeVar

from msgspec import Struct, field

from codegen.diagnostics import Code, Diagnostic, Related, Report
from codegen.diagnostics.suggest import did_you_mean
from codegen.schema.stub import Stub, name_of
from codegen.schema.vocabulary import BUILTINS, DECORATORS, HABITS, HOME_OF_WORD, LanguageWord
from codegen.source import Located, Source, Span

# A longer expression is not repeated in what is advised.
SHORT: Final = 40

Where: TypeAlias = Span | Located
Given = TypeVar("Given")
Found = TypeVar("Found")


class Refused(Exception):
    """What was read has a mistake, which is reported."""


def accepted(read: Callable[[Given], Found], items: Iterable[Given]) -> list[Found]:
    """Read each item, and leave out those that are refused."""
    found: list[Found] = []
    for item in items:
        try:
            found.append(read(item))
        except Refused:
            continue
    return found


def each(read: Callable[[Given], Found], items: Iterable[Given]) -> tuple[Found, ...]:
    """Read each item, so that all mistakes are reported.

    Raises:
        Refused: if an item is refused.
    """
    found: list[Found] = []
    refused = None
    for item in items:
        try:
            found.append(read(item))
        except Refused as error:
            refused = error
    if refused is not None:
        raise refused
    return tuple(found)


def attempt(read: Callable[[Given], Found], item: Given) -> Found | None:
    """Read an item; None if it is refused."""
    try:
        return read(item)
    except Refused:
        return None


class Fault(NamedTuple):
    """What is wrong, in the words of a diagnostic."""

    message: str
    label: str
    advice: str


class Scope(Struct):
    """The words that a stub has imported, and the mistakes found in it so far."""

    source: Source
    words: dict[str, LanguageWord] = field(default_factory=dict[str, LanguageWord])
    declared: frozenset[str] = frozenset()  # what the stub declares or imports itself
    stub: Stub | None = None  # None where only names are asked for
    _found: list[Diagnostic] = field(default_factory=list[Diagnostic])
    _firsts: dict[tuple[Code, str], Diagnostic] = field(
        default_factory=dict[tuple[Code, str], Diagnostic]
    )

    def word(self, expr: ast.expr | None) -> LanguageWord | None:
        """The word of the language that a name means, if it means one."""
        return self.words.get(name_of(expr))

    def kind(self, expr: ast.expr | None) -> str:
        """The kind of that word; "unknown" for one whose import was refused, "" for none."""
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
        """Note a mistake."""
        span = where if isinstance(where, Span) else self.source.span(where)
        self.note(Diagnostic(code, span, message, label, advice, related))

    def note(self, found: Diagnostic) -> None:
        """Note a mistake that is described already."""
        self._found.append(found)

    def refused(self, code: Code, where: Where, message: str, label: str, advice: str) -> Refused:
        """Note a mistake that leaves nothing to read, and return what the caller raises."""
        self.add(code, where, message, label, advice)
        return Refused()

    def outside_language(
        self, where: Where, message: str, *, label: str = "", advice: str
    ) -> Refused:
        """Note what is not part of the language; the caller may raise the result."""
        return self.refused(Code.OUTSIDE_LANGUAGE, where, message, label, advice)

    def add_once(
        self, code: Code, name: str, where: Where, message: str, label: str, advice: str
    ) -> None:
        """Note a mistake that counts once: it is reported at its first place only."""
        span = where if isinstance(where, Span) else self.source.span(where)
        found = Diagnostic(code, span, message, label, advice)
        first = self._firsts.setdefault((code, name), found)
        if span.start < first.span.start:
            self._firsts[code, name] = found

    def unknown_option(
        self,
        keyword: ast.keyword,
        owner: str,
        known: Iterable[str],
        otherwise: str,
        habits: Mapping[str, str] = MappingProxyType({}),
    ) -> None:
        """Note an option that does not exist; `owner` is "`field` has", say."""
        name = keyword.arg or ""
        self.add(
            Code.UNKNOWN_OPTION,
            self.source.name_span(keyword),
            f"{owner} no option `{name}`",
            label="unknown option",
            advice=habits.get(name) or did_you_mean(name, known, otherwise),
        )

    def check_no_arguments(self, call: ast.Call, owner: str, advice: str) -> None:
        """Note the arguments of a call that takes keywords only."""
        for extra in call.args:
            self.add(
                Code.UNKNOWN_OPTION,
                extra,
                f"`{owner}` takes keyword arguments only",
                label="an argument without a name",
                advice=advice,
            )

    def missing_import(self, name: str, where: Where) -> None:
        """Note that a word of the language is used without its import."""
        self.add_once(
            Code.MISSING_IMPORT,
            name,
            where,
            f"`{name}` is not imported",
            label="a word of the language",
            advice=import_help(name),
        )

    def after(self, part: ast.expr, whole: ast.expr) -> str:
        """What follows a part of an expression in it, in one line: `(nx=4)` of `Grid(nx=4)`."""
        rest = self.source.at(self.source.span(part).end, self.source.span(whole).end)
        return " ".join(rest.text.split())

    def doc(self, node: ast.AST) -> str:
        """The documentation of a class, a function or an assignment."""
        return self.stub.doc(node) if self.stub else ""

    @property
    def report(self) -> Report:
        """All mistakes found so far."""
        return Report((*self._found, *self._firsts.values()))


def builtin_words() -> dict[str, LanguageWord]:
    """The words that need no import."""
    return {name: LanguageWord("builtin", name) for name in BUILTINS} | {
        name: LanguageWord("decorator", name) for name in DECORATORS
    }


def import_help(name: str) -> str:
    """Where a word of the language is imported from, or how the language spells a habit."""
    if name in HOME_OF_WORD:
        return f"add `from {HOME_OF_WORD[name]} import {name}`"
    return HABITS.get(name, "")


def listed(words: Iterable[str], joint: str = "and") -> str:
    """Words for a sentence: "`a`, `b` and `c`"."""
    *others, last = [f"`{word}`" for word in words]
    return f"{', '.join(others)} {joint} {last}" if others else last


def a_or_an(name: str) -> str:
    """A name with its article: "a `Plate`", "an `Auto`"."""
    return f"{'an' if name[:1] in 'AEIOaeio' else 'a'} `{name}`"


def shortened(scope: Scope, expr: ast.expr) -> str:
    """An expression as it is written, for a sentence; "..." for a long one."""
    text = scope.source.text_of(expr)
    return text if len(text) <= SHORT else "..."


def counted(number: int, noun: str = "argument", plural: str = "") -> str:
    """A number of things for a sentence: "no arguments", "1 argument", "2 arguments"."""
    return f"{number or 'no'} {noun if number == 1 else plural or f'{noun}s'}"
