"""Drafts: the typed mutable twin of a class, one line a field.

u: donated[f32[nx]]     ->    u = DraftArray("float32")
first: donated[Linear]  ->    first: DraftPart[Linear, Linear.Draft] = DraftPart(Linear)
grid: static[Grid]      ->    grid: DraftStatic[Grid]
"""

from __future__ import annotations

from codegen.program import types
from codegen.program.nodes import Class, Field
from codegen.program.rewrite import rebuilt
from codegen.program.types import ClassType, Ref, Type
from codegen.view.annotations import Reading, annotation, erased
from codegen.view.draft_types import Side, is_part, twin_type
from codegen.view.dynamics import DynamicWriter
from codegen.view.kinds import Kind
from codegen.view.layout import (
    WIDTH,
    Bracket,
    Node,
    call,
    fit,
    flat,
    parenthesized,
    signature,
    statement,
    subscript,
    tuple_of,
)
from codegen.view.literals import docstring, paragraph, py_str
from codegen.view.names import Names
from codegen.view.nodes import DraftView

_INDENT = 8
_ENDS = "The draft cannot be used afterwards, unless it is part of another."
# A field declared anew with a narrower type, which the narrower class of the object allows.
_NARROWED = "  # pyright: ignore[reportIncompatibleVariableOverride]"


def draft(kind: Kind, names: Names, kinds: dict[Ref, Kind], classes: dict[Ref, Class]) -> DraftView:
    """Write the draft of a class with arrays."""
    return _Writer(kind, names, kinds, classes).view()


def _doc(first: str, indent: int, *rest: str) -> str:
    return docstring([*paragraph(first, WIDTH - indent - 6), *rest], indent)


def has_draft(kind: Kind) -> bool:
    """Say whether a class has a draft."""
    return not kind.is_static


class _Writer:
    def __init__(
        self, kind: Kind, names: Names, kinds: dict[Ref, Kind], classes: dict[Ref, Class]
    ) -> None:
        self.kind = kind
        self.names = names
        self.kinds = kinds
        base = kind.node.base
        self.base = base if base is not None and has_draft(kinds[base.ref]) else None
        inherited = classes[self.base.ref].fields if self.base is not None else ()
        self.inherited = {field.name: field for field in inherited}
        self.classes = classes

    def view(self) -> DraftView:
        names, node = self.names, self.kind.node
        cls = erased(node, names)
        base = self._base("") if self.base else names.runtime("drafts.drafts", "PytreeDraft")
        fields = [f for f in node.fields if self._is_new(f)]
        lines = tuple(map(self._line, fields))
        twin = f"A mutable `{node.ref.name}`, for the trace that it is made in."
        result = f"Return the `{node.ref.name}` as it is now."
        return DraftView(
            head=fit(Bracket("class Draft(", (base,), "):"), 4, 4),
            doc=_doc(twin, _INDENT),
            blocks=tuple(block for block in (self._shares(), lines, *self._at(fields)) if block),
            freeze=signature("def freeze(", ["self"], f") -> {cls}:", _INDENT),
            freeze_doc=_doc(result, _INDENT + 4, "", _ENDS),
            result=statement(
                f"result: {cls} = ",
                call(names.runtime("drafts.drafts", "frozen"), "self"),
                _INDENT + 4,
            ),
            # By its whole name, which is known where the class is.
            make=signature("def draft(", ["self"], f") -> {node.ref.name}.Draft:", 4),
        )

    def _at(self, fields: list[Field]) -> tuple[tuple[str, ...], ...]:
        """Write the class of `draft.at`, with a line for each array."""
        known = {name for name, field in self.inherited.items() if _has_items(field)}
        arrays = [f.name for f in fields if _has_items(f) and f.name not in known]
        if not arrays:
            return ()
        items, items_of = (self.names.runtime("drafts.items", n) for n in ("Items", "ItemsOf"))
        base = self._base(".At") if known else self.names.runtime("drafts.items", "DraftAt")
        inner = _INDENT + 4
        head = fit(Bracket("class At(", (base,), "):"), inner, inner)
        lines = tuple(
            f"                {name}: {parenthesized(items, 16, 18 + len(name))}" for name in arrays
        )
        # To make a class takes longer than all else of a draft, and one base serves them all.
        condition = f"        if {self.names.use('typing', 'TYPE_CHECKING')}:"
        at = f"            at = {items_of}(At)"
        return (condition,), (f"            {head}", *lines), (at,)

    def _base(self, member: str) -> str:
        assert self.base is not None, "a base without a draft"
        return f"{self.names.ref(self.base.ref)}.Draft{member}"

    def _shares(self) -> tuple[str, ...]:
        rows = [
            tuple_of(*(tuple_of(*map(py_str, path.parts)) for path in share.paths))
            for share in self.kind.node.shares
        ]
        if not rows:
            return ()
        # Of a draft that this one extends the shares are fewer, and for mypy of another type.
        kind = f"{self.names.use('typing', 'ClassVar')}[{self.names.runtime('drafts.state', 'Shares')}]"
        return (statement(f"__codegen_shares__: {kind} = ", tuple_of(*rows), _INDENT),)

    def _is_new(self, field: Field) -> bool:
        """Say whether a field is not inherited, or not as it is there."""
        old = self.inherited.get(field.name)
        return old is None or self._texts(old) != self._texts(field)

    def _texts(self, field: Field) -> tuple[str, ...]:
        mark = self.names.mark()
        static = field.role == "static"
        head, arguments = (self._static(field), []) if static else self._value(field)
        self.names.forget(mark)
        return flat(head).replace('"', ""), *map(flat, arguments)

    def _line(self, field: Field) -> str:
        if field.role == "static":
            prefix = f"{field.name}: "
            before = _INDENT + len(prefix)
            line = f"{prefix}{parenthesized(self._static(field), _INDENT, before)}"
        else:
            head, arguments = self._value(field)
            if isinstance(head, str):
                made = call(head, *arguments)
                if not self._is_declared_in_base(field.name):
                    return statement(f"{field.name} = ", made, _INDENT)
                # Without its own type it would be held against the base's.
                line = statement(f"{field.name}: {head} = ", made, _INDENT).lstrip()
            else:
                line = _declared(field.name, head, arguments)
        if field.name in self.inherited:
            first, *rest = line.split("\n")
            line = "\n".join([first + _NARROWED, *rest])
        return f"{' ' * _INDENT}{line}"

    def _is_declared_in_base(self, name: str) -> bool:
        """Say whether the draft that this one extends says the type of a field."""
        if name not in self.inherited:
            return False
        mark = self.names.mark()
        head, _ = self._value(self.inherited[name])
        self.names.forget(mark)
        return not isinstance(head, str)

    def _static(self, field: Field) -> Node:
        type = _erased(field.type)
        held = annotation(type, Reading.STATIC, self.names)
        return subscript(self.names.runtime("drafts.drafts", "DraftStatic"), held)

    def _value(self, field: Field) -> tuple[str | Bracket, list[Node]]:
        """Return the descriptor's class, with type arguments, and its arguments."""
        names = self.names
        type = _erased(field.type)
        if isinstance(type, types.Array):
            if type.dtype == "key":
                return names.runtime("drafts.drafts", "DraftKey"), []
            return names.runtime("drafts.drafts", "DraftArray"), [py_str(type.dtype)]
        optional = types.optional(type)
        if isinstance(optional, types.Array):
            return names.runtime("drafts.drafts", "DraftOptionalArray"), [py_str(optional.dtype)]
        if isinstance(type, ClassType) and is_part(type, self.kinds):
            return self._part(type)
        # What stands for a type parameter may be an object with a draft.
        is_any = any(isinstance(part, types.TypeParameter) for part in types.walk(field.type))
        kind = "DraftParts" if is_any or is_part(type, self.kinds) else "DraftField"
        sides = [twin_type(type, side, names, self.kinds) for side in (Side.GET, Side.SET)]
        made = _Converters(names, "", "", "array", [], 0).maker(type)
        head = subscript(names.runtime("drafts.drafts", kind), *sides)
        return head, [] if made is None else [made]

    def _part(self, type: ClassType) -> tuple[Bracket, list[Node]]:
        sides = [twin_type(type, side, self.names, self.kinds) for side in (Side.OBJECT, Side.GET)]
        head = subscript(self.names.runtime("drafts.drafts", "DraftPart"), *sides)
        return head, [class_when_run(type, self.names)]


def _declared(name: str, head: Bracket, arguments: list[Node]) -> str:
    """Write `name: Field[...] = Field(arguments)`; trailing commas keep it as it is broken here.

    Declared, since type checkers do not infer types of classes that hold each other.
    """
    prefix = f"{name}: "
    made = Bracket(f"{head.opening.removesuffix('[')}(", tuple(arguments), ")")
    line = f"{prefix}{flat(head)} = {flat(made)}"
    if _INDENT + len(line) <= WIDTH:
        return line
    after = len(f" = {made.opening}") if arguments else len(f" = {flat(made)}")
    typed = prefix + fit(head, _INDENT, _INDENT + len(prefix), after)
    if not arguments:
        return f"{typed} = {flat(made)}"
    indent = _INDENT + 4
    lines = (f"{' ' * indent}{fit(a, indent, indent, 1)}," for a in arguments)
    return "\n".join([f"{typed} = {made.opening}", *lines, f"{' ' * _INDENT})"])


class _Converters(DynamicWriter):
    """Writes what brings a value to what a draft's field holds."""

    def maker(self, type: Type) -> Node | None:
        use = self.names.runtime
        match type:
            case types.Array():
                return call(use("drafts.values", "draft_array"), py_str(type.dtype))
            case types.Scalar():
                scalar = self.names.builtin(type.name)
                return call(use("drafts.values", "draft_scalar"), scalar)
            case types.ClassType():
                return call(use("drafts.values", "draft_part"), class_when_run(type, self.names))
            case _:
                return DynamicWriter.maker(self, type)


def class_when_run(type: ClassType, names: Names) -> Node:
    """Name a class; one that does not exist yet is found when it is needed."""
    if not names.is_forward(type.ref):
        return names.ref(type.ref)
    later, name = names.runtime("drafts.values", "Later"), py_str(type.ref.name)
    if not names.is_late(type.ref):
        return call(later, name, "__name__")
    return call(later, name, py_str(names.relative(type.ref.module)), "__package__")


def _has_items(field: Field) -> bool:
    members = field.type.members if isinstance(field.type, types.Union) else (field.type,)
    held = [one for one in members if not isinstance(one, types.NoneType)]
    are_arrays = all(isinstance(one, types.Array | types.TypeParameter) for one in held)
    return field.role != "static" and bool(held) and are_arrays


def _erased(type: Type) -> Type:
    """Put Any for type parameters: a class within a generic class has none of these."""
    if isinstance(type, types.TypeParameter):
        return types.Anything()
    return rebuilt(type, _erased)
