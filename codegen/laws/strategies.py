"""Strategies: for each class, how its objects are drawn.

class Grid: nx: static[int]    ->    @drawn()
                                     def any_Grid() -> Recipe[heat.Grid]:
                                         return made(heat.Grid, nx=static(size("nx")))
"""

from __future__ import annotations

from msgspec import Struct

from codegen.check.dimensions import own_dims, parameter_name
from codegen.check.drawing import Drawing
from codegen.emit.annotations import erased, shape_text
from codegen.emit.expressions import py_str, py_value
from codegen.emit.names import ModuleNames, import_blocks
from codegen.laws.nodes import StrategyModuleView, StrategyView
from codegen.options import Options
from codegen.program import types
from codegen.program.nodes import Class, Field, Function, Module, Program
from codegen.program.show import dim_text
from codegen.program.substitution import arguments_of, bases_of, dims_of
from codegen.program.types import AnyDim, Ref, Type

_SCALARS = {
    "int": "integer",
    "float": "real",
    "bool": "flag",
    "complex": "number",
    "str": "text",
    "bytes": "data",
}
_DOC = "Draw an object of the class, field by field."
_ABSTRACT_DOC = "Draw an object of a class below the abstract one."


def module_file(module: str) -> str:
    """Return the module, without its folder, in which a module's strategies stand."""
    return f"{module.rpartition('.')[2]}_strategies"


def strategy_name(ref: Ref) -> str:
    """Return the name of the strategy of a class."""
    return f"any_{ref.name}"


class Laws(Struct, frozen=True):
    """What all files in the folder of laws are made of."""

    program: Program
    drawing: Drawing
    options: Options
    calls: dict[Ref, Function]  # what the arguments of functions are called

    @property
    def has_calls(self) -> bool:
        """Whether the output has functions that donate, or what makes them."""
        is_asked_for = self.options.runtime == "package" or "jit" in self.options.features
        functions = (one for module in self.program.modules for one in module.functions)
        return is_asked_for or any(p.role == "donated" for f in functions for p in f.parameters)

    def module(self, name: str, names: ModuleNames) -> str:
        """Use a module of the generated package."""
        folder, _, last = f"{self.options.package}.{name}".rpartition(".")
        return names.use(folder, last)

    def support(self, part: str, name: str, names: ModuleNames) -> str:
        """Use a name of the support package."""
        is_vendored = self.options.runtime == "vendored"
        place = f"{self.options.package}._runtime" if is_vendored else "codegen.runtime"
        return names.use(f"{place}.{part}", name)

    def cls(self, ref: Ref, names: ModuleNames) -> str:
        """Use a class or enum of the generated package."""
        return f"{self.module(ref.module, names)}.{ref.name}"


def support(names: ModuleNames, file: str, name: str) -> str:
    """Use a name of the support files."""
    return names.use(f"{names.depth}_laws.{file}", name)


def call(function: str, *arguments: str) -> str:
    """Write a call."""
    return f"{function}({', '.join(arguments)})"


def strategy_module(module: Module, names: ModuleNames, laws: Laws) -> StrategyModuleView:
    """Write the strategies of a module's classes."""
    drawable = [node for node in module.classes if laws.drawing.can_be_drawn(node.ref)]
    strategies = tuple(_Writer(names, laws, node).strategy() for node in drawable)
    folder = module.name.replace(".", "/").rpartition("/")
    return StrategyModuleView(
        path=f"{folder[0]}{folder[1]}{module_file(module.name)}.py",
        module=f"{laws.options.package}.{module.name}",
        imports=import_blocks(names),
        all_names=tuple(py_str(name) for name in sorted(s.name for s in strategies)),
        strategies=strategies,
    )


class _Writer(Struct, frozen=True):
    names: ModuleNames
    laws: Laws
    node: Class

    def strategy(self) -> StrategyView:
        node = self.node
        if node.ref in self.laws.calls:
            return self._arguments(node)
        cls = self.laws.cls(node.ref, self.names)
        held = erased(node, self.names, cls)
        return StrategyView(
            name=strategy_name(node.ref),
            drawn=self._drawn(node),
            recipe_class=support(self.names, "draw", "Recipe"),
            type=held,
            doc=_ABSTRACT_DOC if node.abstract else _DOC,
            recipe=self._class(node, cls),
        )

    def _arguments(self, node: Class) -> StrategyView:
        name = self.laws.calls[node.ref].name
        function = f"{self.laws.module(node.ref.module, self.names)}.{name}"
        fields = [self._field(field, node) for field in node.fields]
        return StrategyView(
            name=strategy_name(node.ref),
            drawn=self._drawn(node),
            recipe_class=support(self.names, "draw", "Recipe"),
            type=support(self.names, "calls", "Arguments"),
            doc=f"Draw the arguments of a call of `{name}`.",
            recipe=call(support(self.names, "calls", "called"), function, *fields),
        )

    def _drawn(self, node: Class) -> str:
        dims = sorted(self.laws.drawing.dims(node.ref))
        least = self.laws.drawing.least(node.ref)
        arguments = [py_str(" ".join(dims))] if dims else []
        arguments += [f"least={least}"] if least > 1 else []
        return call(support(self.names, "recipes", "drawn"), *arguments)

    def _class(self, node: Class, cls: str) -> str:
        if node.abstract:
            options = map(self._below, self.laws.drawing.concrete(node.ref))
            file, function = ("extending", "extended") if node.dims else ("recipes", "one_of")
            return call(support(self.names, file, function), *options)
        fields = [self._field(field, node) for field in node.fields]
        made = call(support(self.names, "recipes", "made"), cls, *fields)
        if not node.shares:
            return made
        rows = [py_str(" ".join(".".join(p.parts) for p in s.paths)) for s in node.shares]
        return call(support(self.names, "recipes", "sharing"), made, *rows)

    def _below(self, ref: Ref) -> str:
        """Write the strategy of a class below an abstract one, in the terms of that one."""
        classes = self.laws.program.classes
        below = classes[ref]
        bases = bases_of(below, classes)
        base = next(base for parent, base in bases if parent.ref == self.node.ref)
        given = arguments_of(base, self.node)
        own = {type: types.TypeParameter(name) for name, type in given.items()}
        arguments = tuple(
            own.get(types.TypeParameter(name), types.Anything()) for name in below.type_parameters
        )
        if not self.node.dims:
            return self._instance(types.ClassType(ref, (), arguments))
        recipe = self._typed(self._any(ref), below, arguments)
        dims = [py_str(" ".join(below.dims))] if below.dims else []
        said = [
            f"{name}={py_str(dim_text(dim))}"
            for name, dim in dims_of(base, self.node).items()
            if not isinstance(dim, AnyDim)
        ]
        return call(support(self.names, "extending", "extending"), recipe, *dims, *said)

    def _field(self, field: Field, node: Class) -> str:
        role = support(self.names, "recipes", "converted" if field.convert else field.role)
        recipe: str
        if field.role == "static" and types.is_int(field.type) and self._is_dimension(field.name):
            dim = own_dims(node, self.laws.program.classes).get(field.name)
            text = field.name if dim is None else dim_text(dim)
            recipe = call(support(self.names, "recipes", "size"), py_str(text))
        else:
            recipe = self._recipe(field.type)
        decides = field.role != "static" and self.laws.drawing.decides(field.type)
        more = ("decides=True",) if decides else ()
        return f"{field.name}={call(role, recipe, *more)}"

    def _is_dimension(self, name: str) -> bool:
        program = self.laws.program
        declared = {dim.name for module in program.modules for dim in module.dims}
        return name in declared | {d for node in program.classes.values() for d in node.dims}

    def _any(self, ref: Ref) -> str:
        """Use the strategy of a class, which may stand in the file of another module."""
        name = strategy_name(ref)
        if ref.module == self.names.module.name:
            return name
        file = module_file(ref.module)
        path = self.names.relative(ref.module)
        dots = path[: len(path) - len(path.lstrip("."))]
        folder = dots + path.lstrip(".").rpartition(".")[0]
        return f"{self.names.use(folder, file)}.{name}"

    def _recipe(self, type: Type) -> str:
        names = self.names
        match type:
            case types.Scalar():
                return support(names, "values", _SCALARS[type.name])
            case types.NoneType():
                return support(names, "values", "none")
            case types.DType():
                return support(names, "values", "dtype")
            case types.Callable() | types.Identity():
                # A function is found again when it is pickled; identity asks for no less.
                return support(names, "values", "function")
            case types.Anything():
                return support(names, "values", "anything")
            case types.TypeParameter():
                name = parameter_name(self.node, type.name)
                return call(support(names, "recipes", "parameter"), py_str(name))
            case types.Array():
                shape = [py_str(shape_text(type.shape))] if type.shape else []
                return call(support(names, "values", "array"), py_str(type.dtype), *shape)
            case types.EnumType():
                return call(support(names, "values", "member"), self.laws.cls(type.ref, names))
            case types.Literals():
                return call(support(names, "values", "literal"), *map(py_value, type.values))
            case types.External():
                return call(support(names, "values", "foreign"), names.external(type))
            case types.ClassType():
                return self._instance(type)
            case _:
                return self._composite(type)

    def _instance(self, type: types.ClassType) -> str:
        node = self.laws.program.classes[type.ref]
        recipe = self._any(type.ref)
        if node.dims:
            dims = [dim_text(dim) for dim in type.dims]
            dims += ["_"] * (len(node.dims) - len(dims))
            sizes = [f"{name}={py_str(dim)}" for name, dim in zip(node.dims, dims, strict=True)]
            recipe = call(support(self.names, "recipes", "sized"), recipe, *sizes)
        recipe = self._typed(recipe, node, type.arguments)
        if not type.stacked:
            return recipe
        axes = py_str(shape_text(type.stacked))
        return call(support(self.names, "stacks", "stacked"), recipe, axes)

    def _typed(self, recipe: str, node: Class, arguments: tuple[Type, ...]) -> str:
        if not node.type_parameters:
            return recipe
        pairs = zip(node.type_parameters, arguments, strict=False)
        given = ", ".join(
            f"{py_str(parameter_name(node, name))}: {self._recipe(argument)}"
            for name, argument in pairs
        )
        return call(support(self.names, "recipes", "typed"), recipe, f"{{{given}}}")

    def _composite(self, type: Type) -> str:
        match type:
            case types.Sequence(size=size) if size is not None:
                recipe = support(self.names, "recipes", "tuples")
                return call(recipe, self._recipe(type.element), py_str(shape_text((size,))))
            case types.Sequence():
                return self._call(f"{type.container}s", type.element)
            case types.FixedTuple():
                return self._call("items", *type.elements)
            case types.Mapping():
                kind = "dict"
                if type.container == "frozendict":
                    kind = self.laws.support("frozendict", "frozendict", self.names)
                return self._call("mappings", type.key, type.value, head=[kind])
            case types.Union():
                return self._union(self.laws.drawing.simplest(type.members))
            case _:
                raise AssertionError(type)

    def _union(self, members: list[Type]) -> str:
        rest = [member for member in members if not isinstance(member, types.NoneType)]
        if len(rest) == 1 and len(members) > 1:
            return self._call("optional", *rest)
        return self._call("one_of", *members)

    def _call(self, function: str, *inner: Type, head: list[str] | None = None) -> str:
        recipes = [self._recipe(type) for type in inner]
        return call(support(self.names, "recipes", function), *(head or []), *recipes)
