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
from collections.abc import Mapping

from msgspec import structs

from codegen.adopt.find.nodes import ClassRefusal, SourceClass, SourceField
from codegen.adopt.find.package import Decorator, PackageNames, SourceModule, parse_quoted
from codegen.adopt.find.reasons import refusal
from codegen.adopt.libraries import LIBRARIES, DeclaredField, PytreeLibrary, dict_items

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
_ROLE_OPTIONS = ("static", "pytree_node")
_NO_COMMENTS = ("noqa", "type:", "codegen:", "pylint:", "pytype:", "pyright:", "mypy:")


class FieldReader:
    """Reads the fields of classes of a package."""

    def __init__(self, modules: Mapping[str, SourceModule], names: PackageNames) -> None:
        self._names = names
        self._modules = modules
        self._comments: dict[str, dict[int, str]] = {}

    def fields(
        self,
        module: SourceModule,
        node: ast.ClassDef,
        library: PytreeLibrary,
        decorator: Decorator,
        *,
        is_keyword: bool,
    ) -> tuple[tuple[SourceField, ...], tuple[ClassRefusal, ...]]:
        """Return the fields that the body declares, and why the class cannot be adopted.

        `is_keyword` states whether fields are keyword-only if they do not declare it themselves.
        """
        fields: dict[str, SourceField] = {}
        refusals: list[ClassRefusal] = []
        for statement, after in zip(node.body, [*node.body[1:], None], strict=True):
            if not isinstance(statement, ast.AnnAssign) or not isinstance(
                statement.target, ast.Name
            ):
                continue
            annotation = _unquoted(statement.annotation)
            kind = self._names.resolve(module.name, annotation)
            is_keyword = is_keyword or kind == _KEYWORD_ONLY_MARKER
            if kind in _NO_FIELDS or kind == _KEYWORD_ONLY_MARKER:
                continue
            name = statement.target.id
            if kind == _INIT_ONLY:
                refusals.append(refusal("InitVar", statement.lineno, field=name))
                continue
            field = self._field(module, statement, annotation, after, library, decorator)
            option = literal_bool(field.options.get("kw_only"))
            fields[name] = structs.replace(
                field, is_keyword=is_keyword if option is None else option
            )
            refusals += _field_refusals(fields[name])
        return tuple(fields.values()), tuple(refusals)

    def _field(
        self,
        module: SourceModule,
        statement: ast.AnnAssign,
        annotation: ast.expr,
        after: ast.stmt | None,
        library: PytreeLibrary,
        decorator: Decorator,
    ) -> SourceField:
        assert isinstance(statement.target, ast.Name), "it was asked before"
        name = statement.target.id
        call = self._call(module, statement.value, library)
        declared = DeclaredField(
            name, annotation, self._names_of_annotation(module, annotation), call
        )
        options = dict(call.keywords) if call else {}
        default = statement.value if call is None else options.pop("default", None)
        factory = options.pop("default_factory", None)
        return SourceField(
            name=name,
            role="static" if library.is_static(declared, decorator) else "dynamic",
            annotation=annotation,
            line=statement.lineno,
            module=module.name,
            default=default,
            factory=factory,
            doc=self._doc(module, statement, after),
            comments_above=self._comments_above(module, statement.lineno),
            options=options,
        )

    def _call(
        self, module: SourceModule, value: ast.expr | None, library: PytreeLibrary
    ) -> Decorator | None:
        """Return the value of a field if it is a call of a field function."""
        if not isinstance(value, ast.Call):
            return None
        call = self._names.decorator(module.name, value)
        known = library.fields | _FIELD_FUNCTIONS
        if call.name in known:
            return call
        function = self._names.function(call.name)
        if function is None:
            return None
        # A package function that only calls one of these declares the same.
        where, definition = function
        body = [one for one in definition.body if not is_docstring(one)]
        inner = next(
            (
                found
                for node in ast.walk(definition)
                if isinstance(node, ast.Call)
                and (found := self._names.decorator(where, node)).name in known
            ),
            None,
        )
        if inner is None:
            return None
        is_plain = len(body) == 1 and isinstance(body[0], ast.Return)
        computed = {} if is_plain else {"metadata": ast.Name("computed")}
        return Decorator(inner.name, (), {**inner.keywords, **call.keywords, **computed})

    def _names_of_annotation(self, module: SourceModule, annotation: ast.expr) -> tuple[str, ...]:
        names = [self._names.resolve(module.name, annotation)]
        if isinstance(annotation, ast.Subscript):
            inner = annotation.slice
            parts = inner.elts if isinstance(inner, ast.Tuple) else [inner]
            names += [self._names.resolve(module.name, part) for part in parts]
        return tuple(names)

    def _doc(self, module: SourceModule, statement: ast.AnnAssign, after: ast.stmt | None) -> str:
        """Return the comment on the field's last line, or the string below it."""
        if (
            isinstance(after, ast.Expr)
            and isinstance(after.value, ast.Constant)
            and isinstance(after.value.value, str)
        ):
            return " ".join(after.value.value.split())
        comment = self._module_comments(module).get(statement.end_lineno or statement.lineno, "")
        return (
            "" if comment.lstrip("#: ").startswith(_NO_COMMENTS) else comment.lstrip("#: ").strip()
        )

    def _comments_above(self, module: SourceModule, line: int) -> tuple[str, ...]:
        """Return the comments on their own lines directly above this line."""
        above: list[str] = []
        comments, lines = self._module_comments(module), module.text.splitlines()
        while (line := line - 1) in comments and lines[line - 1].lstrip().startswith("#"):
            above.insert(0, comments[line])
        return tuple(above)

    def _module_comments(self, module: SourceModule) -> dict[int, str]:
        """Return the comments of a module, by line."""
        if module.name not in self._comments:
            self._comments[module.name] = _comments_by_line(module.text)
        return self._comments[module.name]


def literal_bool(option: ast.expr | None) -> bool | None:
    """Return the literal `True` or `False`; None for other expressions."""
    is_said = isinstance(option, ast.Constant) and isinstance(option.value, bool)
    return bool(option.value) if is_said and isinstance(option, ast.Constant) else None


def is_docstring(statement: ast.stmt) -> bool:
    """Return whether a statement is a constant, such as a docstring."""
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)


def _unquoted(annotation: ast.expr) -> ast.expr:
    """Return an annotation without quotes around it."""
    if isinstance(annotation, ast.Constant) and isinstance(annotation.value, str):
        parsed = parse_quoted(annotation.value)
        return parsed if parsed is not None else annotation
    return annotation


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
    init = field.options.get("init")
    if isinstance(init, ast.Constant) and init.value is False:
        return [refusal("init=False", field.line, field=field.name)]
    return []


def in_leaf_order(cls: SourceClass) -> list[SourceField]:
    """Return the class's own fields in the order of its leaves."""
    sorts = LIBRARIES[cls.library].sorts_leaves
    return sorted(cls.fields, key=lambda each: each.name) if sorts else [*cls.fields]
