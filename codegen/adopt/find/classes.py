"""Find the pytree classes of a package, and the calls that register classes and jit functions.

find_classes("src/heat")    ->    FoundClasses("heat", modules, {"heat.plate.Plate": SourceClass(...)}, unread, uses)
iter_registrations(modules, names)
->    Registration("heat.plate.Plate", <module heat.plate>, <call>, Decorator("jax.tree_util.register_dataclass")), ...
iter_jitted(modules, names)
->    JittedFunction("heat.step", static=("grid",), donated=("plate",), ...), ...
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator, Mapping

from msgspec import Struct, structs

from codegen.adopt.find.fields import FieldReader, is_docstring, literal_bool
from codegen.adopt.find.names import Decorator, PackageNames
from codegen.adopt.find.nodes import FoundClasses, SourceClass
from codegen.adopt.find.package import SourceModule, UnreadableFile, read_package
from codegen.adopt.find.reasons import refusal
from codegen.adopt.find.uses import add_uses
from codegen.adopt.libraries import LIBRARIES, REGISTERING, PytreeLibrary
from codegen.program.graph import reachable

_REGISTERING = frozenset(name.rpartition(".")[2] for name in REGISTERING if name.startswith("jax."))
_NAMED_TUPLE = LIBRARIES["NamedTuple"].bases
_REPLACE = ("dataclasses.replace", "jax_dataclasses.replace")
_NO_BASES = ("typing.Generic", "typing.Protocol", "builtins.object", "abc.ABC", "typing.NamedTuple")


def find_classes(src: str) -> FoundClasses:
    """Find the classes in a folder.

    Raises:
        OSError: a file or folder cannot be read.
        ValueError: the name of the package is not an identifier.
    """
    return find_classes_in(*read_package(src))


def find_classes_in(
    package: str, modules: Mapping[str, SourceModule], unread: tuple[UnreadableFile, ...] = ()
) -> FoundClasses:
    """Find the classes of modules that were already read."""
    names = PackageNames(modules, REGISTERING)
    classes = {one.full_name: one for one in _ClassFinder(modules, names).classes()}
    found = FoundClasses(package, modules, names, classes, unread)
    return add_uses(structs.replace(found, with_types=frozenset(_find_read_by_mjx(found))))


def _find_read_by_mjx(found: FoundClasses) -> Collection[str]:
    """Return the classes of mjx, and those that their fields hold."""

    def held(name: str) -> Collection[str]:
        return found.classes.keys() & {
            found.names.resolve(field.module, node)
            for field in found.all_fields(found.classes[name]).values()
            for node in ast.walk(field.annotation)
            if isinstance(node, ast.Name | ast.Attribute)
        }

    own = [name for name, one in found.classes.items() if one.library == "mjx"]
    heirs = [name for name, one in found.classes.items() if one.library == "subclass of mjx"]
    return reachable((*own, *(each for heir in heirs for each in held(heir))), held)


class _Candidate:
    """A class definition of the package that may be a pytree."""

    def __init__(
        self, module: SourceModule, node: ast.ClassDef, outer: tuple[str, ...], kind: str
    ) -> None:
        self.module = module
        self.node = node
        self.kind = kind  # where it is defined: "module", "class" or "function"
        self.name = ".".join((*outer, node.name))
        self.full_name = f"{module.name}.{self.name}"


class _ClassFinder:
    def __init__(self, modules: Mapping[str, SourceModule], names: PackageNames) -> None:
        self._modules = modules
        self._names = names
        self._registered: dict[str, list[Decorator]] = {}
        for one in iter_registrations(modules, names):
            self._registered.setdefault(one.cls, []).append(one.call)
        self._candidates = {
            one.full_name: one
            for module in modules.values()
            for one in _definitions(module, module.tree, (), "module")
        }
        self._registering = self._find_registrars()
        self._claimed: dict[str, tuple[PytreeLibrary, Decorator] | None] = {}
        self._static = {
            name
            for one in iter_jitted(modules, names)
            for annotation in one.static.values()
            if (name := names.resolve(one.module.name, annotation))
        }

    def classes(self) -> Iterator[SourceClass]:
        """Yield every candidate that a mechanism claims."""
        for one in self._candidates.values():
            claim = self._claim(one.full_name, ())
            # A class of `bases` is itself one that defines the mechanism.
            if claim is not None and one.full_name not in claim[0].bases:
                yield self._source_class(one, *claim)

    def _find_registrars(self) -> set[str]:
        """Return package functions and classes that register their arguments, and subclasses."""
        definitions = {
            f"{module.name}.{node.name}": (module.name, node)
            for module in self._modules.values()
            for node in module.tree.body
            if isinstance(node, ast.FunctionDef | ast.ClassDef)
        }
        own = {
            name
            for name, (module, node) in definitions.items()
            if _has_registration(node, self._names.defined(module))
        }
        own |= {
            name
            for name, (module, node) in definitions.items()
            if isinstance(node, ast.ClassDef) and self._registers_subclasses(module, node, own)
        }
        return own.union(
            name for name in self._candidates if own & reachable([name], self._names.bases).keys()
        )

    def _registers_subclasses(
        self, module: str, node: ast.ClassDef, registering: Collection[str]
    ) -> bool:
        """Return whether a class passes all its subclasses to a registering function."""
        return any(
            isinstance(one, ast.Call) and self._names.resolve(module, one.func) in registering
            for method in node.body
            if isinstance(method, ast.FunctionDef) and method.name == "__init_subclass__"
            for one in ast.walk(method)
        )

    def _claim(self, name: str, seen: tuple[str, ...]) -> tuple[PytreeLibrary, Decorator] | None:
        """Return the mechanism of a class, and the decorator or base that declares it."""
        if name not in self._claimed:
            one = self._candidates.get(name)
            self._claimed[name] = (
                None if one is None or name in seen else self._claim_new(one, seen)
            )
        return self._claimed[name]

    def _claim_new(
        self, one: _Candidate, seen: tuple[str, ...]
    ) -> tuple[PytreeLibrary, Decorator] | None:
        decorators = [
            *(self._names.decorator(one.module.name, each) for each in one.node.decorator_list),
            *self._registered.get(one.full_name, ()),
        ]
        bases = self._bases(one)
        for mechanism in LIBRARIES.values():
            for decorator in decorators:
                if decorator.name in mechanism.decorators:
                    return mechanism, decorator
        for base in bases:
            for mechanism in LIBRARIES.values():
                if base in mechanism.bases:
                    return mechanism, self._class_keywords(one, base)
        for base in bases:
            claim = self._claim(base, (*seen, one.full_name))
            # A decorator applies only to its own class. A base, except `NamedTuple`, applies to all
            # subclasses.
            if claim is not None and claim[1].name not in claim[0].decorators | _NAMED_TUPLE:
                return claim[0], self._class_keywords(one, base)
        if any(each.name in self._registering for each in decorators) or any(
            base in self._registering and base != one.full_name for base in bases
        ):
            return LIBRARIES["own decorator or base"], Decorator("")
        if one.full_name in self._static and any(
            each.name == "dataclasses.dataclass" and literal_bool(each.keywords.get("frozen"))
            for each in decorators
        ):
            return LIBRARIES["static argument"], Decorator("dataclasses.dataclass")
        return None

    def _bases(self, one: _Candidate) -> tuple[str, ...]:
        names = (self._names.resolve(one.module.name, base) for base in one.node.bases)
        return tuple(name for name in names if name)

    @staticmethod
    def _class_keywords(one: _Candidate, base: str) -> Decorator:
        keywords = {each.arg: each.value for each in one.node.keywords if each.arg}
        return Decorator(base, (), keywords)

    def _source_class(
        self, one: _Candidate, library: PytreeLibrary, decorator: Decorator
    ) -> SourceClass:
        decorators = [
            self._names.decorator(one.module.name, each) for each in one.node.decorator_list
        ]
        options = {"frozen": library.is_frozen, **library.options}
        for each in (*decorators, decorator):
            literals = {name: literal_bool(value) for name, value in each.keywords.items()}
            options |= {name: value for name, value in literals.items() if value is not None}
        fields, refusals = FieldReader(self._names, one.module, library, decorator).fields(
            one.node,
            is_keyword=options.get("kw_only", False) or options.get("mappable_dataclass", False),
        )
        if one.kind != "module":
            refusals = (refusal("inside", one.node.lineno, place=one.kind), *refusals)
        return SourceClass(
            name=one.name,
            module=one.module.name,
            path=one.module.path,
            line=one.node.lineno,
            node=one.node,
            library=library.name,
            fields=fields,
            bases=tuple(base for base in self._bases(one) if base not in _NO_BASES),
            parameters=self._parameters(one),
            options=options,
            refusals=(*library.refuse(one.node, decorator), *refusals),
            dropped=frozenset(
                "replace" for method in one.node.body if self._only_replaces(one, method)
            ),
        )

    def _only_replaces(self, one: _Candidate, method: ast.stmt) -> bool:
        """Return whether a method is `replace`, and only calls `dataclasses.replace`."""
        match method:
            case ast.FunctionDef(
                name="replace",
                args=ast.arguments(args=[ast.arg(arg=own)], kwarg=ast.arg(arg=changes)),
                body=[
                    *docs,
                    ast.Return(
                        value=ast.Call(
                            func=function,
                            args=[ast.Name(id=first)],
                            keywords=[ast.keyword(arg=None, value=ast.Name(id=last))],
                        )
                    ),
                ],
            ) if (own, changes) == (first, last) and all(map(is_docstring, docs)):
                return self._names.resolve(one.module.name, function) in _REPLACE
            case _:
                return False

    def _parameters(self, one: _Candidate) -> tuple[str, ...]:
        if own := getattr(one.node, "type_params", ()):  # `class Box[T]`, since Python 3.12
            return tuple(each.name for each in own)
        for base in one.node.bases:
            is_generic = self._names.resolve(one.module.name, base) == "typing.Generic"
            if is_generic and isinstance(base, ast.Subscript):
                inner = base.slice.elts if isinstance(base.slice, ast.Tuple) else [base.slice]
                return tuple(each.id for each in inner if isinstance(each, ast.Name))
        return ()


def _definitions(
    module: SourceModule, node: ast.AST, outer: tuple[str, ...], kind: str
) -> Iterator[_Candidate]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.ClassDef):
            yield _Candidate(module, child, outer, kind)
            yield from _definitions(module, child, (*outer, child.name), "class")
        elif isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef):
            inner = (*outer, child.name, "<locals>")
            yield from _definitions(module, child, inner, "function")
        elif not isinstance(child, ast.expr):
            yield from _definitions(module, child, outer, kind)


def _has_registration(node: ast.AST, known: Collection[str]) -> bool:
    """Return whether code registers a pytree class that is known only when it is called."""
    for one in ast.walk(node):
        if isinstance(one, ast.Call) and one.args and isinstance(one.args[0], ast.Name):
            called = one.func.attr if isinstance(one.func, ast.Attribute) else one.func
            name = called.id if isinstance(called, ast.Name) else called
            if name in _REGISTERING and one.args[0].id not in known:
                return True
    return False


_JIT = ("jax.jit", "jax._src.api.jit", "jax.pmap", "equinox.filter_jit", "chex.jit")
_Function = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda


class Registration(Struct, frozen=True):
    """A call of a library function that registers a class."""

    cls: str
    """The absolute name of the class."""
    module: SourceModule
    node: ast.Call
    call: Decorator
    """The call without the class, like a decorator."""


class JittedFunction(Struct, frozen=True):
    """A jitted function whose definition is in the package."""

    module: SourceModule
    line: int
    name: str
    static: Mapping[str, ast.expr | None]  # parameters and their annotations
    donated: Mapping[str, ast.expr | None]
    owner: str = ""  # the class that defines it as a method


def iter_registrations(
    modules: Mapping[str, SourceModule], names: PackageNames
) -> Iterator[Registration]:
    """Yield the library calls that register a named class."""
    for module in modules.values():
        for node in ast.walk(module.tree) if "register_" in module.text else ():
            if not isinstance(node, ast.Call):
                continue
            call = names.decorator(module.name, node)
            named = call.keywords.get("nodetype") or next(iter(call.arguments), None)
            name = names.resolve(module.name, named)
            if name and call.name.startswith("jax.") and call.name in REGISTERING:
                rest = Decorator(call.name, call.arguments[1:], call.keywords)
                yield Registration(name, module, node, rest)


def iter_jitted(
    modules: Mapping[str, SourceModule], names: PackageNames
) -> Iterator[JittedFunction]:
    """Yield the functions jitted by a decorator or call, with static or donated arguments."""
    for module in modules.values():
        if "jit" not in module.text and "pmap" not in module.text:
            continue
        nodes = [*ast.walk(module.tree)]
        functions = {
            one.name: one
            for one in nodes
            if isinstance(one, ast.FunctionDef | ast.AsyncFunctionDef)
        }
        owners = {
            id(method): one.name
            for one in nodes
            if isinstance(one, ast.ClassDef)
            for method in one.body
        }
        for function in functions.values():
            for decorator in function.decorator_list:
                call = names.decorator(module.name, decorator)
                owner = owners.get(id(function), "")
                yield from _jitted_function(call, function, module, function.name, owner)
        for node in nodes:
            if isinstance(node, ast.Call) and node.keywords:
                call = names.decorator(module.name, node)
                match call.arguments[:1]:
                    case (ast.Name(id=name),) if name in functions:
                        jitted: _Function = functions[name]
                    case (ast.Lambda() as jitted,):
                        name = "<lambda>"
                    case _:
                        continue
                yield from _jitted_function(call, jitted, module, name, "", node.lineno)


def _jitted_function(
    call: Decorator,
    function: _Function,
    module: SourceModule,
    name: str,
    owner: str,
    line: int | None = None,
) -> Iterator[JittedFunction]:
    if call.name not in _JIT:
        return
    parameters = [*function.args.posonlyargs, *function.args.args]
    by_name = {one.arg: one.annotation for one in (*parameters, *function.args.kwonlyargs)}
    order = [one.arg for one in parameters]
    static, donated = (
        {one: by_name.get(one) for one in _selected_parameters(call, option, order)}
        for option in ("static", "donate")
    )
    if static or donated:
        yield JittedFunction(module, line or function.lineno, name, static, donated, owner)


def _selected_parameters(call: Decorator, option: str, order: list[str]) -> list[str]:
    """Return the parameters that `static_argnums`, `static_argnames` etc. list as literals."""
    numbers = _literal_values(call.keywords.get(f"{option}_argnums"))
    names = _literal_values(call.keywords.get(f"{option}_argnames"))
    last = len(order)
    return [
        *(order[one] for one in numbers if isinstance(one, int) and -last <= one < last),
        *(one for one in names if isinstance(one, str)),
    ]


def _literal_values(value: ast.expr | None) -> list[object]:
    try:
        literal = ast.literal_eval(value) if value is not None else ()
    except (ValueError, TypeError, SyntaxError, RecursionError):
        return []
    return list(literal) if isinstance(literal, tuple | list | set) else [literal]
