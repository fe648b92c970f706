"""`abstract`: the method that makes an object of shapes and dtypes from what these leave open.

class Linear(dims=(n_in, n_out)): ...    ->    @classmethod
                                               def abstract(cls, *, n_in: int, n_out: int) -> Self:
                                                   return make_abstract(cls, n_in=n_in, n_out=n_out)
"""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from codegen.checked.imports import made_of
from codegen.checked.plans import Open, Plan, Plans
from codegen.program import types
from codegen.program.bind import bases_of
from codegen.program.nodes import Field, Value
from codegen.program.rewrite import substituted
from codegen.view.annotations import Reading, annotation
from codegen.view.constructors import parameter_annotation
from codegen.view.expressions import subscript
from codegen.view.kinds import Kind
from codegen.view.literals import docstring, paragraph
from codegen.view.methods import parameter_of
from codegen.view.names import Names, local
from codegen.view.nodes import MakerView
from codegen.view.overrides import accepts

_DOC = "Make it of shapes and dtypes: a `jax.ShapeDtypeStruct` in place of each array."


class Parameter(Struct, frozen=True):
    """A keyword, as type checkers compare it with that of an override."""

    name: str
    annotation: str
    has_default: bool
    text: str


def maker(kind: Kind, names: Names, plans: Plans) -> MakerView | None:
    """Write the method of a class; None where an array would have to be given."""
    plan = plans.plan(kind.node.ref) if kind.node.has_makers else None
    if plan is None:
        return None
    keywords = [_keyword(o, names) for o in plan.opens]
    texts = [p.text for p in keywords]
    return MakerView(
        n=names.used(("builtins", "classmethod"), ("typing", "Self"))
        | names.used_runtime("dims", "make_abstract"),
        cls=local("cls", {o.keyword for o in plan.opens}),
        parameters=tuple(["*", *texts] if texts else []),
        given=tuple(p.name for p in keywords),
        doc=docstring(_doc(plan), 8),
        pragma=_pragma(kind, names.aside(), plans, plan),
    )


def _pragma(kind: Kind, names: Names, plans: Plans, own: Plan) -> str:
    """Type checkers refuse an override that asks for more, or for something narrower."""
    for _, base in bases_of(kind.node, plans.drawing.program.classes):
        node = plans.drawing.program.classes[base.ref]
        plan = plans.plan(base.ref) if node.has_makers else None
        if plan is None:
            continue
        arguments = dict(zip(node.type_parameters, base.arguments, strict=False))
        theirs = [_keyword(o, names, arguments) for o in plan.opens]
        if not _overrides([_keyword(o, names) for o in own.opens], theirs):
            return "  # type: ignore[override]"
    return ""


def _substituted(f: Field, arguments: dict[str, types.Type]) -> Field:
    return replace(f, type=substituted(f.type, {}, arguments))


def _overrides(own: list[Parameter], theirs: list[Parameter]) -> bool:
    """Say whether whoever calls the base's method may call this one."""
    by_name = {p.name: p for p in own}
    for old in theirs:
        new = by_name.get(old.name)
        if new is None or not accepts(new.annotation, old.annotation):
            return False
        if old.has_default and not new.has_default:
            return False
    known = {p.name for p in theirs}
    return all(p.has_default for p in own if p.name not in known)


def _keyword(o: Open, names: Names, arguments: dict[str, types.Type] | None = None) -> Parameter:
    """Write one keyword with its type and default."""
    match o.kind:
        case "size" | "count":
            return _plain(o, names.builtin("int"))
        case "shape":
            held = f"{names.builtin('tuple')}[{names.builtin('int')}, ...]"
            return Parameter(o.keyword, held, True, f"{o.keyword}: {held} = ()")
        case "keys":
            assert o.field is not None
            key = annotation(o.field.type, Reading.PLAIN, names)
            return _plain(o, subscript(names.use("collections.abc", "Iterable"), key))
        case "static":
            assert o.field is not None
            f = _substituted(o.field, arguments) if arguments else o.field
            default = f.default if _is_known(f.default, names) else None
            held = parameter_annotation(f, names)
            text = parameter_of(o.keyword, held, default, names)
            return Parameter(o.keyword, held, default is not None, text)


def _plain(o: Open, held: str) -> Parameter:
    return Parameter(o.keyword, held, False, f"{o.keyword}: {held}")


def _is_known(default: Value | None, names: Names) -> bool:
    """Say whether what a default names exists where the class is defined."""
    return not any(names.is_forward(ref) for ref in made_of(default))


def _doc(plan: Plan) -> list[str]:
    lines = [_DOC]
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
