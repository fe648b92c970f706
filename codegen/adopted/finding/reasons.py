"""The table of all reasons to leave a class as it is, and what to write instead.

refusal("inside", 12, place="function")
->    ClassRefusal("inside a function", 12, "it is defined in ...", ...)

`python -m tests.docs.reference` generates `docs/adopt.md` from it.
"""

from __future__ import annotations

from typing import Final

from msgspec import Struct

from codegen.adopted.finding.nodes import ClassRefusal


class RefusalReason(Struct, frozen=True):
    """A reason: text templates with fields in braces."""

    construct: str
    """What the report counts it as. Example: "own {method}"."""
    why: str
    instead: str


def refusal(name: str, line: int, /, **words: object) -> ClassRefusal:
    """Return the reason with this name, formatted for one class."""
    one = REASONS[name]
    construct, why, instead = (
        text.format(**words) for text in (one.construct, one.why, one.instead)
    )
    return ClassRefusal(construct, line, why, instead)


_OF_THE_LIBRARY = {
    "own flatten": RefusalReason(
        "own flatten",
        "its own functions say what its leaves are",
        "make it a dataclass with `jax.tree_util.register_dataclass`, if its leaves are fields",
    ),
    "own registration": RefusalReason(
        "own registration",
        "a decorator or base of the package itself registers it, by rules of its own",
        "decorate it with `jax.tree_util.register_dataclass`, which says which fields are static",
    ),
    "nnx": RefusalReason(
        "nnx",
        "an nnx object is a graph that is changed in place",
        "declare its state as a class with `draft=True`, by hand",
    ),
    "roles by types": RefusalReason(
        "roles by types",
        "mjx makes a field a leaf by its annotation, `jax.Array` or what holds one, and the others static",
        "a schema by hand, `dynamic` for the first and `static` for the others",
    ),
    "roles by values": RefusalReason(
        "roles by values",
        "distrax makes leaves of the attributes that hold arrays when an object is flattened",
        "a schema by hand, which says which are `dynamic` and which `static`",
    ),
    "drop_fields": RefusalReason(
        "drop_fields",
        "JAX forgets its `drop_fields`, and no field of a schema is forgotten",
        "leave the field out, and make its value a property",
    ),
    "computed lists": RefusalReason(
        "computed roles",
        "its `{option}` are computed",
        "write the names of `{option}` as a list",
    ),
    "computed roles": RefusalReason(
        "computed roles",
        "whether `{field}` is static is computed",
        "write `True` or `False`",
    ),
    "tuple": RefusalReason(
        "tuple",
        "it is a tuple, and no command has shown whether it is unpacked, indexed or compared as one",
        "`--observe -- COMMAND`, with a command that makes such objects",
    ),
    "used": RefusalReason(
        "used as a {kind}",
        "it is used as a {kind}: `{method}` is called at {place}",
        "take its fields by name there, and `replace(...)`",
    ),
    "field types": RefusalReason(
        "field types",
        "`{holder}` holds it, and the library that makes that one asks for the types of fields, which "
        "are strings in a generated class",
        "declare both by hand, or leave this one",
    ),
}
_OF_THE_FIELDS = {
    "InitVar": RefusalReason(
        "InitVar",
        "`{field}` is an `InitVar`, which is given and not kept",
        "write a function that makes the object",
    ),
    "init=False": RefusalReason(
        "init=False",
        "`{field}` is not given to the constructor (`init=False`)",
        "make it a property, or write a function that makes the object",
    ),
    "compare=False": RefusalReason(
        "compare=False",
        "`{field}` is left out of `==`, and generated objects are compared whole",
        "leave `compare=False` out, or hold such a value elsewhere",
    ),
    "converter": RefusalReason(
        "converter",
        "`{field}` is converted by `{function}`, and a dynamic field takes what it is given",
        "convert in a function that makes the object",
    ),
    "field name": RefusalReason(
        "field name",
        "a generated class cannot have a field `{field}`",
        "call it `{other}`",
    ),
    "other fields": RefusalReason(
        "other fields",
        "its fields are {fields} in the imported module, and {read} in the source",
        "write all of them in the body of the class",
    ),
    "changed role": RefusalReason(
        "changed role",
        "`{field}` is {role}, and {other} in `{base}`",
        "give it one role in both",
    ),
    "order of leaves": RefusalReason(
        "order of leaves",
        "its leaves are sorted by name, among those of its base, whose fields come first in a schema",
        "hold an object of the base in a field",
    ),
    "order of arguments": RefusalReason(
        "order of arguments",
        "`{field}` is given by position where `{other}` stands among the leaves",
        "write `kw_only=True`, or the fields in that order",
    ),
    "default of the body": RefusalReason(
        "default of the body",
        "the default of `{field}` is computed of `{name}`, a name of the class",
        "move that to the module",
    ),
    "default of the class": RefusalReason(
        "default of the class",
        "`{name}.{field}` is read at {place}, and a generated class does not hold its defaults",
        "write `{name}(...).{field}` there, or a constant",
    ),
    "computed default": RefusalReason(
        "computed default",
        "the default `{expression}` is no literal",
        'write a function that makes it, and `field(factory="module:function")`; `--rewrite` does so',
    ),
}
_OF_THE_METHODS = {
    "own": RefusalReason("own {method}", "it defines `{method}`", "{instead}"),
    "member": RefusalReason(
        "member",
        "it defines `{method}`, which every generated class has",
        "call it `{method}_`",
    ),
    "own equality": RefusalReason(
        "own equality",
        "it defines `{method}`, and static objects are compared by value, as trace keys are",
        "leave it out",
    ),
    "deriving": RefusalReason(
        "deriving __post_init__",
        "its `__post_init__` sets attributes, and the constructor of a generated class sets fields alone",
        "`field(convert=...)` for a static field, a property, or a function that makes the object",
    ),
    "overridden": RefusalReason(
        "overridden __post_init__",
        "its `__post_init__` takes the place of that of `{base}`, and `__check_init__` would run beside it",
        "call `super().__post_init__()`, if both may run",
    ),
    "member of a base": RefusalReason(
        "member of a base",
        "its base `{base}` defines `{method}`, which the generated class defines itself",
        "call it `{other}` there, or leave it out",
    ),
    "mutable": RefusalReason(
        "mutable",
        "it is not frozen, and {what} is assigned to at {place}",
        "write `replace(...)` there, and `frozen=True` here, and adopt it again",
    ),
}
_OF_THE_CLASS = {
    "class name": RefusalReason("class name", "no schema declares a class `{name}`", "rename it"),
    "decorator": RefusalReason(
        "decorator",
        "it is decorated with `{decorator}`, which would not see the class that is generated",
        "do in a mixin or function what the decorator does",
    ),
    "metaclass": RefusalReason("metaclass", "it has a metaclass", "leave it out"),
    "option": RefusalReason(
        "{option}", "it is made with `{option}={value}`", "leave `{option}` out"
    ),
    "several bases": RefusalReason(
        "several bases",
        "it derives from {count} classes with fields: {bases}",
        "one base, and mixins for the rest",
    ),
    "foreign base": RefusalReason(
        "foreign base",
        "it derives from `{base}`, of which nothing is known here",
        "hold such an object in a field",
    ),
    "dataclass base": RefusalReason(
        "dataclass base",
        "its base `{base}` is a dataclass, and no pytree",
        "make that one a pytree too, or leave its `@dataclass` out",
    ),
    "base": RefusalReason("base", "its base `{base}` is left as it is", "mend that one first"),
    "subclass": RefusalReason(
        "subclass", "`{heir}`, which derives from it, is left as it is", "mend that one first"
    ),
    "heirs": RefusalReason("heirs", "all that derives from it is left as it is", "mend one"),
    "subclass in Python": RefusalReason(
        "subclass in Python",
        "a class that is no pytree derives from it and adds fields, at {place}",
        "make that one a pytree too, or hold an object of this one in it",
    ),
    "extended outside": RefusalReason(
        "extended outside",
        "`{heir}`, outside the package, derives from it and adds fields",
        "declare that one in a schema of its own, with this one as its base",
    ),
    "compiler": RefusalReason("{code}", "no schema can say it: {message}", "{help}"),
}
_OF_THE_PLACE = {
    "inside": RefusalReason(
        "inside a {place}", "it is defined in a {place}", "move it to the module"
    ),
    "inside a statement": RefusalReason(
        "inside a statement", "it stands in another statement", "move it to the module"
    ),
    "defined twice": RefusalReason(
        "defined twice", "its name is bound more than once", "rename one"
    ),
    "name taken": RefusalReason(
        "name taken",
        "`{name}`, which would be left of it, is something else's name",
        "rename one",
    ),
    "registered elsewhere": RefusalReason(
        "registered elsewhere",
        "it is registered at {place}, among other things",
        "decorate it, or register it in a statement of its own module",
    ),
    "order": RefusalReason(
        "order",
        "line {line_used} runs with a class of this module when it is imported, before all mixins are there",
        "move that line below the classes",
    ),
    "left": RefusalReason("left", "`--leave` says so", "leave the option out"),
    "adopted before": RefusalReason(
        "adopted before",
        "other classes of its module were adopted before, and have a schema",
        "declare it there",
    ),
}
REASONS: Final = _OF_THE_LIBRARY | _OF_THE_FIELDS | _OF_THE_METHODS | _OF_THE_CLASS | _OF_THE_PLACE
