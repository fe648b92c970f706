r"""Find code that can give a wrong number, or compile too often: one function for each kind of rule.

find_unsound(found)
->    (UnsoundFinding("static number", "heat.Plate", "n", "heat/plate.py", 12, "`n` is static, ...", "..."), ...)
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct, structs
from msgspec import field as encoded

from codegen.adopt.find.classes import JittedFunction, iter_jitted
from codegen.adopt.find.nodes import FoundClasses, SourceClass, SourceField
from codegen.adopt.libraries import ARRAYS, LIBRARIES

KINDS = {
    **dict.fromkeys((f"builtins.{one}" for one in ("int", "float", "complex", "bool")), "number"),
    **dict.fromkeys((f"builtins.{one}" for one in ("list", "dict", "set")), "mutable"),
    **dict.fromkeys((f"typing.{one}" for one in ("List", "Dict", "Set")), "mutable"),
    **dict.fromkeys(("typing.MutableMapping", "typing.Mapping", "typing.Sequence"), "mutable"),
    **dict.fromkeys(("collections.abc.Mapping", "collections.abc.Sequence"), "mutable"),
    **dict.fromkeys((*ARRAYS, "numpy.typing.NDArray"), "array"),
    **dict.fromkeys(("typing.Callable", "collections.abc.Callable"), "identity"),
    **dict.fromkeys(("builtins.callable", "threading.Lock"), "identity"),
    "concurrent.futures.Executor": "identity",
    "concurrent.futures.ThreadPoolExecutor": "identity",
}
"""What a value is in a static field, by the name of its type."""
_STATIC = {
    "number": "it is compared by `==`: 1, 1.0 and True are equal, and so are 0.0 and -0.0. A call with one "
    "value then runs the program of another, and NaN recompiles at every call",
    "array": "arrays have no hash and no single answer to `==`: the first or second call of a jitted "
    "function fails, or every call recompiles",
    "mutable": "its value may be mutable: it has no hash, or a changed value runs the old program",
    "identity": "its value is compared by identity: each new lambda, partial or bound method recompiles",
}
_NO_DEFAULT = '`field(factory="module:function")`, or a plain number, which becomes an array when an object is created'
_INSTEAD = {
    "static number": "`static[...]`, which distinguishes values by type and bits",
    "static array": "`static[f32[...]]`, a constant that is compared by its bytes, or `dynamic[...]`",
    "static mutable": "`tuple[...]` or `frozendict[...]`",
    "static identity": "`static[Callable[...]]`, which refuses functions without a name in a module, or "
    "`identity[...]` to compare by identity",
    "equal treedefs": "a generated class, which is part of its own treedef",
    "post-init on unflattening": "`__check_init__` in a mixin, which only the constructor calls",
    "mutable default": _NO_DEFAULT,
    "array default": _NO_DEFAULT,
    "donation of a whole object": "`donated[...]` for the fields that the function replaces, `dynamic[...]` "
    "for the others",
    "identity-hashed self": "a static class, which is compared by value",
    "coarse equality": "an `__eq__` that compares the values of all fields, or a generated static class",
}
"""What to write, by rule."""
_DEPTH_MAX = 8  # of containers in an alias that contains itself
_COARSE = {"hash": "hashes", "__hash__": "hashes", "id": "identities", "len": "lengths"}
_WHOLE = ("__dict__", "__slots__", "vars", "fields", "astuple", "asdict", "tree_leaves", "super")


class UnsoundFinding(Struct, frozen=True):
    """One finding, with its position."""

    rule: str  # Example: "static number"
    name: str  # the class or function. Example: "heat.plate.Plate"
    field: str  # empty if it is not about a field
    path: str = encoded(name="file")
    line: int
    why: str
    instead: str
    example: str = ""
    """The program that confirms it; only with `--prove`."""
    other: str = ""
    """The class with an equal treedef."""
    is_first: bool = False
    """Whether it is the first finding of its group of classes with equal treedefs."""


def find_unsound(found: FoundClasses) -> tuple[UnsoundFinding, ...]:
    """Return all findings, sorted by position."""
    rules = (_statics, _treedefs, _constructors, _defaults, _calls, _equalities)
    every = (one for rule in rules for one in rule(found))
    return tuple(sorted(every, key=lambda one: (one.path, one.line, one.rule, one.field)))


def _finding(
    rule: str, name: str, path: str, line: int, why: str, field: str = ""
) -> UnsoundFinding:
    return UnsoundFinding(rule, name, field, path, line, why, _INSTEAD[rule])


def _statics(found: FoundClasses) -> Iterator[UnsoundFinding]:
    """Yield static fields whose values compare by `==`, cannot compare, or always differ."""
    for one in found.classes.values():
        for field in one.fields:
            kinds = _kinds_in(found, field.module, field.annotation)
            for kind in sorted(kinds) if field.role == "static" else ():
                why = f"`{field.name}` is static, and {_STATIC[kind]}"
                place = (one.full_name, one.path, field.line)
                yield _finding(f"static {kind}", *place, why, field.name)


def _kinds_in(
    found: FoundClasses, module: str, annotation: ast.expr | None, depth: int = 0
) -> set[str]:
    """Return the kinds in union members and container parts, but not in callable signatures."""
    kinds: set[str] = set()
    for one in found.names.members(module, annotation) if depth < _DEPTH_MAX else ():
        if one.parts and one.name.startswith("jaxtyping."):
            kinds.add("array")
        elif one.name in KINDS:
            kinds.add(KINDS[one.name])
        if not one.name.endswith((".Literal", ".Callable", ".type")):
            kinds = kinds.union(
                *(_kinds_in(found, one.module, part, depth + 1) for part in one.parts)
            )
    return kinds


def _treedefs(found: FoundClasses) -> Iterator[UnsoundFinding]:
    """Yield classes with interchangeable treedefs: same child counts, possibly equal metadata."""
    groups: dict[tuple[int, int], list[SourceClass]] = {}
    names: dict[str, list[str]] = {}
    for one in found.classes.values():
        if not LIBRARIES[one.library].has_own_treedef:
            fields = found.all_fields(one)
            statics = sum(field.role == "static" for field in fields.values())
            groups.setdefault((len(fields) - statics, statics), []).append(one)
            names[one.full_name] = [*fields]
    for (children, statics), group in groups.items():
        if len(group) == 1:
            continue
        nearest = {one.full_name: _most_similar(one, group, names) for one in group}
        firsts = (name for name, cls in nearest.items() if names[cls.full_name] == names[name])
        first = next(firsts, next(iter(nearest)))
        metadata = (
            f"equal values in their {statics} static fields" if statics else "no static field"
        )
        also = f" and {len(group) - 2} more" if len(group) > 2 else ""
        for name, other in nearest.items():
            cls = found.classes[name]
            why = (
                f"with {children} children and {metadata}, its treedef equals that of "
                f"`{other.full_name}`{also}: with jax 0.10 a jitted function sometimes runs the program of "
                "the other class, and `lax.cond` accepts both as one type"
            )
            finding = _finding("equal treedefs", name, cls.path, cls.line, why)
            yield structs.replace(finding, other=other.full_name, is_first=name == first)


def _most_similar(
    cls: SourceClass, group: Sequence[SourceClass], names: Mapping[str, list[str]]
) -> SourceClass:
    """Return another class of the group: one whose fields have the same names, if there is one."""
    others = [one for one in group if one is not cls]
    same = (one for one in others if names[one.full_name] == names[cls.full_name])
    return next(same, others[0])


def _constructors(found: FoundClasses) -> Iterator[UnsoundFinding]:
    """Yield each `__post_init__` that unflattening runs."""
    for one in found.classes.values():
        method = one.methods.get("__post_init__")
        if method is not None and LIBRARIES[one.library].constructs_again:
            why = "`__post_init__` runs whenever JAX unflattens an object, also with tracers, None and placeholders"
            place = (one.full_name, one.path, method.lineno)
            yield _finding("post-init on unflattening", *place, why)


def _defaults(found: FoundClasses) -> Iterator[UnsoundFinding]:
    """Yield each default that all objects share and that can be changed, or that starts JAX."""
    for one in found.classes.values():
        for field in one.fields:
            rule, why = _shared_default(found, field)
            if rule:
                why = f"the default of `{field.name}` {why}"
                yield _finding(rule, one.full_name, one.path, field.line, why, field.name)


def _shared_default(found: FoundClasses, field: SourceField) -> tuple[str, str]:
    match field.default:
        case ast.List() | ast.Dict() | ast.Set() | ast.ListComp() | ast.DictComp():
            return "mutable default", "is one object that all share, and it can be changed"
        case ast.Call(func=function):
            name = found.names.resolve(field.module, function)
            if name.startswith("numpy."):
                return "mutable default", "is one array that all share, and it can be changed"
            if name.startswith(("jax.numpy.", "jax.random.")):
                return (
                    "array default",
                    "is an array that is created at import, which initializes JAX",
                )
    return "", ""


def _calls(found: FoundClasses) -> Iterator[UnsoundFinding]:
    """Yield jitted functions that donate whole objects, or hash a static `self` by identity."""
    for one in iter_jitted(found.modules, found.names):
        name = ".".join(filter(None, (one.module.name, one.owner, one.name)))
        place = (name, one.module.path, one.line)
        for parameter, annotation in one.donated.items():
            donated = found.names.resolve(one.module.name, annotation)
            is_known = donated in found.classes
            if is_known or annotation is None:
                what = f"an object of `{donated}`" if is_known else "of unknown type"
                why = (
                    f"`{parameter}` ({what}) is donated as a whole: after the call all its arrays are "
                    "deleted, also those that were only read or that are used elsewhere"
                )
                yield _finding("donation of a whole object", *place, why, parameter)
        if "self" in one.static and not _has_equality(one, found):
            why = (
                f"`self` is static, and `{one.owner or 'its class'}` is hashed by identity: each new "
                "object recompiles, and a changed object runs the old program"
            )
            yield _finding("identity-hashed self", *place, why, "self")


def _has_equality(one: JittedFunction, found: FoundClasses) -> bool:
    name = f"{one.module.name}.{one.owner}"
    if name in found.classes or name not in found.names.definitions:
        return True
    _, node = found.names.definitions[name]
    methods = {getattr(inner, "name", "") for inner in node.body}
    return "__hash__" in methods or bool(node.decorator_list)


def _equalities(found: FoundClasses) -> Iterator[UnsoundFinding]:
    """Yield each `__eq__` that ignores a part of the data, such as a comparison of hashes."""
    for name, (module, node) in found.names.definitions.items():
        for method in node.body:
            if isinstance(method, ast.FunctionDef) and method.name == "__eq__":
                reason, field = _ignored_part(node, method)
                if reason:
                    why = (
                        f"`__eq__` {reason}: JAX takes two static values for one if they are "
                        "equal, and then runs the program of the first for the second"
                    )
                    yield _finding("coarse equality", name, module.path, method.lineno, why, field)


def _ignored_part(node: ast.ClassDef, method: ast.FunctionDef) -> tuple[str, str]:
    """Return how the method ignores data, and the first ignored field; both empty if it does not."""
    called = [one.func for one in ast.walk(method) if isinstance(one, ast.Call)]
    names = [getattr(one, "id", "") or getattr(one, "attr", "") for one in called]
    for name in names:
        if name in _COARSE:
            return f"compares {_COARSE[name]}", ""
    read = {one.attr for one in ast.walk(method) if isinstance(one, ast.Attribute)}
    if not {*read, *names}.isdisjoint(_WHOLE):
        return "", ""
    fields = [
        one.target.id
        for one in node.body
        if isinstance(one, ast.AnnAssign) and isinstance(one.target, ast.Name)
        if "ClassVar" not in ast.unparse(one.annotation)
    ]
    ignored = [name for name in fields if name not in read]
    if not ignored or len(ignored) == len(fields):
        return "", ""
    return f"ignores `{ignored[0]}`", ignored[0]
