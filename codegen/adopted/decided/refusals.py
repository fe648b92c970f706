"""Why a class is left as it is: what of it no schema declares, and what hangs on classes that are left.

refusals(found, names, is_rewritten=True)    ->    {"heat.Plate": (Refusal("own __init__", 12, ...),)}

Either all of a family is adopted or none: a class whose base is left cannot be a schema's, and where the
sources are rewritten a class of the library cannot derive from a generated one.
"""

from __future__ import annotations

import ast
import keyword
import unicodedata
from collections.abc import Callable, Iterator, Mapping, Sequence

from codegen.adopted.decided.field_types import asked
from codegen.adopted.finding.fields import all_fields
from codegen.adopted.finding.names import Names
from codegen.adopted.finding.nodes import Class, Found, Refusal
from codegen.adopted.finding.uses import extended
from codegen.adopted.mechanisms import MECHANISMS
from codegen.schema.names import DRAFT_MEMBERS, MEMBERS, PREFIX

_CONSTRUCTORS = {
    "__init__": "write a function or classmethod that makes the object, and leave the constructor to "
    "the fields",
    "__new__": "write a function or classmethod that makes the object",
    "__setattr__": "objects are frozen: write `replace(...)`",
    "__getattribute__": "write properties",
    "__init_subclass__": "register what derives from it by a function",
    "__class_getitem__": "write `Generic[T]`",
    "__getstate__": "objects are pickled by the names of their fields: leave it out",
    "__setstate__": "objects are unpickled by the names of their fields: leave it out",
    "__reduce__": "objects are pickled by the names of their fields: leave it out",
    "__copy__": "leave it out",
    "__deepcopy__": "leave it out",
    "__replace__": "leave it out: `copy.replace` works",
    "tree_flatten": "leave it out: the fields say what the leaves are",
}
_EQUALITY = ("__eq__", "__hash__")
_DATACLASSES = ("dataclasses.dataclass",)
_SETTERS = ("__setattr__", "setattr")
_ABSTRACT = ("abc.ABC", "abc.ABCMeta")
_ASKING = ("abc.abstractmethod", "abc.abstractproperty")


def refusals(found: Found, names: Names, *, is_rewritten: bool) -> dict[str, tuple[Refusal, ...]]:
    """For each class that is left as it is, why; the others are not in it."""
    refused = {
        one.full_name: reasons
        for one in found.classes.values()
        if (reasons := tuple(own(one, found, names, is_rewritten=is_rewritten)))
    }
    for module in found.modules.values() if is_rewritten else ():
        for name, line in extended(module, found, names):
            one = found.classes[name]
            reason = Refusal(
                "subclass in Python",
                one.line,
                f"a class that is no pytree derives from it and adds fields, at {module.path}:{line}",
                "make that one a pytree too, or hold an object of this one in it",
            )
            refused[name] = (*refused.get(name, ()), reason)
    for name, reason in asked(found, names).items() if is_rewritten else ():
        refused.setdefault(name, (reason,))
    return with_families(found, refused, is_rewritten=is_rewritten)


def with_families(
    found: Found, refused: Mapping[str, tuple[Refusal, ...]], *, is_rewritten: bool
) -> dict[str, tuple[Refusal, ...]]:
    """Refuse what derives from refused classes, and, where sources are rewritten, what these derive from."""
    whole = dict(refused)
    before = -1
    while before != len(whole):
        before = len(whole)
        for one in found.classes.values():
            for base in one.bases:
                if base in whole and one.full_name not in whole:
                    whole[one.full_name] = (_by_base(one, base),)
                elif is_rewritten and one.full_name in whole and base in found.classes:
                    whole.setdefault(base, (_by_heir(found.classes[base], one),))
    return whole


def _by_base(one: Class, base: str) -> Refusal:
    return Refusal("base", one.line, f"its base `{base}` is left as it is", "mend that one first")


def _by_heir(base: Class, one: Class) -> Refusal:
    why = f"`{one.full_name}`, which derives from it, is left as it is"
    return Refusal("subclass", base.line, why, "mend that one first")


def own(one: Class, found: Found, names: Names, *, is_rewritten: bool) -> Iterator[Refusal]:
    yield from one.refusals
    if MECHANISMS[one.mechanism].name in ("flattened by hand", "own decorator or base", "flax.nnx"):
        return
    if is_rewritten and one.mechanism == "NamedTuple":
        yield Refusal(
            "tuple",
            one.line,
            "it is a tuple, which may be unpacked, indexed and compared as one",
            "make it a frozen dataclass, and adopt it again",
        )
    for check in _CHECKS:
        yield from check(one, found, names)


def _methods(one: Class, _: Found, __: Names) -> Iterator[Refusal]:
    for name, method in one.methods.items():
        if name in _CONSTRUCTORS:
            yield Refusal(f"own {name}", method.lineno, f"it defines `{name}`", _CONSTRUCTORS[name])
        elif name in MEMBERS:
            yield Refusal(
                "member",
                method.lineno,
                f"it defines `{name}`, which every generated class has",
                f"call it `{name}_`",
            )
        elif name in _EQUALITY and all(field.role == "static" for field in one.fields):
            yield Refusal(
                "own equality",
                method.lineno,
                f"it defines `{name}`, and static objects are compared by value, as trace keys are",
                "leave it out",
            )
        elif name == "__post_init__" and (line := _assignment(method)):
            yield Refusal(
                "deriving __post_init__",
                line,
                "its `__post_init__` sets attributes, and the constructor of a generated class sets "
                "fields alone",
                "`field(convert=...)` for a static field, a property, or a function that makes the object",
            )


def _overridden(one: Class, found: Found, _: Names) -> Iterator[Refusal]:
    """A `__post_init__` that takes the place of its base's: each `__check_init__` runs, the base's first."""
    method = one.methods.get("__post_init__")
    if method is None or "super" in {getattr(node, "id", "") for node in ast.walk(method)}:
        return
    for base in one.bases:
        if base in found.classes and "__post_init__" in found.classes[base].methods:
            yield Refusal(
                "overridden __post_init__",
                method.lineno,
                f"its `__post_init__` takes the place of that of `{base}`, and `__check_init__` would run beside it",
                "call `super().__post_init__()`, if both may run",
            )


def _assignment(method: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """The line in which a method sets an attribute of `self`; 0 where in none."""
    for node in ast.walk(method):
        match node:
            case ast.Attribute(value=ast.Name(id="self"), ctx=ast.Store() | ast.Del()):
                return node.lineno
            case ast.Call(func=ast.Attribute(attr=name) | ast.Name(id=name)) if name in _SETTERS:
                return node.lineno
            case ast.Attribute(value=ast.Name(id="self"), attr="__dict__"):
                return node.lineno
            case ast.Call(func=ast.Name(id="vars")):
                return node.lineno
    return 0


def _names(one: Class, _: Found, __: Names) -> Iterator[Refusal]:
    for field in one.fields:
        name = field.name
        is_plain = unicodedata.normalize("NFKC", name) == name
        if name in MEMBERS | DRAFT_MEMBERS or name.startswith(("__", PREFIX)) or not is_plain:
            yield Refusal(
                "field name",
                field.line,
                f"a generated class cannot have a field `{name}`",
                f"call it `{name.strip('_')}_`",
            )
    last = one.name.rpartition(".")[2]
    if last in MEMBERS | DRAFT_MEMBERS or last.startswith("__") or keyword.iskeyword(last):
        yield Refusal("class name", one.line, f"no schema declares a class `{last}`", "rename it")


def _decorators(one: Class, _: Found, names: Names) -> Iterator[Refusal]:
    known = {*MECHANISMS[one.mechanism].decorators, *_DATACLASSES}
    if one.mechanism == "simple_pytree":
        known |= {"simple_pytree.dataclass", "simple_pytree.dataclass.dataclass"}
    for expression in one.node.decorator_list:
        name = names.decorator(one.module, expression).name
        if name not in known:
            yield Refusal(
                "decorator",
                expression.lineno,
                f"it is decorated with `{ast.unparse(expression)}`, which would not see the class that "
                "is generated",
                "do in a mixin or function what the decorator does",
            )
    for each in one.node.keywords:
        is_abstract = each.arg == "metaclass" and names.resolve(one.module, each.value) in _ABSTRACT
        if each.arg == "metaclass" and not is_abstract:
            yield Refusal("metaclass", one.line, "it has a metaclass", "leave it out")
    for option, wanted in (("init", True), ("order", False), ("unsafe_hash", False)):
        if one.options.get(option, wanted) is not wanted:
            yield Refusal(
                option,
                one.line,
                f"it is made with `{option}={not wanted}`",
                f"leave `{option}` out",
            )


def _bases(one: Class, found: Found, _: Names) -> Iterator[Refusal]:
    known = MECHANISMS[one.mechanism].bases
    pytrees = [base for base in one.bases if base in found.classes]
    if len(pytrees) > 1:
        yield Refusal(
            "several bases",
            one.line,
            f"it derives from {len(pytrees)} classes with fields: {', '.join(pytrees)}",
            "one base, and mixins for the rest",
        )
    mine = all_fields(one, found.classes)
    for base in pytrees:
        for name, theirs in all_fields(found.classes[base], found.classes).items():
            if mine[name].role != theirs.role:
                yield Refusal(
                    "changed role",
                    mine[name].line,
                    f"`{name}` is {mine[name].role}, and {theirs.role} in `{base}`",
                    "give it one role in both",
                )
    package = found.package.partition(".")[0]
    for base in one.bases:
        if base in found.classes or base in known or base in _ABSTRACT:
            continue
        is_ours = package and base.startswith(f"{package}.")
        if not is_ours and not base.startswith(("abc.", "typing.", "collections.abc.")):
            yield Refusal(
                "foreign base",
                one.line,
                f"it derives from `{base}`, of which nothing is known here",
                "hold such an object in a field",
            )


def _inherited(one: Class, found: Found, names: Names) -> Iterator[Refusal]:
    """What a base of Python brings that a generated class defines itself; such a base is a mixin of it."""
    fields = all_fields(one, found.classes)
    ours = {*MEMBERS, *_CONSTRUCTORS, *_EQUALITY, "__post_init__", *fields}
    known = MECHANISMS[one.mechanism].bases
    bases = [base for base in one.bases if base not in known]
    for base, node in _plain_bases(bases, found, names):
        module = base.rpartition(".")[0]
        decorators = {names.decorator(module, each).name for each in node.decorator_list}
        if base not in found.mixins and not decorators.isdisjoint(_DATACLASSES):
            yield Refusal(
                "dataclass base",
                one.line,
                f"its base `{base}` is a dataclass, and no pytree",
                "make that one a pytree too, or leave its `@dataclass` out",
            )
        for name, member in _members(node):
            asks = {names.resolve(module, each) for each in getattr(member, "decorator_list", ())}
            if name in ours and asks.isdisjoint(_ASKING):
                yield Refusal(
                    "member of a base",
                    one.line,
                    f"its base `{base}` defines `{name}`, which the generated class defines itself",
                    f"call it `{name.strip('_')}_` there, or leave it out",
                )


def _plain_bases(
    bases: Sequence[str], found: Found, names: Names
) -> Iterator[tuple[str, ast.ClassDef]]:
    """The classes of the package that are no pytrees among bases and theirs, with their definitions."""
    for base in bases:
        module, _, last = base.rpartition(".")
        for node in found.modules[module].tree.body if module in found.modules else ():
            if isinstance(node, ast.ClassDef) and node.name == last and base not in found.classes:
                yield base, node
                above = [names.resolve(module, each) for each in node.bases]
                yield from _plain_bases([one for one in above if one != base], found, names)


def _members(node: ast.ClassDef) -> Iterator[tuple[str, ast.stmt]]:
    """What the body of a class gives values to, by name."""
    for statement in node.body:
        match statement:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                yield name, statement
            case ast.Assign(targets=[ast.Name(id=name)]):
                yield name, statement
            case ast.AnnAssign(target=ast.Name(id=name), value=value) if value is not None:
                yield name, statement


def _defaults(one: Class, _: Found, __: Names) -> Iterator[Refusal]:
    """Defaults that are computed of what the body of the class binds."""
    bound = {
        node.id
        for node in ast.walk(one.node)
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
    }
    for field in one.fields:
        for value in (field.default, field.factory):
            used = (
                {each.id for each in ast.walk(value) if isinstance(each, ast.Name)}
                if value
                else set()
            )
            if used & bound:
                yield Refusal(
                    "default of the body",
                    field.line,
                    f"the default of `{field.name}` is computed of `{min(used & bound)}`, a name of the class",
                    "move that to the module",
                )


def _mutable(one: Class, found: Found, _: Names) -> Iterator[Refusal]:
    """Objects that something assigns to: by the name of the field, for nothing tells whose it is."""
    if one.options.get("frozen", MECHANISMS[one.mechanism].is_frozen):
        return
    mine = all_fields(one, found.classes)
    for name, place in found.assigned.items():
        if name in mine:
            yield Refusal(
                "mutable",
                one.line,
                f"it is not frozen, and a field `{name}` is assigned to at {place}",
                "write `replace(...)` there, and `frozen=True` here, and adopt it again",
            )
            return


def _converters(one: Class, _: Found, __: Names) -> Iterator[Refusal]:
    for field in one.fields:
        if "converter" in field.options and field.role == "dynamic":
            yield Refusal(
                "converter",
                field.line,
                f"`{field.name}` is converted by `{ast.unparse(field.options['converter'])}`, and a "
                "dynamic field takes what it is given",
                "convert in a function that makes the object",
            )


_CHECKS: tuple[Callable[[Class, Found, Names], Iterator[Refusal]], ...] = (
    _methods,
    _overridden,
    _names,
    _decorators,
    _bases,
    _inherited,
    _mutable,
    _defaults,
    _converters,
)
