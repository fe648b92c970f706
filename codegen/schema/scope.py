"""What the local names of one stub mean, as far as its own imports say, and a place for complaints.

    from codegen.schema import f32 as single    ->    scope.word("single") == Word("dtype", "f32")
"""

from dataclasses import dataclass, field

from codegen.diagnostics.codes import Code
from codegen.diagnostics.model import Diagnostic, Related
from codegen.diagnostics.suggest import suggest
from codegen.schema.vocabulary import BUILTINS, ENUMS, TYPING, VOCABULARY, Word
from codegen.source import Source, Span
from codegen.syntax import nodes as syntax


WORDS_OF_MODULE = {
    "codegen.schema": VOCABULARY,
    "typing": TYPING,
    "typing_extensions": TYPING,
    "collections.abc": {"Callable": "callable"},
    "enum": {**dict.fromkeys(ENUMS, "enum"), "auto": "auto"},
}
# Where a forgotten import is to be had; typing's Callable before collections.abc's.
HOME_OF_WORD = {
    word: module for module, words in reversed(WORDS_OF_MODULE.items()) for word in words
} | {word: "typing" for word in TYPING}
HABITS = {
    "Optional": "write `T | None`",
    "Union": "write `A | B`",
    "List": "write `list[T]`, in a dynamic or donated role",
    "Dict": "write `dict[K, V]`, in a dynamic or donated role",
    "Tuple": "write `tuple[T, ...]`",
    "Type": "a class is no value of the language; `Any` takes one",
    "Final": "a field is immutable already; leave `Final` out",
    "Annotated": "shapes are written `f32[nx, ny]`",
    "Array": "write a dtype and a shape, such as `f32[n]` or `Float[...]`",
    "ArrayLike": "write a dtype and a shape, such as `f32[n]` or `Float[...]`",
    "PRNGKeyArray": "write `key`, or `key[n]`",
}


@dataclass(slots=True)
class Scope:
    """The words a stub has imported, and the diagnostics found in it so far."""

    source: Source
    words: dict[str, Word] = field(default_factory=dict[str, Word])
    problems: list[Diagnostic] = field(default_factory=list[Diagnostic])

    def word(self, expr: syntax.Expr | None) -> Word | None:
        """Return the word of the language that a name stands for, if it stands for one."""
        return self.words.get(expr.id) if isinstance(expr, syntax.Name) else None

    def add(
        self,
        code: Code,
        span: Span,
        message: str,
        label: str = "",
        help: str = "",
        related: tuple[Related, ...] = (),
    ) -> None:
        """Report one mistake."""
        self.problems.append(Diagnostic(code, self.source, span, message, label, help, related))

    def related(self, span: Span, label: str) -> Related:
        """Make a second place in the same file."""
        return Related(self.source, span, label)


def builtin_words() -> dict[str, Word]:
    """Return the words that need no import."""
    return {name: Word("builtin", name) for name in BUILTINS} | {
        "property": Word("property", "property")
    }


def import_help(name: str) -> str:
    """Say where a word of the language is imported from, or how the language spells a Python habit."""
    if name in HOME_OF_WORD:
        return f"add `from {HOME_OF_WORD[name]} import {name}`"
    return HABITS.get(name, "")


def did_you_mean(name: str, candidates: list[str], otherwise: str = "") -> str:
    """Suggest the nearest legal name, or fall back to a general hint."""
    nearest = suggest(name, candidates)
    return f"did you mean `{nearest}`?" if nearest else otherwise
