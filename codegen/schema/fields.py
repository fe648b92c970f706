"""Read fields, with their roles and options, and class constants.

u: donated[f32[nx]] = field(init="zeros")    ->    FieldDecl("u", role="donated", options=(...))
order: ClassVar[int] = 2                     ->    ConstantDecl("order", ...)
"""

from __future__ import annotations

from codegen.diagnostics import Code
from codegen.diagnostics.suggest import did_you_mean
from codegen.schema.nodes import ConstantDecl, FieldDecl, OptionDecl
from codegen.schema.renames import former_names
from codegen.schema.roles import decode_role, wrapped
from codegen.schema.scope import Scope, listed, shortened
from codegen.syntax import nodes as syntax

_OPTIONS = ("convert", "default", "factory", "init", "spec", "tag")
_HABITS = {
    "alias": "leave it out: the parameter is called as the field is",
    "converter": "did you mean `convert`?",
    "default_factory": "write `= {}` or `= []`, which are made anew for each object, or "
    '`field(factory="module:function")`',
    "kw_only": "it is an option of the class: `class Grid(kw_only=True)`",
    "pytree_node": "write the role: `static[...]` or `dynamic[...]`",
    "static": "write the role: `static[...]`",
    "validator": 'give the field a `convert="module:function"` that checks',
}


def is_constant(scope: Scope, statement: syntax.Assign) -> bool:
    """Whether a statement of a class's body declares a class constant."""
    annotation = statement.annotation
    head = annotation.value if isinstance(annotation, syntax.Subscript) else annotation
    if isinstance(head, syntax.Name) and head.id == "ClassVar" and scope.word(head) is None:
        scope.missing_import("ClassVar", head.span)
        return True
    return scope.kind(head) == "classvar"


def decode_constant(scope: Scope, statement: syntax.Assign) -> ConstantDecl | None:
    """Read `order: ClassVar[int] = 2`."""
    annotation = statement.annotation
    items = annotation.items if isinstance(annotation, syntax.Subscript) else ()
    if len(items) != 1 or statement.value is None:
        scope.add(
            Code.WRONG_TYPE_ARGUMENTS,
            annotation.span if annotation is not None else statement.name_span,
            f"the class constant `{statement.name}` lacks its type or its value",
            label="expected one type, and a value behind `=`",
            advice=f"write `{statement.name}: ClassVar[int] = 3`",
        )
        return None
    return ConstantDecl(
        statement.name, items[0], statement.value, statement.doc, statement.name_span
    )


def decode_field(scope: Scope, statement: syntax.Assign) -> FieldDecl | None:
    """Read a field; None where it has no role, which is reported."""
    if statement.annotation is None and _is_declaration(scope, statement):
        return None
    if statement.annotation is None:
        scope.add(
            Code.MISSING_ROLE,
            statement.name_span,
            f"the field `{statement.name}` has neither role nor type",
            label="static, dynamic or donated?",
            advice=_annotated(scope, statement.name, statement.value),
        )
        return None
    default, options = _default_and_options(scope, statement.value)
    role = decode_role(scope, statement.annotation, f"the field `{statement.name}`")
    if role is None:
        return None
    return FieldDecl(
        name=statement.name,
        role=role.role,
        type=role.type,
        default=default,
        options=options,
        doc=statement.doc,
        was=former_names(scope, statement),
        span=statement.name_span,
        role_span=role.span,
    )


def _is_declaration(scope: Scope, statement: syntax.Assign) -> bool:
    """Report `n = Dim()` in a class, which stands in the module."""
    call = statement.value
    if not isinstance(call, syntax.Call) or not isinstance(call.function, syntax.Name):
        return False
    head, kind = call.function, scope.kind(call.function)
    name = head.id
    if (kind or name) not in ("Dim", "typevar", "TypeVar") or (not kind and name in scope.declared):
        return False
    what = "dimension" if "Dim" in (kind, name) else "type parameter"
    if not kind and name not in scope.declared:
        scope.missing_import(name, head.span)
    scope.add(
        Code.MISSING_ROLE,
        statement.name_span,
        f"the {what} `{statement.name}` is declared in a class",
        label="a class has fields, and each of them a role",
        advice=f"move `{statement.name} = {shortened(scope, call)}` to the module, above the class",
    )
    return True


def _annotated(scope: Scope, name: str, value: syntax.Expr | None) -> str:
    """What to write for `x = 3`, and for `x = dynamic[f32]`."""
    head = value.value if isinstance(value, syntax.Subscript) else value
    if value is not None and scope.kind(head) == "role":
        return f"write `{name}: {shortened(scope, value)}`: the type of a field stands behind `:`"
    if value is not None and scope.kind(head) in ("dtype", "kind"):
        return f"its type stands behind `:`, in a role: {wrapped(scope, value)}"
    if value is None or isinstance(value, syntax.Call):
        return f"write `{name}: dynamic[T]`, with its role and type, before what it has now"
    text = shortened(scope, value)
    number = value.operand if isinstance(value, syntax.Unary) else value
    constant = number.value if isinstance(number, syntax.Constant) else None
    kind = "T" if constant in (None, ...) else type(constant).__name__
    kind = "T | None" if text == "None" else kind
    return (
        f"write `{name}: static[{kind}] = {text}`, with its role and type; "
        f"a class constant is `{name}: ClassVar[{kind}] = {text}`"
    )


def _default_and_options(
    scope: Scope, value: syntax.Expr | None
) -> tuple[syntax.Expr | None, tuple[OptionDecl, ...]]:
    """Take `= value` or `= field(default=value, ...)` apart."""
    if not isinstance(value, syntax.Call) or not _is_field(scope, value.function):
        return value, ()
    for extra in value.arguments:
        scope.add(
            Code.UNKNOWN_OPTION,
            extra.span,
            "`field` takes keyword arguments only",
            label="an argument without a name",
            advice="write `field(default=...)`",
        )
    default: syntax.Expr | None = None
    options: list[OptionDecl] = []
    for keyword in value.keywords:
        if keyword.name == "default":
            default = keyword.value
        elif keyword.name in _OPTIONS:
            options.append(OptionDecl(keyword.name, keyword.value, keyword.name_span))
        else:
            scope.add(
                Code.UNKNOWN_OPTION,
                keyword.name_span,
                f"`field` has no option `{keyword.name}`",
                label="unknown option",
                advice=_HABITS.get(keyword.name)
                or did_you_mean(keyword.name, _OPTIONS, f"options are {listed(_OPTIONS)}"),
            )
    return default, tuple(options)


def _is_field(scope: Scope, function: syntax.Expr) -> bool:
    """Whether a call is one of `field`, by whatever name; a forgotten import is reported."""
    if isinstance(function, syntax.Attribute) and function.name == "field":
        _refuse_field(scope, function)
        return True
    word = scope.word(function)
    if word is not None:
        return word.kind == "field" or (word.kind, word.name) == ("unknown", "field")
    is_named = isinstance(function, syntax.Name) and function.id == "field"
    if is_named and "field" not in scope.declared:
        scope.missing_import("field", function.span)
    return is_named


def _refuse_field(scope: Scope, function: syntax.Attribute) -> None:
    """Report `struct.field` and `eqx.field`, whose options are judged as those of the language's."""
    if scope.kind(function.value) == "unknown":
        return
    scope.add(
        Code.OUTSIDE_LANGUAGE,
        function.span,
        f"`{shortened(scope, function)}` is not part of the schema language",
        label="not a word of the language",
        advice="a default stands alone, `= 3`; what else a field needs has the language's own: "
        "`from codegen.schema import field`",
    )
