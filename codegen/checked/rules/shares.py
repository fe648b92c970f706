"""Shared paths lead to parts of one type, and none lies below another.

share(embed, encoder.embd)    ->    UNKNOWN_PATH
"""

from __future__ import annotations

from codegen.checked.rule import Inspection
from codegen.checked.rules.narrow import narrower
from codegen.diagnostics import Code
from codegen.diagnostics.suggest import did_you_mean
from codegen.program.bind import arguments_of, dims_of
from codegen.program.nodes import Class
from codegen.program.rewrite import substituted
from codegen.program.show import type_text
from codegen.program.types import AnyDim, Array, ClassType, Dim, Type
from codegen.schema.nodes import PathDecl, ShareDecl


def check_shares(inspection: Inspection) -> None:
    """Judge every `share(...)`."""
    for node in inspection.program.classes.values():
        # The base has been judged for its own.
        inherited = inspection.program.classes[node.base.ref].shares if node.base else ()
        seen = [path for share in inherited for path in share.paths]
        if node.shares and node.registration == "jax":
            inspection.add(
                Code.WRONG_SHARE,
                node.source,
                node.span,
                f"`{node.ref.name}` shares, and is registered by JAX itself",
                label="what is shared would be flattened at each of its paths",
                advice='leave out `registration="jax"`',
            )
        for share in node.shares[len(inherited) :]:
            for path in _check_share(inspection, node, share):
                _check_overlap(inspection, node, path, seen)


def _check_share(inspection: Inspection, node: Class, share: ShareDecl) -> list[PathDecl]:
    """Judge the types of one row; the paths of it that lead somewhere."""
    found = [(path, _type_of(inspection, node, path)) for path in share.paths]
    owned = found[0][1]
    for path, type in found[1:]:
        if owned is None or type is None:
            continue
        if not (narrower(inspection, type, owned) or narrower(inspection, owned, type)):
            inspection.add(
                Code.WRONG_SHARE,
                node.source,
                path.span,
                f"`{_written(path)}` is of another type than `{_written(share.paths[0])}`",
                label=f"`{type_text(type)}`, not `{type_text(owned)}`",
                advice="what is shared is one object, so both fields declare one type",
            )
    return [path for path, type in found if type is not None]


def _type_of(inspection: Inspection, node: Class, path: PathDecl) -> Type | None:
    """The type at the end of a path, in the terms of the class; None after a report."""
    current: Class | None = node
    dims: dict[str, Dim] = {}
    arguments: dict[str, Type] = {}
    type: Type | None = None
    for i, part in enumerate(path.parts):
        fields = {f.name: f for f in current.fields} if current else {}
        field = fields.get(part)
        if current is None or field is None:
            _unknown(inspection, node, path, i, current)
            return None
        if field.role == "static":
            _refuse(
                inspection,
                node,
                path,
                f"`{'.'.join(path.parts[: i + 1])}` is static",
                "equal static values are one already",
                "share dynamic or donated parts",
            )
            return None
        type = substituted(field.type, dims, arguments) if current is not node else field.type
        current = None
        if isinstance(type, ClassType):
            current = inspection.program.classes[type.ref]
            dims = dict.fromkeys(current.dims, AnyDim())
            dims |= dims_of(type, current)
            arguments = arguments_of(type, current)
    if not isinstance(type, Array | ClassType):
        _refuse(
            inspection,
            node,
            path,
            f"`{_written(path)}` is neither an object nor an array",
            "cannot be shared",
            "share a field whose type is a class or an array",
        )
        return None
    return type


def _unknown(
    inspection: Inspection, node: Class, path: PathDecl, at: int, current: Class | None
) -> None:
    before, part = ".".join(path.parts[:at]), path.parts[at]
    names = [f.name for f in current.fields] if current else []
    inspection.add(
        Code.UNKNOWN_PATH,
        node.source,
        path.span,
        f"the class `{current.ref.name}` has no field `{part}`"
        if current
        else f"`{before}` is no object of a class, and has no fields",
        label="leads nowhere",
        advice=did_you_mean(part, names, "a path goes from field to field: `encoder.embed`"),
    )


def _check_overlap(
    inspection: Inspection, node: Class, path: PathDecl, seen: list[PathDecl]
) -> None:
    owned = _owned(inspection, node, path.parts)
    for earlier in seen:
        before = _owned(inspection, node, earlier.parts)
        shorter, longer = sorted((before, owned), key=len)
        if longer[: len(shorter)] == shorter:
            message = _overlap(path, earlier, same=before == owned)
            advice = "share each part once, by its outermost path"
            _refuse(inspection, node, path, message, "overlaps another shared path", advice)
            return
    seen.append(path)


def _overlap(path: PathDecl, earlier: PathDecl, *, same: bool) -> str:
    if path == earlier:
        return f"`{_written(path)}` is shared twice"
    if same:
        return f"`{_written(path)}` is `{_written(earlier)}` already, by the class on the way"
    shorter, longer = sorted((earlier, path), key=lambda one: len(one.parts))
    return f"`{_written(longer)}` lies within `{_written(shorter)}`, which is shared too"


def _owned(inspection: Inspection, node: Class, parts: tuple[str, ...]) -> tuple[str, ...]:
    """The path at which classes on the way to a part own it: `model.table` for `model.encoder.table`."""
    walked: list[str] = []
    current: Class | None = node
    while parts and current is not None:
        if walked:
            parts = _lent(current, parts)
        field = next((f for f in current.fields if f.name == parts[0]), None)
        walked.append(parts[0])
        parts = parts[1:]
        held = field.type if field else None
        current = inspection.program.classes[held.ref] if isinstance(held, ClassType) else None
    return (*walked, *parts)


def _lent(node: Class, parts: tuple[str, ...]) -> tuple[str, ...]:
    """The owner's path where a class itself shares what is at a path."""
    for share in node.shares:
        owner, *borrowers = share.paths
        for borrower in borrowers:
            if parts[: len(borrower.parts)] == borrower.parts:
                return _lent(node, (*owner.parts, *parts[len(borrower.parts) :]))
    return parts


def _refuse(
    inspection: Inspection, node: Class, path: PathDecl, message: str, label: str, advice: str
) -> None:
    inspection.add(Code.WRONG_SHARE, node.source, path.span, message, label=label, advice=advice)


def _written(path: PathDecl) -> str:
    return ".".join(path.parts)
