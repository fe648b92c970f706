"""How arrays and what holds them are taken in by constructors and functions.

t: dynamic[f32]    ->    if type(t) in CONVERTED or is_weak(t):
                             t = as_array(t, "float32", cls, "t")
"""

from __future__ import annotations

from msgspec import Struct

from codegen.program import types
from codegen.program.types import Type
from codegen.view.expressions import call, unless_none
from codegen.view.literals import py_str
from codegen.view.names import Names
from codegen.view.nodes import Assignment, Step
from codegen.view.statics import converter, needs_late


class DynamicWriter(Struct):
    """Writes the statements for the dynamic fields of one class, or the traced arguments of one function."""

    names: Names
    owner: str
    label: str
    array: str  # "array" in classes; in functions "argument", a number need not become a jax.Array there; "result"
    converters: list[Assignment]
    path: str = ""  # how errors call the value, where that is not the variable's name

    def convert(self, name: str, type: Type) -> Step | None:
        """Write what happens to the value in the variable `name`; nothing for what is taken as it is."""
        optional = types.optional(type)
        checked = self._checked(name, optional or type)
        if checked is not None:
            condition, value = checked
            if optional is not None:
                condition = unless_none(name, condition)
            return Step(condition, name, value)
        maker = self.maker(type)
        if maker is None:
            return None
        path = self.path or name
        place = (name, self.owner, py_str(path))
        if needs_late(type, self.names):
            return Step("", name, call(maker, *place))
        constant = f"_codegen_{self.label}_{path}"
        self.converters.append(Assignment(constant, maker))
        return Step("", name, call(constant, *place))

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
