"""How arrays and what holds them are taken in by constructors and functions.

t: dynamic[f32]    ->    if type(t) in CONVERTED or is_weak(t):
                             t = as_array(t, "float32", type(self), "t")
"""

from __future__ import annotations

from msgspec import Struct

from codegen.program import types
from codegen.program.types import Type
from codegen.view.layout import Node, call, flat, is_too_long, statement
from codegen.view.literals import py_str
from codegen.view.names import Names
from codegen.view.statics import (
    Converter,
    guarded,
    needs_late,
)


class DynamicWriter(Struct):
    """Writes the statements for the dynamic fields of one class, or the traced arguments of one function."""

    names: Names
    owner: str
    label: str
    array: str  # "array" in classes; in functions "argument", a number need not become a jax.Array there; "result"
    converters: list[Converter]
    indent: int
    path: str = ""  # how errors call the value, where that is not the variable's name

    def convert(self, name: str, type: Type) -> tuple[str, ...]:
        """Write what happens to the value in the variable `name`; nothing for what is taken as it is."""
        optional = types.optional(type)
        mark = self.names.mark()
        checked = self._checked(name, optional or type)
        if checked is not None:
            conditions, value = checked
            if optional is not None:
                conditions = [f"({one})" if " or " in one else one for one in conditions]
                conditions = [f"{name} is not None", *conditions]
            lines = guarded(" and ".join(conditions), f"{name} = ", value, self.indent)
            if not any(map(is_too_long, lines)):
                return lines
            self.names.forget(mark)
        maker = self.maker(type)
        if maker is None:
            return ()
        path = self.path or name
        place = (name, self.owner, py_str(path))
        if needs_late(type, self.names):
            head = maker if isinstance(maker, str) else flat(maker)
            return (statement(f"{name} = ", call(head, *place), self.indent),)
        constant = f"_codegen_{self.label}_{path}"
        final = self.names.use("typing", "Final")
        self.converters.append(Converter(constant, statement(f"{constant}: {final} = ", maker)))
        return (statement(f"{name} = ", call(constant, *place), self.indent),)

    def _checked(self, name: str, type: Type) -> tuple[list[str], Node] | None:
        """Return the conditions under which a simple value is converted, and what it is converted to."""
        use = self.names.runtime
        kind = self.names.builtin("type")
        place = (self.owner, py_str(self.path or name))
        match type:
            case types.Array():
                value = call(
                    use("classes.arrays", f"as_{self.array}"), name, py_str(type.dtype), *place
                )
                if self.array == "result":
                    # Every array is looked at: it is done while JAX traces.
                    return [], value
                condition = f"{kind}({name}) in {use('classes.arrays', 'CONVERTED')}"
                # Neither keys nor bools are ever weak; arguments are looked at when they are traced.
                if self.array == "array" and type.dtype not in ("key", "bool"):
                    condition += f" or {use('classes.weak', 'is_weak')}({name})"
                return [condition], value
            case types.Scalar():
                scalar = self.names.builtin(type.name)
                return (
                    [f"{kind}({name}) is not {scalar}"],
                    call(use("classes.arrays", "as_scalar"), name, scalar, *place),
                )
            case types.ClassType():
                cls = self.names.ref(type.ref)
                # No object is exactly of an abstract class.
                is_abstract = type.ref in self.names.facts.abstract
                return (
                    [] if is_abstract else [f"{kind}({name}) is not {cls}"],
                    call(use("classes.arrays", "as_part"), name, cls, *place),
                )
            case _:
                return None

    def maker(self, type: Type) -> Node | None:
        """Write the expression that makes the converter of a composite type; None where there is nothing to convert."""
        use = self.names.runtime
        match type:
            case types.Array():
                return call(use("classes.arrays", f"dynamic_{self.array}"), py_str(type.dtype))
            case types.Scalar():
                return call(use("classes.arrays", "dynamic_scalar"), self.names.builtin(type.name))
            case types.ClassType():
                return call(use("classes.arrays", "dynamic_part"), self.names.ref(type.ref))
            case types.NoneType():
                return use("classes.arrays", "dynamic_none")
            case types.Sequence():
                container = "tuple" if type.container == "tuple" else "list"
                return self._nested(f"dynamic_{container}", (type.element,))
            case types.Mapping():
                return self._nested("dynamic_dict", (type.value,))
            case types.FixedTuple():
                return self._nested("dynamic_items", type.elements)
            case types.Union():
                return self._nested("dynamic_union", type.members)
            case _:
                return None

    def _nested(self, function: str, inner: tuple[Type, ...]) -> Node | None:
        makers = [self.maker(type) for type in inner]
        if all(m is None for m in makers):
            return None if function == "dynamic_union" else self._call(function, makers)
        return self._call(function, makers)

    def _call(self, function: str, makers: list[Node | None]) -> Node:
        anything = self.names.runtime("classes.arrays", "dynamic_any") if None in makers else ""
        items = [anything if m is None else m for m in makers]
        return call(self.names.runtime("classes.arrays", function), *items)


def is_leaf(type: Type) -> bool:
    """Say whether a value of a type in a traced place is one leaf, whatever it is."""
    return isinstance(type, types.Array | types.Scalar)
