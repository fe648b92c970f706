r"""Write programs that demonstrate a finding with the user's own class.

iter_programs(finding, builder)    ->    ProofProgram("import jax\n...", guesses_call=False), ...

The programs are templates in `templates/prove`. Their comments divide them into steps. An exception
means in `CONSTRUCT` that no object could be constructed, in a step of `RAISING` that the finding is
confirmed, and in any other that the library or class refuses such values. A line of the output that
starts with one of `OUTCOMES` confirms the finding.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from typing import Final

from msgspec import Struct

from codegen.adopt.find.nodes import SourceField
from codegen.adopt.prove.objects import (
    NotConstructible,
    NotReproduced,
    ObjectBuilder,
    method_parameters,
)
from codegen.adopt.soundness import UnsoundFinding
from codegen.emit.render import environment

OUTCOMES: Final = (
    "wrong number",
    "change ignored",
    "wrong class",
    "shared",
    "raises",
    "compiles again",
    "starts JAX",
)
"""The outcomes that confirm a finding; the first is the most costly."""
CONSTRUCT = "# Construct the objects."
CALL = "# Call a jitted function."
RAISING = (
    "# Call it with an equal copy.",
    "# Replace every leaf by None, as masks do.",
    "# Construct an object for `in_axes`: 0 for each field.",
)
_STATIC_ARGUMENTS = ("static argument", "StaticDataclass")
_SUBCLASSES_MAX = 4
_TREEDEF_CALLS = 250
_ZERO_TYPES = ("float", "float | None", "Optional[float]", "int | float", "float | int")
_PAIRS = {
    "array": "(np.array([-1.0]), np.array([-2.0])), (np.ones((3, 2)), np.ones((2, 3)))",
    "zero": "(0.0, -0.0)",
    "int": "(1, 2), (-1, -2)",
    "float": "(1.0, 2.0), (-1.0, -2.0)",
    "str": "('a', 'b')",
    "tuple": "((1, 2), (2, 1)), ((-1,), (-2,))",
    "list": "([1, 2], [2, 1]), ([-1], [-2])",
}
_READ = {
    "str": "jnp.asarray([ord(one) for one in obj.{}])",
    "zero": "1 / jnp.asarray(obj.{})",
}


class ProofProgram(Struct, frozen=True):
    """A complete program."""

    text: str
    guesses_call: bool = False
    """Whether it calls a function of the package with guessed arguments."""


class _Finding(Struct, frozen=True):
    """A finding, with what its program needs."""

    builder: ObjectBuilder
    name: str
    field: str
    other: str
    is_first: bool

    @property
    def declared(self) -> SourceField:
        """The declaration of its field."""
        return self.fields[self.field]

    @property
    def fields(self) -> dict[str, SourceField]:
        """All fields of its class."""
        found = self.builder.found
        return found.all_fields(found.classes[self.name])

    @property
    def jit(self) -> str:
        """The expression that jits `read`."""
        cls = self.builder.found.classes.get(self.name)
        is_argument = cls is None or cls.library in _STATIC_ARGUMENTS
        return f"jax.jit(read{', static_argnums=0' if is_argument else ''})"

    def new(self, value: str) -> str:
        """Return an expression that constructs an object with this value of the field."""
        return self.builder.construct(self.name, {self.field: value})

    def program(
        self, template: str, *, guesses_call: bool = False, **names: object
    ) -> ProofProgram:
        """Return the program of a template, with its imports."""
        body = environment().get_template(f"prove/{template}.py.jinja").render(names)
        if template == "import_time":
            return ProofProgram(body)
        arrays = [
            f"import {module} as {name}"
            for name, module in (("jnp", "jax.numpy"), ("np", "numpy"))
            if f"{name}." in body
        ]
        groups = (
            ["import time"] if "time." in body else [],
            ["import jax", *arrays],
            [f"import {one}" for one in self.builder.imports(body)],
        )
        head = "\n\n".join("\n".join(one) for one in groups if one)
        gap = "\n\n\n" if body.startswith("def ") else "\n\n"
        return ProofProgram(f"{head}{gap}{body}", guesses_call)


def iter_programs(finding: UnsoundFinding, builder: ObjectBuilder) -> Iterator[ProofProgram]:
    """Yield programs for a finding, in the order to try them.

    Raises:
        NotConstructible: there is no program, or no further one.
    """
    write = _WRITERS.get(finding.rule)
    if write is None:
        raise NotConstructible(
            f"only a call in your code shows whether something reads `{finding.field}` afterwards"
        )
    yield from write(
        _Finding(builder, finding.name, finding.field, finding.other, finding.is_first)
    )


def _pairs(one: _Finding, field: str, kind: str, jit: str, module: str = "np") -> ProofProgram:
    """Return a program that calls a function with two different static values."""
    return one.program(
        "pairs",
        read=_READ.get(kind, "jnp.asarray(obj.{})").format(field),
        new=one.builder.construct(one.name, {field: "value"}),
        pairs=_PAIRS[kind].replace("np.", f"{module}."),
        jit=jit,
    )


def _number(one: _Finding) -> Iterator[ProofProgram]:
    if ast.unparse(one.declared.annotation) not in _ZERO_TYPES:
        raise NotReproduced("no two equal values of its type give different numbers")
    yield _pairs(one, one.field, "zero", one.jit)


def _array(one: _Finding) -> Iterator[ProofProgram]:
    value = one.builder.value_of(one.declared)
    if value.startswith(("np.", "jnp.")):
        module = value.partition(".")[0]
        yield _pairs(one, one.field, "array", one.jit, module)
        # A class with its own equality treats its arrays as values: nothing changes them in place.
        if module == "np" and not one.builder.defines(one.name, "__eq__"):
            yield _changed(one, value, "0")
    yield one.program("copied", new=one.new(value), jit=one.jit)


def _mutable(one: _Finding) -> Iterator[ProofProgram]:
    is_mapping = one.builder.value_of(one.declared).startswith("{")
    value, key = ("{'a': 1.0}", "'a'") if is_mapping else ("[1.0]", "0")
    yield _changed(one, value, key)


def _changed(one: _Finding, value: str, key: str) -> ProofProgram:
    return one.program("changed", field=one.field, key=key, new=one.new(value), jit=one.jit)


def _identity(one: _Finding) -> Iterator[ProofProgram]:
    observed = one.builder.observed.get(one.name)
    types = observed.types.get(one.field, {}) if observed is not None else {}
    if not any(each.startswith("identity") for each in types):
        raise NotConstructible("no lambda, closure or bound method was observed in it")
    yield one.program("copied", new=one.new("lambda value: value"), jit=one.jit)


def _treedefs(one: _Finding) -> Iterator[ProofProgram]:
    first, second = map(one.builder.construct, sorted((one.name, one.other)))
    calls = _TREEDEF_CALLS if one.is_first else 0
    yield one.program("treedefs", one=first, two=second, calls=calls)


def _post_init(one: _Finding) -> Iterator[ProofProgram]:
    new = one.builder.construct(one.name)
    yield one.program("post_init", new=new)
    axes = {
        each.name: "0" if each.role == "dynamic" else one.builder.value_of(each)
        for each in one.fields.values()
        if each.is_required
    }
    arguments = ", ".join(f"{name}={text}" for name, text in axes.items())
    yield one.program("in_axes", new=new, axes=f"{one.name}({arguments})")


def _shared_default(one: _Finding) -> Iterator[ProofProgram]:
    match one.declared.default:
        case ast.Dict() | ast.DictComp():
            change = "['new'] = 5"
        case ast.Call():
            change = ".flat[0] = 5"
        case _:
            change = ".append(5)"
    new = one.builder.construct(one.name)
    yield one.program("shared_default", new=new, field=one.field, change=change)


def _import_time(one: _Finding) -> Iterator[ProofProgram]:
    yield one.program("import_time", module=one.builder.found.classes[one.name].module)


def _self(one: _Finding) -> Iterator[ProofProgram]:
    """Yield programs for the owner of a method and its subclasses, those that can be constructed."""
    owner, _, method = one.name.rpartition(".")
    reason = NotConstructible(f"`{owner}` is not at the top level of a module")
    written = 0
    for name in one.builder.subclasses(owner):
        try:
            program = _self_program(one, name, owner, method)
        except NotConstructible as error:
            reason = error
            continue
        written += 1
        if written <= _SUBCLASSES_MAX:
            yield program
    if not written:
        raise reason


def _self_program(one: _Finding, name: str, owner: str, method: str) -> ProofProgram:
    builder = one.builder
    arguments = builder.observed[name].calls.get(method) if name in builder.observed else None
    is_guess = arguments is None
    if arguments is None:
        module, node = builder.definitions[owner]
        (function,) = (each for each in node.body if getattr(each, "name", "") == method)
        assert isinstance(function, ast.FunctionDef), "only functions are jitted"
        required = [each for each in method_parameters(module, function) if each.is_required]
        arguments = ", ".join(f"{each.name}={builder.value(each)}" for each in required)
    return one.program(
        "static_self",
        new=builder.construct(name),
        owner=owner,
        method=method,
        arguments=arguments,
        guesses_call=is_guess,
    )


def _equality(one: _Finding) -> Iterator[ProofProgram]:
    written = 0
    for each in one.builder.parameters(one.name):
        if one.field in ("", each.name):
            is_known = each.annotation is not None
            kind = _kind_of_value(one.builder.value(each) if is_known else "np.ones(3)")
            if kind:
                written += 1
                yield _pairs(one, each.name, kind, "jax.jit(read, static_argnums=0)")
    if not written:
        raise NotConstructible("no field has a type with known values")


def _kind_of_value(text: str) -> str:
    if text.startswith(("np.", "jnp.")):
        return "array"
    try:
        kind = type(ast.literal_eval(text)).__name__
    except ValueError:
        return ""
    return kind if kind in _PAIRS else ""


_WRITERS: dict[str, Callable[[_Finding], Iterator[ProofProgram]]] = {
    "static number": _number,
    "static array": _array,
    "static mutable": _mutable,
    "static identity": _identity,
    "equal treedefs": _treedefs,
    "post-init on unflattening": _post_init,
    "mutable default": _shared_default,
    "array default": _import_time,
    "identity-hashed self": _self,
    "coarse equality": _equality,
}
