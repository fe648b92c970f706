"""Drafts: the typed mutable twin of a class, one line a field.

u: donated[f32[nx]]     ->    u = DraftArray("float32")
first: donated[Linear]  ->    first: DraftPart[Linear, Linear.Draft] = DraftPart(Linear)
grid: static[Grid]      ->    grid: DraftStatic[Grid]
"""

from __future__ import annotations

import builtins

from codegen.program import types
from codegen.program.nodes import Class, Field
from codegen.program.rewrite import rebuilt
from codegen.program.types import ClassType, Ref, Type
from codegen.view.annotations import Reading, annotation, erased
from codegen.view.draft_types import Side, is_part, twin_type
from codegen.view.dynamics import DynamicWriter
from codegen.view.expressions import call, subscript
from codegen.view.kinds import Kind
from codegen.view.literals import py_str
from codegen.view.names import Names
from codegen.view.nodes import DraftAtView, DraftFieldView, DraftView

# A field declared anew with a narrower type, which the narrower class of the object allows.
_NARROWED = "  # pyright: ignore[reportIncompatibleVariableOverride]"


def draft(kind: Kind, names: Names, kinds: dict[Ref, Kind], classes: dict[Ref, Class]) -> DraftView:
    """Write the draft of a class with arrays."""
    return _Writer(kind, names, kinds, classes).view()


class _Writer:
    def __init__(
        self, kind: Kind, names: Names, kinds: dict[Ref, Kind], classes: dict[Ref, Class]
    ) -> None:
        self.kind = kind
        self.names = names
        self.kinds = kinds
        base = kind.node.base
        self.base = base if base is not None and kinds[base.ref].has_draft else None
        inherited = classes[self.base.ref].fields if self.base is not None else ()
        self.inherited = {field.name: field for field in inherited}
        self.classes = classes

    def view(self) -> DraftView:
        names, node = self.names, self.kind.node
        fields = [f for f in node.fields if self._is_new(f)]
        # No generated code imports it: it is what programs pass drafts on by.
        names.runtime_parts.add("lift")
        return DraftView(
            n=names.used_runtime("drafts", "frozen"),
            name=node.ref.name,
            cls=erased(node, names),
            base=self._base("") if self.base else names.runtime("drafts", "PytreeDraft"),
            fields=(tuple(map(self._line, fields)),) if fields else (),
            at=self._at(fields),
        )

    def _at(self, fields: list[Field]) -> tuple[DraftAtView, ...]:
        """Write the class of `draft.at`, with a line for each array."""
        known = {name for name, field in self.inherited.items() if _has_items(field)}
        arrays = [f.name for f in fields if _has_items(f) and f.name not in known]
        if not arrays:
            return ()
        used = self.names.used_runtime("drafts", "Items", "ItemsOf")
        # To make a class takes longer than all else of a draft, and one base serves them all.
        used |= self.names.used(("typing", "TYPE_CHECKING"))
        base = self._base(".At") if known else self.names.runtime("drafts", "DraftAt")
        return (DraftAtView(used, base, tuple(arrays)),)

    def _base(self, member: str) -> str:
        assert self.base is not None, "a base without a draft"
        return f"{self.names.ref(self.base.ref)}.Draft{member}"

    def _is_new(self, field: Field) -> bool:
        """Say whether a field is not inherited, or not as it is there."""
        old = self.inherited.get(field.name)
        return old is None or self._texts(old) != self._texts(field)

    def _texts(self, field: Field) -> tuple[str, ...]:
        aside = self._aside()
        if field.role == "static":
            return (aside.static_type(field).replace('"', ""),)
        head, arguments, value = aside.descriptor(field)
        return (f"{head}{arguments}".replace('"', ""), value)

    def _aside(self) -> _Writer:
        return _Writer(self.kind, self.names.aside(), self.kinds, self.classes)

    def _line(self, field: Field) -> DraftFieldView:
        pragma = _NARROWED if field.name in self.inherited else ""
        if field.role == "static":
            return DraftFieldView(field.name, f": {self.static_type(field)}", "", pragma)
        head, arguments, value = self.descriptor(field)
        # Declared, since type checkers do not infer types of classes that hold each other; and
        # without its own type it would be held against the base's.
        is_typed = arguments or self._is_declared_in_base(field.name)
        held = f": {head}{arguments}" if is_typed else ""
        return DraftFieldView(field.name, held, f" = {call(head, *filter(None, [value]))}", pragma)

    def _is_declared_in_base(self, name: str) -> bool:
        """Say whether the draft that this one extends says the type of a field."""
        return name in self.inherited and bool(self._aside().descriptor(self.inherited[name])[1])

    def static_type(self, field: Field) -> str:
        held = annotation(_erased(field.type), Reading.STATIC, self.names)
        return subscript(self.names.runtime("drafts", "DraftStatic"), held)

    def descriptor(self, field: Field) -> tuple[str, str, str]:
        """Return the descriptor's class, its type arguments in brackets, and its argument."""
        names = self.names
        type = _erased(field.type, types.External)
        if isinstance(type, types.Array):
            if type.dtype == "key":
                return names.runtime("drafts", "DraftKey"), "", ""
            return names.runtime("drafts", "DraftArray"), "", py_str(type.dtype)
        optional = types.optional(type)
        if isinstance(optional, types.Array):
            return names.runtime("drafts", "DraftOptionalArray"), "", py_str(optional.dtype)
        if isinstance(type, ClassType) and is_part(type, self.kinds):
            sides = self._sides(type, Side.OBJECT, Side.GET)
            return names.runtime("drafts", "DraftPart"), sides, names.class_when_run(type.ref)
        # What stands for a type parameter, or is of another package, may have a draft.
        unknown = (types.TypeParameter, types.External)
        is_any = any(isinstance(part, unknown) for part in types.walk(field.type))
        kind = "DraftParts" if is_any or is_part(type, self.kinds) else "DraftField"
        made = _Converters(names, "", "", "array", []).maker(type)
        return names.runtime("drafts", kind), self._sides(type, Side.GET, Side.SET), made or ""

    def _sides(self, type: Type, *sides: Side) -> str:
        return subscript("", *(twin_type(type, side, self.names, self.kinds) for side in sides))


class _Converters(DynamicWriter):
    """Writes what brings a value to what a draft's field holds."""

    def maker(self, type: Type) -> str | None:
        use = self.names.runtime
        match type:
            case types.Array():
                return call(use("drafts", "draft_array"), py_str(type.dtype))
            case types.Scalar():
                return call(use("drafts", "draft_scalar"), self.names.builtin(type.name))
            case types.ClassType():
                return call(use("drafts", "draft_part"), self.names.class_when_run(type.ref))
            case _:
                return DynamicWriter.maker(self, type)


def _has_items(field: Field) -> bool:
    members = field.type.members if isinstance(field.type, types.Union) else (field.type,)
    held = [one for one in members if not isinstance(one, types.NoneType)]
    are_arrays = all(isinstance(one, types.Array | types.TypeParameter) for one in held)
    return field.role != "static" and bool(held) and are_arrays


def _erased(type: Type, *others: builtins.type[Type]) -> Type:
    """Put Any for type parameters: a class within a generic class has none of these."""
    if isinstance(type, (types.TypeParameter, *others)):
        return types.Anything()
    return rebuilt(type, lambda part: _erased(part, *others))
