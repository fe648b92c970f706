"""Write expressions that construct objects of a package, from annotations or from observed arguments.

builder.construct("heat.plate.Plate", {"n": "[1.0]"})  ->  "heat.plate.Plate(u=jnp.ones(3), n=[1.0])"
builder.imports("heat.plate.Plate(u=jnp.ones(3))")     ->  ("heat.plate",)
"""

from __future__ import annotations

import ast
import textwrap
from collections.abc import Mapping
from typing import Literal

from msgspec import Struct

from codegen.adopt.find.names import AnnotatedType
from codegen.adopt.find.nodes import FoundClasses, SourceField
from codegen.adopt.find.package import SourceModule
from codegen.adopt.observe.run import ClassRecord
from codegen.adopt.soundness import KINDS
from codegen.program.graph import reachable

_VALUES = {
    "builtins.int": "2",
    "builtins.float": "1.5",
    "builtins.bool": "True",
    "builtins.str": "'a'",
    "builtins.list": "[]",
    "builtins.dict": "{}",
    "builtins.tuple": "()",
    "builtins.None": "None",
    "typing.Any": "jnp.ones(3)",
    "numpy.ndarray": "np.ones(3)",
    "chex.ArrayNumpy": "np.ones(3)",
    "jax.ShapeDtypeStruct": "jax.ShapeDtypeStruct((3,), 'float32')",
    "jaxtyping.PRNGKeyArray": "jax.random.key(0)",
    "jax.typing.DTypeLike": "'float32'",
}
_CONTAINERS = {
    "tuple": "({},)",
    "list": "[{}]",
    "dict": "{{'a': {}}}",
    "sequence": "({},)",
    "mapping": "{{'a': {}}}",
}
_KEYS = ("key", "rng", "rng_key")
_DEPTH_MAX = 5
_WIDTH = 90


class NotConstructible(Exception):
    """Why no program proves a finding, for example because no expression constructs an object."""

    status: Literal["not reproduced", "not tried"] = "not tried"


class NotReproduced(NotConstructible):
    """Why no program can give a wrong result."""

    status = "not reproduced"


class ConstructorParameter(Struct, frozen=True):
    """A parameter of a constructor or method."""

    name: str
    module: str
    annotation: ast.expr | None
    is_required: bool


class ObjectBuilder:
    """Writes expressions for the objects of one package."""

    def __init__(self, found: FoundClasses, observed: Mapping[str, ClassRecord]) -> None:
        self.found = found
        self.names = found.names
        self.observed = observed
        self.definitions = found.names.definitions
        self._modules = {*found.modules}.union(*(one.modules for one in observed.values()))

    def construct(self, name: str, given: Mapping[str, str] | None = None, depth: int = 0) -> str:
        """Return a call of the constructor; observed arguments have priority over annotations.

        Raises:
            NotConstructible: a parameter has no known value.
        """
        values = dict(self.observed[name].arguments if name in self.observed else ())
        for one in () if values else self.parameters(name):
            if one.is_required and one.name not in (given or {}):
                values[one.name] = self.value(one, depth)
        values.update(given or {})
        arguments = [f"{key}={text}" for key, text in values.items()]
        short = f"{name}({', '.join(arguments)})"
        if len(short) <= _WIDTH:
            return short
        lines = textwrap.indent(",\n".join(arguments), "    ")
        return f"{name}(\n{lines},\n)"

    def parameters(self, name: str) -> list[ConstructorParameter]:
        """Return the parameters of the constructor of a class."""
        if name not in self.definitions:
            raise NotConstructible(f"`{name}` is not at the top level of a module")
        for module, node in self.names.with_bases(name):
            for method in node.body:
                if isinstance(method, ast.FunctionDef) and method.name == "__init__":
                    return method_parameters(module, method)
        fields: dict[str, ConstructorParameter] = {}
        if name in self.found.classes:
            for one in self.found.all_fields(self.found.classes[name]).values():
                is_set = "init" not in one.options
                fields[one.name] = ConstructorParameter(
                    one.name, one.module, one.annotation, one.is_required and is_set
                )
            return [*fields.values()]
        for module, node in reversed(self.names.with_bases(name)):
            for each in node.body if node.decorator_list else ():
                if isinstance(each, ast.AnnAssign) and isinstance(each.target, ast.Name):
                    field = each.target.id
                    is_required = each.value is None
                    fields[field] = ConstructorParameter(
                        field, module.name, each.annotation, is_required
                    )
        return [*fields.values()]

    def defines(self, name: str, method: str) -> bool:
        """Return whether a class of the package, or a base there, defines a method by hand."""
        return any(
            getattr(each, "name", "") == method
            for _, node in self.names.with_bases(name)
            for each in node.body
        )

    def subclasses(self, name: str) -> list[str]:
        """Return a class of the package and all its subclasses there; observed ones are first."""
        heirs = [one for one in self.definitions if name in reachable([one], self.names.bases)]
        return sorted(heirs, key=lambda one: one not in self.observed)

    def value(self, parameter: ConstructorParameter, depth: int = 0) -> str:
        """Return a value that the annotation of a parameter allows."""
        annotation = parameter.annotation
        text = ""
        if annotation is not None:
            text = self._value(parameter.module, annotation, depth)
        if parameter.name in _KEYS and ("jnp." in text or not text):
            text = "jax.random.PRNGKey(0)"
        if not text:
            shown = f": {ast.unparse(annotation)}" if annotation is not None else ""
            raise NotConstructible(f"no value is known for `{parameter.name}{shown}`")
        return text

    def value_of(self, field: SourceField) -> str:
        """Return a value of a field."""
        return self.value(
            ConstructorParameter(field.name, field.module, field.annotation, is_required=True)
        )

    def _value(self, module: str, annotation: ast.expr | None, depth: int) -> str:
        """Return a value; empty if none is known."""
        members = self.names.members(module, annotation) if depth < _DEPTH_MAX else ()
        values = (self._value_of_type(one, depth) for one in members)
        return next(filter(None, values), "")

    def _value_of_type(self, one: AnnotatedType, depth: int) -> str:
        name, parts, last = one.name, one.parts, one.name.rpartition(".")[2]
        if name.startswith("jaxtyping.") and parts and last != "PyTree":
            is_numpy = self.names.resolve(one.module, parts[0]) == "numpy.ndarray"
            return _array(parts[-1], "np" if is_numpy else "jnp")
        if last == "Literal":
            return ast.unparse(parts[0])
        if parts and last == "PyTree":
            return self._value(one.module, parts[0], depth)
        if KINDS.get(name) == "array" or name.startswith("jaxtyping."):
            return _VALUES.get(name, "jnp.ones(3)")
        if KINDS.get(name) == "identity":
            return "jnp.sin"
        if parts and (outer := _CONTAINERS.get(last.lower())):
            is_fixed = last.lower() == "tuple" and not isinstance(parts[-1], ast.Constant)
            items = parts if is_fixed else parts[-1:] if "{{" in outer else parts[:1]
            values = [self._value(one.module, part, depth + 1) for part in items]
            return outer.format(", ".join(values)) if all(values) else ""
        if name in self.definitions:
            return self._member(name) or self.construct(name, depth=depth + 1)
        return _VALUES.get(name, "")

    def _member(self, name: str) -> str:
        """Return the first member of an enum; empty if the class is something else."""
        module, node = self.definitions[name]
        bases = [self.names.resolve(module.name, base) for base in node.bases]
        for each in node.body if any(one.startswith("enum.") for one in bases) else ():
            if isinstance(each, ast.Assign) and isinstance(each.targets[0], ast.Name):
                return f"{name}.{each.targets[0].id}"
        return ""

    def imports(self, text: str) -> tuple[str, ...]:
        """Return the modules that a program needs."""
        needed: set[str] = set()
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.Attribute):
                name = ast.unparse(node)
                if name in self._modules:
                    needed.add(name)
            elif isinstance(node, ast.Name) and node.id in self._modules:
                needed.add(node.id)
        inner = {one for one in needed if any(each.startswith(f"{one}.") for each in needed)}
        return tuple(sorted(needed - inner))


def method_parameters(module: SourceModule, method: ast.FunctionDef) -> list[ConstructorParameter]:
    """Return the parameters of a method, without `self`."""
    ordered = [*method.args.posonlyargs, *method.args.args]
    first_default = len(ordered) - len(method.args.defaults)
    positional = [
        ConstructorParameter(one.arg, module.name, one.annotation, index < first_default)
        for index, one in enumerate(ordered)
    ]
    keywords = [
        ConstructorParameter(one.arg, module.name, one.annotation, default is None)
        for one, default in zip(method.args.kwonlyargs, method.args.kw_defaults, strict=True)
    ]
    return [*positional[1:], *keywords]


def _array(shape: ast.expr, module: str) -> str:
    """Return an array with the shape that jaxtyping's string states."""
    text = shape.value if isinstance(shape, ast.Constant) and isinstance(shape.value, str) else "n"
    sizes = [one if one.isdigit() else "3" for one in text.split() if not one.startswith("*")]
    return f"{module}.ones(({', '.join(sizes)}{',' * (len(sizes) == 1)}))"
