"""Find the features of a class that no schema can declare.

unsupported_features(<class Plate>, found)    ->    ClassRefusal("own __init__", 12, ...), ...
"""

from __future__ import annotations

import ast
import keyword
import unicodedata
from collections.abc import Callable, Collection, Iterator, Sequence

from codegen.adopt.find.fields import literal_bool
from codegen.adopt.find.nodes import ClassRefusal, FoundClasses, SourceClass
from codegen.adopt.find.reasons import refusal
from codegen.adopt.libraries import LIBRARIES
from codegen.program.graph import reachable
from codegen.schema.names import DRAFT_MEMBERS, GENERATED, MEMBERS, PREFIX

_FUNCTION = "write a function or classmethod that creates the object"
# Members that a mixin may define, or that the rewriter handles.
_LEFT = ("eq", "ne", "hash", "post_init", "check_init", "slots", "doc")
_GENERATED_NAMES = {
    name: instead for name, instead in GENERATED.items() if name.strip("_") not in _LEFT
} | {
    "__init__": f"{_FUNCTION}, and use the generated constructor",
    "__new__": _FUNCTION,
    "tree_flatten": "remove the method: the fields define the leaves",
}
_INHERITING = ("equinox",)
"""The libraries whose classes inherit the `__init__` of a base."""
_WITH_REPLACE = ("flax.struct", "chex", "jax_md")
_EQUALITY = ("__eq__", "__hash__")
# Members that only classes have whose schema asks for drafts or meshes.
_MEMBERS = MEMBERS - {
    *("Draft", "draft"),
    *("constrain", "globalize", "shardings", "specs"),
}
_DATACLASSES = ("dataclasses.dataclass",)
_SETTERS = ("__setattr__", "setattr")
_ABSTRACT = ("abc.ABC", "abc.ABCMeta")
_CACHED_PROPERTIES = ("functools.cached_property",)
_DATACLASS_READERS = ("abc.abstractmethod", "abc.abstractproperty")
_DICT = """\
@property
def __dict__(self):
    return {name: getattr(self, name) for name in self.__dataclass_fields__}
"""
_FIELD_TYPES = "__codegen_field_types__ = True  # `field.type` is a class, because mjx reads it\n"


def unsupported_features(cls: SourceClass, found: FoundClasses) -> Iterator[ClassRefusal]:
    """Yield the features of the class itself that no schema can declare."""
    yield from cls.refusals
    for check in _CHECKS if not LIBRARIES[cls.library].refused else ():
        yield from check(cls, found)


def _check_file(cls: SourceClass, found: FoundClasses) -> Iterator[ClassRefusal]:
    other = found.modules[cls.module].same_file
    if other:
        yield refusal("same file", cls.line, module=other)


def _check_methods(cls: SourceClass, _: FoundClasses) -> Iterator[ClassRefusal]:
    for name, member in iter_members(cls.node):
        line = member.lineno
        if name in cls.dropped or (name == "__init__" and name in cls.methods):
            continue
        if name in _GENERATED_NAMES:
            yield refusal("own", line, method=name, instead=_GENERATED_NAMES[name])
        elif name in _MEMBERS:
            yield refusal("member", line, method=name)
        elif name in _EQUALITY and all(field.role == "static" for field in cls.fields):
            yield refusal("own equality", line, method=name)
        elif name == "__post_init__" and (line := _find_self_assignment(member)):
            yield refusal("deriving", line)


def _check_overridden(cls: SourceClass, found: FoundClasses) -> Iterator[ClassRefusal]:
    """Refuse a `__post_init__` that overrides its base's: all `__check_init__` run, base first."""
    method = cls.methods.get("__post_init__")
    if method is None or "super" in {getattr(node, "id", "") for node in ast.walk(method)}:
        return
    for base in cls.bases:
        if base in found.classes and "__post_init__" in found.classes[base].methods:
            yield refusal("overridden", method.lineno, base=base)


def _check_init(cls: SourceClass, found: FoundClasses) -> Iterator[ClassRefusal]:
    """Refuse an `__init__` that could not run as the constructor of a generated class."""
    method, fields = cls.methods.get("__init__"), found.all_fields(cls)
    bases = [base for base in cls.bases if base in found.classes]
    own = [base for base in bases if found.has_own_init(found.classes[base])]
    if method is None:
        if own and cls.library not in _INHERITING:
            yield refusal("inherited init", cls.line, base=own[0])
        return
    if "__post_init__" in cls.methods:
        yield refusal("init and post_init", method.lineno)
    if LIBRARIES[cls.library].constructs_again and _accepts_fields(method, fields):
        yield refusal("init on unflattening", method.lineno)
    for node in ast.walk(method):
        match node:
            case ast.Attribute(value=ast.Name(id="self"), attr=name, ctx=ast.Store()):
                if name not in fields:
                    yield refusal("attribute of init", node.lineno, attribute=name)
            case ast.Attribute(attr="__dict__") | ast.Call(func=ast.Name(id="vars")):
                yield refusal("attribute of init", node.lineno, attribute="__dict__")
            case ast.Attribute(attr="__init__") if len(own) < len(bases):
                other = next(base for base in bases if base not in own)
                yield refusal("init of a base", node.lineno, base=other)


def _accepts_fields(
    method: ast.FunctionDef | ast.AsyncFunctionDef, fields: Collection[str]
) -> bool:
    """Return whether a constructor can be called with all fields, by their names."""
    names = {one.arg for one in (*method.args.args, *method.args.kwonlyargs)}
    return method.args.kwarg is not None or names.issuperset(fields)


def _find_self_assignment(method: ast.stmt) -> int:
    """Return the line where a method sets an attribute of `self`; 0 if it sets none."""
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


def _check_names(cls: SourceClass, _: FoundClasses) -> Iterator[ClassRefusal]:
    for field in cls.fields:
        name = field.name
        is_plain = unicodedata.normalize("NFKC", name) == name
        if name in MEMBERS | DRAFT_MEMBERS or name.startswith(("__", PREFIX)) or not is_plain:
            yield refusal("field name", field.line, field=name, other=f"{name.strip('_')}_")
    last = cls.name.rpartition(".")[2]
    if last in MEMBERS | DRAFT_MEMBERS or last.startswith("__") or keyword.iskeyword(last):
        yield refusal("class name", cls.line, name=last)


def _check_decorators(cls: SourceClass, found: FoundClasses) -> Iterator[ClassRefusal]:
    known = {*LIBRARIES[cls.library].decorators, *_DATACLASSES}
    if cls.library == "simple_pytree":
        known |= {"simple_pytree.dataclass", "simple_pytree.dataclass.dataclass"}
    for expression in cls.node.decorator_list:
        name = found.names.decorator(cls.module, expression).name
        if name not in known:
            yield refusal("decorator", expression.lineno, decorator=ast.unparse(expression))
    for each in cls.node.keywords:
        is_abstract = (
            each.arg == "metaclass" and found.names.resolve(cls.module, each.value) in _ABSTRACT
        )
        if each.arg == "metaclass" and not is_abstract:
            yield refusal("metaclass", cls.line)
    options = [("order", False), ("unsafe_hash", False)]
    if "__init__" not in cls.methods:
        options.append(("init", True))
    if cls.library != "StaticDataclass" and "__eq__" not in cls.methods:
        options.append(("eq", True))
    for option, wanted in options:
        if cls.options.get(option, wanted) is not wanted:
            yield refusal("option", cls.line, option=option, value=not wanted)


def _check_bases(cls: SourceClass, found: FoundClasses) -> Iterator[ClassRefusal]:
    known = LIBRARIES[cls.library].bases
    pytrees = [base for base in cls.bases if base in found.classes]
    if len(pytrees) > 1:
        yield refusal("several bases", cls.line, count=len(pytrees), bases=", ".join(pytrees))
    mine = found.all_fields(cls)
    for base in pytrees:
        for name, theirs in found.all_fields(found.classes[base]).items():
            if mine[name].role != theirs.role:
                details = {"role": mine[name].role, "other": theirs.role, "base": base}
                yield refusal("changed role", mine[name].line, field=name, **details)
    package = found.package.partition(".")[0]
    for base in cls.bases:
        if base in found.classes or base in known or base in _ABSTRACT:
            continue
        is_ours = package and base.startswith(f"{package}.")
        if not is_ours and not base.startswith(("abc.", "typing.", "collections.abc.")):
            yield refusal("foreign base", cls.line, base=base)


def _check_inherited(cls: SourceClass, found: FoundClasses) -> Iterator[ClassRefusal]:
    """Refuse members of a Python base that a generated class defines; the base becomes a mixin."""
    fields = found.all_fields(cls)
    ours = {*_MEMBERS, *_GENERATED_NAMES, *_EQUALITY, "__post_init__", *fields}
    known = LIBRARIES[cls.library].bases
    bases = [base for base in cls.bases if base not in known]
    for base, node in plain_bases(bases, found):
        module = base.rpartition(".")[0]
        decorators = {found.names.decorator(module, each).name for each in node.decorator_list}
        if base not in found.mixins and not decorators.isdisjoint(_DATACLASSES):
            yield refusal("dataclass base", cls.line, base=base)
        dropped = dropped_methods(found.mixins[base]) if base in found.mixins else ()
        for name, member in iter_members(node):
            if name in dropped:
                continue
            asks = {
                found.names.resolve(module, each) for each in getattr(member, "decorator_list", ())
            }
            if name in ours and asks.isdisjoint(_DATACLASS_READERS):
                other = f"{name.strip('_')}_"
                yield refusal("member of a base", cls.line, base=base, method=name, other=other)


def caches_values(cls: SourceClass, found: FoundClasses) -> bool:
    """Return whether the class or one of its bases has a cached property."""
    bases = [found.classes[base] for base in cls.bases if base in found.classes]
    nodes = [(cls.full_name, cls.node), *plain_bases(cls.bases, found)]
    return any(caches_values(base, found) for base in bases) or any(
        found.names.resolve(name.rpartition(".")[0], decorator) in _CACHED_PROPERTIES
        for name, node in nodes
        for method in node.body
        for decorator in getattr(method, "decorator_list", ())
    )


def dropped_methods(cls: SourceClass) -> frozenset[str]:
    """Return the methods that a base without fields loses: every subclass has them too."""
    return cls.dropped if cls.library in _WITH_REPLACE else frozenset()


def plain_bases(bases: Sequence[str], found: FoundClasses) -> Iterator[tuple[str, ast.ClassDef]]:
    """Yield the bases, direct or not, that are package classes but no pytrees, with definitions."""
    plain = found.names.definitions.keys() - found.classes.keys()
    for base in reachable(bases, lambda one: found.names.bases(one) if one in plain else ()):
        if base in plain:
            yield base, found.names.definitions[base][1]


def iter_members(node: ast.ClassDef) -> Iterator[tuple[str, ast.stmt]]:
    """Yield the names that a class body gives values to, with their statements."""
    for statement in node.body:
        match statement:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                yield name, statement
            case ast.Assign(targets=[ast.Name(id=name)]):
                yield name, statement
            case ast.AnnAssign(target=ast.Name(id=name), value=value) if value is not None:
                yield name, statement


def _check_defaults(cls: SourceClass, _: FoundClasses) -> Iterator[ClassRefusal]:
    """Refuse defaults that are computed from names that the class body binds."""
    bound = {
        node.id
        for node in ast.walk(cls.node)
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
    }
    for field in cls.fields:
        for value in (field.default, field.factory):
            used = (
                {each.id for each in ast.walk(value) if isinstance(each, ast.Name)}
                if value
                else set()
            )
            if used & bound:
                details = {"field": field.name, "name": min(used & bound)}
                yield refusal("default of the body", field.line, **details)


def _check_order(cls: SourceClass, found: FoundClasses) -> Iterator[ClassRefusal]:
    """Refuse classes whose positional arguments are not in the order of a schema."""
    fields = found.all_fields(cls)
    by_position = () if found.has_own_init(cls) else fields.values()
    positional = [each.name for each in by_position if not each.is_keyword]
    for name, other in zip(positional, fields, strict=False):
        if name != other:
            yield refusal("order of arguments", cls.line, field=name, other=other)
            return


def _check_fields(cls: SourceClass, _: FoundClasses) -> Iterator[ClassRefusal]:
    for field in cls.fields:
        if literal_bool(field.options.get("compare")) is False:
            yield refusal("compare=False", field.line, field=field.name)
        if "converter" in field.options and field.role == "dynamic":
            function = ast.unparse(field.options["converter"])
            yield refusal("converter", field.line, field=field.name, function=function)


def needs_mixin(cls: SourceClass, found: FoundClasses) -> bool:
    """Return whether a class leaves a mixin: it has methods, or virtual subclasses."""
    return _has_content(cls, found) or bool(find_virtual_heirs(cls, found))


def _has_content(cls: SourceClass, found: FoundClasses) -> bool:
    """Return whether a class still has content after its fields are removed."""
    body = cls.node.body[1:] if ast.get_docstring(cls.node) is not None else cls.node.body
    names = {each.name for each in cls.fields}
    for statement in body:
        match statement:
            case ast.AnnAssign(target=ast.Name(id=name)) if name in names:
                continue
            case ast.Pass() | ast.Expr(value=ast.Constant()):
                continue
            case ast.FunctionDef(name=name) if name in cls.dropped:
                continue
            case _:
                return True
    return bool(added_methods(cls, found)) or any(
        is_plain_base(cls, base, found) for base in cls.bases
    )


def can_be_virtual(heir: SourceClass, name: str, found: FoundClasses) -> bool:
    """Return whether a class of mjx can stay when its first base is generated, which has only fields.

    It then declares these fields itself, and becomes a virtual subclass of the base:

        class State(base.State, mjx.Data):    ->    @base.State.register
            ...                                     class State(mjx.Data):
                                                        u: base.jax.Array
    """
    base, nodes = found.classes[name], heir.node.bases
    if heir.library != "subclass of mjx" or heir.bases[0] != name or len(heir.bases) != len(nodes):
        return False
    outer = getattr(nodes[0], "value", None)
    parts = [node for one in base.annotations.values() for node in ast.walk(one)]
    names = [found.names.defined(one.module) for one in (heir, base)]
    return (
        (found.names.resolve(heir.module, outer) or heir.module) == base.module
        and not any((base.bases, base.parameters, heir.fields, "." in heir.name))
        and not LIBRARIES[base.library].interface
        and not any(_has_content(one, found) for one in (heir, base))
        and all(one.is_required and not one.is_keyword for one in base.fields)
        and names[1].get("abc", "abc") == "abc"
        # mjx reads the types of fields: they must not be strings.
        and not any("annotations" in one for one in names)
        and not any(isinstance(getattr(one, "value", None), str) for one in parts)
    )


def find_virtual_heirs(base: SourceClass, found: FoundClasses) -> list[SourceClass]:
    """Return the classes that stay when a class is generated, as its virtual subclasses."""
    name = base.full_name
    heirs = (one for one in found.classes.values() if name in one.bases)
    return [one for one in heirs if can_be_virtual(one, name, found)]


def added_methods(cls: SourceClass, found: FoundClasses) -> tuple[str, ...]:
    """Return the methods of its library that a mixin keeps; none if a base already has them.

    It also keeps `__dict__` if code reads it, and the types of fields if mjx reads them.
    """
    read = ((_FIELD_TYPES, found.with_types), (_DICT, found.with_dict))
    bases = {*cls.bases} & {*found.classes}
    own = tuple(text for text, names in read if cls.full_name in names and names.isdisjoint(bases))
    if bases:
        return own
    library = LIBRARIES[cls.library]
    known = {one.rpartition(".")[2] for one in library.bases}
    texts = (ast.unparse(one) for one in cls.node.bases)
    base = next((one for one in texts if one.rpartition(".")[2] in known), "")
    return (
        tuple(
            one.format(base=base)
            for one in library.adds
            if one.removeprefix("def ").replace("(", " ").split()[0] not in cls.methods
        )
        + own
    )


def is_plain_base(cls: SourceClass, base: str, found: FoundClasses) -> bool:
    """Return whether a base is a Python class of the package that is not a pytree: a mixin."""
    top = found.package.partition(".")[0]
    is_known = base in found.classes or base in LIBRARIES[cls.library].bases
    return not is_known and bool(top) and base.startswith(f"{top}.")


_CHECKS: tuple[Callable[[SourceClass, FoundClasses], Iterator[ClassRefusal]], ...] = (
    _check_file,
    _check_methods,
    _check_init,
    _check_overridden,
    _check_names,
    _check_decorators,
    _check_bases,
    _check_inherited,
    _check_defaults,
    _check_order,
    _check_fields,
)
