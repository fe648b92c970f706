"""Read the fields of a class, and find features that no schema can declare.

u: jax.Array  # temperature [K]
n: int = struct.field(pytree_node=False, default=3)

->    SourceField("u", "dynamic", <jax.Array>, doc="temperature [K]"),
      SourceField("n", "static", <int>, default=<3>)
"""

from __future__ import annotations

import ast
import io
import tokenize
from collections.abc import Collection
from functools import cache

from codegen.adopt.find.names import Decorator, PackageNames
from codegen.adopt.find.nodes import ClassRefusal, SourceField
from codegen.adopt.find.package import SourceModule, parse_quoted
from codegen.adopt.find.reasons import refusal
from codegen.adopt.libraries import PytreeLibrary, dict_items

ABSTRACT = tuple(
    f"equinox.{module}{name}"
    for module in ("", "_better_abstract.")
    for name in ("AbstractVar", "AbstractClassVar")
)
"""The annotations of what a subclass has to have; no fields."""
_NO_FIELDS = ("typing.ClassVar", "typing_extensions.ClassVar", *ABSTRACT)
_KEYWORD_ONLY_MARKER = "dataclasses.KW_ONLY"
_INIT_ONLY = "dataclasses.InitVar"
_FIELD_FUNCTIONS = frozenset(("dataclasses.field", "jax.tree.static", "jax.tree_util.static"))
_CONTAINERS = tuple(
    f"{module}.{name}"
    for module, names in (
        ("builtins", "tuple list dict set"),
        ("typing", "Tuple List Dict Set Union Optional"),
    )
    for name in names.split()
)
_DEPTH_MAX = 10
_ROLE_OPTIONS = ("static", "pytree_node")
_NO_COMMENTS = ("noqa", "type:", "codegen:", "pylint:", "pytype:", "pyright:", "mypy:")


class FieldReader:
    """Reads the fields of one class; `decorator` is the decorator or base of its library."""

    def __init__(
        self,
        names: PackageNames,
        module: SourceModule,
        library: PytreeLibrary,
        decorator: Decorator,
    ) -> None:
        self._names = names
        self._module = module
        self._library = library
        self._decorator = decorator
        self._comments = _comments_by_line(module.text)

    def fields(
        self, node: ast.ClassDef, *, is_keyword: bool
    ) -> tuple[tuple[SourceField, ...], tuple[ClassRefusal, ...]]:
        """Return the fields that the body declares, and why the class cannot be adopted.

        `is_keyword` states whether fields are keyword-only if they do not declare it themselves.
        """
        fields: dict[str, SourceField] = {}
        refusals: list[ClassRefusal] = []
        for statement, after in zip(node.body, [*node.body[1:], None], strict=True):
            match statement:
                case ast.AnnAssign(target=ast.Name(id=name)):
                    annotation = _unquoted(statement.annotation)
                case _:
                    continue
            kind = self._names.resolve(self._module.name, annotation)
            is_keyword = is_keyword or kind == _KEYWORD_ONLY_MARKER
            if kind == _INIT_ONLY:
                refusals.append(refusal("InitVar", statement.lineno, field=name))
            elif kind not in (*_NO_FIELDS, _KEYWORD_ONLY_MARKER):
                fields[name] = self._field(name, statement, annotation, kind, after, is_keyword)
                refusals += _field_refusals(fields[name])
        return tuple(fields.values()), tuple(refusals)

    def _field(
        self,
        name: str,
        statement: ast.AnnAssign,
        annotation: ast.expr,
        kind: str,
        after: ast.stmt | None,
        is_keyword: bool,
    ) -> SourceField:
        call = self._call(statement.value)
        options = dict(call.keywords) if call else {}
        default = statement.value if call is None else options.pop("default", None)
        is_static = self._library.is_static(name, kind, call, self._decorator)
        if self._library.has_roles_by_types:
            is_static = not self._has_arrays(self._module.name, statement.annotation)
        option = literal_bool(options.get("kw_only"))
        return SourceField(
            name=name,
            role="static" if is_static else "dynamic",
            annotation=annotation,
            line=statement.lineno,
            module=self._module.name,
            default=default,
            factory=options.pop("default_factory", None),
            doc=self._doc(statement, after),
            comments_above=self._comments_above(statement.lineno),
            options=options,
            is_keyword=is_keyword if option is None else option,
        )

    def _call(self, value: ast.expr | None) -> Decorator | None:
        """Return the value of a field if it is a call of a field function."""
        if not isinstance(value, ast.Call):
            return None
        call = self._names.decorator(self._module.name, value)
        known = self._library.fields | _FIELD_FUNCTIONS
        inner = self._inner_call(call.name, known)
        return Decorator(inner.name, (), {**inner.keywords, **call.keywords}) if inner else None

    def _inner_call(self, name: str, known: Collection[str], depth: int = 0) -> Decorator | None:
        """Return the field function with a name, or that the package function with this name calls.

        The role is unknown if the function computes it and does not take it as a parameter.
        """
        if name in known:
            return Decorator(name)
        function = self._names.function(name)
        if function is None or depth > _DEPTH_MAX:
            return None
        where, definition = function
        nodes = (one for one in ast.walk(definition) if isinstance(one, ast.Call))
        for called in (self._names.decorator(where, one) for one in nodes):
            inner = self._inner_call(called.name, known, depth + 1)
            if inner is None:
                continue
            if self._library.static_option[0] in {one.arg for one in definition.args.kwonlyargs}:
                return Decorator(inner.name)
            body = [one for one in definition.body if not is_docstring(one)]
            is_plain = len(body) == 1 and isinstance(body[0], ast.Return)
            computed = {} if is_plain else {"metadata": ast.Name("computed")}
            return Decorator(inner.name, (), {**inner.keywords, **called.keywords, **computed})
        return None

    def _has_arrays(self, module: str, annotation: ast.expr, depth: int = 0) -> bool:
        """Return whether mjx finds `jax.Array` in an annotation: not in quotes, nor in `A | B`."""
        is_text = "annotations" in self._names.defined(module)  # imported from `__future__`
        if is_text or depth > _DEPTH_MAX or isinstance(annotation, ast.Constant):
            return False
        name = self._names.resolve(module, annotation)
        if isinstance(annotation, ast.Subscript):
            inner = annotation.slice
            parts = inner.elts if isinstance(inner, ast.Tuple) else [inner]
            is_container = name in _CONTAINERS
            return is_container and any(self._has_arrays(module, one, depth) for one in parts)
        if name not in self._names.definitions:
            return name in ("jax.Array", "jax._src.basearray.Array")
        home, node = self._names.definitions[name]
        fields = (one.annotation for one in node.body if isinstance(one, ast.AnnAssign))
        return any(self._has_arrays(home.name, field, depth + 1) for field in fields)

    def _doc(self, statement: ast.AnnAssign, after: ast.stmt | None) -> str:
        """Return the comment on the field's last line, or the string below it."""
        match after:
            case ast.Expr(value=ast.Constant(value=str() as below)):
                return " ".join(below.split())
        comment = self._comments.get(statement.end_lineno or statement.lineno, "")
        text = comment.lstrip("#: ").strip()
        return "" if text.startswith(_NO_COMMENTS) else text

    def _comments_above(self, line: int) -> tuple[str, ...]:
        """Return the comments on their own lines directly above this line."""
        above: list[str] = []
        lines = self._module.text.splitlines()
        while (line := line - 1) in self._comments and lines[line - 1].lstrip().startswith("#"):
            above.insert(0, self._comments[line])
        return tuple(above)


def literal_bool(option: ast.expr | None) -> bool | None:
    """Return the literal `True` or `False`; None for other expressions."""
    match option:
        case ast.Constant(value=bool() as value):
            return value
        case _:
            return None


def is_docstring(statement: ast.stmt) -> bool:
    """Return whether a statement is a constant, such as a docstring."""
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)


def _unquoted(annotation: ast.expr) -> ast.expr:
    """Return an annotation without quotes around it."""
    if isinstance(annotation, ast.Constant) and isinstance(annotation.value, str):
        parsed = parse_quoted(annotation.value)
        return parsed if parsed is not None else annotation
    return annotation


@cache
def _comments_by_line(text: str) -> dict[int, str]:
    comments: dict[int, str] = {}
    try:
        for token in tokenize.generate_tokens(io.StringIO(text).readline):
            if token.type == tokenize.COMMENT:
                comments[token.start[0]] = token.string
    except (tokenize.TokenError, SyntaxError, IndentationError):
        return comments
    return comments


def _field_refusals(field: SourceField) -> list[ClassRefusal]:
    """Return the reasons why no schema can declare a field."""
    metadata = dict_items(field.options.get("metadata"))
    options = [field.options.get(name, (metadata or {}).get(name)) for name in _ROLE_OPTIONS]
    if metadata is None or not all(one is None or isinstance(one, ast.Constant) for one in options):
        return [refusal("computed roles", field.line, field=field.name)]
    if literal_bool(field.options.get("init")) is False:
        return [refusal("init=False", field.line, field=field.name)]
    return []
