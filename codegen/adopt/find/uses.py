"""Find the lines of a package whose meaning changes once its classes are generated.

box.u = u, setattr(box, "u", u)     a generated class is frozen
vars(box), self.__dict__            a generated object has no `__dict__`
State(**other), state["u"]          a generated class is not a mapping
first, *rest = pair, pair._asdict() a generated class is not a tuple
isinstance(plate, eqx.Module)       a generated class does not derive from it
flax.serialization.to_bytes         it does not know generated classes
field.type is jax.Array             the annotations of generated classes are other types
jax.tree.leaves(config)             a plain dataclass is a leaf, a generated static class has none
pickle.load(file)                   a pickle of the replaced class does not load
class Hot(Plate): t: float          a Python subclass that adds fields is refused on definition

The classes that an object can have are found in the source (`owners.py`). If they are unknown, it
can have every class to which the code applies. If the code applies to objects of any class, as
`vars(x)` does, the object can be anything.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator

from msgspec import structs

from codegen.adopt.find.names import PackageNames
from codegen.adopt.find.nodes import ChangedUse, FoundClasses, ObjectUse
from codegen.adopt.find.owners import Function, NameScope, Owners, bind, walk_scope
from codegen.adopt.find.package import SourceModule
from codegen.adopt.libraries import LIBRARIES

_SETTERS = ("builtins.setattr", "builtins.delattr", "builtins.object.__setattr__")
_CONSTRUCTORS = ("__init__", "__post_init__")
_REPLACING = ("dataclasses.replace", "copy.replace")
_CODE_MAX = 60
_COMMON = frozenset(("keys", "values", "items", "get", "count", "index"))
"""Methods of libraries that dicts and lists have too."""
_READING = ("keys", "values", "items", "get", "copy")
_COPYING = ("dict", "len", "list", "set", "sorted", "tuple")
_PICKLING = ("dump", "dumps", "load", "loads", "Pickler", "Unpickler", "pickle")
_FUNCTIONS = {
    f"{module}.{name}": kind
    for kind, module, names in (
        ("serialization", "flax.serialization", ("to_state_dict", "from_state_dict")),
        ("serialization", "flax.serialization", ("to_bytes", "from_bytes", "is_serializable")),
        ("serialization", "flax.training.checkpoints", ("save_checkpoint", "restore_checkpoint")),
        ("serialization", "flax.training.checkpoints", ("save_checkpoint_multiprocess",)),
        ("mapping library", "dm_tree", ("map_structure",)),
        ("mapping library", "tree", ("map_structure",)),
        ("leaf order", "jax.flatten_util", ("ravel_pytree",)),
        *(("pickle", one, _PICKLING) for one in ("pickle", "cloudpickle", "joblib", "copyreg")),
    )
    for name in names
}
_LEAVES = frozenset(
    f"jax.{module}{name}"
    for module, names in (
        ("tree.", ("leaves", "flatten", "map", "structure", "leaves_with_path")),
        ("tree_util.", ("tree_leaves", "tree_flatten", "tree_map", "tree_structure")),
    )
    for name in names
)
_MAPS = ("jax.tree.map", "jax.tree_util.tree_map", "jax.tree_map")
_LIBRARIES_OF_USE = {
    "tuple test": ("NamedTuple",),
    "leaf order": ("chex",),
    "mapping library": ("chex",),
    "serialization": ("flax.struct", "jax_dataclasses", "NamedTuple"),
    "static leaves": ("static argument", "StaticDataclass"),
}
"""Uses that matter only if the package has classes of these libraries."""
_WHY = {
    "serialization": "flax.serialization does not know generated classes, and returns their objects unchanged",
    "mapping": "a generated class is not a mapping: use its fields, or `dataclasses.asdict`",
    "mapping library": "a generated class is not a mapping: use `jax.tree.map`",
    "method": "a generated class lacks this method: use its fields, or `dataclasses.asdict`",
    "iteration": "a generated class cannot be iterated: use its fields, or `dataclasses.astuple`",
    "leaf order": "the leaves of a chex dataclass are sorted by name: keep `sort_leaves=True` in the schema",
    "field type": "the `type` of a generated field is a string, except where mjx reads it: use `get_type_hints`",
    "field metadata": "the `metadata` of a generated field has only `static`, `role` and `doc`",
    "attribute assignment": "a generated class is frozen: use `replace(...)`",
    "tuple test": "a generated class is not a tuple: test for the class, or use `dataclasses.is_dataclass`",
    "library test": "a generated class does not derive from a class of the library: test for your own class",
    "attributes": "a generated object has no `__dict__`, or one that is computed: use `dataclasses.fields`",
    "static leaves": "a plain dataclass is one leaf, but a generated static class is a tree without leaves",
    "pickle": "a pickle of a replaced class does not load: create its objects again, and save them",
    "subclass": "a Python subclass of a generated class cannot add fields: declare it in a schema",
}


def add_uses(found: FoundClasses) -> FoundClasses:
    """Return the package with these uses; none if it has no classes."""
    objects: list[ObjectUse] = []
    written: dict[tuple[str, str], list[ast.expr]] = {}
    lines: set[tuple[str, int, str]] = set()
    used = {one.library for one in found.classes.values()}
    for module in found.modules.values() if used else ():
        finder = _UseFinder(module, found)
        objects += finder.object_uses()
        for place, value in finder.written:
            written.setdefault(place, []).append(value)
        lines |= {
            (module.path, line, kind)
            for line, kind in finder.changed
            if not used.isdisjoint(_LIBRARIES_OF_USE.get(kind, used))
        }
        lines |= {(module.path, line, "subclass") for _, line in iter_extended(module, found)}
    lines |= {(one.path, one.place[0], one.kind) for one in objects}
    uses = tuple(ChangedUse(kind, path, line, _WHY[kind]) for path, line, kind in sorted(lines))
    return structs.replace(found, uses=uses, object_uses=tuple(objects), written=written)


class _UseFinder:
    """Finds the uses in one module."""

    def __init__(self, module: SourceModule, found: FoundClasses) -> None:
        self.changed: list[tuple[int, str]] = []
        """The uses that are not about one object: the line and the kind."""
        self.written: list[tuple[tuple[str, str], ast.expr]] = []
        """What calls give to the fields of classes."""
        self._module = module
        self._names = found.names
        self._owners = Owners(module, found)
        every = found.classes.values()
        self._fields = {one.full_name: found.all_fields(one) for one in every}
        self._constructed = frozenset(one.full_name for one in every if not found.has_own_init(one))
        self._mutable = frozenset(one.full_name for one in every if not one.is_frozen)
        self._libraries = {one.full_name: LIBRARIES[one.library] for one in every}
        self._interfaces = {name: one.interface for name, one in self._libraries.items()}
        self._mappings = frozenset(
            one.full_name for one in every if one.options.get("mappable_dataclass")
        )
        self._with_dict = frozenset(one.full_name for one in every if one.library != "NamedTuple")
        known = {*found.classes, *(base for one in LIBRARIES.values() for base in one.bases)}
        # Classes that may have other fields too, from a base outside the package.
        self._extending = {one.full_name for one in every if not known.issuperset(one.bases)}
        self._unpacked: dict[int, frozenset[str]] = {}
        """The classes that fit an expression whose result is unpacked into a constructor."""
        self._static = frozenset(
            one.full_name for one in every if one.library in _LIBRARIES_OF_USE["static leaves"]
        )
        self._read = {id(one) for one in _iter_read(module, found.names)}
        self._read |= {id(one) for one in _iter_read_locals(module.tree, self._read)}

    def object_uses(self) -> Iterator[ObjectUse]:
        """Yield what code does with an object, and collect the other uses in `changed`."""
        scope = NameScope(None, "")
        bind(self._module.tree.body, scope)
        yield from self._visit(self._module.tree, scope, "", "")

    def _visit(self, node: ast.AST, scope: NameScope, cls: str, method: str) -> Iterator[ObjectUse]:
        """Yield the uses in a node; `cls` is the class whose body it is in, `method` the method."""
        yield from self._uses(node, scope, method)
        kind = self._kind_of_use(node, scope)
        if kind and isinstance(node, ast.expr | ast.stmt):
            self.changed.append((node.lineno, kind))
        for child in ast.iter_child_nodes(node):
            inside = self._owners.narrowed(node, child, scope)
            if isinstance(child, ast.ClassDef):
                yield from self._visit(
                    child, inside, f"{cls or self._module.name}.{child.name}", ""
                )
            elif isinstance(child, Function):
                inner = self._owners.scope(
                    child, inside, cls if isinstance(node, ast.ClassDef) else ""
                )
                name = getattr(child, "name", "") if inner.holder else method
                yield from self._visit(child, inner, cls, name)
            else:
                yield from self._visit(child, inside, cls, method)

    def _kind_of_use(self, node: ast.AST, scope: NameScope) -> str:
        """Return the kind of a use that is not about one object; empty if it is no such use."""
        match node:
            case ast.Call(func=ast.Name(id="isinstance"), args=[_, tested]):
                kinds = tested.elts if isinstance(tested, ast.Tuple) else [tested]
                names = {getattr(one, "id", "") for one in kinds}
                return "tuple test" if "tuple" in names else ""
            case ast.Attribute(attr="_fields"):
                return "tuple test"
            case ast.FunctionDef(name="__reduce__" | "__reduce_ex__"):
                return "pickle"
            case ast.Attribute(attr="metadata") if "fields(" in self._module.text:
                return "field metadata"
            case ast.Call(func=function, args=arguments):
                name = self._names.resolve(self._module.name, function)
                named = [one for one in arguments if isinstance(one, ast.Name)]
                is_static = name in _LEAVES and any(
                    (self._owners.of(one, scope) or frozenset()) & self._static for one in named
                )
                return "static leaves" if is_static else ""
            case ast.Name() | ast.Attribute():
                return _FUNCTIONS.get(self._names.resolve(self._module.name, node), "")
            case ast.Compare(
                left=ast.Attribute(attr="type"), ops=[ast.Is() | ast.IsNot() | ast.Eq()]
            ) if "fields(" in self._module.text:
                return "field type"
            case _:
                return ""

    def _uses(self, node: ast.AST, scope: NameScope, method: str) -> Iterator[ObjectUse]:
        match node:
            case ast.Attribute(value=value, attr=attr, ctx=ast.Store() | ast.Del()):
                yield from self._assignment(node, value, attr, scope, method)
            case ast.Attribute(value=value, attr="__dict__"):
                yield from self._attributes(node, value, scope)
            case ast.Subscript(value=value, slice=ast.Constant(value=str() as key)):
                fit = frozenset(one for one in self._mappings if key in self._fields[one])
                yield from self._use("mapping", node, value, scope, fit, is_vague=True)
            case (
                ast.Starred(value=value, ctx=ast.Load())
                | ast.For(iter=value)
                | ast.Assign(targets=[ast.Tuple() | ast.List()], value=value)
                | ast.Subscript(value=value, ctx=ast.Load())
            ):
                # An iteration over an object whose class is known to be a tuple or mapping.
                if self._owners.of(value, scope):
                    fit = frozenset(
                        one for one, names in self._interfaces.items() if "__iter__" in names
                    )
                    yield from self._use("iteration", node, value, scope, fit)
            case ast.Dict(keys=keys, values=values):
                for each, value in zip(keys, values, strict=True):
                    if each is None:
                        fit = self._mappings
                        yield from self._use("mapping", node, value, scope, fit, is_vague=True)
            case ast.Call():
                yield from self._call(node, scope, method)

    def _assignment(
        self, node: ast.AST, value: ast.expr, attr: str, scope: NameScope, method: str
    ) -> Iterator[ObjectUse]:
        """Yield an assignment to an attribute: of any name, if the class is known."""
        if method in _CONSTRUCTORS and isinstance(value, ast.Name) and value.id == scope.own:
            return  # see `deriving`, in `decide/features.py`
        is_known = self._owners.of(value, scope) is not None
        fit = [one for one in self._fields if is_known or not attr or attr in self._fields[one]]
        is_forced = isinstance(node, ast.Call) and "object" in ast.unparse(node.func)
        classes = frozenset(fit) & (self._with_dict if is_forced else self._mutable)
        yield from self._use("attribute assignment", node, value, scope, classes, is_any=not attr)

    def _attributes(self, node: ast.expr, value: ast.expr, scope: NameScope) -> Iterator[ObjectUse]:
        """Yield a use of `__dict__`; a constructor that gets it shows which classes it can be of."""
        classes = self._unpacked.get(id(node), self._with_dict)
        is_any = id(node) not in self._unpacked
        yield from self._use("attributes", node, value, scope, classes, is_any=is_any)

    def _collect_written(self, node: ast.Call, name: str, scope: NameScope) -> None:
        """Collect what a constructor call or a `replace` gives to the fields."""
        given = {one.arg: one.value for one in node.keywords if one.arg}
        owners: frozenset[str] = frozenset((name,)) & self._constructed
        if owners:
            names = [one.name for one in self._fields[name].values() if not one.is_keyword]
            if not any(isinstance(one, ast.Starred) for one in node.args):
                given |= dict(zip(names, node.args, strict=False))
        elif name in _REPLACING or getattr(node.func, "attr", "") in ("replace", "_replace"):
            owners = self._owners.of(node, scope) or frozenset()
        for one in owners:
            if given.keys() <= self._fields[one].keys():
                self.written += [((one, field), value) for field, value in given.items()]

    def _registered_by(self, tested: ast.expr) -> frozenset[str]:
        """Return the classes that derive from one of these bases of a library."""
        every = tested.elts if isinstance(tested, ast.Tuple) else [tested]
        bases = {self._names.resolve(self._module.name, one) for one in every}
        outside = bases - self._names.definitions.keys()
        known = ((name, one.bases) for name, one in self._libraries.items() if not one.refused)
        return frozenset(name for name, bases in known if outside & bases)

    def _call(self, node: ast.Call, scope: NameScope, method: str) -> Iterator[ObjectUse]:
        name = self._names.resolve(self._module.name, node.func)
        self._collect_written(node, name, scope)
        match node:
            case ast.Call(args=[value]) if name == "builtins.vars":
                yield from self._attributes(node, value, scope)
            case ast.Call(args=[value, tested]) if name == "builtins.isinstance":
                fit = self._registered_by(tested)
                yield from self._use("library test", node, value, scope, fit, is_any=True)
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
        given = self._fields.get(name)
        # A constructor refuses objects with other fields.
        fit = frozenset(
            one
            for one in self._mappings
            if given is None or self._fields[one].keys() <= given.keys()
        )
        for value in (one.value for one in node.keywords if one.arg is None):
            if given is not None and name not in self._extending:
                fields = {one: self._fields[one].keys() for one in self._with_dict}
                fitting = frozenset(one for one, own in fields.items() if own <= given.keys())
                self._unpacked[id(value)] = fitting
            yield from self._use("mapping", node, value, scope, fit, is_vague=given is None)

    def _use(
        self,
        kind: str,
        node: ast.AST,
        value: ast.expr,
        scope: NameScope,
        classes: frozenset[str],
        *,
        is_vague: bool = False,
        is_any: bool = False,
    ) -> Iterator[ObjectUse]:
        name = getattr(value, "id", "")
        where = scope.find(name)
        is_own = where is not None and where.own == name
        owner = self._owners.of(value, scope)
        if owner is None and where is not None and is_own:
            owner = self._owners.heirs(where.holder)  # `self`, which the method changed
        chosen = classes if owner is None else classes & owner
        if not chosen:
            return
        is_changed = isinstance(getattr(node, "ctx", None), ast.Store | ast.Del)
        code = ast.unparse(node).partition("\n")[0] + (" = ..." if is_changed else "")
        yield ObjectUse(
            kind=kind,
            module=self._module.name,
            path=self._module.path,
            place=(
                value.lineno,
                value.col_offset,
                value.end_lineno or 0,
                value.end_col_offset or 0,
            ),
            code=code if len(code) <= _CODE_MAX else f"{code[:_CODE_MAX]}...",
            classes=chosen,
            is_own=is_own,
            is_vague=is_vague and owner is None,
            is_any=is_any and owner is None,
            is_read=kind == "attributes" and id(node) in self._read,
        )


def _iter_read(module: SourceModule, names: PackageNames) -> Iterator[ast.expr]:
    """Yield the expressions whose object is a table that is read, and neither changed nor kept."""
    for node in ast.walk(module.tree):
        match node:
            case ast.keyword(arg=None, value=value):
                yield value
            case ast.Dict(keys=keys, values=values):
                yield from (one for key, one in zip(keys, values, strict=True) if key is None)
            case ast.Call(func=ast.Attribute(value=value, attr=attr)) if attr in _READING:
                yield value
            case ast.Call(func=ast.Name(id=name), args=[value]) if name in _COPYING:
                yield value
            case ast.Subscript(value=value, ctx=ast.Load()):
                yield value
            case ast.For(iter=value) | ast.comprehension(iter=value):
                yield value
            case ast.Compare(left=left, comparators=others):
                yield from (left, *others)
            case ast.Call(args=[_, ast.Call(func=ast.Name(id="dict")), *tables], keywords=[]):
                # The function gets only the values, because the first tree is a dict.
                if names.resolve(module.name, node.func) in _MAPS:
                    yield from tables


def _iter_read_locals(tree: ast.Module, read: Collection[int]) -> Iterator[ast.expr]:
    """Yield the values of local names that are only read: `table = vars(box)`, then `table["u"]`."""
    for function in ast.walk(tree):
        if not isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef):
            continue
        kept: set[str] = set()
        for node in ast.walk(function):
            match node:
                case ast.Name(id=name, ctx=ast.Load()) if id(node) not in read:
                    kept.add(name)
                case ast.AugAssign(target=ast.Name(id=name)):
                    kept.add(name)
                case ast.Global(names=names) | ast.Nonlocal(names=names):
                    kept.update(names)
        for node in walk_scope(function.body):
            match node:
                case ast.Assign(targets=[ast.Name(id=name)], value=value) if name not in kept:
                    yield value


def iter_extended(module: SourceModule, found: FoundClasses) -> Iterator[tuple[str, int]]:
    """Yield the classes that other Python classes extend with fields, and the line."""
    for node in ast.walk(module.tree):
        if not isinstance(node, ast.ClassDef) or f"{module.name}.{node.name}" in found.classes:
            continue
        adds = any(isinstance(one, ast.AnnAssign) for one in node.body)
        for base in node.bases if adds else ():
            name = found.names.resolve(module.name, base)
            if name in found.classes:
                yield name, node.lineno
