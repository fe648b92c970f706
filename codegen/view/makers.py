"""`abstract`, `zeros`, `init` and `from_process_local`: methods that make an object from sizes.

class Linear(dims=(n_in, n_out)): ...    ->    @classmethod
                                               def zeros(cls, *, n_in: int, n_out: int) -> Self:
                                                   return make_zeros(cls, n_in=n_in, n_out=n_out)
"""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from codegen.checked.imports import made_of
from codegen.program import types
from codegen.program.bind import bases_of
from codegen.program.nodes import Field
from codegen.program.rewrite import substituted
from codegen.program.types import Ref
from codegen.view.annotations import Reading, annotation
from codegen.view.constructors import parameter, parameter_annotation, parameters
from codegen.view.kinds import Kind
from codegen.view.layout import Node, call, fit, signature, statement, subscript
from codegen.view.literals import docstring, paragraph
from codegen.view.names import Names, local
from codegen.view.nodes import ClassMethodView
from codegen.view.overrides import accepts
from codegen.view.plans import Open, Plan, Plans

_DOCS = {
    "abstract": "Make the object of shapes and dtypes alone, as `jax.eval_shape` does.",
    "zeros": "Make the object with zeros in every array.",
    "init": "Initialise every array, with a random key of its own by its path.",
    "from_process_local": "Make the global object of which every process brings its part.",
}


class Parameter(Struct, frozen=True):
    """A parameter of a method, as type checkers compare it with that of an override."""

    name: str
    annotation: Node
    has_default: bool
    is_positional: bool
    text: str


def makers(kind: Kind, names: Names, kinds: dict[Ref, Kind], plans: Plans) -> list[ClassMethodView]:
    """Write the methods of a class; none where there is no array to make."""
    if not kind.node.has_makers:
        return []
    plan = plans.plan(kind.node.ref)
    writer = _Writer(kind, names, kinds, plans)
    keywords = [_keyword(o, names) for o in plan.opens]
    views = [writer.method(name, plan, keywords) for name in ("abstract", "zeros")]
    if plan.is_initial:
        views.append(writer.method("init", plan, keywords))
    return [*views, writer.from_process_local()]


class _Writer(Struct, frozen=True):
    kind: Kind
    names: Names
    kinds: dict[Ref, Kind]
    plans: Plans

    def method(self, method: str, plan: Plan, keywords: list[Parameter]) -> ClassMethodView:
        names = self.names
        taken = {o.keyword for o in plan.opens}
        cls, key = local("cls", taken), local("key", taken)
        first = [cls]
        given = [cls]
        if method == "init":
            first.append(f"{key}: {names.use('jax', 'Array')}")
            given.append(key)
        starred = ["*"] if keywords else []
        make = names.runtime("dims.make", f"make_{method}")
        arguments = [f"{p.name}={p.name}" for p in keywords]
        pragma = self._pragma(method, keywords)
        return ClassMethodView(
            decorator=f"    @{names.builtin('classmethod')}",
            signature=signature(
                f"def {method}({pragma}",
                [*first, *starred, *(p.text for p in keywords)],
                f") -> {names.use('typing', 'Self')}:",
                4,
            ),
            doc=docstring(_doc(method, plan), 8),
            result=statement("return ", call(make, *given, *arguments), 8),
        )

    def from_process_local(self) -> ClassMethodView:
        names = self.names
        kind = self._local(self.kind)
        fields = kind.node.fields
        taken = {f.name for f in fields}
        cls, mesh = local("cls", taken), local("mesh", taken)
        function = names.runtime("mesh.meshes", "from_process_local")
        made = call(cls, *(f"{f.name}={f.name}" for f in fields))
        pragma = self._pragma("from_process_local", _constructor(kind, fields, names))
        obj = local("obj", taken)
        self_type = names.use("typing", "Self")
        return ClassMethodView(
            decorator=f"    @{names.builtin('classmethod')}",
            signature=signature(
                f"def from_process_local({pragma}",
                [
                    cls,
                    f"{mesh}: {names.use('jax.sharding', 'Mesh')}",
                    *parameters(kind, names),
                ],
                f") -> {self_type}:",
                4,
            ),
            doc=docstring(_wrapped(_DOCS["from_process_local"]), 8),
            result=statement(f"{obj}: {self_type} = ", call(function, made, mesh), 8)
            + f"\n        return {obj}.check()",
        )

    # --- overriding

    def _local(self, kind: Kind) -> Kind:
        """Return a class whose `from_process_local` takes keywords alone where that of a base does.

        pyright wants what is a keyword there to stay one.
        """
        above = [self.kinds[base.ref] for base in self._bases(kind)]
        if any(one.node.kw_only and one.node.has_makers for one in above):
            return replace(kind, node=replace(kind.node, kw_only=True))
        return kind

    def _bases(self, kind: Kind) -> list[types.ClassType]:
        """Return the bases of a class, nearest first, as it sees them."""
        classes = self.plans.drawing.program.classes
        return [base for _, base in bases_of(kind.node, classes)]

    def _pragma(self, method: str, own: list[Parameter]) -> str:
        """Type checkers refuse an override that asks for more, or for something narrower."""
        mark = self.names.mark()
        inherited = [self._inherited(method, self.kinds[b.ref], b) for b in self._bases(self.kind)]
        fits = all(theirs is None or _overrides(own, theirs) for theirs in inherited)
        self.names.forget(mark)
        return "" if fits else "  # type: ignore[override]"

    def _inherited(self, method: str, kind: Kind, base: types.ClassType) -> list[Parameter] | None:
        """Return the parameters of a base's method; None where it has no such method."""
        if not kind.node.has_makers:
            return None
        arguments = dict(zip(kind.node.type_parameters, base.arguments, strict=False))
        if method == "from_process_local":
            fields = tuple(_substituted(f, arguments) for f in kind.node.fields)
            return _constructor(self._local(kind), fields, self.names)
        plan = self.plans.plan(base.ref)
        if method == "init" and not plan.is_initial:
            return None
        return [_keyword(o, self.names, arguments) for o in plan.opens]


def _constructor(kind: Kind, fields: tuple[Field, ...], names: Names) -> list[Parameter]:
    found: list[Parameter] = []
    positional = not kind.node.kw_only
    for f in fields:
        positional = positional and f.default is None
        held = parameter_annotation(f, names)
        found.append(Parameter(f.name, held, f.default is not None, positional, ""))
    return found


def _substituted(f: Field, arguments: dict[str, types.Type]) -> Field:
    return replace(f, type=substituted(f.type, {}, arguments))


def _overrides(own: list[Parameter], theirs: list[Parameter]) -> bool:
    """Say whether whoever calls the base's method may call this one."""
    by_name = {p.name: p for p in own}
    for place, old in enumerate(theirs):
        new = by_name.get(old.name)
        if new is None or not accepts(new.annotation, old.annotation):
            return False
        if old.has_default and not new.has_default:
            return False
        if old.is_positional and (not new.is_positional or own[place].name != old.name):
            return False
    known = {p.name for p in theirs}
    return all(p.has_default for p in own if p.name not in known)


def _keyword(o: Open, names: Names, arguments: dict[str, types.Type] | None = None) -> Parameter:
    """Write one keyword with its type and default."""
    prefix = f"{o.keyword}: "
    default = ""
    match o.kind:
        case "size" | "count":
            held: Node = names.builtin("int")
        case "shape":
            held, default = f"{names.builtin('tuple')}[{names.builtin('int')}, ...]", "()"
        case "keys":
            assert o.field is not None
            key = annotation(o.field.type, Reading.PLAIN, names)
            held = subscript(names.use("collections.abc", "Iterable"), key)
        case "static" | "given":
            assert o.field is not None
            f = _substituted(o.field, arguments) if arguments else o.field
            has_default = f.default is not None and _is_known(f, names)
            held = parameter_annotation(f, names)
            f = f if has_default else replace(f, default=None)
            text = parameter(f, names, o.keyword)
            return Parameter(o.keyword, held, has_default, is_positional=False, text=text)
    after = len(f" = {default},") if default else 1
    text = prefix + fit(held, 8, 8 + len(prefix), after) + (f" = {default}" if default else "")
    return Parameter(o.keyword, held, bool(default), is_positional=False, text=text)


def _is_known(f: Field, names: Names) -> bool:
    """Say whether what a default names exists where the class is defined."""
    assert f.default is not None
    refs = made_of(f.default)
    return all(names.is_defined(ref) and ref != names.current for ref in refs)


def _doc(method: str, plan: Plan) -> list[str]:
    lines = _wrapped(_DOCS[method])
    about = [
        f"{o.keyword}: {'how many elements' if o.kind == 'count' else 'the keys that'} "
        f"`{'.'.join(o.path)}` has"
        for o in plan.opens
        if o.kind in ("count", "keys")
    ]
    if about:
        lines += ["", "Args:"]
        for text in about:
            lines += ["    " + line for line in paragraph(text, 76, "    ")]
    return lines


def _wrapped(text: str) -> list[str]:
    return paragraph(text, 76)
