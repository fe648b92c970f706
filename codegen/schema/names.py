"""Names that generated code can carry.

check_name(scope, "__x", span, "field")    ->    RESERVED_NAME
"""

from __future__ import annotations

import ast
import keyword
import unicodedata
from collections.abc import Iterable
from typing import Final

from codegen.diagnostics import Code
from codegen.schema.scope import Scope
from codegen.schema.stub import constant
from codegen.schema.vocabulary import BUILTINS, DECORATORS
from codegen.source import Span

# Every private name of a generated module carries it, so that no name of a schema can collide.
PREFIX: Final = "_codegen_"
# What generated classes define themselves.
MEMBERS: Final = frozenset(
    (
        "Draft",
        "abstract",
        "axes",
        "check",
        "constrain",
        "draft",
        "fingerprint",
        "globalize",
        "init",
        "like",
        "replace",
        "shardings",
        "specs",
        "zeros",
    )
)
# What those define that tag a field, their own or of what they hold.
TAG_MEMBERS: Final = frozenset(("labels", "mask"))
# What their drafts define, beside the fields.
DRAFT_MEMBERS: Final = frozenset(("At", "at", "freeze", "next_key"))
_GENERATED_BY_ADVICE: Final = {
    "the constructor is generated: leave it out; defaults, `field(convert=...)` and a mixin's "
    "`__check_init__` do what it would": "check_init init new post_init",
    "objects are equal, and hashed, by what they hold; with `eq=False` in the head of the class, a "
    "mixin says otherwise": "eq ne hash",
    "objects are copied and pickled by their fields: leave it out": (
        "copy deepcopy reduce reduce_ex getstate setstate getnewargs getnewargs_ex"
    ),
    "objects are frozen: leave it out": "setattr delattr",
    "it follows from the fields: leave it out": (
        "annotations dataclass_fields dataclass_params dict match_args replace slots weakref"
    ),
    "it belongs to the class, which is generated: leave it out": (
        "class class_getitem doc getattribute init_subclass module name qualname set_name "
        "subclasshook"
    ),
}
# The special methods that a generated class defines itself, and what to write instead of each.
GENERATED: Final = {
    f"__{one}__": advice for advice, names in _GENERATED_BY_ADVICE.items() for one in names.split()
}
# Words that a declaration of a module would take from the language.
BUILTIN_NAMES: Final = frozenset((*BUILTINS, *DECORATORS))
# What may be called `type` or `list` all the same: generated code names builtins otherwise there.
_SHADOWING: Final = ("field", "parameter", "method", "constant")


def check_name(scope: Scope, name: str, span: Span, what: str, *, member: bool = False) -> None:
    """Report a name that generated code cannot carry; `member` names stand inside a class."""
    if not is_normalised(scope, name, span):
        written = scope.source.text[span.start : span.end]
        scope.add(
            Code.NAME_NOT_NORMALISED,
            span,
            f"the {what} `{ascii(written)[1:-1]}` is read by Python as `{ascii(name)[1:-1]}`",
            label="not in Unicode's normal form NFKC",
            advice="write it as Python reads it",
        )
    elif fault := _fault(name, what, member=member):
        message, label, advice = fault
        scope.add(
            Code.RESERVED_NAME,
            span,
            f"the {what} `{name}` {message}",
            label=label,
            advice=advice,
        )


def _fault(name: str, what: str, *, member: bool) -> tuple[str, str, str] | None:
    """Why a name is refused: what it does, the label and the advice."""
    other = f"call it `{name}_`"
    if is_special(name) and what == "method" and not name.startswith(f"_{PREFIX}"):
        if name not in GENERATED:
            return None
        return "is one that the generated class has itself", "taken", GENERATED[name]
    if name.startswith("__"):
        advice = f"call it `{name.strip('_') or 'x'}`"
        return "starts with two underscores", "reserved for Python's own names", advice
    if name.startswith(PREFIX):
        advice = f"call it `{name.removeprefix(PREFIX) or 'x'}`"
        return f"starts with `{PREFIX}`", "the prefix of the generator's own names", advice
    if name == "_":
        return "is a dimension of any size", "no name of its own", "give it a name"
    if keyword.iskeyword(name):
        return "is a keyword of Python", "not usable as a name", other
    if name in BUILTIN_NAMES and what not in _SHADOWING:
        return "is a builtin of Python", "the schema language means the builtin by it", other
    if what in ("class", "enum") and name in MEMBERS | DRAFT_MEMBERS:
        # Inside a class that has such a member the name would be that.
        return "is called like a member of generated classes", "taken", other
    if member and name in MEMBERS:
        return "is a member of every generated class", "taken", other
    if what == "field" and name in DRAFT_MEMBERS:
        return "is a member of every draft, `plate.draft()`, beside its fields", "taken", other
    return None


def check_twice(scope: Scope, names: Iterable[tuple[str, Span]], where: str) -> None:
    """Report names that are declared twice in one place."""
    first: dict[str, Span] = {}
    for name, span in sorted(names, key=lambda pair: pair[1].start):
        if not is_normalised(scope, name, span):
            continue
        if name not in first:
            first[name] = span
        else:
            scope.add(
                Code.DUPLICATE_NAME,
                span,
                f"{where} declares `{name}` twice",
                label="declared again here",
                advice="rename one of them, or leave one out",
                related=(scope.related(first[name], "first declared here"),),
            )


def check_mesh_axes(scope: Scope, option: str, axes: Iterable[ast.expr]) -> None:
    """Report a mesh axis that stands twice in one PartitionSpec."""
    first: dict[str, Span] = {}
    for axis in axes:
        name = constant(axis)
        if not isinstance(name, str):
            continue
        span = scope.source.span(axis)
        if first.setdefault(name, span) is not span:
            scope.add(
                Code.WRONG_OPTION,
                axis,
                f"`{option}` has the mesh axis `{name}` twice, and JAX refuses such a "
                "PartitionSpec",
                label="given again here",
                advice="leave one of them out: a mesh axis divides one dimension",
                related=(scope.related(first[name], "first given here"),),
            )


def is_normalised(scope: Scope, name: str, span: Span) -> bool:
    """Whether a name is written as Python reads it: the parser folds identifiers (PEP 3131)."""
    written = scope.source.text[span.start : span.end]
    return written == name or unicodedata.normalize("NFKC", written) != name


def is_special(name: str) -> bool:
    """Whether a name is one of Python's own: `__call__`."""
    return name.startswith("__") and name.endswith("__") and len(name) > len("____")
