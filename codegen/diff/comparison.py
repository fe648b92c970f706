"""One comparison of two versions: name correspondence, and what becomes of saved data.

u: donated[f32[n]]  # codegen: was[temperature]
# names_now({"u": ["temperature"]}, {"temperature"}) == {"temperature": "u"}

class Lin(dims=(n, m)): ...    ->    class Lin(dims=(a, b)): ...    # n and a are "#0", m and b "#1"
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterator, Mapping, Sequence
from typing import Final, TypeAlias, TypeVar

from msgspec import Struct, field
from msgspec.structs import replace

from codegen.diagnostics import Code, Diagnostic, Related
from codegen.program import types
from codegen.program.declaration_tables import declaration_table, qualified_type_text
from codegen.program.nodes import Class, Field, Function, Program
from codegen.program.substitution import bases_of
from codegen.program.types import Ref, Type, TypeParameter
from codegen.runtime.evolution import Declarations, Entry, Evolution, rename_words, split_text
from codegen.runtime.renames import former_names
from codegen.source import Span

SOURCE: Final = "source"
CONSTRUCTOR: Final = "constructor"
TREEDEF: Final = "treedef"
CHECKPOINT: Final = "checkpoint"
KINDS: Final = (SOURCE, CONSTRUCTOR, TREEDEF, CHECKPOINT)

# What a change with each of these codes breaks, unless it says otherwise.
BREAKS: Final[dict[Code, tuple[str, ...]]] = {
    Code.ABSTRACT_ADDED: (CONSTRUCTOR, TREEDEF, CHECKPOINT),
    Code.BASE_CHANGED: (SOURCE,),
    Code.DECLARATION_REMOVED: (SOURCE,),
    Code.DECLARATION_RENAMED: (SOURCE,),
    Code.DEFAULT_CHANGED: (SOURCE,),
    Code.DEFAULT_REMOVED: (CONSTRUCTOR,),
    Code.DIMENSION_RENAMED: (SOURCE,),
    Code.DONATION_ADDED: (SOURCE,),
    Code.ENUM_CHANGED: (SOURCE, TREEDEF),
    Code.ENUM_MEMBER_REMOVED: (SOURCE,),
    Code.FIELD_ADDED: (TREEDEF,),
    Code.FIELD_KEYWORD_ONLY: (CONSTRUCTOR,),
    Code.FIELD_MOVED: (CONSTRUCTOR, TREEDEF),
    Code.FIELD_REMOVED: (SOURCE, CONSTRUCTOR, TREEDEF),
    Code.FIELD_RENAMED: (SOURCE, CONSTRUCTOR),
    Code.FIELD_ROLE_CHANGED: (SOURCE, TREEDEF),
    Code.FIELD_TYPE_CHANGED: (SOURCE, TREEDEF),
    Code.FUNCTION_CHANGED: (SOURCE,),
    Code.MEMBER_CHANGED: (SOURCE,),
    Code.MEMBER_REMOVED: (SOURCE,),
    Code.MODULE_REMOVED: (SOURCE,),
    Code.REF_CHANGED: (SOURCE, CONSTRUCTOR),  # A Ref takes no numbers, and an array no Refs.
    Code.SHARING_CHANGED: (TREEDEF,),
    Code.TYPE_PARAMETERS_CHANGED: (SOURCE,),
}
# Codes that compare two versions of a schema.
CHANGES: Final = frozenset(BREAKS)


Name = TypeVar("Name", bound=Hashable)


def _reduced(type: Type, *, shapes: bool, dtypes: bool) -> Type:
    """Return a type without the names that schemas give to dtypes, and on request without the sizes
    of its arrays, or their dtypes.
    """
    match type:
        case types.Array():
            spelling = type.dtype if dtypes else "array"
            return replace(type, spelling=spelling, shape=type.shape if shapes else ())
        case types.ClassType() if not shapes:
            type = replace(type, dims=(), stacked=(types.AnyDim(),) * len(type.stacked))
        case types.Sequence() if not shapes:
            type = replace(type, size=None)
        case _:
            pass
    return type.map(lambda inner: _reduced(inner, shapes=shapes, dtypes=dtypes))


def names_now(was: Mapping[Name, Sequence[Name]], known: Collection[Name]) -> dict[Name, Name]:
    """Return the new name for each of these old names.

    names_now({"v": ["u"], "u": ["t"]}, {"u", "t"})    ->    {"u": "v", "t": "u"}
    """
    former = {old: name for name, names in was.items() for old in names}
    return {old: name for name, old in former_names(known, was, former).items()}


def find_evolution(old: Program, new: Program) -> Evolution:
    """Find what becomes of the classes of one version in another, as `unpack` does."""
    before, now = (_entries(program) for program in (old, new))
    classes = {name: one for name, one in before.items() if one["kind"] == "class"}
    return Evolution(classes, Declarations(now))


def _entries(program: Program) -> dict[str, Entry]:
    return {
        name: one for module in program.modules for name, one in declaration_table(module).items()
    }


# The meaning of dimensions and type parameters; a name that is not listed means itself.
Names: TypeAlias = dict[str, str]


def _parameters(node: Class) -> dict[str, str]:
    """Return the meaning of a class's parameters: their positions. Example: {"n": "#0", "T": "$0"}."""
    dims = {name: f"#{i}" for i, name in enumerate(node.dims)}
    return dims | {name: f"${i}" for i, name in enumerate(node.type_parameters)}


def _listed(names: Names) -> str:
    """Return the parameters of a class in order. Example: "n, T"."""
    return ", ".join(name for name, meaning in names.items() if meaning[0] in "#$")


class Change(Struct, frozen=True):
    """One change: its message, and what to write instead."""

    code: Code
    message: str
    advice: str
    breaks: tuple[str, ...] | None = None  # None: those of `BREAKS`
    span: Span | None = None  # where, if not the whole declaration
    saved: str = ""  # what becomes of saved data: a key of `OUTCOMES`
    label: str = ""


# What breaks, and what becomes of saved data.
Outcome: TypeAlias = tuple[tuple[str, ...], str]

RENAMED: Final = "saved data is loaded under the old name"
# The keys are those of `FieldOrigin.how`, plus keys for names and positions.
OUTCOMES: Final[dict[str, Outcome]] = {
    "renamed": ((), RENAMED),
    "moved": ((), "saved data is loaded by name"),
    "reserved": ((), "its saved data is dropped"),
    "removed": (
        (CHECKPOINT,),
        'saved data is not loaded unless the class contains `reserved("{name}")`',
    ),
    "default": ((), "saved data without it gets the default"),
    "init": ((CHECKPOINT,), "loading saved data without it needs `key=`, for its `init=`"),
    "same": ((), "saved data is loaded unchanged"),
    "cast": ((CHECKPOINT,), "saved data is widened if you pass `cast=True`"),
    "migrate": ((CHECKPOINT,), 'loading saved data needs `migrate(since="{since}")`'),
}
_MIGRATED: Final[Outcome] = (), "saved data is migrated"


class Comparison(Struct):
    """One comparison of two versions: the renames, and the findings."""

    old: Program
    new: Program
    evolution: Evolution  # of saved data
    # The new names of renamed classes and enums.
    renamed: dict[Ref, Ref] = field(default_factory=dict[Ref, Ref])
    # The new names of renamed dimensions, by module.
    dims: dict[str, dict[str, str]] = field(default_factory=dict[str, dict[str, str]])
    found: list[Diagnostic] = field(default_factory=list[Diagnostic])
    # The meaning of names where types are compared: see `with_class_renames`.
    old_names: Names = {}
    new_names: Names = {}

    def within(self, old: Names, new: Names) -> Comparison:
        """Return the same comparison inside a class or function where names have these meanings."""
        return replace(self, old_names=old, new_names=new)

    def fields_now(self, old: Class, new: Class) -> dict[str, Field]:
        """Return the fields of the new version of a class, keyed by their old names."""
        fields = {one.name: one for one in new.fields}
        was = {one.name: one.was for one in new.fields}
        names = names_now(was, {one.name for one in old.fields})
        by_earlier = {earlier: fields.pop(name) for earlier, name in names.items()}
        for name, one in fields.items():
            # The old field of that name was renamed, so this is a different field.
            by_earlier[f"{name} declared again" if name in names else name] = one
        return by_earlier

    def new_ref(self, ref: Ref) -> Ref:
        """Return the new name of a class or enum of the old version."""
        return self.renamed.get(ref, ref)

    def keeps_base(self, old: Class, new: Class) -> bool:
        """Return whether the class kept its base, where shared changes are reported."""
        if old.base is None or new.base is None:
            return False
        return self.new_ref(old.base.ref) == new.base.ref

    def text(self, type: Type, *, is_old: bool, shapes: bool = True, dtypes: bool = True) -> str:
        """Return a text that is equal for types of the two versions that mean the same."""
        names = self.old_names if is_old else self.new_names
        refs = {str(ref): str(now) for ref, now in self.renamed.items()} if is_old else {}
        text = qualified_type_text(_reduced(type, shapes=shapes, dtypes=dtypes))
        return rename_words(text, refs | names)

    def is_same(self, old: Type, new: Type, *, shapes: bool = True) -> bool:
        """Return whether two types mean the same, regardless of spelling and renames."""
        before = self.text(old, is_old=True, shapes=shapes)
        return before == self.text(new, is_old=False, shapes=shapes)

    def takes(self, new: Type, old: Type, *, any_array: bool = False) -> bool:
        """Return whether the type `new` accepts everything that the type `old` accepted."""
        narrow, wide = self._members(old, new, is_whole=not any_array)
        return narrow <= wide

    def gives(self, new: Type, old: Type) -> bool:
        """Return whether the type `new` has no values that `old` did not have."""
        wide, narrow = self._members(old, new)
        return narrow <= wide

    def _members(self, old: Type, new: Type, *, is_whole: bool = True) -> tuple[set[str], set[str]]:
        before = self.text(old, is_old=True, shapes=is_whole, dtypes=is_whole)
        now = self.text(new, is_old=False, shapes=is_whole, dtypes=is_whole)
        return {*split_text(before, "|")}, {*split_text(now, "|")}

    def texts(self, old: Type, new: Type) -> str:
        """Return a text for a changed type. Example: "`f32[n, m]` instead of `f32[n]`"."""
        before, now = str(old), str(new)
        were, are = _listed(self.old_names), _listed(self.new_names)
        if before != now:
            return f"`{now}` instead of `{before}`"
        if qualified_type_text(old) == qualified_type_text(new) and were != are:
            return (
                f"`{now}` as before, but the class has the parameters `{are}` instead of `{were}`"
            )
        # Two classes of different modules may have the same name.
        return f"`{qualified_type_text(new)}` instead of `{qualified_type_text(old)}`"

    def add(
        self,
        change: Change,
        now: Span,
        before: Span | None = None,
        *,
        of: Class | None = None,
        field: str = "",
        is_abstract: bool = False,
    ) -> None:
        """Record a change that breaks something: where it is, and where it was.

        `of` is the old class of a change that concerns saved data, and `field` the old field. An
        abstract class has no constructor that a change could break.

        A change breaks checkpoints if loading them needs an extra declaration or argument.
        """
        breaks = {*(BREAKS[change.code] if change.breaks is None else change.breaks)}
        advice = change.advice
        if is_abstract:
            breaks.discard(CONSTRUCTOR)
        if of is not None and change.saved:
            plan = self.evolution.plan(str(of.ref))
            # A class that migrates accepts all its earlier versions.
            more, outcome = _MIGRATED if plan.migrations else OUTCOMES[change.saved]
            breaks.update(more)
            advice = f"{advice}; {outcome.format(since=plan.since, name=field)}"
        if not breaks:
            return
        self.found.append(
            Diagnostic(
                change.code,
                change.span or now,
                change.message,
                change.label,
                advice,
                () if before is None else (Related(before, "in the earlier version"),),
                breaks=tuple(kind for kind in KINDS if kind in breaks),
            )
        )

    def origin(self, old: Class, name: str) -> str:
        """Return how a field of the new version is derived from saved data of the old class."""
        origin = self.evolution.plan(str(old.ref)).origins.get(name)
        return origin.how if origin is not None else "migrate"


# --- the meaning of names in one class or function


def with_class_renames(comparison: Comparison, old: Class, new: Class) -> Comparison:
    """Return the same comparison, with a class's parameters identified by position."""
    modules = [old.ref.module]
    modules += [parent.ref.module for parent, _ in bases_of(old, comparison.old.classes)]
    dims: dict[str, str] = {}
    for module in reversed(modules):
        dims |= comparison.dims.get(module, {})
    parameters = _parameters(old)
    # The parameters come first, in order.
    return comparison.within(parameters | dims | parameters, _parameters(new))


def with_signature_renames(comparison: Comparison, old: Function, new: Function) -> Comparison:
    """Return the same comparison, with a function's type parameters matched by position."""
    before, after = comparison.old_names, comparison.new_names
    names: dict[str, str] = {}
    now = {one.name: one.type for one in new.parameters}
    both = [(one.type, now[one.name]) for one in old.parameters if one.name in now]
    both.append((old.returns, new.returns))
    for one, other in (found for pair in both for found in _parameter_pairs(*pair)):
        is_of_class = one in before or other in after
        if not is_of_class and one not in names and other not in names.values():
            names[one] = other
    # An old parameter without a counterpart must not be confused with a new one of the same name.
    lost = {name: f"lost {name}" for name in names.values() if name not in names}
    return comparison.within(before | lost | names | before, after)


def _parameter_pairs(old: Type, new: Type) -> Iterator[tuple[str, str]]:
    """Yield the pairs of type parameters at the same place of two types."""
    if isinstance(old, TypeParameter) and isinstance(new, TypeParameter):
        yield old.name, new.name
    if type(old) is type(new):
        for one, other in zip(old.children, new.children, strict=False):
            yield from _parameter_pairs(one, other)


def is_held(program: Program, ref: Ref) -> bool:
    """Return whether objects contain members of an enum, according to their types."""
    types_held = (field.type for node in program.classes.values() for field in node.fields)
    held = (one for type in types_held for one in type.iter_held())
    return any(isinstance(one, types.EnumType) and one.ref == ref for one in held)
