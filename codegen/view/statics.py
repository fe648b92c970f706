"""How static values are brought to their declared types, and what of them enters the key.

nx: static[int]    ->    if type(nx) is not int:
                             nx = as_int(nx, cls, "nx")        tag: nx
sizes: static[tuple[int, ...]]
                   ->    sizes, sizes_tag = _codegen_Grid_sizes.convert(sizes, cls, "sizes")        tag: sizes_tag
"""

from __future__ import annotations

from msgspec import Struct

from codegen.program import types
from codegen.program.types import Type
from codegen.view.layout import Node, call, flat, is_too_long, statement, tuple_of, unpacking
from codegen.view.literals import py_str, py_value
from codegen.view.names import Names, local


class Normalised(Struct, frozen=True):
    """One static value on its way into the key."""

    lines: tuple[str, ...]  # statements; empty where nothing is to do
    tag: str  # Example: "nx", "float_tag(dx)"


class Converter(Struct, frozen=True):
    """A module constant that converts values of a composite type."""

    name: str
    text: str  # the whole statement


class StaticWriter(Struct):
    """Writes the statements for the static fields of one class, or the static arguments of one function."""

    names: Names
    owner: str  # the expression for the class, or the function's name as a literal
    label: str  # Example: "Grid"; part of the names of converters
    taken: frozenset[str]
    converters: list[Converter]
    indent: int = 4
    typed: bool = False  # the variables carry their declared types, not `Any`

    def normalise(self, name: str, type: Type) -> Normalised:
        """Write what happens to the value in the variable `name`."""
        optional = types.optional(type)
        inner = optional or type
        mark = self.names.mark()
        simple = self._simple(name, inner, optional=optional is not None)
        # A condition is not broken over lines: a very long name goes the general way.
        if simple is None or any(is_too_long(line) for line in simple.lines):
            self.names.forget(mark)
            return self._composite(name, type)
        return simple

    def _simple(self, name: str, type: Type, *, optional: bool) -> Normalised | None:
        match type:
            case types.Scalar():
                return self._scalar(name, type.name, optional=optional)
            case types.EnumType():
                enum = self.names.ref(type.ref)
                check = f"{self._type()}({name}) is not {enum}"
                lines = self._guarded(name, check, "as_enum", [enum], optional=optional)
                return Normalised(lines, name)
            case types.DType():
                return self._always(name, "as_dtype", [], name, optional=optional)
            case types.Callable():
                tag = f"{self.names.builtin('id')}({name})"
                return self._always(name, "as_callable", [], tag, optional=optional)
            case types.Array():
                constant_tag = self.names.runtime("keys.constants", "constant_tag")
                lines = self._call(
                    "keys.constants", name, "as_constant", [py_str(type.dtype)], optional=optional
                )
                return Normalised(lines, f"{constant_tag}({name})")
            case types.ClassType():
                return self._instance(name, type, optional=optional)
            case types.NoneType() if not optional:
                refuse = call(
                    self.names.runtime("keys.conversion", "as_none"), name, *self._place(name)
                )
                lines = guarded(f"{name} is not None", "", refuse, self.indent)
                return Normalised(lines, "None")
            case types.Literals() if not optional and len({v.__class__ for v in type.values}) == 1:
                options = flat(tuple_of(*(py_value(v) for v in type.values)))
                return self._always(name, "as_literal", [options], name, optional=False)
            case types.Anything() | types.TypeParameter() if not optional:
                as_static = self.names.runtime("keys.tags", "as_static")
                return self._with_tag(name, call(as_static, name, *self._place(name)))
            case _:
                return None

    def _type(self) -> str:
        return self.names.builtin("type")

    def _place(self, name: str) -> tuple[str, str]:
        return self.owner, py_str(name)

    def _scalar(self, name: str, scalar: str, *, optional: bool) -> Normalised:
        check = f"{self._type()}({name}) is not {self.names.builtin(scalar)}"
        tag = name
        if scalar == "float":
            either = f"{check} or {self.names.use('math', 'isnan')}({name})"
            check = f"({either})" if optional else either
            tag = f"{self.names.runtime('keys.tags', 'float_tag')}({name})"
        elif scalar == "complex":
            either = f"{check} or {self.names.use('cmath', '')}.isnan({name})"
            check = f"({either})" if optional else either
            tag = f"{self.names.runtime('keys.tags', 'complex_tag')}({name})"
        if scalar == "bool" and self.typed and not optional:
            # To type checkers nothing but a bool can be one, so they call the check unreachable.
            return self._always(name, "as_bool", [], tag, optional=False)
        lines = self._guarded(name, check, f"as_{scalar}", [], optional=optional)
        return Normalised(lines, tag)

    def _guarded(
        self, name: str, check: str, function: str, extra: list[str], *, optional: bool
    ) -> tuple[str, ...]:
        condition = f"{name} is not None and {check}" if optional else check
        return guarded(
            condition, *self._assignment("keys.conversion", name, function, extra), self.indent
        )

    def _call(
        self, file: str, name: str, function: str, extra: list[str], *, optional: bool
    ) -> tuple[str, ...]:
        prefix, value = self._assignment(file, name, function, extra)
        return guarded(f"{name} is not None" if optional else "", prefix, value, self.indent)

    def _assignment(
        self, file: str, name: str, function: str, extra: list[str]
    ) -> tuple[str, Node]:
        converter = self.names.runtime(file, function)
        return f"{name} = ", call(converter, name, *extra, self.owner, py_str(name))

    def _always(
        self, name: str, function: str, extra: list[str], tag: str, *, optional: bool
    ) -> Normalised:
        return Normalised(
            self._call("keys.conversion", name, function, extra, optional=optional), tag
        )

    def _instance(self, name: str, type: types.ClassType, *, optional: bool) -> Normalised:
        cls = self.names.ref(type.ref)
        key = f"{name}.__codegen_key__"
        if type.ref in self.names.facts.abstract:
            # No object is exactly of it.
            lines = self._call("keys.conversion", name, "as_instance", [cls], optional=optional)
        else:
            check = f"{self._type()}({name}) is not {cls}"
            lines = self._guarded(name, check, "as_instance", [cls], optional=optional)
        return Normalised(lines, f"None if {name} is None else {key}" if optional else key)

    def _with_tag(self, name: str, value: Node) -> Normalised:
        tag = local(f"{name}_tag", self.taken)
        return Normalised((unpacking([name, tag], value, self.indent),), tag)

    # --- composite types: a converter made once, when the module is imported

    def _composite(self, name: str, type: Type) -> Normalised:
        made = self.converter(type)
        place = self._place(name)
        if needs_late(type, self.names):
            # It names a class that does not exist yet when the module is imported.
            head = made if isinstance(made, str) else flat(made)
            return self._with_tag(name, call(f"{head}.convert", name, *place))
        constant = f"_codegen_{self.label}_{name}"
        final = self.names.use("typing", "Final")
        self.converters.append(Converter(constant, statement(f"{constant}: {final} = ", made)))
        return self._with_tag(name, call(f"{constant}.convert", name, *place))

    def converter(self, type: Type) -> Node:
        """Write the expression that makes the converter of a type."""
        use = self.names.runtime
        match type:
            case types.Scalar():
                return use("statics.composites", f"static_{type.name}")
            case types.NoneType():
                return use("statics.composites", "static_none")
            case types.Anything() | types.TypeParameter():
                return use("statics.composites", "static_any")
            case types.DType():
                return use("statics.composites", "static_dtype")
            case types.Callable():
                return use("statics.composites", "static_callable")
            case types.EnumType():
                return call(use("statics.composites", "static_enum"), self.names.ref(type.ref))
            case types.Literals():
                return call(
                    use("statics.composites", "static_literal"), *(py_value(v) for v in type.values)
                )
            case types.Array():
                return call(use("statics.composites", "static_constant"), py_str(type.dtype))
            case types.ClassType():
                return call(use("statics.composites", "static_instance"), self.names.ref(type.ref))
            case types.External():
                return call(use("statics.composites", "static_foreign"), self.names.external(type))
            case types.Sequence():
                container = "tuple" if type.container == "tuple" else "frozenset"
                return call(
                    use("statics.composites", f"static_{container}"), self.converter(type.element)
                )
            case types.FixedTuple():
                parts = [self.converter(e) for e in type.elements]
                return call(use("statics.composites", "static_items"), *parts)
            case types.Mapping():
                parts = [self.converter(type.key), self.converter(type.value)]
                return call(use("statics.composites", "static_frozendict"), *parts)
            case types.Union():
                return call(
                    use("statics.composites", "static_union"),
                    *(self.converter(m) for m in type.members),
                )


def needs_late(type: Type, names: Names) -> bool:
    return any(
        not names.is_defined(part.ref)
        for part in types.walk(type)
        if isinstance(part, types.ClassType | types.EnumType)
    )


def guarded(condition: str, prefix: str, value: Node, indent: int) -> tuple[str, ...]:
    """Write an assignment under a condition; an empty one always holds."""
    if not condition:
        return (statement(prefix, value, indent),)
    return (f"{' ' * indent}if {condition}:", statement(prefix, value, indent + 4))
