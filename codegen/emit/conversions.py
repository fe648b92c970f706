"""How a value is converted to its declared type, static or dynamic, and enters the key."""

from __future__ import annotations

from msgspec import Struct

from codegen.emit.expressions import call, py_str, py_value, tuple_of, unless_none
from codegen.emit.names import ModuleNames, local
from codegen.emit.view import Assignment, Statement
from codegen.program import types
from codegen.program.types import Type

_BY_TYPE = "statics.composites"  # where converters are that are put together by type
# Where the functions are that are not in `converters`.
_IN_KEYS = ("as_bool", "as_complex", "as_float", "as_int", "as_str")
_PARTS = {**dict.fromkeys(_IN_KEYS, "keys"), "as_constant": _BY_TYPE, "as_static": "statics"}


class Normalised(Struct, frozen=True):
    """One static value on its way into the key.

    nx: static[int]    ->    if type(nx) is not int:
                                 nx = as_int(nx, cls, "nx")        tag: nx
    sizes: static[tuple[int, ...]]
                       ->    sizes, sizes_tag = _codegen_Grid_sizes.convert(sizes, cls, "sizes")        tag: sizes_tag
    """

    step: Statement | None  # what is done to it; None where nothing is to do
    tag: str  # Example: "nx", "float_tag(dx)"


class StaticWriter(Struct):
    """Writes the statements for the static fields of one class, or the static arguments of one function."""

    names: ModuleNames
    owner: str  # the expression for the class, or the function's name as a literal
    label: str  # Example: "Grid"; part of the names of converters
    taken: frozenset[str]
    converters: list[Assignment]
    typed: bool = False  # the variables carry their declared types, not `Any`

    def normalise(self, name: str, type: Type) -> Normalised:
        """Write what happens to the value in the variable `name`."""
        optional = types.optional(type)
        simple = self._simple(name, optional or type)
        if simple is None:
            return self._composite(name, type)
        condition, value, tag = simple
        if optional is not None:
            condition = unless_none(name, condition)
            if isinstance(optional, types.ClassType):
                tag = f"None if {name} is None else {tag}"
        elif self.typed and isinstance(type, types.Scalar) and type.name == "bool":
            # To type checkers nothing but a bool can be one, so they call the check unreachable.
            condition = ""
        return Normalised(Statement(condition, name, value) if value else None, tag)

    def _simple(self, name: str, type: Type) -> tuple[str, str, str] | None:
        """Return the condition under which a value is converted, to what, and its tag."""
        use, builtin = self.names.runtime, self.names.builtin
        match type:
            case types.Scalar():
                check = f"{builtin('type')}({name}) is not {builtin(type.name)}"
                tag = name
                if type.name == "float":
                    check += f" or {self.names.use('math', 'isnan')}({name})"
                    tag = call(use("keys", "float_tag"), name)
                elif type.name == "complex":
                    check += f" or {self.names.use('cmath', '')}.isnan({name})"
                    tag = call(builtin("repr"), name)
                return check, self._converted(name, f"as_{type.name}"), tag
            case types.EnumType():
                enum = self.names.ref(type.ref)
                check = f"{builtin('type')}({name}) is not {enum}"
                return check, self._converted(name, "as_enum", enum), name
            case types.DType():
                return "", self._converted(name, "as_dtype"), name
            case types.Callable():
                return "", self._converted(name, "as_callable"), call(builtin("id"), name)
            case types.Identity():
                return "", "", call(builtin("id"), name)
            case types.Array():
                tag = call(use(_BY_TYPE, "constant_tag"), name)
                return "", self._converted(name, "as_constant", py_str(type.dtype)), tag
            case types.ClassType():
                cls = self.names.ref(type.ref)
                # No object is exactly of an abstract class.
                is_abstract = type.ref in self.names.facts.abstract
                check = "" if is_abstract else f"{builtin('type')}({name}) is not {cls}"
                return check, self._converted(name, "as_instance", cls), f"{name}.__codegen_key__"
            case _:
                return None

    def _converted(self, name: str, function: str, *extra: str) -> str:
        use = self.names.runtime(_PARTS.get(function, "converters"), function)
        return call(use, name, *extra, self.owner, py_str(name))

    def _with_tag(self, name: str, value: str) -> Normalised:
        tag = local(f"{name}_tag", self.taken)
        return Normalised(Statement("", f"{name}, {tag}", value), tag)

    def _composite(self, name: str, type: Type) -> Normalised:
        """Write the same for other types: most by a converter that is made when the module is imported."""
        match type:
            case types.NoneType():
                refuse = self._converted(name, "as_none")
                return Normalised(Statement(f"{name} is not None", "", refuse), "None")
            case types.Literals() if len({v.__class__ for v in type.values}) == 1:
                options = tuple_of(*map(py_value, type.values))
                value = self._converted(name, "as_literal", options)
                return Normalised(Statement("", name, value), name)
            case types.Anything() | types.TypeParameter():
                return self._with_tag(name, self._converted(name, "as_static"))
            case _:
                made = converter(type, self.names)
        if not needs_late(type, self.names):
            # All classes that it names exist when the module is imported.
            self.converters.append(Assignment(f"_codegen_{self.label}_{name}", made))
            made = self.converters[-1].name
        return self._with_tag(name, call(f"{made}.convert", name, self.owner, py_str(name)))


def converter(type: Type, names: ModuleNames) -> str:
    """Write the expression that makes the converter of a type."""
    use = names.runtime
    match type:
        case types.Scalar():
            return use(_BY_TYPE, f"static_{type.name}")
        case types.NoneType():
            return use(_BY_TYPE, "static_none")
        case types.Anything() | types.TypeParameter():
            return use("statics", "static_any")
        case types.DType():
            return use(_BY_TYPE, "static_dtype")
        case types.Callable():
            return use(_BY_TYPE, "static_callable")
        case types.Identity():
            return use(_BY_TYPE, "static_identity")
        case types.EnumType():
            return call(use(_BY_TYPE, "static_enum"), names.ref(type.ref))
        case types.Literals():
            return call(use(_BY_TYPE, "static_literal"), *(py_value(v) for v in type.values))
        case types.Array():
            return call(use(_BY_TYPE, "static_constant"), py_str(type.dtype))
        case types.ClassType():
            return call(use(_BY_TYPE, "static_instance"), names.ref(type.ref))
        case types.External():
            return call(use("statics", "static_foreign"), names.external(type))
        case types.Sequence():
            return call(use(_BY_TYPE, f"static_{type.container}"), converter(type.element, names))
        case types.FixedTuple():
            parts = [converter(e, names) for e in type.elements]
            return call(use(_BY_TYPE, "static_items"), *parts)
        case types.Mapping():
            parts = [converter(type.key, names), converter(type.value, names)]
            return call(use("frozendict", "static_frozendict"), *parts)
        case types.Union():
            parts = [converter(m, names) for m in type.members]
            return call(use(_BY_TYPE, "static_union"), *parts)


def needs_late(type: Type, names: ModuleNames) -> bool:
    return any(
        not names.is_defined(part.ref)
        for part in types.iter_held(type)
        if isinstance(part, types.ClassType | types.EnumType)
    )


class DynamicWriter(Struct):
    """Writes the statements for the dynamic fields of one class, or the traced arguments of one function.

    t: dynamic[f32]    ->    if type(t) in CONVERTED or is_weak(t):
                                 t = as_array(t, "float32", cls, "t")
    """

    names: ModuleNames
    owner: str
    label: str
    array: str  # "array" in classes; in functions "argument", a number need not become a jax.Array there; "result"
    converters: list[Assignment]
    path: str = ""  # how errors call the value, where that is not the variable's name

    def convert(self, name: str, type: Type) -> Statement | None:
        """Write what happens to the value in the variable `name`; nothing for what is taken as it is."""
        optional = types.optional(type)
        checked = self._checked(name, optional or type)
        if checked is not None:
            condition, value = checked
            if optional is not None:
                condition = unless_none(name, condition)
            return Statement(condition, name, value)
        maker = self.maker(type)
        if maker is None:
            return None
        path = self.path or name
        place = (name, self.owner, py_str(path))
        if needs_late(type, self.names):
            return Statement("", name, call(maker, *place))
        constant = f"_codegen_{self.label}_{path}"
        self.converters.append(Assignment(constant, maker))
        return Statement("", name, call(constant, *place))

    def _checked(self, name: str, type: Type) -> tuple[str, str] | None:
        """Return the condition under which a simple value is converted, and what it is converted to."""
        use = self.names.runtime
        kind = self.names.builtin("type")
        place = (self.owner, py_str(self.path or name))
        match type:
            case types.Array():
                home = "objects" if self.array == "result" else "classes"
                value = call(use(home, f"as_{self.array}"), name, py_str(type.dtype), *place)
                if self.array == "result":
                    # Every array is looked at: it is done while JAX traces.
                    return "", value
                condition = f"{kind}({name}) in {use('classes', 'CONVERTED')}"
                # Neither keys nor bools are ever weak; arguments are looked at when they are traced.
                if self.array == "array" and type.dtype not in ("key", "bool"):
                    condition += f" or {use('classes', 'is_weak')}({name})"
                return condition, value
            case types.Scalar():
                scalar = self.names.builtin(type.name)
                return (
                    f"{kind}({name}) is not {scalar}",
                    call(use("objects", "as_scalar"), name, scalar, *place),
                )
            case types.ClassType():
                cls = self.names.ref(type.ref)
                # No object is exactly of an abstract class.
                is_abstract = type.ref in self.names.facts.abstract
                return (
                    "" if is_abstract else f"{kind}({name}) is not {cls}",
                    call(use("objects", "as_part"), name, cls, *place),
                )
            case types.External():
                cls = self.names.external(type)
                return "", call(use("objects", "as_foreign"), name, cls, *place)
            case _:
                return None

    def maker(self, type: Type) -> str | None:
        """Write the expression that makes the converter of a composite type; None where there is nothing to convert."""
        use = self.names.runtime
        match type:
            case types.Array():
                return call(use("containers", f"dynamic_{self.array}"), py_str(type.dtype))
            case types.Scalar():
                return call(use("containers", "dynamic_scalar"), self.names.builtin(type.name))
            case types.ClassType():
                return call(use("containers", "dynamic_part"), self.names.ref(type.ref))
            case types.External():
                return call(use("containers", "dynamic_foreign"), self.names.external(type))
            case types.NoneType():
                return use("containers", "dynamic_none")
            case types.Sequence():
                container = "tuple" if type.container == "tuple" else "list"
                maker = "sequence" if type.is_any else container
                return self._nested(f"dynamic_{maker}", (type.element,))
            case types.Mapping():
                # JAX takes dicts for one whose keys are equal, such as 1 and True.
                key = converter(type.key, self.names)
                maker = "mapping" if type.is_any else "dict"
                return self._nested(f"dynamic_{maker}", (type.value,), key)
            case types.FixedTuple():
                return self._nested("dynamic_items", type.elements)
            case types.Union():
                return self._nested("dynamic_union", type.members)
            case _:
                return None

    def _nested(self, function: str, inner: tuple[Type, ...], *first: str) -> str | None:
        makers = [self.maker(type) for type in inner]
        if function == "dynamic_union" and not any(makers):
            return None
        anything = self.names.runtime("containers", "dynamic_any") if None in makers else ""
        items = [anything if m is None else m for m in makers]
        return call(self.names.runtime("containers", function), *first, *items)


def is_leaf(type: Type) -> bool:
    """Say whether a value of a type in a traced place is one leaf, whatever it is."""
    return isinstance(type, types.Array | types.Scalar)
