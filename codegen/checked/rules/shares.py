"""Shared paths lead to parts of one type, and none lies below another.

    share(embed, encoder.embd)    ->    UNKNOWN_PATH
"""

from __future__ import annotations

from codegen.checked.rule import Inspection
from codegen.diagnostics.codes import Code
from codegen.diagnostics.suggest import suggest
from codegen.program.nodes import Class, Field
from codegen.program.types import Array, ClassType, Type
from codegen.schema.nodes import PathDecl, ShareDecl


def check_shares(inspection: Inspection) -> None:
    """Judge every `share(...)`."""
    for node in inspection.program.classes.values():
        seen: dict[tuple[str, ...], PathDecl] = {}
        for share in node.shares:
            _check_share(inspection, node, share)
            for path in share.paths:
                _check_overlap(inspection, node, path, seen)


def _check_share(inspection: Inspection, node: Class, share: ShareDecl) -> None:
    owner = resolve_path(inspection, node, share.paths[0])
    for path in share.paths[1:]:
        field = resolve_path(inspection, node, path)
        if owner is None or field is None:
            continue
        if field.type != owner.type:
            inspection.add(
                Code.WRONG_SHARE,
                node.source,
                path.span,
                f"`{'.'.join(path.parts)}` is of another type than "
                f"`{'.'.join(share.paths[0].parts)}`, which owns the shared part",
                "another type",
                "shared parts are one object, so both fields must declare one type",
            )


def resolve_path(inspection: Inspection, node: Class, path: PathDecl) -> Field | None:
    """Return the field at the end of a path, or None after a report."""
    current: Class | None = node
    field: Field | None = None
    for i, part in enumerate(path.parts):
        fields = {f.name: f for f in current.fields} if current else {}
        field = fields.get(part)
        if field is None:
            where = current.ref.name if current else ".".join(path.parts[:i])
            nearest = suggest(part, sorted(fields))
            inspection.add(
                Code.UNKNOWN_PATH,
                node.source,
                path.span,
                f"`{where}` has no field `{part}`" if current else f"`{where}` has no fields",
                "",
                f"did you mean `{nearest}`?" if nearest else "",
            )
            return None
        if field.role == "static":
            inspection.add(
                Code.WRONG_SHARE,
                node.source,
                path.span,
                f"`{'.'.join(path.parts[: i + 1])}` is static",
                "equal static values are one already",
                "share dynamic or donated parts only",
            )
            return None
        current = _class_of(inspection, field.type)
    if field is not None and current is None and not isinstance(field.type, Array):
        inspection.add(
            Code.WRONG_SHARE,
            node.source,
            path.span,
            f"`{'.'.join(path.parts)}` is neither an object nor an array",
            "",
            "share a field whose type is a class or an array",
        )
        return None
    return field


def _class_of(inspection: Inspection, type: Type) -> Class | None:
    return inspection.program.classes[type.ref] if isinstance(type, ClassType) else None


def _check_overlap(
    inspection: Inspection, node: Class, path: PathDecl, seen: dict[tuple[str, ...], PathDecl]
) -> None:
    for parts in seen:
        shorter, longer = sorted((parts, path.parts), key=len)
        if longer[: len(shorter)] == shorter:
            inspection.add(
                Code.WRONG_SHARE,
                node.source,
                path.span,
                f"`{'.'.join(path.parts)}` is shared twice"
                if parts == path.parts
                else f"`{'.'.join(longer)}` lies within `{'.'.join(shorter)}`, which is shared too",
                "overlaps another shared path",
                "share each part once, by its outermost path",
            )
            return
    seen[path.parts] = path
