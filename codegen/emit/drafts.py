"""Generate the drafts of classes: their types, and the types that their attributes accept."""

from __future__ import annotations

import builtins
from enum import Enum

from msgspec import Struct
from msgspec.structs import replace

from codegen.emit.annotations import AnnotationStyle, Annotator, annotation, erased_class
from codegen.emit.class_traits import ClassTraits
from codegen.emit.expressions import call, format_union, subscript
from codegen.emit.names import ModuleNames
from codegen.emit.view import DraftView
from codegen.program import types
from codegen.program.nodes import Class, Field
from codegen.program.types import ClassType, Ref, Type


class Side(Enum):
    """The direction in which a draft's field is used.

    tuple[Linear, ...]    ->    tuple[Linear.Draft, ...] to read
                                tuple[Linear | Linear.Draft, ...] to write
    """

    GET = "what reading it gives"
    SET = "what may be assigned"
    OBJECT = "what may be assigned where no draft is meant"


def holds_drafted_objects(type: Type, all_traits: dict[Ref, ClassTraits]) -> bool:
    """Return whether a value of a type holds objects that have drafts."""
    return any(not all_traits[ref].is_static for ref in type.class_refs)


def draft_type(
    type: Type, side: Side, names: ModuleNames, all_traits: dict[Ref, ClassTraits]
) -> str:
    """Format a type as an annotation."""
    return _DraftAnnotator(side, names, all_traits).format(type)


class _DraftAnnotator(Annotator):
    """Formats arrays, their containers, and collections for one side, and all other types
    unchanged.
    """

    def __init__(self, side: Side, names: ModuleNames, all_traits: dict[Ref, ClassTraits]) -> None:
        super().__init__(AnnotationStyle.DYNAMIC, names)
        self.side = side
        self.all_traits = all_traits

    def format(self, type: Type) -> str:
        if isinstance(type, types.Sequence | types.Mapping):
            if type.is_any and self.side is Side.GET:
                return self.format(replace(type, is_any=False))  # a draft holds a tuple or dict
            if self.side is Side.SET and not type.is_any and type.container != "tuple":
                # A list of drafts is not a list of drafts or objects. Both kinds can be assigned.
                sides = (Side.OBJECT, Side.GET)
                return format_union(
                    *(draft_type(type, side, self.names, self.all_traits) for side in sides)
                )
        return super().format(type)

    def _array(self, type: types.Array) -> str:
        writes = self.side is not Side.GET and type.dtype != "key"
        return self.names.use(*("jax.typing", "ArrayLike") if writes else ("jax", "Array"))

    def _reference(self, type: ClassType | types.EnumType) -> str:
        obj = super()._reference(type)
        if isinstance(type, types.EnumType) or self.all_traits[type.ref].is_static:
            return obj
        draft = f"{self.names.ref(type.ref)}.Draft"
        return {Side.GET: draft, Side.OBJECT: obj, Side.SET: format_union(obj, draft)}[self.side]

    def _invariant(self, type: Type) -> str:
        # Annotate the items as arrays, or no list of arrays would fit.
        return self._argument(type) if self.side is Side.OBJECT else self.format(type)


# A redeclared field with a narrower type, which the narrower class of the object allows.
_NARROWED = "  # pyright: ignore[reportIncompatibleVariableOverride]"


def draft(
    traits: ClassTraits,
    names: ModuleNames,
    all_traits: dict[Ref, ClassTraits],
    classes: dict[Ref, Class],
) -> DraftView:
    """Return the draft of a class with arrays.

    u: donated[f32[nx]]     ->    u = DraftArray("float32")
    first: donated[Linear]  ->    first: DraftPart[Linear, Linear.Draft] = DraftPart(Linear)
    grid: static[Grid]      ->    grid: DraftStatic[Grid]
    """
    base = traits.node.base
    if base is None or not all_traits[base.ref].has_draft:
        return _DraftWriter(traits.node, names, all_traits, "", {}).view()
    inherited = {field.name: field for field in classes[base.ref].fields}
    return _DraftWriter(traits.node, names, all_traits, names.ref(base.ref), inherited).view()


class _DraftWriter(Struct):
    node: Class
    names: ModuleNames
    all_traits: dict[Ref, ClassTraits]
    base: str  # its base, if that has a draft
    inherited: dict[str, Field]  # the fields of that base

    def view(self) -> DraftView:
        fields = [f for f in self.node.fields if self._is_new(f)]
        known = {name for name, field in self.inherited.items() if _has_items(field)}
        arrays = tuple(f.name for f in fields if _has_items(f) and f.name not in known)
        # Creating a class is the slowest part of a draft, and one base is enough for all of them.
        at_base = f"{self.base}.Draft.At" if known else "_rt.DraftAt"
        return DraftView(
            name=self.node.ref.name,
            cls=erased_class(self.node, self.names),
            base=f"{self.base}.Draft" if self.base else "_rt.PytreeDraft",
            fields=tuple(map(self._line, fields)),
            arrays=arrays,
            at_base=at_base if arrays else "",
            items="_rt.Items" if arrays else "",
        )

    def _is_new(self, field: Field) -> bool:
        """Return whether a field is not inherited, or differs from the inherited one."""
        old = self.inherited.get(field.name)
        return old is None or self._text(old) != self._text(field)

    def _text(self, field: Field) -> str:
        return "".join(self._scratch().descriptor(field)).replace('"', "")

    def _scratch(self) -> _DraftWriter:
        return replace(self, names=self.names.scratch())

    def _line(self, field: Field) -> str:
        pragma = _NARROWED if field.name in self.inherited else ""
        head, arguments = self.descriptor(field)
        if field.role == "static":
            return f"{field.name}: {head}{arguments}{pragma}"
        # The type is declared, since type checkers do not infer types of classes that hold each
        # other. Without it, they would compare the value with the base's type.
        is_typed = arguments or self._is_declared_in_base(field.name)
        held = f": {head}{arguments}" if is_typed else ""
        return f"{field.name}{held} = {call(head)}{pragma}"

    def _is_declared_in_base(self, name: str) -> bool:
        """Return whether the base draft declares the type of a field."""
        return name in self.inherited and bool(self._scratch().descriptor(self.inherited[name])[1])

    def descriptor(self, field: Field) -> tuple[str, str]:
        """Return the descriptor's class, and its type arguments in brackets."""
        if field.role == "static":
            erased = _erase_type_parameters(field.type)
            held = annotation(erased, AnnotationStyle.STATIC, self.names)
            return "_rt.DraftStatic", f"[{held}]"
        type = _erase_type_parameters(field.type, types.External)
        if isinstance(type, types.Array):
            kind = "Ref" if type.is_ref else "Key" if type.dtype == "key" else "Array"
            return f"_rt.Draft{kind}", ""
        if isinstance(type.without_none, types.Array):
            return "_rt.DraftOptionalArray", ""
        has_drafts = holds_drafted_objects(type, self.all_traits)
        if isinstance(type, ClassType) and has_drafts:
            return "_rt.DraftPart", self._sides(type, Side.OBJECT, Side.GET)
        # The argument of a type parameter, or an object of another package, may have a draft.
        unknown = (types.TypeParameter, types.External)
        is_any = any(isinstance(part, unknown) for part in field.type.iter_held())
        kind = "Parts" if is_any or has_drafts else "Field"
        return f"_rt.Draft{kind}", self._sides(type, Side.GET, Side.SET)

    def _sides(self, type: Type, *sides: Side) -> str:
        return subscript(
            "", *(draft_type(type, side, self.names, self.all_traits) for side in sides)
        )


def _has_items(field: Field) -> bool:
    held = [one for one in field.type.options if not isinstance(one, types.NoneType)]
    are_arrays = all(isinstance(one, types.Array | types.TypeParameter) for one in held)
    return field.role not in ("static", "ref") and bool(held) and are_arrays


def _erase_type_parameters(type: Type, *others: builtins.type[Type]) -> Type:
    """Replace type parameters by `Any`: a class nested in a generic class has none of them."""
    if isinstance(type, (types.TypeParameter, *others)):
        return types.Anything()
    return type.map(lambda part: _erase_type_parameters(part, *others))
