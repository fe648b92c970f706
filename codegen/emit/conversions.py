"""Convert a value to its declared type, static or dynamic, and compute its part of the key."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct, field

from codegen.check.contents import ObjectContents
from codegen.emit.declared_types import parameter_type
from codegen.emit.expressions import call, py_str, py_value, tuple_of, unless_none
from codegen.emit.names import ModuleNames, local_variable
from codegen.emit.view import Statement
from codegen.program import types
from codegen.program.types import Type


class DeclaredTypes(Struct):
    """The declared types to which containers and unions are converted.

    The run time knows those of a class. Those of a function are constants of the module.
    """

    names: ModuleNames
    contents: ObjectContents
    label: str = ""  # of a function, part of the names of its constants; empty: of a class
    constants: dict[str, str] = field(default_factory=dict[str, str])

    def converter(self, name: str, type: Type, place: str) -> str:
        """Return the function that converts a value: "static", "array" or "argument"."""
        if not self.label:
            return "_rt.as_declared_static" if place == "static" else "_rt.as_declared"
        is_static = place == "static"
        if name not in self.constants:
            text = parameter_type(type, self.names, self.contents, is_static=is_static)
            if text == "None":
                text = call("_rt.union", text)
            self.constants[name] = text
        return f"{self.constant(name)}.{place}"

    def constant(self, name: str) -> str:
        """Return the constant that holds the type of an argument or of the result."""
        return f"_codegen_{self.label}_{name}"


def directly_converted(types_: Iterable[Type]) -> list[Type]:
    """Return the types that values are converted to directly, without a description."""
    return [one for one in types_ if isinstance(one.without_none, types.ClassType)]


class StaticConversion(Struct, frozen=True):
    """The conversion of one static value, and its part of the key.

    nx: static[int]    ->    if type(nx) is not int:
                                 nx = as_int(nx, cls, "nx")        tag: nx
    sizes: static[tuple[int, ...]]
                       ->    sizes, sizes_tag = _rt.as_declared_static(sizes, cls, "sizes")        tag: sizes_tag
    """

    step: Statement | None  # the conversion; None where there is nothing to do
    tag: str  # Example: "nx", "dx or repr(dx)"


class StaticWriter(Struct):
    """Generates the statements for the static fields of one class, or the static arguments of a
    function.
    """

    names: ModuleNames
    owner: str  # the expression for the class, or the function's name as a literal
    taken: frozenset[str]
    declared: DeclaredTypes

    def convert(self, name: str, type: Type) -> StaticConversion:
        """Return the conversion of the value in the variable `name`."""
        inner = type.without_none
        simple = self._convert_simple(name, inner)
        if simple is None:
            return self._convert_composite(name, type)
        condition, value, tag = simple
        if inner is not type:
            condition = unless_none(name, condition)
            if tag != name:
                tag = f"None if {name} is None else {tag}"
        elif isinstance(type, types.Scalar) and type.name == "bool":
            # Type checkers know that it is a bool, so they would call the check unreachable.
            condition = ""
        return StaticConversion(Statement(condition, name, value) if value else None, tag)

    def _convert_simple(self, name: str, type: Type) -> tuple[str, str, str] | None:
        """Return the condition under which a value is converted, the converted value,
        and its tag.
        """
        builtin = self.names.builtin
        match type:
            case types.Scalar():
                check = f"{builtin('type')}({name}) is not {builtin(type.name)}"
                tag = name
                if type.name == "float":
                    check += f" or {name} != {name}"  # NaN
                    tag = f"{name} or {call(builtin('repr'), name)}"  # 0.0 and -0.0 are two keys
                elif type.name == "complex":
                    check += f" or {name} != {name}"
                    tag = call(builtin("repr"), name)
                return check, self._converter_call(name, f"as_{type.name}"), tag
            case types.EnumType():
                enum = self.names.ref(type.ref)
                check = f"{builtin('type')}({name}) is not {enum}"
                return check, self._converter_call(name, "as_enum", enum), name
            case types.PlainType():
                return "", self._converter_call(name, f"as_{type.name}"), name
            case types.Callable():
                return "", self._converter_call(name, "as_callable"), call(builtin("id"), name)
            case types.Identity():
                return "", "", call(builtin("id"), name)
            case types.Array():
                tag = call("_rt.constant_tag", name)
                return "", self._converter_call(name, "as_constant", py_str(type.dtype)), tag
            case types.ClassType():
                cls = self.names.ref(type.ref)
                # No object has exactly an abstract class as its type.
                is_abstract = type.ref in self.names.facts.abstract
                check = "" if is_abstract else f"{builtin('type')}({name}) is not {cls}"
                return (
                    check,
                    self._converter_call(name, "as_instance", cls),
                    f"{name}.__codegen_key__",
                )
            case _:
                return None

    def _converter_call(self, name: str, function: str, *extra: str) -> str:
        return call(f"_rt.{function}", name, *extra, self.owner, py_str(name))

    def _with_tag(self, name: str, value: str) -> StaticConversion:
        tag = local_variable(f"{name}_tag", self.taken)
        return StaticConversion(Statement("", f"{name}, {tag}", value), tag)

    def _convert_composite(self, name: str, type: Type) -> StaticConversion:
        """Return the same for other types. Most are converted by their descriptions."""
        match type:
            case types.NoneType():
                refuse = self._converter_call(name, "as_none")
                return StaticConversion(Statement(f"{name} is not None", "", refuse), "None")
            case types.Literals() if len({v.__class__ for v in type.values}) == 1:
                options = tuple_of(*map(py_value, type.values))
                value = self._converter_call(name, "as_literal", options)
                return StaticConversion(Statement("", name, value), name)
            case types.Anything() | types.TypeParameter():
                return self._with_tag(name, self._converter_call(name, "as_static"))
            case _:
                function = self.declared.converter(name, type, "static")
                return self._with_tag(name, call(function, name, self.owner, py_str(name)))


class DynamicWriter(Struct):
    """Generates the statements for the dynamic fields of one class, or the traced arguments of a
    function.

    t: dynamic[f32]    ->    t = _rt.as_array(t, "float32", cls, "t")
    """

    names: ModuleNames
    owner: str
    array: str  # "array" in classes; in functions "argument", since a number may stay one
    declared: DeclaredTypes | None = None  # of containers and unions

    def convert(self, name: str, type: Type) -> Statement | None:
        """Return the conversion of the value in the variable `name`; None if it is
        taken unchanged.
        """
        inner = type.without_none
        checked = self._convert_simple(name, inner)
        if checked is not None:
            condition, value = checked
            if inner is not type:
                condition = unless_none(name, condition)
            return Statement(condition, name, value)
        if not is_converted(type):
            return None
        assert self.declared is not None, "only arrays are converted here"
        function = self.declared.converter(name, type, self.array)
        return Statement("", name, call(function, name, self.owner, py_str(name)))

    def _convert_simple(self, name: str, type: Type) -> tuple[str, str] | None:
        """Return the condition under which a simple value is converted, and the converted value."""
        kind = self.names.builtin("type")
        place = (self.owner, py_str(name))
        match type:
            case types.Array(is_ref=True):
                # A Ref is never a result. An argument must be a Ref, not an array.
                function = "as_ref" if self.array == "array" else "as_ref_argument"
                return "", call(f"_rt.{function}", name, py_str(type.dtype), *place)
            case types.Array():
                value = call(f"_rt.as_{self.array}", name, py_str(type.dtype), *place)
                if self.array != "argument":
                    return "", value
                # The dtypes of arguments are checked when they are traced. A weak type would
                # cause a second trace.
                is_weak = f"_rt.is_weak_array({name})"
                return f"{kind}({name}) in _rt.CONVERTED or {is_weak}", value
            case types.Scalar():
                scalar = self.names.builtin(type.name)
                return (
                    f"{kind}({name}) is not {scalar}",
                    call("_rt.as_scalar", name, scalar, *place),
                )
            case types.ClassType():
                cls = self.names.ref(type.ref)
                # No object has exactly an abstract class as its type.
                is_abstract = type.ref in self.names.facts.abstract
                return (
                    "" if is_abstract else f"{kind}({name}) is not {cls}",
                    call("_rt.as_part", name, cls, *place),
                )
            case types.External():
                cls = self.names.external(type)
                return "", call("_rt.as_foreign", name, cls, *place)
            case _:
                return None


def is_converted(type: Type) -> bool:
    """Return whether a value of a type in a traced place is converted, or taken unchanged."""
    if isinstance(type, types.Union):
        return any(map(is_converted, type.members))
    return not isinstance(type, types.Anything | types.TypeParameter)


def is_leaf(type: Type) -> bool:
    """Return whether every value of a type in a traced place is exactly one leaf."""
    return isinstance(type, types.Array | types.Scalar)
