"""What the local names of one stub mean, as far as its own imports say, and a place for mistakes.

from codegen.schema import f32 as single    ->    scope.word(<single>) == Word("dtype", "f32")
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from msgspec import Struct, field

from codegen.diagnostics import Code, Diagnostic, Related, Report
from codegen.schema.habits import HABITS
from codegen.schema.vocabulary import BUILTINS, DECORATORS, HOME_OF_WORD, Word
from codegen.source import Source, Span
from codegen.syntax import nodes as syntax

# A longer expression is not repeated in what is advised.
_SHORT: Final = 40


class Scope(Struct):
    """The words that a stub has imported, and the mistakes found in it so far."""

    source: Source
    words: dict[str, Word] = field(default_factory=dict[str, Word])
    declared: frozenset[str] = frozenset()  # what the stub declares or imports itself
    renames: Sequence[syntax.Rename] = ()
    _found: list[Diagnostic] = field(default_factory=list[Diagnostic])
    _firsts: dict[tuple[Code, str], Diagnostic] = field(
        default_factory=dict[tuple[Code, str], Diagnostic]
    )

    def word(self, expr: syntax.Expr | None) -> Word | None:
        """The word of the language that a name stands for, if it stands for one."""
        return self.words.get(expr.id) if isinstance(expr, syntax.Name) else None

    def kind(self, expr: syntax.Expr | None) -> str:
        """The kind of that word; "unknown" for one whose import was refused, "" for none."""
        word = self.word(expr)
        return word.kind if word else ""

    def add(
        self,
        code: Code,
        span: Span,
        message: str,
        *,
        label: str = "",
        advice: str = "",
        related: tuple[Related, ...] = (),
    ) -> None:
        """Note a mistake."""
        self._found.append(Diagnostic(code, self.source, span, message, label, advice, related))

    def add_once(
        self, code: Code, name: str, span: Span, message: str, *, label: str = "", advice: str = ""
    ) -> None:
        """Note a mistake that is one however often it shows: at its first place alone."""
        found = Diagnostic(code, self.source, span, message, label, advice)
        first = self._firsts.setdefault((code, name), found)
        if span.start < first.span.start:
            self._firsts[code, name] = found

    def missing_import(self, name: str, span: Span) -> None:
        """Note that a word of the language is used without its import."""
        self.add_once(
            Code.MISSING_IMPORT,
            name,
            span,
            f"`{name}` is not imported",
            label="a word of the language",
            advice=import_help(name),
        )

    @property
    def report(self) -> Report:
        """All mistakes found so far."""
        return Report((*self._found, *self._firsts.values()))

    def related(self, span: Span, label: str) -> Related:
        """A second place in the same file."""
        return Related(self.source, span, label)


def builtin_words() -> dict[str, Word]:
    """The words that need no import."""
    return {name: Word("builtin", name) for name in BUILTINS} | {
        name: Word("decorator", name) for name in DECORATORS
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


def shortened(scope: Scope, expr: syntax.Expr) -> str:
    """An expression as it is written, for a sentence; "..." for a long one."""
    text = " ".join(scope.source.text[expr.span.start : expr.span.end].split())
    return text if len(text) <= _SHORT else "..."


def counted(number: int, noun: str = "argument", plural: str = "") -> str:
    """A number of things for a sentence: "no arguments", "1 argument", "2 arguments"."""
    return f"{number or 'no'} {noun if number == 1 else plural or f'{noun}s'}"
