"""Rewrite a source: replace class definitions by imports, and keep methods in mixins.

    @struct.dataclass                      class _PlateMethods:
    class Plate:                               __slots__ = ()
        u: jax.Array
                                     ->        def energy(self): ...
        def energy(self): ...

                                           from heat._generated.plate import Plate

libcst keeps every comment, except those of fields, which are now in the schema.

Linters find nothing new: imports that only the removed classes needed go, or have a comment if they
stay. The import of the generated classes gets the comments that it needs: `noqa: E402` below other
code, `F401` if the module does not use a class, and `isort: split` directly below other imports.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator, Mapping, Sequence
from itertools import dropwhile, pairwise, takewhile

import libcst as cst
from libcst.helpers import get_full_name_for_node
from libcst.metadata import MetadataWrapper, PositionProvider
from msgspec import structs

from codegen.adopt.decide.imports import ALL, is_code
from codegen.adopt.decide.nodes import INDENT
from codegen.adopt.decide.rewrites import NOQA, Rewrite
from codegen.adopt.remains import (
    BLANK,
    is_docstring,
    make_mixin,
    make_virtual,
    names_read,
    python_name,
    quoted,
    undecorated,
)
from codegen.source import parse_python

_Statement = cst.BaseStatement | cst.BaseSmallStatement
_SPLIT = (BLANK, cst.EmptyLine(indent=False, comment=cst.Comment("# isort: split")))
_NOQA_UNUSED = "  # noqa: F401, RUF100"  # ruff accepts it in projects that do not check F401, too


def rewrite_source(data: bytes, change: Rewrite) -> bytes:
    """Return the source without these classes."""
    taken = {one.name: one for one in change.classes}
    wrapper = MetadataWrapper(cst.parse_module(data))
    positions = wrapper.resolve(PositionProvider)
    module = wrapper.module
    indented = change.statement.replace(INDENT, module.default_indent)
    change = structs.replace(change, statement=indented)
    texts = (*change.functions, change.statement, *change.values) if change.statement else ()
    added = [cst.parse_statement(text) for text in texts]
    ends = [positions[one].end.line for one in module.body]
    at = len(change.functions)
    sorted_body = _add_to_imports(module.body, ends, change, added[at]) if added else None
    if sorted_body is not None:
        del added[at]
    body: list[_Statement] = []
    waiting: list[cst.EmptyLine] = []
    is_placed, is_sorted = not added, sorted_body is not None
    for statement in sorted_body or module.body:
        if statement not in positions:  # it is new, or has other lines above it
            body.append(statement)
            continue
        is_taken = isinstance(statement, cst.ClassDef) and python_name(statement.name) in taken
        place = positions[statement]
        if is_taken and not change.after_line and not is_placed:
            body += _with_blank_lines(added)
            is_placed = True
        new: _Statement | None = statement
        if isinstance(statement, cst.SimpleStatementLine) and place.start.line in change.removed:
            new = None
        elif isinstance(statement, cst.ClassDef) and python_name(statement.name) in change.plain:
            new = undecorated(statement, change.plain[python_name(statement.name)])
        elif isinstance(statement, cst.ClassDef) and python_name(statement.name) in change.virtual:
            new = make_virtual(statement, change.virtual[python_name(statement.name)])
        elif is_taken and isinstance(statement, cst.ClassDef):
            new = make_mixin(statement, taken[python_name(statement.name)])
            if new is None:
                has_comment = any(line.comment is not None for line in statement.leading_lines)
                waiting += statement.leading_lines if has_comment else ()
        if new is not None:
            body.append(_with_leading_lines(new, waiting))
            waiting = []
        if change.after_line and not is_placed and place.end.line >= change.after_line:
            if change.quoted:
                body = [*quoted(body, taken, with_fields=change.quoted == ALL)]
            body += _with_blank_lines(added)
            is_placed = True
    if change.needs_abc:
        body = _import_abc(body)
    footer = [*waiting, *module.footer]
    rewritten = module.with_changes(body=_adjust_gaps(body, module), footer=footer)
    return finish_imports(module, rewritten, change, is_sorted=is_sorted)


def _add_to_imports(
    body: Sequence[_Statement], ends: Sequence[int], change: Rewrite, statement: _Statement
) -> list[_Statement] | None:
    """Return the statements with the import among those at the top; None if it cannot be there.

    It follows the order of isort among the imports from the same package, or else it is below all
    others except relative ones.
    """
    imports = dict(_iter_top_imports(body))
    bound = {name for at in imports for name in _bound_names(body[at])}
    if not (change.is_first and imports) or bound & {"*", *(one.name for one in change.classes)}:
        return None
    own = change.statement.split()[1]
    same = [at for at, name in imports.items() if name.partition(".")[0] == own.partition(".")[0]]
    later = [at for at in same if imports[at].lower() > own.lower()]
    relative = [at for at, name in imports.items() if not name.strip(".")]
    index = later[0] if later else same[-1] + 1 if same else (relative or [max(imports) + 1])[0]
    if change.after_line and change.after_line not in ends[:index]:
        return None
    rest = [*body[index:]]
    lines = [] if same else [BLANK]
    if later:  # the blank lines above a group stay above it
        above = [*getattr(rest[0], "leading_lines", ())]
        lines = [*takewhile(lambda line: line.comment is None, above)]
        rest[0] = rest[0].with_changes(leading_lines=above[len(lines) :])
    return [*body[:index], _with_leading_lines(statement, lines), *rest]


def _adjust_gaps(body: Sequence[_Statement], module: cst.Module) -> list[_Statement]:
    """Return the statements with the blank lines of isort between imports and new code below them.

    There are two above a class or function, and one above other statements, and above comments that
    are apart from the class or function.
    """
    known = {*pairwise(module.body)}
    adjusted = [*body[:1]]
    for last, following in pairwise(body):
        is_below_import = bool(_bound_names(last)) and not _bound_names(following)
        is_new = is_below_import and (last, following) not in known
        adjusted.append(_with_gap(following) if is_new else following)
    return adjusted


def _with_gap(statement: _Statement) -> _Statement:
    lines = getattr(statement, "leading_lines", ())
    below = [*dropwhile(lambda line: line.comment is None, lines)]
    is_apart = any(line.comment is None for line in below)
    is_definition = isinstance(statement, cst.ClassDef | cst.FunctionDef) and not is_apart
    gap = [BLANK, BLANK] if is_definition else [BLANK]
    return statement.with_changes(leading_lines=[*gap, *below])


def _iter_top_imports(body: Sequence[_Statement]) -> Iterator[tuple[int, str]]:
    """Yield the imports at the top of a file: the index, and the module of `from ... import`.

    An `if` that contains only imports can be among them.
    """
    for index, statement in enumerate(body):
        match statement:
            case cst.SimpleStatementLine(body=[cst.ImportFrom(module=module, relative=dots)]):
                name = get_full_name_for_node(module) if module is not None and not dots else ""
                yield index, name or "."
            case cst.SimpleStatementLine(body=[cst.Import()]):
                yield index, "import"
            case cst.If() if all(map(_bound_names, _branches(statement))):
                continue
            case _ if index or not is_docstring(statement):
                return


def _with_blank_lines(statements: Sequence[_Statement]) -> list[_Statement]:
    return [_with_leading_lines(one, [BLANK, BLANK]) for one in statements]


def _with_leading_lines(statement: _Statement, lines: Sequence[cst.EmptyLine]) -> _Statement:
    """Return a statement with extra lines above its own."""
    if not lines:
        return statement
    own = getattr(statement, "leading_lines", ())
    return statement.with_changes(leading_lines=[*lines, *own])


def _import_abc(body: list[_Statement]) -> list[_Statement]:
    """Return the statements with `import abc` as the first import."""
    at = min(dict(_iter_top_imports(body)), default=1 if body and is_docstring(body[0]) else 0)
    lines = getattr(body[at], "leading_lines", ())
    new = cst.parse_statement("import abc\n").with_changes(leading_lines=lines)
    return [*body[:at], new, body[at].with_changes(leading_lines=[]), *body[at + 1 :]]


def finish_imports(old: cst.Module, new: cst.Module, change: Rewrite, *, is_sorted: bool) -> bytes:
    """Return the new source with finished imports."""
    before = set(names_read(parse_python(old.code))) - {one.name for one in change.classes}
    exported = before if "*" in change.exported else change.exported
    kept = {**change.first, **dict.fromkeys(exported, True)}
    removed: set[str] = set()
    while unused := before.difference(removed, names_read(parse_python(new.code))):
        new = _remove_imports(new, unused, kept)
        removed |= unused  # a removed `if` may have been the last use of other names
    return _comment_import(new.code, change, is_sorted=is_sorted).encode(new.encoding)


def _comment_import(code: str, change: Rewrite, *, is_sorted: bool) -> str:
    """Replace the comment on the import of the generated classes."""
    start = code.find(change.statement.rstrip()) if change.statement else -1
    if start < 0:
        return code
    tree = parse_python(code)
    line = code.count("\n", 0, start) + 1
    above = [one for one in tree.body if one.lineno < line]
    names = {one.name for one in change.classes}
    read = {one.id for one in ast.walk(tree) if isinstance(one, ast.Name)}
    codes = ["E402"] * any(map(is_code, above)) + ["F401"] * bool(names - read)
    # With RUF100, ruff accepts a rule that it does not check in this project, or that holds.
    comment = f"  # noqa: {', '.join(codes)}, RUF100" if codes else ""
    before, rest = code[:start], code[start + len(change.statement.rstrip()) :]
    # Without another import of the package, only the settings of isort tell its section.
    package = change.statement.split()[1].partition(".")[0]
    sources = [one.module or "" for one in tree.body if isinstance(one, ast.ImportFrom)]
    is_only = [source.partition(".")[0] for source in sources].count(package) == 1
    is_below_import = bool(above) and isinstance(above[-1], ast.Import | ast.ImportFrom)
    if is_below_import and (is_only or not is_sorted):
        before = f"{before.rstrip()}\n\n# isort: split\n"
    return f"{before}{change.statement.rstrip().replace(NOQA, comment)}{rest}"


def _remove_imports(new: cst.Module, unused: set[str], kept: Mapping[str, bool]) -> cst.Module:
    body: list[_Statement] = []
    waiting: list[cst.EmptyLine] = []  # above removed imports
    was_block = False
    for statement in new.body:
        left = _without_imports(statement, unused, kept)
        lines: list[cst.EmptyLine] = [*getattr(statement, "leading_lines", ())]
        if left is None:
            was_block |= isinstance(statement, cst.If)
            has_comment = any(one.comment is not None for one in lines)
            waiting = [*waiting, *lines] if has_comment else waiting or lines
            continue
        if waiting and (not lines or any(one.comment is not None for one in waiting)):
            lines = [*waiting, *lines]
        is_below_import = was_block and bool(body) and bool(_bound_names(body[-1]))
        if is_below_import and _import_order(body[-1]) > _import_order(left):
            # isort sorted the imports above and below the `if`, each for themselves.
            lines = [*_SPLIT, *dropwhile(lambda line: line.comment is None, lines)]
        waiting, was_block = [], False
        body.append(left.with_changes(leading_lines=lines) if lines else left)
    footer = [*(one for one in waiting if one.comment is not None), *new.footer]
    return new.with_changes(body=body, footer=footer)


def _import_order(statement: _Statement) -> tuple[bool, bool, str]:
    """Return what orders an import; relative ones and all other statements are last."""
    match statement:
        case cst.SimpleStatementLine(body=[cst.Import(names=[first, *_])]):
            name, is_from = first.evaluated_name, False
        case cst.SimpleStatementLine(body=[cst.ImportFrom(module=module, relative=[])]):
            name, is_from = get_full_name_for_node(module or "") or "", True
        case _:
            return True, True, "~"
    return name.partition(".")[0] not in sys.stdlib_module_names, is_from, name.lower()


def _without_imports(
    statement: _Statement, unused: set[str], kept: Mapping[str, bool]
) -> _Statement | None:
    """Return a statement without imports of these names; None if nothing is left.

    Unused names of `kept` stay, with a comment for linters: all that are True there, and the others
    if nothing else is left.
    """
    match statement:
        case cst.If():
            has_more = any(_without_imports(one, unused, kept) for one in _branches(statement))
            return statement if has_more else None
        case cst.SimpleStatementLine(body=[cst.Import() | cst.ImportFrom() as imported]):
            pass
        case _:
            return statement
    if isinstance(imported.names, cst.ImportStar) or "noqa" in _code_of(statement):
        return statement
    by_name = [(_bound_name(one), one) for one in imported.names]
    if all(name not in unused for name, _ in by_name):
        return statement
    left = [one for name, one in by_name if name not in unused or kept.get(name)]
    left = left or [one for name, one in by_name if name in kept]
    if not left:
        return None
    left[-1] = left[-1].with_changes(comma=imported.names[-1].comma)
    statement = statement.with_changes(body=[imported.with_changes(names=left)])
    is_read = unused.isdisjoint(map(_bound_name, left))
    return statement if is_read else _comment_unused(statement)


def _comment_unused(statement: cst.SimpleStatementLine) -> _Statement:
    """Return an import whose first line tells linters that its unused names stay."""
    first, end, rest = _code_of(statement).partition("\n")
    new = cst.parse_statement(f"{first}{_NOQA_UNUSED}{end}{rest}")
    return new.with_changes(leading_lines=statement.leading_lines)


def _code_of(statement: cst.SimpleStatementLine) -> str:
    return cst.Module([]).code_for_node(statement.with_changes(leading_lines=[]))


def _branches(statement: cst.If) -> Iterator[_Statement]:
    """Yield the statements in all branches of an `if`."""
    yield from statement.body.body
    match statement.orelse:
        case cst.If() as other:
            yield from _branches(other)
        case cst.Else(body=body):
            yield from body.body


def _bound_names(statement: _Statement) -> list[str]:
    """Return the names that an import binds; `*` if it binds all of a module."""
    match statement:
        case cst.SimpleStatementLine(body=[cst.Import(names=aliases)]):
            return [*map(_bound_name, aliases)]
        case cst.SimpleStatementLine(body=[cst.ImportFrom(names=names)]):
            return ["*"] if isinstance(names, cst.ImportStar) else [*map(_bound_name, names)]
        case _:
            return []


def _bound_name(alias: cst.ImportAlias) -> str:
    return (alias.evaluated_alias or alias.evaluated_name).partition(".")[0]
