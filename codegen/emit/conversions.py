"""Convert a value to its declared type, static or dynamic, and compute its part of the key."""

from __future__ import annotations

from msgspec import Struct, field

from codegen.check.contents import ObjectContents
from codegen.emit.declared_types import Descriptions
from codegen.emit.expressions import call, py_str, py_value, tuple_of, unless_none
from codegen.emit.names import ModuleNames, local_variable
from codegen.emit.view import Statement
from codegen.program import types
from codegen.program.types import Type


class StaticConversion(Struct, frozen=True):
    """The conversion of one static value, and its part of the key.

    nx: static[int]    ->    if type(nx) is not int:
                                 nx = as_int(nx, cls, "nx")        tag: nx
    sizes: static[tuple[int, ...]]
                       ->    sizes, sizes_tag = _rt.as_declared_static(sizes, cls, "sizes")        tag: sizes_tag
    """

    step: Statement | None  # the conversion; None where there is nothing to do
    tag: str  # Example: "nx", "dx or repr(dx)"


class Conversions(Struct):
    """Generates the statements that convert the fields of one class, or the arguments of a function.

    Containers and unions are converted to their declared types. The run time knows those of a class.
    Those of a function are constants of the module.
    """

    names: ModuleNames
    contents: ObjectContents
    owner: str  # the expression for the class, or the function's name as a literal
    taken: frozenset[str]
    function: str = ""  # its name, part of the names of its constants; empty: a class
    constants: dict[str, str] = field(default_factory=dict[str, str])

    def constant(self, name: str) -> str:
        """Return the constant that holds the type of an argument or of the result."""
        return f"_codegen_{self.function}_{name}"

    def description(self, name: str, type: Type, *, is_static: bool) -> str:
        """Return the declared type of an argument or of the result, or the constant that holds it."""
        if name in self.constants:
            return self.constant(name)
        return Descriptions(self.names, self.contents).format(type, is_static=is_static)

    def static(self, name: str, type: Type) -> StaticConversion:
        """Return the conversion of the static value in the variable `name`."""
        inner = type.without_none
        simple = self._simple_static(name, inner)
        if simple is None:
            return self._other_static(name, type)
        condition, value, tag = simple
        if inner is not type:
            condition = unless_none(name, condition)
            if tag != name:
                tag = f"None if {name} is None else {tag}"
        elif isinstance(type, types.Scalar) and type.name == "bool":
            # Type checkers know that it is a bool, so they would call the check unreachable.
            condition = ""
        return StaticConversion(Statement(condition, name, value) if value else None, tag)

    def traced(self, name: str, type: Type) -> Statement | None:
        """Return the conversion of the traced value in the variable `name`; None if it is taken
        unchanged.

        t: dynamic[f32]    ->    t = _rt.as_array(t, "float32", cls, "t")
        """
        inner = type.without_none
        simple = self._simple_traced(name, inner)
        if simple is not None:
            condition, value = simple
            condition = condition if inner is type else unless_none(name, condition)
            return Statement(condition, name, value)
        if not is_converted(type):
            return None
        return Statement("", name, self._by_description(name, type, is_static=False))

    def _simple_static(self, name: str, type: Type) -> tuple[str, str, str] | None:
        """Return the condition under which a value is converted, the converted value,
        and its tag.
        """
        builtin = self.names.builtin
        match type:
            case types.Scalar():
                check, tag = self._is_not(name, builtin(type.name)), name
                if type.name in ("float", "complex"):
                    check += f" or {name} != {name}"  # NaN
                    tag = call(builtin("repr"), name)  # 0.0 and -0.0 are two keys
                    tag = f"{name} or {tag}" if type.name == "float" else tag
                return check, self._call(f"as_{type.name}", name), tag
            case types.EnumType():
                enum = self.names.ref(type.ref)
                return self._is_not(name, enum), self._call("as_enum", name, enum), name
            case types.PlainType():
                return "", self._call(f"as_{type.name}", name), name
            case types.Callable():
                return "", self._call("as_callable", name), call(builtin("id"), name)
            case types.Identity():
                return "", "", call(builtin("id"), name)
            case types.Array():
                value = self._call("as_constant", name, py_str(type.dtype))
                return "", value, call("_rt.constant_tag", name)
            case types.ClassType():
                check, value = self._object(name, type, "as_instance")
                return check, value, f"{name}.__codegen_key__"
            case _:
                return None

    def _other_static(self, name: str, type: Type) -> StaticConversion:
        match type:
            case types.NoneType():
                refuse = Statement(f"{name} is not None", "", self._call("as_none", name))
                return StaticConversion(refuse, "None")
            case types.Literals() if len({v.__class__ for v in type.values}) == 1:
                options = tuple_of(*map(py_value, type.values))
                value = self._call("as_literal", name, options)
                return StaticConversion(Statement("", name, value), name)
            case types.Anything() | types.TypeParameter():
                value = self._call("as_static", name)
            case _:
                value = self._by_description(name, type, is_static=True)
        tag = local_variable(f"{name}_tag", self.taken)
        return StaticConversion(Statement("", f"{name}, {tag}", value), tag)

    def _simple_traced(self, name: str, type: Type) -> tuple[str, str] | None:
        """Return the condition under which a value is converted, and the converted value."""
        match type:
            case types.Array(is_ref=True):
                # A Ref is never a result. An argument must be a Ref, not an array.
                function = "as_ref_argument" if self.function else "as_ref"
                return "", self._call(function, name, py_str(type.dtype))
            case types.Array() if not self.function:
                return "", self._call("as_array", name, py_str(type.dtype))
            case types.Array():
                # A number may stay one. The dtypes of arguments are checked when they are traced. A
                # weak type would cause a second trace.
                kind = call(self.names.builtin("type"), name)
                condition = f"{kind} in _rt.CONVERTED or _rt.is_weak({name})"
                return condition, self._call("as_argument", name, py_str(type.dtype))
            case types.Scalar():
                scalar = self.names.builtin(type.name)
                return self._is_not(name, scalar), self._call("as_scalar", name, scalar)
            case types.ClassType():
                return self._object(name, type, "as_part")
            case types.External():
                return "", self._call("as_part", name, self.names.external(type))
            case _:
                return None

    def _object(self, name: str, type: types.ClassType, function: str) -> tuple[str, str]:
        cls = self.names.ref(type.ref)
        # No object has exactly an abstract class as its type.
        is_abstract = type.ref in self.names.facts.abstract
        return "" if is_abstract else self._is_not(name, cls), self._call(function, name, cls)

    def _is_not(self, name: str, cls: str) -> str:
        return f"{self.names.builtin('type')}({name}) is not {cls}"

    def _call(self, function: str, name: str, *extra: str) -> str:
        return call(f"_rt.{function}", name, *extra, self.owner, py_str(name))

    def _by_description(self, name: str, type: Type, *, is_static: bool) -> str:
        """Return the conversion of a value to its declared type, at run time."""
        if not self.function:
            return self._call("as_declared_static" if is_static else "as_declared", name)
        if name not in self.constants:
            text = self.description(name, type, is_static=is_static)
            self.constants[name] = call("_rt.union", text) if text == "None" else text
        converter = f"{self.constant(name)}.{'static' if is_static else 'argument'}"
        return call(converter, name, self.owner, py_str(name))


def is_converted(type: Type) -> bool:
    """Return whether a value of a type in a traced place is converted, or taken unchanged."""
    return any(not isinstance(o, types.Anything | types.TypeParameter) for o in type.options)


def is_leaf(type: Type) -> bool:
    """Return whether every value of a type in a traced place is exactly one leaf."""
    return isinstance(type, types.Array | types.Scalar)
