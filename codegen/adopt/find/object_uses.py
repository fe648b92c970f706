"""Find code that does with an object what a generated class does not support.

box.u = u, setattr(box, "u", u)     a generated class is frozen
vars(box), self.__dict__            a generated object has no `__dict__`
State(**other), state["u"]          a generated class is not a mapping
first, *rest = pair, pair._asdict() a generated class is not a tuple

The classes that the object can have are found in the source (`owners.py`). If they are unknown, it
can have every class to which the code applies.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from codegen.adopt.find.fields import all_fields
from codegen.adopt.find.names import PackageNames
from codegen.adopt.find.nodes import FoundClasses, ObjectUse, SourceModule
from codegen.adopt.find.owners import Function, Owners, Scope, bind
from codegen.adopt.libraries import LIBRARIES

_SETTERS = ("builtins.setattr", "builtins.delattr", "builtins.object.__setattr__")
_CONSTRUCTORS = ("__init__", "__post_init__")
_CODE_MAX = 60
_COMMON = frozenset(("keys", "values", "items", "get", "count", "index"))
"""Methods of libraries that dicts and lists have too."""


def find_object_uses(found: FoundClasses, names: PackageNames) -> Iterator[ObjectUse]:
    """Yield these uses in all modules."""
    for module in found.modules.values() if found.classes else ():
        yield from _UseFinder(module, found, names).find()


class _UseFinder:
    def __init__(self, module: SourceModule, found: FoundClasses, names: PackageNames) -> None:
        self._module = module
        self._names = names
        self._owners = Owners(module, found, names)
        self._fields = {name: all_fields(one, found.classes) for name, one in found.classes.items()}
        every = found.classes.values()
        self._mutable = frozenset(one.full_name for one in every if not one.is_frozen)
        self._interfaces = {one.full_name: LIBRARIES[one.library].interface for one in every}
        self._mappings = frozenset(
            one.full_name for one in every if one.options.get("mappable_dataclass")
        )
        self._with_dict = frozenset(one.full_name for one in every if one.library != "NamedTuple")

    def find(self) -> Iterator[ObjectUse]:
        scope = Scope(None, "")
        bind(self._module.tree.body, scope)
        yield from self._visit(self._module.tree, scope, "", "")

    def _visit(self, node: ast.AST, scope: Scope, cls: str, method: str) -> Iterator[ObjectUse]:
        """Yield the uses in a node; `cls` is the class whose body it is in, `method` the method."""
        yield from self._uses(node, scope, method)
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.ClassDef):
                yield from self._visit(child, scope, f"{cls or self._module.name}.{child.name}", "")
            elif isinstance(child, Function):
                inner = self._owners.scope(
                    child, scope, cls if isinstance(node, ast.ClassDef) else ""
                )
                name = getattr(child, "name", "") if inner.holder else method
                yield from self._visit(child, inner, cls, name)
            else:
                yield from self._visit(child, scope, cls, method)

    def _uses(self, node: ast.AST, scope: Scope, method: str) -> Iterator[ObjectUse]:
        match node:
            case ast.Attribute(value=value, attr=attr, ctx=ast.Store() | ast.Del()):
                yield from self._assignment(node, value, attr, scope, method)
            case ast.Attribute(value=value, attr="__dict__"):
                yield from self._use("attributes", node, value, scope, self._with_dict)
            case ast.Subscript(value=value, slice=ast.Constant(value=str() as key)):
                fit = frozenset(one for one in self._mappings if key in self._fields[one])
                yield from self._use("mapping", node, value, scope, fit, is_vague=True)
            case ast.Starred(value=value, ctx=ast.Load()) | ast.For(iter=value):
                yield from self._iteration(node, value, scope)
            case ast.Assign(targets=[ast.Tuple() | ast.List()], value=value):
                yield from self._iteration(node, value, scope)
            case ast.Subscript(value=value, ctx=ast.Load()):
                yield from self._iteration(node, value, scope)
            case ast.Dict(keys=keys, values=values):
                for each, value in zip(keys, values, strict=True):
                    if each is None:
                        yield from self._use(
                            "mapping", node, value, scope, self._mappings, is_vague=True
                        )
            case ast.Call():
                yield from self._call(node, scope, method)

    def _assignment(
        self, node: ast.AST, value: ast.expr, attr: str, scope: Scope, method: str
    ) -> Iterator[ObjectUse]:
        """Yield an assignment to an attribute: of any name, if the class is known."""
        if method in _CONSTRUCTORS and isinstance(value, ast.Name) and value.id == scope.own:
            return  # see `deriving`, in `decide/refusals.py`
        is_known = self._owners.of(value, scope) is not None
        fit = [one for one in self._fields if is_known or not attr or attr in self._fields[one]]
        is_forced = isinstance(node, ast.Call) and "object" in ast.unparse(node.func)
        classes = frozenset(fit) & (self._with_dict if is_forced else self._mutable)
        yield from self._use("attribute assignment", node, value, scope, classes)

    def _iteration(self, node: ast.AST, value: ast.expr, scope: Scope) -> Iterator[ObjectUse]:
        """Yield an iteration over an object whose class is known to be a tuple or mapping."""
        if self._owners.of(value, scope):
            fit = frozenset(one for one, names in self._interfaces.items() if "__iter__" in names)
            yield from self._use("iteration", node, value, scope, fit)

    def _call(self, node: ast.Call, scope: Scope, method: str) -> Iterator[ObjectUse]:
        name = self._names.resolve(self._module.name, node.func)
        match node:
            case ast.Call(args=[value]) if name == "builtins.vars":
                yield from self._use("attributes", node, value, scope, self._with_dict)
            case ast.Call(args=[value, attr, *_]) if name in _SETTERS:
                constant = str(attr.value) if isinstance(attr, ast.Constant) else ""
                yield from self._assignment(node, value, constant, scope, method)
            case ast.Call(func=ast.Attribute(value=value, attr=attr)):
                changed = {each.arg for each in node.keywords if each.arg and attr == "_replace"}
                fit = frozenset(
                    one
                    for one, known in self._interfaces.items()
                    if attr in known and changed <= self._fields[one].keys()
                )
                if self._owners.of(value, scope) is not None or attr not in _COMMON:
                    yield from self._use("method", node, value, scope, fit)
        for keyword in node.keywords:
            if keyword.arg is None:
                given = self._fields.get(name)
                # A constructor refuses objects with other fields.
                fit = frozenset(
                    one
                    for one in self._mappings
                    if given is None or self._fields[one].keys() <= given.keys()
                )
                yield from self._use(
                    "mapping", node, keyword.value, scope, fit, is_vague=given is None
                )

    def _use(
        self,
        kind: str,
        node: ast.AST,
        value: ast.expr,
        scope: Scope,
        classes: frozenset[str],
        *,
        is_vague: bool = False,
    ) -> Iterator[ObjectUse]:
        owner = self._owners.of(value, scope)
        chosen = classes if owner is None else classes & owner
        if not chosen:
            return
        is_changed = isinstance(getattr(node, "ctx", None), ast.Store | ast.Del)
        code = ast.unparse(node).partition("\n")[0] + (" = ..." if is_changed else "")
        where = scope.find(value.id) if isinstance(value, ast.Name) else None
        is_own = where is not None and isinstance(value, ast.Name) and where.own == value.id
        place = (value.lineno, value.col_offset, value.end_lineno or 0, value.end_col_offset or 0)
        yield ObjectUse(
            kind=kind,
            module=self._module.name,
            path=self._module.path,
            place=place,
            code=code if len(code) <= _CODE_MAX else f"{code[:_CODE_MAX]}...",
            classes=chosen,
            is_own=is_own,
            is_vague=is_vague and owner is None,
        )
