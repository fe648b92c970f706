"""Compare what a class can be made from: the keywords of `abstract`, `zeros` and `init`.

w: donated[f32[n], field(init="zeros")]    ->    w: donated[f32[n, m]]    # no `init`; needs `m`

What a class has from one that it holds or derives from is said there.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec import Struct

from codegen.compared.kinds import SOURCE
from codegen.compared.scopes import in_class
from codegen.compared.versions import Comparison
from codegen.diagnostics import Code
from codegen.program import types
from codegen.program.nodes import Class
from codegen.program.types import Ref
from codegen.view.drawing import Drawing
from codegen.view.plans import Open, Plans


class _Change(Struct, frozen=True):
    """What a class is not made from, or does not know, as it was."""

    gone: dict[str, Open]  # keywords that are not taken any more
    fresh: dict[str, Open]  # those that are needed now
    moved: tuple[str, ...]  # those that are the sizes of other axes
    unknown: tuple[str, ...]  # what `axes` knew
    loses_init: bool


class Makers:
    """The two versions of what makes objects."""

    def __init__(self, comparison: Comparison) -> None:
        self._comparison = comparison
        self._old = Plans(Drawing(comparison.old))
        self._new = Plans(Drawing(comparison.new))
        self._changes: dict[Ref, _Change | None] = {}

    def compare(self, old: Class, new: Class) -> None:
        """Say what calls have to say otherwise."""
        change = self._change(old)
        if change is None:
            return
        around = [one for ref in _around(old) if (one := self._change_of(ref)) is not None]
        if change.loses_init and (
            _leaves_out(old, new) or not any(one.loses_init for one in around)
        ):
            self._comparison.add(
                Code.MEMBER_REMOVED,
                new.source,
                new.span,
                f"the class method `init` of `{new.ref.name}` was removed",
                (SOURCE,),
                advice="it is there where every array has an `init=` or a default",
                before=(old.source, old.span),
            )
        said = "; ".join(_said(new.ref.name, _own(change, around, old, new)))
        if said:
            self._comparison.add(
                Code.MEMBER_CHANGED,
                new.source,
                new.span,
                said,
                (SOURCE,),
                advice="keep the names of dimensions, or have callers say what is known now",
                before=(old.source, old.span),
            )

    def _change_of(self, ref: Ref) -> _Change | None:
        """What changed of a class of the old version that another one concerns."""
        if ref not in self._changes:
            self._changes[ref] = self._change(self._comparison.old.classes[ref])
        return self._changes[ref]

    def _change(self, old: Class) -> _Change | None:
        """What changed of a class; None where one version of it cannot be made."""
        comparison = self._comparison
        new = comparison.new.classes.get(comparison.new_ref(old.ref))
        if new is None or not (old.has_makers and new.has_makers):
            return None
        before, after = self._old.plan(old.ref), self._new.plan(new.ref)
        names = self._dims(old.ref.module)
        taken = {
            names.get(one.keyword, one.keyword) if _is_size(one) else one.keyword: one
            for one in before.opens
        }
        now = {one.keyword: one for one in after.opens}
        known = {names.get(name, name) for name in self._old.drawing.dims(old.ref)}
        places = {names.get(name, name): i for i, name in enumerate(old.dims)}
        # With other shapes it is said of the fields.
        is_same = _has_the_same_fields(in_class(comparison, old, new), old, new)
        return _Change(
            {name: one for name, one in taken.items() if name not in now},
            {name: one for name, one in now.items() if name not in taken and one.default is None},
            tuple(n for i, n in enumerate(new.dims) if is_same and places.get(n, i) != i),
            tuple(sorted(known - {*self._new.drawing.dims(new.ref)})),
            before.is_initial and not after.is_initial,
        )

    def _dims(self, module: str) -> dict[str, str]:
        """The new names of dimensions; a class holds those of other modules too."""
        found: dict[str, str] = {}
        for names in self._comparison.dims.values():
            found |= names
        return found | self._comparison.dims.get(module, {})


def _is_size(one: Open) -> bool:
    return one.kind in ("size", "shape")


def _around(node: Class) -> list[Ref]:
    """The classes that a class holds, and its base."""
    base = [node.base.ref] if node.base is not None else []
    held = [ref for field in node.fields for ref in types.class_refs(field.type)]
    return [ref for ref in (*base, *held) if ref != node.ref]


def _has_the_same_fields(comparison: Comparison, old: Class, new: Class) -> bool:
    known = {field.name: field.type for field in old.fields}
    return all(comparison.is_same(known.get(f.name, f.type), f.type) for f in new.fields)


def _leaves_out(old: Class, new: Class) -> bool:
    """Whether an array that the class itself declares is not initialised any more."""
    known = {f.name for f in old.own_fields if f.init is not None or f.default is not None}
    return any(f.name in known and f.init is None and f.default is None for f in new.own_fields)


def _own(change: _Change, around: list[_Change], old: Class, new: Class) -> _Change:
    """What is not said elsewhere: of a class around, or of a field of this one."""
    before = {(f.name, f.role == "static") for f in old.fields}
    kept = {f.name for f in new.fields if (f.name, f.role == "static") in before}
    gone = [name for one in around for name in one.gone]
    fresh = [name for one in around for name in one.fresh]
    unknown = [name for one in around for name in one.unknown]

    def left(found: dict[str, Open], said: list[str]) -> dict[str, Open]:
        return {
            name: one
            for name, one in found.items()
            if not _is_of(name, said) and (_is_size(one) or one.path[0] in kept)
        }

    return _Change(
        left(change.gone, gone),
        left(change.fresh, fresh),
        change.moved,
        tuple(name for name in change.unknown if name not in unknown),
        change.loses_init,
    )


def _is_of(keyword: str, names: list[str]) -> bool:
    """Whether a keyword is one of these, behind the path of the object whose it is."""
    return any(keyword == name or keyword.endswith(f"_{name}") for name in names)


def _said(name: str, change: _Change) -> Iterator[str]:
    makers = f"`abstract` and `zeros` of `{name}`"
    if change.gone:
        yield f"{makers} take no {_listed(change.gone)} any more"
    if change.fresh:
        yield f"{'they' if change.gone else makers} need {_listed(change.fresh)} now"
    if change.moved:
        yield f"{makers} take {_listed(change.moved)} for other axes than before"
    unknown = [dim for dim in change.unknown if dim not in change.gone]
    if unknown:
        yield f"`axes` of `{name}` knows no {_listed(unknown)} any more"


def _listed(names: Iterable[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)
