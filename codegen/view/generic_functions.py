"""How type checkers see a function whose types depend on its arguments.

def identity(x: dynamic[T]) -> T    ->    class _codegen_type_identity(Function[..., Any]):
                                              def __call__(self, x: T) -> T: ...

`Function[P, R]` has one result for all calls: what a call of `identity` returns only a signature
can say.
"""

from __future__ import annotations

from codegen.program.nodes import Function
from codegen.program.rewrite import inside
from codegen.program.types import Type, TypeParameter
from codegen.view.annotations import Reading, annotation
from codegen.view.layout import Node, parenthesized, signature, subscript
from codegen.view.methods import parameter_lines, self_name
from codegen.view.names import Names
from codegen.view.nodes import FunctionTypeView

_INDENT = 8


def is_generic(node: Function) -> bool:
    """Whether a type parameter stands in a function's types."""
    return any(map(_has_parameter, (node.returns, *(p.type for p in node.parameters))))


def _has_parameter(type: Type) -> bool:
    return isinstance(type, TypeParameter) or any(map(_has_parameter, inside(type)))


def function_type(node: Function, names: Names) -> FunctionTypeView:
    """Write the class of one function, with the signature of each method that takes its arguments."""
    base = names.runtime("call.functions", "Function")
    any_name = names.use("typing", "Any")
    result = annotation(node.returns, Reading.DYNAMIC, names)
    lowered = f"{names.use('jax.stages', '')}.Lowered"
    donation = subscript(names.builtin("dict"), names.builtin("str"), names.builtin("bool"))
    methods: list[tuple[str, Node]] = [
        ("__call__", result),
        ("keep", result),
        ("eval_shape", result),
        ("lower", lowered),
        ("donation", donation),
    ]
    return FunctionTypeView(
        head=f"class {type_name(node)}({base}[..., {any_name}]):",
        doc=f'    """The type of `{node.name}`, whose result depends on its arguments."""',
        condition=f"    if {names.use('typing', 'TYPE_CHECKING')}:",
        methods=tuple(_method(name, node, returned, names) for name, returned in methods),
    )


def type_name(node: Function) -> str:
    """The name of the class."""
    return f"_codegen_type_{node.name}"


def _method(name: str, node: Function, returned: Node, names: Names) -> str:
    after = len(": ...")
    tail = f") -> {parenthesized(returned, _INDENT, _INDENT + 5, after)}: ..."
    self = self_name(parameter.name for parameter in node.parameters)
    return signature(f"def {name}(", [self, *parameter_lines(node, names, 12)], tail, _INDENT)
