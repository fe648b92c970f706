"""Former names: add one to the comment of a declaration, or remove it when the name returns.

u: donated[f32[n]]  # [K]                        rename u to t
t: donated[f32[n]]  # [K]  # codegen: was[u]     rename t to v
v: donated[f32[n]]  # [K]  # codegen: was[u, t]
"""

from __future__ import annotations

import ast

from codegen.diagnostics import Edit
from codegen.rename.names import Occurrence
from codegen.schema.comments import scan
from codegen.schema.names import comments_after
from codegen.schema.scope import Scope
from codegen.schema.stub import Stub


def former_name_edit(stub: Stub, declared: Occurrence, old: str, new: str) -> Edit | None:
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
    line = source.position(_end(stub, statement))[0]
    span = source.line_span(line)
    end = span.start + len(span.text.rstrip())
    return Edit(source.at(end, end), f"  # codegen: was[{old}]")


def _end(stub: Stub, statement: ast.stmt) -> int:
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
