"""Shared paths must lead to parts of one type, and none may lie below another.

share(embed, encoder.embd)    ->    UNKNOWN_PATH
"""

from __future__ import annotations

from codegen.check.narrower import is_narrower
from codegen.check.rule import Inspection
from codegen.check.shared_parts import SharedPart, SharedParts, descendants, field_part
from codegen.diagnostics import Code
from codegen.diagnostics.suggest import did_you_mean
from codegen.program.nodes import Class
from codegen.program.types import Array, ClassType, Type, display_names
from codegen.schema.nodes import PathDecl, ShareDecl


def check_shares(inspection: Inspection) -> None:
    """Check every `share(...)`."""
    for node in inspection.program.classes.values():
        # The base was checked for its own.
        inherited = inspection.program.classes[node.base.ref].shares if node.base else ()
        own = node.shares[len(inherited) :]
        if own:
            _check_groups(inspection, node, inherited, own)


def _check_groups(
    inspection: Inspection,
    node: Class,
    inherited: tuple[ShareDecl, ...],
    own: tuple[ShareDecl, ...],
) -> None:
    before = len(inspection.found)
    seen = [path for share in inherited for path in share.paths]
    rows = [_check_share(inspection, node, share) for share in own]
    parts = SharedParts(inspection.program, node)
    if parts.has_cycle():
        return  # A class on the path already has a report.
    _check_overlaps(inspection, seen, [path for row in rows for path in row], parts)
    if len(inspection.found) == before:
        _check_no_cycle(inspection, node, (*inherited, *own), parts)


def _check_share(inspection: Inspection, node: Class, share: ShareDecl) -> list[PathDecl]:
    """Check the types of one row. Return those of its paths that exist."""
    types = [(path, _type_of(inspection, node, path)) for path in share.paths]
    owned = types[0][1]
    for path, type in types[1:]:
        if owned is None or type is None:
            continue
        program = inspection.program
        if not (is_narrower(type, owned, program) or is_narrower(owned, type, program)):
            inspection.add(
                Code.WRONG_SHARE,
                path.span,
                f"`{_format_path(path)}` does not have the same type as `{_format_path(share.paths[0])}`",
                label=_format_types(type, owned),
                advice="declare both fields with the same type: they are one shared object",
            )
    return [path for path, type in types if type is not None]


def _format_types(type: Type, owned: Type) -> str:
    """Format two types; classes with the same name include their modules."""
    if isinstance(type, ClassType) and isinstance(owned, ClassType):
        here, there = display_names(type.ref, owned.ref)
        if here != type.ref.name:
            return f"`{here}`, not `{there}`"
    return f"`{type}`, not `{owned}`"


def _type_of(inspection: Inspection, node: Class, path: PathDecl) -> Type | None:
    """Return the type at the end of a path, in the parameters of the class; None after a report."""
    part = SharedPart(node)
    for i, name in enumerate(path.parts):
        fields = inspection.program.fields[part.node.ref] if part.node else {}
        if name not in fields:
            _report_unknown_path(inspection, path, i, part.node)
            return None
        if fields[name].role == "static":
            _refuse(
                inspection,
                path,
                f"`{'.'.join(path.parts[: i + 1])}` is static",
                "static values need no sharing",
                "remove this path: only dynamic and donated fields can be shared",
            )
            return None
        part = field_part(inspection.program, part, name)
        is_stack = isinstance(part.type, ClassType) and bool(part.type.stacked)
        if is_stack and i + 1 < len(path.parts):
            _refuse(
                inspection,
                path,
                f"`{'.'.join(path.parts[: i + 1])}` is a stack, and its fields belong to "
                "all layers",
                "this path goes into a stack",
                "share the whole stack, or write `share` in the class that is stacked",
            )
            return None
    type = part.type
    if not isinstance(type, Array | ClassType):
        _refuse(
            inspection,
            path,
            f"`{_format_path(path)}` is neither an object nor an array",
            "cannot be shared",
            "share a field whose type is a class or an array",
        )
        return None
    return type


def _report_unknown_path(
    inspection: Inspection, path: PathDecl, at: int, current: Class | None
) -> None:
    before, part = ".".join(path.parts[:at]), path.parts[at]
    names = [f.name for f in current.fields] if current else []
    inspection.add(
        Code.UNKNOWN_PATH,
        path.span,
        f"the class `{current.ref.name}` has no field `{part}`"
        if current
        else f"`{before}` is not an object of a class, and has no fields",
        label="unknown path",
        advice=did_you_mean(
            part, names, "write the names of fields, separated by dots: `encoder.embed`"
        ),
    )


def _check_overlaps(
    inspection: Inspection, inherited: list[PathDecl], own: list[PathDecl], parts: SharedParts
) -> None:
    """Refuse each path to a part that an earlier path shares, or to a part inside or around it."""
    at = {path.parts: parts.find(path.parts) for path in (*inherited, *own)}
    shared = _SharedPaths()
    for path in inherited:
        shared.add(path, at[path.parts])
    for path in own:
        part = at[path.parts]
        message = shared.overlap(path, part)
        if message:
            advice = "share each object or array only once, by its outermost path"
            _refuse(inspection, path, message, "overlaps another shared path", advice)
        else:
            shared.add(path, part)


class _SharedPaths:
    """The paths shared so far: each path by its part, by the parts below it, and with
    its position.
    """

    def __init__(self) -> None:
        self.paths: list[PathDecl] = []
        self.by_part: dict[SharedPart, int] = {}
        self.by_inner_part: dict[SharedPart, int] = {}

    def add(self, path: PathDecl, part: SharedPart) -> None:
        place = len(self.paths)
        self.paths.append(path)
        self.by_part.setdefault(part, place)
        for inner in descendants(part):
            self.by_inner_part.setdefault(inner, place)

    def overlap(self, path: PathDecl, part: SharedPart) -> str:
        """Return how a path overlaps the first of the earlier paths that it overlaps; empty if
        none.
        """
        around = min(
            (self.by_part[one] for one in descendants(part) if one in self.by_part), default=None
        )
        known = (self.by_part.get(part), self.by_inner_part.get(part), around)
        place = min((one for one in known if one is not None), default=None)
        if place is None:
            return ""
        earlier = self.paths[place]
        if place == self.by_part.get(part):
            if path == earlier:
                return f"`{_format_path(path)}` is shared twice"
            return (
                f"`{_format_path(path)}` is already the same object as `{_format_path(earlier)}`: a class "
                "on this path shares them"
            )
        inner, outer = (path, earlier) if place == self.by_inner_part.get(part) else (earlier, path)
        return f"`{_format_path(inner)}` is inside `{_format_path(outer)}`, which is also shared"


def _check_no_cycle(
    inspection: Inspection, node: Class, rows: tuple[ShareDecl, ...], parts: SharedParts
) -> None:
    """Refuse shares that would make an object a part of itself, together with those of other
    classes.
    """
    for owner, path in _pairs(rows):
        parts.merge(parts.find(owner.parts), parts.find(path.parts))
    if not parts.has_cycle():
        return
    # Apply them one by one, to find which one it is.
    parts = SharedParts(inspection.program, node)
    for owner, path in _pairs(rows):
        parts.merge(parts.find(owner.parts), parts.find(path.parts))
        if parts.has_cycle():
            _refuse(
                inspection,
                path,
                f"`{_format_path(path)}` cannot be shared with `{_format_path(owner)}`: together "
                "with the shares of the classes on this path, an object would contain "
                "itself",
                "such an object cannot exist",
                "remove this path, or share other fields",
            )
            return


def _pairs(rows: tuple[ShareDecl, ...]) -> list[tuple[PathDecl, PathDecl]]:
    return [(share.paths[0], path) for share in rows for path in share.paths[1:]]


def _refuse(inspection: Inspection, path: PathDecl, message: str, label: str, advice: str) -> None:
    inspection.add(Code.WRONG_SHARE, path.span, message, label=label, advice=advice)


def _format_path(path: PathDecl) -> str:
    return ".".join(path.parts)
