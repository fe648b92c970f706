"""The table of all reasons to leave a class as it is, and what to write instead.

refusal("inside", 12, place="function")
->    ClassRefusal("inside a function", 12, "it is defined in ...", ...)
"""

from __future__ import annotations

from typing import Final

from msgspec import Struct

from codegen.adopt.find.nodes import ClassRefusal


class RefusalReason(Struct, frozen=True):
    """A reason: text templates with fields in braces."""

    why: str
    instead: str
    construct: str = ""
    """The name under which the report counts it, if it is not the key. Example: "own {method}"."""


def refusal(name: str, line: int, /, **words: object) -> ClassRefusal:
    """Return the reason with this name, formatted for one class."""
    one = REASONS[name]
    construct, why, instead = (
        text.format(**words) for text in (one.construct or name, one.why, one.instead)
    )
    return ClassRefusal(construct, line, why, instead)


REASONS: Final = {
    "own flatten": RefusalReason(
        "its own functions or those of its library define its leaves",
        "if all leaves are fields, make the class a dataclass with `jax.tree_util.register_dataclass`. "
        "Otherwise write a schema for its state by hand",
    ),
    "own registration": RefusalReason(
        "a decorator or base class of the package registers it in its own way",
        "use the decorator `@jax.tree_util.register_dataclass`, and list the static fields there",
    ),
    "roles by types": RefusalReason(
        "it derives from a class of mjx, whose fields a schema cannot inherit",
        "write a schema by hand, or adopt mjx too",
    ),
    "drop_fields": RefusalReason(
        "JAX drops the fields in `drop_fields` when it flattens an object, but a generated class keeps "
        "every field",
        "remove these fields, and compute their values in properties",
    ),
    "computed lists": RefusalReason(
        "the code computes its `{option}`",
        "write the names of `{option}` as a list",
        construct="computed roles",
    ),
    "computed roles": RefusalReason(
        "the code computes whether `{field}` is static", "write `True` or `False` for `{field}`"
    ),
    "tuple": RefusalReason(
        "it is a tuple, and no observed command showed whether code uses it as a tuple",
        "add `--observe -- COMMAND`, with a command that creates such objects",
    ),
    "used": RefusalReason(
        "it is used as a {kind}: `{method}` is called at {place}",
        "at {place}, read fields by name, and change fields with `replace(...)`",
        construct="used as a {kind}",
    ),
    "attribute assignment": RefusalReason(
        "`{code}` at {place} changes an object, which can be one of this class{unseen}",
        "write `replace(...)` at {place}, or observe a command that runs this line",
        construct="mutable",
    ),
    "own attributes": RefusalReason(
        "`{code}` at {place} reads the `__dict__` of its own object, but a generated object has none",
        "use `dataclasses.fields(self)` and `getattr` at {place}",
        construct="__dict__",
    ),
    "attributes": RefusalReason(
        "`{code}` at {place} reads the `__dict__` of an object, which can be one of this class{unseen}",
        "use `dataclasses.fields` at {place}, or observe a command that runs this line",
        construct="__dict__",
    ),
    "library test": RefusalReason(
        "`{code}` at {place} has an object that can be one of this class{unseen}, but a generated class "
        "does not derive from a class of its library",
        "test for your own class at {place}, or observe a command that runs this line",
        construct="isinstance",
    ),
    "second run": RefusalReason(
        "the command no longer runs as before with the generated class: {difference}",
        "change the code that this is about, then run `codegen adopt` again",
    ),
    "object use": RefusalReason(
        "`{code}` at {place} uses an object as a {kind}, which can be one of this class{unseen}",
        "at {place}, read fields by name, or observe a command that runs this line",
        construct="used as a {kind}",
    ),
    "InitVar": RefusalReason(
        "`{field}` is an `InitVar`: the constructor takes it, but the object does not store it",
        "write a function that creates the object",
    ),
    "init=False": RefusalReason(
        "`{field}` is not a parameter of the constructor (`init=False`)",
        "make `{field}` a property, or write a function that creates the object",
    ),
    "compare=False": RefusalReason(
        "`==` ignores `{field}`, but generated classes compare all fields",
        "remove `compare=False`, or store `{field}` in another object",
    ),
    "converter": RefusalReason(
        "`{function}` converts `{field}`, but a generated class does not convert dynamic fields",
        "convert `{field}` in a function that creates the object",
    ),
    "field name": RefusalReason(
        "a generated class cannot have a field `{field}`", "rename the field to `{other}`"
    ),
    "other fields": RefusalReason(
        "the imported class has the fields {fields}, but the source declares {read}",
        "declare all these fields in the body of the class",
    ),
    "changed role": RefusalReason(
        "`{field}` is {role} here, but {other} in `{base}`",
        "make `{field}` static in both classes, or in neither",
    ),
    "order of arguments": RefusalReason(
        "the constructor takes `{field}` at the position of `{other}` in a generated class",
        "add `kw_only=True` to the class, or declare its fields in the order of its constructor",
    ),
    "default of the body": RefusalReason(
        "the default of `{field}` is computed from `{name}`, a name in the class body",
        "move `{name}` to the top level of the module",
    ),
    "default of the class": RefusalReason(
        "`{name}.{field}` is read at {place}, but a generated class does not store its defaults",
        "write `{name}(...).{field}` there, or a constant",
    ),
    "computed default": RefusalReason(
        "the default `{expression}` is not a literal",
        'write a function that creates the default, and `field(factory="module:function")`, or add `--rewrite`',
    ),
    "own": RefusalReason("it defines `{method}`", "{instead}", construct="own {method}"),
    "attribute of init": RefusalReason(
        "its `__init__` sets `{attribute}`, which is not a field",
        "declare `{attribute}` as a field",
        construct="own __init__",
    ),
    "init and post_init": RefusalReason(
        "it defines `__init__` and `__post_init__`, but its library calls only `__init__`",
        "move the content of `__post_init__` to `__init__`",
        construct="own __init__",
    ),
    "init of a base": RefusalReason(
        "its `__init__` calls that of `{base}`, which takes the fields",
        "define `__init__` in `{base}` too, or set the fields of `{base}` here",
        construct="own __init__",
    ),
    "inherited init": RefusalReason(
        "`{base}` defines `__init__`, but a decorator generates another constructor here",
        "define `__init__` here too, or remove it in `{base}`",
        construct="own __init__",
    ),
    "init on unflattening": RefusalReason(
        "JAX calls its `__init__` with all fields to unflatten an object, but a generated class does not",
        "remove `__init__`, and write a function that creates the object",
        construct="own __init__",
    ),
    "member": RefusalReason(
        "it defines `{method}`, which every generated class defines",
        "rename the method to `{method}_`",
    ),
    "own equality": RefusalReason(
        "it defines `{method}`, but a generated static class is compared by its fields",
        "remove the method",
    ),
    "deriving": RefusalReason(
        "its `__post_init__` sets attributes, but only the constructor of a generated class sets fields",
        "if it converts a static field, use `field(convert=...)`. If it derives a value from the fields, "
        "use a property, or a function that creates the object",
        construct="deriving __post_init__",
    ),
    "overridden": RefusalReason(
        "its `__post_init__` overrides that of `{base}`, but both `__check_init__` would run",
        "call `super().__post_init__()` if both may run",
        construct="overridden __post_init__",
    ),
    "member of a base": RefusalReason(
        "its base `{base}` defines `{method}`, which the generated class also defines",
        "in `{base}`, rename the method to `{other}`, or remove it",
    ),
    "class name": RefusalReason("a schema cannot declare a class `{name}`", "rename the class"),
    "decorator": RefusalReason(
        "its decorator `{decorator}` would not be applied to the generated class",
        "move what the decorator does to a mixin or a function",
    ),
    "metaclass": RefusalReason("it has a metaclass", "remove the metaclass"),
    "option": RefusalReason(
        "it is declared with `{option}={value}`", "remove `{option}`", construct="{option}"
    ),
    "several bases": RefusalReason(
        "it derives from {count} classes with fields: {bases}",
        "keep one of these bases. Make the others mixins, or store their objects in fields",
    ),
    "order of bases": RefusalReason(
        "its bases `{base}` and `{other}` both define `{method}`, and the second would come first",
        "write `{other}` before `{base}`, or rename one of the two",
    ),
    "foreign base": RefusalReason(
        "its base `{base}` is outside the package and is not a known class",
        "store an object of `{base}` in a field",
    ),
    "dataclass base": RefusalReason(
        "its base `{base}` is a dataclass, but not a pytree",
        "make the base a pytree too, or remove its `@dataclass`",
    ),
    "base": RefusalReason("its base `{base}` is not adopted", "fix `{base}` first"),
    "subclass": RefusalReason("its subclass `{heir}` is not adopted", "fix `{heir}` first"),
    "heirs": RefusalReason(
        "none of its subclasses is adopted", "adopt at least one subclass first"
    ),
    "subclass in Python": RefusalReason(
        "a class that is not a pytree derives from it and adds fields, at {place}",
        "make that class a pytree too, or store an object of this class in it",
    ),
    "extended outside": RefusalReason(
        "`{heir}`, outside the package, derives from it and adds fields",
        "write a schema for `{heir}`, with this class as its base",
    ),
    "compiler": RefusalReason("no schema can express it: {message}", "{help}", construct="{code}"),
    "inside": RefusalReason(
        "it is defined inside a {place}",
        "move the class to the top level of the module",
        construct="inside a {place}",
    ),
    "same file": RefusalReason(
        "its file is also the module `{module}`, by a link",
        "replace the link by a module that imports the names",
        construct="linked file",
    ),
    "inside a statement": RefusalReason(
        "it is part of another statement", "move the class to the top level of the module"
    ),
    "defined twice": RefusalReason(
        "its module defines its name more than once", "rename one of the definitions"
    ),
    "name taken": RefusalReason(
        "the rewritten module needs the name `{name}`, but it already has another meaning",
        "rename `{name}` there",
    ),
    "registered elsewhere": RefusalReason(
        "the statement at {place} registers it and does something else too",
        "use a decorator, or register the class in a separate statement of its module",
    ),
    "order": RefusalReason(
        "line {line_used} uses a class of this module while the module is imported, above the last mixin",
        "move line {line_used} below all mixins",
    ),
    "left": RefusalReason("it was excluded with `--leave`", "remove the option"),
    "adopted before": RefusalReason(
        "other classes of its module were adopted earlier and have a schema",
        "declare this class in that schema",
    ),
}
