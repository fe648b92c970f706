"""Generate the drafts of classes: their types, and the types that their attributes accept."""

from __future__ import annotations

import builtins
from enum import Enum

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
    return any(
        isinstance(part, ClassType) and not all_traits[part.ref].is_static
        for part in type.iter_held()
    )


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
    return _DraftWriter(traits, names, all_traits, classes).view()


class _DraftWriter:
    def __init__(
        self,
        traits: ClassTraits,
        names: ModuleNames,
        all_traits: dict[Ref, ClassTraits],
        classes: dict[Ref, Class],
    ) -> None:
        self.traits = traits
        self.names = names
        self.all_traits = all_traits
        base = traits.node.base
        self.base = base if base is not None and all_traits[base.ref].has_draft else None
        inherited = classes[self.base.ref].fields if self.base is not None else ()
        self.inherited = {field.name: field for field in inherited}
        self.classes = classes

    def view(self) -> DraftView:
        names, node = self.names, self.traits.node
        fields = [f for f in node.fields if self._is_new(f)]
        known = {name for name, field in self.inherited.items() if _has_items(field)}
        arrays = tuple(f.name for f in fields if _has_items(f) and f.name not in known)
        return DraftView(
            name=node.ref.name,
            cls=erased_class(node, names),
            base=self._base("") if self.base else "_rt.PytreeDraft",
            fields=tuple(map(self._line, fields)),
            arrays=arrays,
            # Creating a class is the slowest part of a draft, and one base is enough for all of
            # them.
            at_base=self._at_base(known) if arrays else "",
            items="_rt.Items" if arrays else "",
        )

    def _at_base(self, known: set[str]) -> str:
        return self._base(".At") if known else "_rt.DraftAt"

    def _base(self, member: str) -> str:
        assert self.base is not None, "a base without a draft"
        return f"{self.names.ref(self.base.ref)}.Draft{member}"

    def _is_new(self, field: Field) -> bool:
        """Return whether a field is not inherited, or differs from the inherited one."""
        old = self.inherited.get(field.name)
        return old is None or self._text(old) != self._text(field)

    def _text(self, field: Field) -> str:
        scratch = self._scratch()
        is_static = field.role == "static"
        text = scratch.static_type(field) if is_static else "".join(scratch.descriptor(field))
        return text.replace('"', "")

    def _scratch(self) -> _DraftWriter:
        return _DraftWriter(self.traits, self.names.scratch(), self.all_traits, self.classes)

    def _line(self, field: Field) -> str:
        pragma = _NARROWED if field.name in self.inherited else ""
        if field.role == "static":
            return f"{field.name}: {self.static_type(field)}{pragma}"
        head, arguments = self.descriptor(field)
        # The type is declared, since type checkers do not infer types of classes that hold each
        # other. Without it, they would compare the value with the base's type.
        is_typed = arguments or self._is_declared_in_base(field.name)
        held = f": {head}{arguments}" if is_typed else ""
        return f"{field.name}{held} = {call(head)}{pragma}"

    def _is_declared_in_base(self, name: str) -> bool:
        """Return whether the base draft declares the type of a field."""
        return name in self.inherited and bool(self._scratch().descriptor(self.inherited[name])[1])

    def static_type(self, field: Field) -> str:
        held = annotation(_erase_type_parameters(field.type), AnnotationStyle.STATIC, self.names)
        return subscript("_rt.DraftStatic", held)

    def descriptor(self, field: Field) -> tuple[str, str]:
        """Return the descriptor's class, and its type arguments in brackets."""
        type = _erase_type_parameters(field.type, types.External)
        if isinstance(type, types.Array):
            if type.is_ref:
                return "_rt.DraftRef", ""
            if type.dtype == "key":
                return "_rt.DraftKey", ""
            return "_rt.DraftArray", ""
        if isinstance(type.without_none, types.Array):
            return "_rt.DraftOptionalArray", ""
        if isinstance(type, ClassType) and holds_drafted_objects(type, self.all_traits):
            sides = self._sides(type, Side.OBJECT, Side.GET)
            return "_rt.DraftPart", sides
        # The argument of a type parameter, or an object of another package, may have a draft.
        unknown = (types.TypeParameter, types.External)
        is_any = any(isinstance(part, unknown) for part in field.type.iter_held())
        kind = (
            "DraftParts" if is_any or holds_drafted_objects(type, self.all_traits) else "DraftField"
        )
        return f"_rt.{kind}", self._sides(type, Side.GET, Side.SET)

    def _sides(self, type: Type, *sides: Side) -> str:
        return subscript(
            "", *(draft_type(type, side, self.names, self.all_traits) for side in sides)
        )


def _has_items(field: Field) -> bool:
    members = field.type.members if isinstance(field.type, types.Union) else (field.type,)
    held = [one for one in members if not isinstance(one, types.NoneType)]
    are_arrays = all(isinstance(one, types.Array | types.TypeParameter) for one in held)
    return field.role not in ("static", "ref") and bool(held) and are_arrays


def _erase_type_parameters(type: Type, *others: builtins.type[Type]) -> Type:
    """Replace type parameters by `Any`: a class nested in a generic class has none of them."""
    if isinstance(type, (types.TypeParameter, *others)):
        return types.Anything()
    return type.map(lambda part: _erase_type_parameters(part, *others))
