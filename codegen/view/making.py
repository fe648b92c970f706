"""The function that makes an object from sizes, whatever its arrays are filled with.

class Linear(dims=(n_in, n_out)): ...    ->    def _codegen_make_Linear(cls, make, *, n_in: int, n_out: int):
                                                   key = _codegen_key_Linear(cls)
                                                   children = (make("w", array_of(...)), ...)
                                                   return make.object(key, children)
"""

from __future__ import annotations

from codegen.program import types
from codegen.program.nodes import Field, FunctionPath, Initializer
from codegen.program.types import ClassType, Dim
from codegen.schema.vocabulary import INITIALIZERS
from codegen.view.constructors import converted, static_argument
from codegen.view.dynamics import DynamicWriter
from codegen.view.fits import size_text
from codegen.view.kinds import Kind
from codegen.view.layout import (
    WIDTH,
    Node,
    call,
    import_as,
    signature,
    statement,
    tuple_of,
    unpacking,
)
from codegen.view.literals import after, expression, py_str
from codegen.view.names import Names, late_imports, local
from codegen.view.nodes import MakeView
from codegen.view.plans import (
    Made,
    MadeArray,
    MadeGiven,
    MadeItems,
    MadeMany,
    MadeNone,
    MadePart,
    Path,
    Plan,
    size_path,
)

_KEY = "__codegen_record__.key"
_EMPTY = {"tuple": "()", "list": "[]", "dict": "{}"}


def make_view(kind: Kind, names: Names, plan: Plan) -> MakeView:
    """Write the function of one class."""
    return _Writer(kind, names, plan).view()


class _Writer:
    def __init__(self, kind: Kind, names: Names, plan: Plan) -> None:
        self.kind = kind
        self.names = names
        self.plan = plan
        keywords = {o.keyword for o in plan.opens}
        self.taken = frozenset(keywords)
        self.cls, self.make, self.key = (local(n, keywords) for n in ("cls", "make", "key"))
        self.imports: dict[str, None] = {}
        self.variables: dict[str, str] = {}
        used = {*keywords, self.cls, self.make, self.key}
        for name in plan.sizes:
            if name not in plan.known:
                self.variables[name] = plan.keywords[size_path(name)]
            elif plan.known[name][1]:
                self.variables[name] = local(name, used)
            else:
                self.variables[name] = plan.keywords[plan.known[name][0]]

    def view(self) -> MakeView:
        names, plan = self.names, self.plan
        name = self.kind.node.ref.name
        any_name = names.use("typing", "Any")
        parameters = [
            f"{self.cls}: {names.builtin('type')}[{any_name}]",
            f"{self.make}: {names.runtime('dims.make', 'Make')}",
        ]
        children = [self._child(f) for f in self.kind.traced_fields]
        before = [*self._sizes(), *self._statics(), *self._given()]
        keys = [static_argument(f, self.taken) for f in self.kind.static_fields]
        result = call(f"{self.make}.object", self.key, local("children", self.taken))
        return MakeView(
            signature=signature(
                f"def _codegen_make_{name}(",
                [*parameters, *(["*"] if plan.opens else []), *self._parameters()],
                f") -> {any_name}:",
                0,
            ),
            imports=(*self.imports, *([""] if self.imports else [])),
            before=tuple(before),
            key=statement(f"{self.key} = ", call(f"{self.cls}.{_KEY}", self.cls, *keys), 4),
            sizes=tuple(self._known()),
            children=statement(f"{local('children', self.taken)} = ", tuple_of(*children), 4),
            result=statement("return ", result, 4),
        )

    def _parameters(self) -> list[str]:
        any_name = self.names.use("typing", "Any")
        number = self.names.builtin("int")
        kinds = {
            "size": number,
            "count": number,
            "shape": f"{self.names.builtin('tuple')}[{number}, ...]",
        }
        return [f"{o.keyword}: {kinds.get(o.kind, any_name)}" for o in self.plan.opens]

    # --- what comes first

    def _sizes(self) -> list[str]:
        lines: list[str] = []
        sizes = [o.keyword for o in self.plan.opens if o.kind in ("size", "count")]
        if len(sizes) > 1:
            as_sizes = self.names.runtime("dims.make", "as_sizes")
            taken = call(as_sizes, self.cls, *(f"{n}={n}" for n in sizes))
            lines.append(unpacking(sizes, taken, 4))
        for o in self.plan.opens:
            if o.kind == "shape" or sizes == [o.keyword]:
                convert = self.names.runtime(
                    "dims.make", f"as_{'shape' if o.kind == 'shape' else 'size'}"
                )
                taken = call(convert, self.cls, py_str(o.keyword), o.keyword)
                lines.append(statement(f"{o.keyword} = ", taken, 4))
        return lines

    def _statics(self) -> list[str]:
        fields = self.kind.static_fields
        return [line for f in fields for line in converted(f, self.names, self.taken, 4)]

    def _given(self) -> list[str]:
        name = self.kind.node.ref.name
        writer = DynamicWriter(self.names, self.cls, name, "array", [], 4)
        lines: list[str] = []
        for f in self.kind.traced_fields:
            if isinstance(self.plan.made.get(f.name), MadeGiven):
                self._import_late([f.type])
                lines += writer.convert(f.name, f.type)
        return lines

    def _import_late(self, given: list[types.Type]) -> None:
        self.imports |= dict.fromkeys(filter(None, late_imports(given, self.names, 4)))

    def _known(self) -> list[str]:
        """Read the sizes that static values say, which making the key has checked."""
        lines: list[str] = []
        statics = {f.name: place for place, f in enumerate(self.kind.static_fields)}
        converted = {f.name for f in self.kind.static_fields if f.convert is not None}
        read: dict[str, str] = {}
        for name in self.plan.sizes:
            if name not in self.plan.known:
                continue
            path, rest = self.plan.known[name]
            variable, keyword = self.variables[name], self.plan.keywords[path]
            if len(path) == 1 and rest and path[0] not in converted:
                read[variable] = f"{keyword}.{rest}"
            elif len(path) == 1:
                # Not what was given for it, but what became of that.
                value = f"{self.key}.values[{statics[path[0]]}]"
                lines.append(f"    {variable} = {value}{'.' if rest else ''}{rest}")
            else:
                size_at = self.names.runtime("dims.make", "size_at")
                there = call(size_at, self.cls, py_str(keyword), keyword, py_str(rest))
                lines.append(statement(f"{variable} = ", there, 4))
        return [*_assigned(read), *lines]

    # --- parts

    def _child(self, f: Field) -> Node:
        made = self.plan.made.get(f.name)
        if made is None:
            return self.names.runtime("sharing.sharing", "HOLE")
        match made:
            case MadeNone():
                return "None"
            case MadeGiven():
                return call(f"{self.make}.given", self.plan.keywords[made.path])
            case _:
                # What it borrows is put in the place of what is made here.
                return call(self.make, py_str(f.name), self._recipe(made))

    def _recipe(self, made: Made) -> Node:
        match made:
            case MadeArray():
                return self._array(made)
            case MadePart():
                return self._part(made)
            case MadeItems():
                return self._use("items_of", *map(self._recipe, made.items))
            case MadeMany():
                if made.path is None or made.item is None:
                    return self._use("given", _EMPTY[made.container])
                keyword = self.plan.keywords[made.path]
                return self._use(f"{made.container}_of", keyword, self._recipe(made.item))
            case MadeNone():
                return self._use("given", "None")
            case MadeGiven():
                return self._use("given", self.plan.keywords[made.path])

    def _use(self, function: str, *arguments: Node) -> Node:
        return call(self.names.runtime("dims.make", function), *arguments)

    def _part(self, made: MadePart) -> Node:
        self._import_late([ClassType(made.ref)])
        given = [f"{keyword}={self._value(value)}" for keyword, value in made.given]
        return self._use("part_of", self.names.ref(made.ref), *given)

    def _value(self, value: Path | Dim) -> str:
        if isinstance(value, tuple):
            return self.plan.keywords[value]
        if isinstance(value, types.Batch):
            return self.variables[f"*{value.name}"]
        return size_text(value, self.variables)

    def _array(self, made: MadeArray) -> Node:
        type, f = made.type, made.field
        default = None if f is None or f.default is None else expression(f.default, self.names)
        if isinstance(type, types.Scalar):
            given = [] if default is None else [default]
            return self._use("number_of", py_str(type.name), *given)
        shape = tuple_of(*(size_text(dim, self.variables) for dim in type.shape))
        if type.dtype == "key":
            return self._use("keys_of", shape)
        options: list[Node] = []
        if f is not None and f.init is not None:
            options.append(self._initializer(f, f.init))
        elif default is not None:
            options.append(after("default=", default))
        return self._use("array_of", py_str(type.dtype), shape, *options)

    def _initializer(self, f: Field, init: Initializer | FunctionPath) -> Node:
        if isinstance(init, FunctionPath):
            head, dot, rest = init.attribute.partition(".")
            name = local(f"init_{f.name}", self.taken)
            self.imports[import_as(init.module, head, name, 4)] = None
            return name + dot + rest
        module = local("initializers", self.taken)
        suffix = "" if module == "initializers" else f" as {module}"
        self.imports[f"    from jax.nn import initializers{suffix}"] = None
        if init.arguments is None:
            made = f"{module}.{init.name}"
            return made if INITIALIZERS[init.name] is None else f"{made}()"
        arguments = [expression(value, self.names) for value in init.arguments]
        keywords = [after(f"{k}=", expression(v, self.names)) for k, v in init.keywords]
        return call(f"{module}.{init.name}", *arguments, *keywords)


def _assigned(values: dict[str, str]) -> list[str]:
    """Assign to several variables: in one line where it fits."""
    line = f"    {', '.join(values)} = {', '.join(values.values())}"
    if len(line) <= WIDTH:
        return [line] if values else []
    return [statement(f"{name} = ", value, 4) for name, value in values.items()]
