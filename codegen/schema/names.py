"""The names that generated code can use.

check_name(scope, "__x", span, "field")    ->    RESERVED_NAME
"""

from __future__ import annotations

import ast
import keyword
import unicodedata
from collections.abc import Iterable
from typing import Final

from codegen.diagnostics import Code, Related
from codegen.schema.scope import Scope
from codegen.schema.stub import find_repeated, literal_value
from codegen.schema.vocabulary import BUILTINS, DECORATORS
from codegen.source import Span

# Every private name of a generated module has this prefix, so no name of a schema can collide.
PREFIX: Final = "_codegen_"
# The name of the run time in generated modules.
RUN_TIME: Final = "_rt"
# The members that generated classes define themselves.
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
        "like",
        "replace",
        "shardings",
        "specs",
        "zeros",
    )
)
# The members of classes that tag a field, their own or one of the objects that they hold.
TAG_MEMBERS: Final = frozenset(("labels", "mask"))
# The members of classes with `init=` in a field, their own or one of the objects that they hold.
INIT_MEMBERS: Final = frozenset(("init",))
# The members that their drafts define, beside the fields.
DRAFT_MEMBERS: Final = frozenset(("At", "at", "freeze", "next_key"))
_GENERATED_BY_ADVICE: Final = {
    "remove this method. To change a value, use `field(convert=...)`. To check values, define "
    "`__check_init__` in a mixin class": "check_init init new post_init",
    "remove this method: the generated class compares and hashes every field. For another "
    "comparison, declare the class with `eq=False` and define `__eq__` in a mixin": "eq ne hash",
    "remove this method: the generated class copies and pickles every field": (
        "copy deepcopy reduce reduce_ex getstate setstate getnewargs getnewargs_ex"
    ),
    "remove this method: objects are frozen": "setattr delattr",
    "remove this method: the generated class defines the name from its fields": (
        "annotations dataclass_fields dataclass_params dict match_args replace slots weakref"
    ),
    "remove this method: the generated class needs this name": (
        "class class_getitem doc getattribute init_subclass module name qualname set_name "
        "subclasshook"
    ),
}
# The special methods that a generated class defines itself, and what to write instead of each.
GENERATED: Final = {
    f"__{one}__": advice for advice, names in _GENERATED_BY_ADVICE.items() for one in names.split()
}
# The variables of generated functions.
VARIABLES: Final = frozenset(
    (
        *("children", "cls", "donated", "error", "impl", "keep", "kept", "key", "new", "obj"),
        *("other", "result", "self", "tags", "theirs", "values"),
    )
)
# Words of the language that a module's declaration would shadow.
BUILTIN_NAMES: Final = frozenset((*BUILTINS, *DECORATORS))
# Declarations that may have the name `type` or `list`: there, generated code uses another name
# for the builtin.
_SHADOWING: Final = ("field", "parameter", "method", "constant")


def check_name(scope: Scope, name: str, span: Span, what: str, *, member: bool = False) -> None:
    """Report a name that generated code cannot use; `member` states whether it is a
    class member.
    """
    if not is_normalised(name, span):
        scope.add(
            Code.NAME_NOT_NORMALISED,
            span,
            f"Python reads the {what} `{ascii(span.text)[1:-1]}` as `{ascii(name)[1:-1]}`",
            label="not in Unicode normal form NFKC",
            advice="write the name as Python reads it",
        )
    elif fault := _name_fault(name, what, member=member):
        message, label, advice = fault
        scope.add(Code.RESERVED_NAME, span, f"the {what} `{name}` {message}", label, advice)


def _name_fault(name: str, what: str, *, member: bool) -> tuple[str, str, str] | None:
    """Return why a name is refused: its effect, the label and the advice."""
    other = f"rename it to `{name}_`"
    if is_special(name) and what == "method" and not name.startswith(f"_{PREFIX}"):
        if name not in GENERATED:
            return None
        label = f"the generated class defines `{name}`"
        return "is already defined by the generated class", label, GENERATED[name]
    if name.startswith("__"):
        advice = f"rename it to `{name.strip('_') or 'x'}`"
        return "starts with two underscores", "Python reserves names that start with `__`", advice
    if name.startswith(PREFIX):
        advice = f"rename it to `{name.removeprefix(PREFIX) or 'x'}`"
        return f"starts with `{PREFIX}`", "this prefix is reserved by generated code", advice
    if name == RUN_TIME:
        message = "is the name of the run time in generated code"
        return message, "reserved by generated code", "rename it to `rt`"
    if name == "_":
        return (
            "is not a name: `_` means a dimension of any size",
            "not usable as a name",
            "use another name",
        )
    if keyword.iskeyword(name):
        return "is a Python keyword and cannot be used as a name", "Python keyword", other
    if name in BUILTIN_NAMES and what not in _SHADOWING:
        return "has the name of a Python builtin", "in a schema, this name is the builtin", other
    if name in VARIABLES and what in ("class", "enum", "alias", "type parameter"):
        label = f"inside a generated function, `{name}` is the variable and not this {what}"
        return "has the name of a variable of generated functions", label, other
    # Inside a class with such a member, the name of a class or enum would mean the member.
    is_global = what in ("class", "enum")
    if name in MEMBERS and (is_global or member):
        label = f"inside a generated class, `{name}` is the member and not this {what}"
        if not is_global:
            label = f"every generated class has a member `{name}`"
        return "has the name of a member of every generated class", label, other
    if name in DRAFT_MEMBERS and (is_global or what == "field"):
        label = f"inside a class of drafts, `{name}` is the member and not this {what}"
        if not is_global:
            label = f"every draft, as from `plate.draft()`, has a member `{name}`"
        return "has the name of a member of every draft", label, other
    return None


def check_duplicates(scope: Scope, names: Iterable[tuple[str, Span]], where: str) -> None:
    """Report names that are declared twice in one scope."""
    ordered = sorted(names, key=lambda pair: pair[1].start)
    for name, span, first in find_repeated(one for one in ordered if is_normalised(*one)):
        scope.add(
            Code.DUPLICATE_NAME,
            span,
            f"{where} declares `{name}` twice",
            label="declared again here",
            advice="rename or remove one of the two",
            related=(Related(first, "first declared here"),),
        )


def check_mesh_axes(scope: Scope, option: str, axes: Iterable[ast.expr]) -> None:
    """Report a mesh axis that occurs twice in one PartitionSpec."""
    named = ((literal_value(axis), scope.source.span(axis)) for axis in axes)
    for name, span, first in find_repeated(
        (name, span) for name, span in named if isinstance(name, str)
    ):
        scope.add(
            Code.WRONG_OPTION,
            span,
            f"`{option}` has the mesh axis `{name}` twice, but JAX allows it only once in a "
            "PartitionSpec",
            label="given again here",
            advice="remove one of the two: a mesh axis can divide only one dimension",
            related=(Related(first, "first given here"),),
        )


def is_normalised(name: str, span: Span) -> bool:
    """Return whether a name is spelt as Python reads it: the parser folds identifiers
    (PEP 3131).
    """
    return span.text == name or unicodedata.normalize("NFKC", span.text) != name


def is_special(name: str) -> bool:
    """Return whether a name is a special name of Python: `__call__`."""
    return name.startswith("__") and name.endswith("__") and len(name) > len("____")


def split_path(expr: ast.expr | None) -> tuple[str, str] | None:
    """Split `"module:function"`; None where the expression is not such a path."""
    text = literal_value(expr)
    return parse_path(text) if isinstance(text, str) else None


PATH_ADVICE: Final = (
    'write, for example, `"heat_model:step"`: a module, a colon, and a function in it'
)


def parse_path(text: str) -> tuple[str, str] | None:
    """Return the module and the attribute of `module:attribute`."""
    module, colon, attribute = text.partition(":")
    names = [*module.split("."), *attribute.split(".")]
    return (module, attribute) if colon and all(map(is_name, names)) else None


def is_name(name: str) -> bool:
    """Return whether something can be imported by a name."""
    # Only ASCII: a path is the import of a module, and names that NFKC makes equal are not
    # allowed there.
    return name.isascii() and name.isidentifier() and not keyword.iskeyword(name)


def former_names(scope: Scope, statement: ast.stmt, *, may_move: bool = False) -> tuple[str, ...]:
    """Return the former names of a declaration; `may_move` states whether they may name another
    module.
    """
    names: list[str] = []
    for rename in scope.stub.renames.get(statement, ()) if scope.stub else ():
        for name in rename.names:
            if is_name(name) or (may_move and parse_path(name)):
                names.append(name)
            else:
                several = "`was[old, older]` for several names"
                moved = "`was[old.module:Old]` for a declaration from another module"
                scope.add(
                    Code.WRONG_RENAME,
                    rename.span,
                    f"`{name}` is not a valid former name"
                    if name
                    else "the former name is missing",
                    label="expected a name",
                    advice=f"write `# codegen: was[old]`, or {moved if may_move else several}",
                )
    return tuple(names)


def check_renames(scope: Scope) -> None:
    """Report `was` comments that follow no declaration."""
    for rename in scope.stub.stray_renames if scope.stub else ():
        scope.add(
            Code.WRONG_RENAME,
            rename.span,
            "this comment with former names does not belong to a declaration",
            label="no declaration on this line",
            advice="move the comment to the end of the line that declares the field, class, enum "
            "member or dimension",
        )
