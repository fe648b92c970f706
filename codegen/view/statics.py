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
from codegen.view.expressions import call, tuple_of
from codegen.view.literals import py_str, py_value
from codegen.view.names import Names, local
from codegen.view.nodes import Assignment, Step

# What converts them is in `keys`, and what converts other types in a part of its own.
_IN_KEYS = ("as_bool", "as_complex", "as_float", "as_int", "as_str")


class Normalised(Struct, frozen=True):
    """One static value on its way into the key."""

    step: Step | None  # what is done to it; None where nothing is to do
    tag: str  # Example: "nx", "float_tag(dx)"


class StaticWriter(Struct):
    """Writes the statements for the static fields of one class, or the static arguments of one function."""

    names: Names
    owner: str  # the expression for the class, or the function's name as a literal
    label: str  # Example: "Grid"; part of the names of converters
    taken: frozenset[str]
    converters: list[Assignment]
    typed: bool = False  # the variables carry their declared types, not `Any`

    def normalise(self, name: str, type: Type) -> Normalised:
        """Write what happens to the value in the variable `name`."""
        optional = types.optional(type)
        simple = self._simple(name, optional or type, optional=optional is not None)
        return simple or self._composite(name, type)

    def _simple(self, name: str, type: Type, *, optional: bool) -> Normalised | None:
        match type:
            case types.Scalar():
                return self._scalar(name, type.name, optional=optional)
            case types.EnumType():
                enum = self.names.ref(type.ref)
                check = f"{self._type()}({name}) is not {enum}"
                step = self._guarded(name, check, "as_enum", [enum], optional=optional)
                return Normalised(step, name)
            case types.DType():
                return self._always(name, "as_dtype", [], name, optional=optional)
            case types.Callable():
                tag = f"{self.names.builtin('id')}({name})"
                return self._always(name, "as_callable", [], tag, optional=optional)
            case types.Identity():
                return Normalised(None, f"{self.names.builtin('id')}({name})")
            case types.Array():
                constant_tag = self.names.runtime("statics", "constant_tag")
                step = self._call(
                    "statics", name, "as_constant", [py_str(type.dtype)], optional=optional
                )
                return Normalised(step, f"{constant_tag}({name})")
            case types.ClassType():
                return self._instance(name, type, optional=optional)
            case types.NoneType() if not optional:
                refuse = call(self.names.runtime("converters", "as_none"), name, *self._place(name))
                return Normalised(Step(f"{name} is not None", "", refuse), "None")
            case types.Literals() if not optional and len({v.__class__ for v in type.values}) == 1:
                options = tuple_of(*(py_value(v) for v in type.values))
                return self._always(name, "as_literal", [options], name, optional=False)
            case types.Anything() | types.TypeParameter() if not optional:
                as_static = self.names.runtime("statics", "as_static")
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
            tag = f"{self.names.runtime('keys', 'float_tag')}({name})"
        elif scalar == "complex":
            either = f"{check} or {self.names.use('cmath', '')}.isnan({name})"
            check = f"({either})" if optional else either
            tag = f"{self.names.builtin('repr')}({name})"
        if scalar == "bool" and self.typed and not optional:
            # To type checkers nothing but a bool can be one, so they call the check unreachable.
            return self._always(name, "as_bool", [], tag, optional=False)
        step = self._guarded(name, check, f"as_{scalar}", [], optional=optional)
        return Normalised(step, tag)

    def _guarded(
        self, name: str, check: str, function: str, extra: list[str], *, optional: bool
    ) -> Step:
        condition = f"{name} is not None and {check}" if optional else check
        return Step(condition, name, self._converted(_part(function), name, function, extra))

    def _call(
        self, part: str, name: str, function: str, extra: list[str], *, optional: bool
    ) -> Step:
        condition = f"{name} is not None" if optional else ""
        return Step(condition, name, self._converted(part, name, function, extra))

    def _converted(self, part: str, name: str, function: str, extra: list[str]) -> str:
        return call(self.names.runtime(part, function), name, *extra, self.owner, py_str(name))

    def _always(
        self, name: str, function: str, extra: list[str], tag: str, *, optional: bool
    ) -> Normalised:
        step = self._call(_part(function), name, function, extra, optional=optional)
        return Normalised(step, tag)

    def _instance(self, name: str, type: types.ClassType, *, optional: bool) -> Normalised:
        cls = self.names.ref(type.ref)
        key = f"{name}.__codegen_key__"
        if type.ref in self.names.facts.abstract:
            # No object is exactly of it.
            step = self._call("converters", name, "as_instance", [cls], optional=optional)
        else:
            check = f"{self._type()}({name}) is not {cls}"
            step = self._guarded(name, check, "as_instance", [cls], optional=optional)
        return Normalised(step, f"None if {name} is None else {key}" if optional else key)

    def _with_tag(self, name: str, value: str) -> Normalised:
        tag = local(f"{name}_tag", self.taken)
        return Normalised(Step("", f"{name}, {tag}", value), tag)

    # --- composite types: a converter made once, when the module is imported

    def _composite(self, name: str, type: Type) -> Normalised:
        made = converter(type, self.names)
        place = self._place(name)
        if needs_late(type, self.names):
            # It names a class that does not exist yet when the module is imported.
            return self._with_tag(name, call(f"{made}.convert", name, *place))
        constant = f"_codegen_{self.label}_{name}"
        self.converters.append(Assignment(constant, made))
        return self._with_tag(name, call(f"{constant}.convert", name, *place))


def converter(type: Type, names: Names) -> str:
    """Write the expression that makes the converter of a type."""
    use = names.runtime
    match type:
        case types.Scalar():
            return use("statics", f"static_{type.name}")
        case types.NoneType():
            return use("statics", "static_none")
        case types.Anything() | types.TypeParameter():
            return use("statics", "static_any")
        case types.DType():
            return use("statics", "static_dtype")
        case types.Callable():
            return use("statics", "static_callable")
        case types.Identity():
            return use("statics", "static_identity")
        case types.EnumType():
            return call(use("statics", "static_enum"), names.ref(type.ref))
        case types.Literals():
            return call(use("statics", "static_literal"), *(py_value(v) for v in type.values))
        case types.Array():
            return call(use("statics", "static_constant"), py_str(type.dtype))
        case types.ClassType():
            return call(use("statics", "static_instance"), names.ref(type.ref))
        case types.External():
            return call(use("statics", "static_foreign"), names.external(type))
        case types.Sequence():
            container = "tuple" if type.container == "tuple" else "frozenset"
            return call(use("statics", f"static_{container}"), converter(type.element, names))
        case types.FixedTuple():
            parts = [converter(e, names) for e in type.elements]
            return call(use("statics", "static_items"), *parts)
        case types.Mapping():
            parts = [converter(type.key, names), converter(type.value, names)]
            return call(use("frozendict", "static_frozendict"), *parts)
        case types.Union():
            return call(
                use("statics", "static_union"),
                *(converter(m, names) for m in type.members),
            )


def needs_late(type: Type, names: Names) -> bool:
    return any(
        not names.is_defined(part.ref)
        for part in types.walk(type)
        if isinstance(part, types.ClassType | types.EnumType)
    )


def _part(function: str) -> str:
    return "keys" if function in _IN_KEYS else "converters"
