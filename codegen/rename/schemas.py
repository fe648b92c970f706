"""Rename in the schemas, by edits of their text: comments, format and order stay.

rename_in_schemas(files, names, target, "temperature")    # the new files
check_meaning(names, names_now, target, "temperature")    # Report(): each name means the same
"""

from __future__ import annotations

import ast
from collections.abc import Sequence

from msgspec.structs import replace

from codegen.diagnostics import Code, Diagnostic, Edit, Report
from codegen.lint.fix import File, rewritten
from codegen.rename.dimensions import together
from codegen.rename.names import Named, Occurrence, SchemaNames
from codegen.rename.target import Target
from codegen.schema.comments import scan
from codegen.schema.names import comments_after
from codegen.schema.scope import Scope
from codegen.schema.stub import Stub
from codegen.source import Span


def rename_in_schemas(
    files: Sequence[File], names: SchemaNames, target: Target, new: str
) -> tuple[File, ...]:
    """Return the files with the new name, and with the former name in a comment where it is saved."""
    edits: dict[str, set[Edit]] = {}
    for one in names.occurrences:
        if one.named in target.named:
            source = one.span.source
            found = edits.setdefault(source.module, set())
            found.add(Edit(one.span, new))
            if one.declaration is not None:
                stub = names.stubs[source.module]
                comment = _former_name_edit(stub, one, target.old, new)
                found |= {comment} if comment else set()
    return tuple(
        (path, module, rewritten(data, edits.get(module, set()))) for path, module, data in files
    )


def _former_name_edit(stub: Stub, declared: Occurrence, old: str, new: str) -> Edit | None:
    """Return the edit of the comment after a declaration that is renamed from `old` to `new`.

    If `new` is the last former name, the rename is an undo: nothing was saved in between.
    """
    source, statement = stub.source, declared.declaration
    assert statement is not None, "it is a declaration"
    comments = comments_after(Scope(source, stub=stub), statement)
    same = (new, f"{source.module}:{new}")
    for comment in comments:
        if not {*comment.names} & {*same}:
            continue
        is_undone = comment.names[-1] in same or not declared.is_saved
        names = [*(one for one in comment.names if one not in same), *([] if is_undone else [old])]
        if names:
            text = comment.span.text
            last = f", {comment.names[-1]}]"
            if is_undone and text.endswith(last):
                return Edit(comment.span, f"{text.removesuffix(last)}]")
            return Edit(comment.span, f"# codegen: was[{', '.join(names)}]")
        start = len(source.text[: comment.span.start].rstrip())
        return Edit(source.at(start, comment.span.end), "")
    if not declared.is_saved:
        return None
    if comments:
        end = comments[-1].span.end
        return Edit(source.at(end - 1, end), f", {old}]")
    line = source.position(_declaration_end(stub, statement))[0]
    span = source.line_span(line)
    end = span.start + len(span.text.rstrip())
    return Edit(source.at(end, end), f"  # codegen: was[{old}]")


def _declaration_end(stub: Stub, statement: ast.stmt) -> int:
    """Return the end of a declaration; of a class, the colon of its header."""
    source = stub.source
    if not isinstance(statement, ast.ClassDef):
        return source.span(statement).end
    code = scan(source).code
    depth = 0
    at = source.name_span(statement).end
    while code[at] != ":" or depth:
        depth += (code[at] in "([{") - (code[at] in ")]}")
        at += 1
    return at


def check_meaning(names: SchemaNames, now: SchemaNames, target: Target, new: str) -> Report:
    """Report a name that refers to another declaration after the rename.

    dims=(n,) of the class, f32[m, n]    rename m to n    ->    both would be the class's own `n`
    """

    def renamed(named: Named) -> Named:
        if named in target.named:
            return replace(named, name=new)
        owner = Named(named.module, named.owner)
        return replace(named, owner=new) if named.owner and owner in target.named else named

    if len(names.occurrences) != len(now.occurrences):
        return _collision(target, new, new, target.span)
    for before, after in zip(names.occurrences, now.occurrences, strict=True):
        if renamed(before.named) != after.named:
            return _collision(target, new, str(after.named), before.span)
    changed = {renamed(one) for one in target.named}
    paths = {str(one) for one in changed}
    same = {one.named for one in now.occurrences if str(one.named) in paths}
    same = (same | together(now, min(changed))) - changed
    if same:
        return _collision(target, new, str(min(same)), target.span)
    return Report()


def _collision(target: Target, new: str, other: str, span: Span) -> Report:
    message = f"the {target.kind} `{target.old}` cannot be called `{new}`: it would be the same as `{other}`"
    return Report((Diagnostic(Code.DUPLICATE_NAME, span, message, help="choose another name"),))
