"""Jitted functions: how their arguments are bound, what they call, and the object that users call.

def step(plate: donated[Plate], n: static[int] = 1) -> Plate    ->    _codegen_bind_step, _codegen_impl_step, step
"""

from __future__ import annotations

from codegen.program import types
from codegen.program.nodes import Function, Parameter
from codegen.program.rewrite import inside
from codegen.program.types import Type
from codegen.view.annotations import Reading, annotation
from codegen.view.docs import function_doc
from codegen.view.dynamics import DynamicWriter, is_leaf
from codegen.view.generic_functions import function_type, is_generic, type_name
from codegen.view.layout import (
    WIDTH,
    Bracket,
    Node,
    call,
    fit,
    flat,
    signature,
    statement,
    tuple_of,
)
from codegen.view.literals import docstring, py_str
from codegen.view.methods import (
    call_lines,
    implementation,
    import_line,
    parameter_lines,
    result_tail,
)
from codegen.view.names import Names, late_imports, local
from codegen.view.nodes import FunctionTypeView, FunctionView, LinesView
from codegen.view.statics import Converter, StaticWriter

_READINGS = {
    "static": Reading.STATIC,
    "dynamic": Reading.DYNAMIC,
    "donated": Reading.DYNAMIC,
}


def function_views(
    node: Function, names: Names
) -> list[LinesView | FunctionTypeView | FunctionView]:
    """Write one function of a module, behind the converters of its arguments and its type."""
    taken = frozenset(p.name for p in node.parameters)
    donated, kept = local("donated", taken), local("kept", taken)
    converters: list[Converter] = []
    statements, key = _bind(node, names, converters, donated, kept)
    inner = [_impl_parameter(p, names) for p in node.parameters]
    head = f"def _codegen_impl_{node.name}("
    key_text = statement(f"{local('key', taken)} = ", tuple_of(*key), 4)
    arguments = tuple_of(*(p.name for p in node.parameters))
    result = Bracket("", (local("key", taken), donated, kept, arguments), "")
    view = FunctionView(
        name=node.name,
        bind=signature(
            f"def _codegen_bind_{node.name}(",
            parameter_lines(node, names, 4),
            f") -> {names.runtime('call.functions', 'Bound')}:",
            0,
        ),
        doc=docstring(function_doc(node), 4),
        donated=donated,
        kept=kept,
        list_name=names.builtin("list"),
        any_name=names.use("typing", "Any"),
        statements=tuple(statements),
        key=key_text,
        arguments=_result(result),
        impl=signature(
            head,
            inner,
            result_tail(node.returns, names, 0, Reading.DYNAMIC, "" if inner else head),
            0,
        ),
        imports=_imports(node, names),
        call=_call(node, names, converters),
        object=_object(node, names),
    )
    return [
        *([LinesView(tuple(c.text for c in converters))] if converters else []),
        *([function_type(node, names)] if is_generic(node) else []),
        view,
    ]


def _result(result: Bracket) -> str:
    """Write the tuple that binding returns, bare where it fits."""
    bare = f"    return {', '.join(flat(i) for i in result.items)}"
    return bare if len(bare) <= WIDTH else statement("return ", Bracket("(", result.items, ")"), 4)


def _impl_parameter(parameter: Parameter, names: Names) -> str:
    assert parameter.role is not None
    prefix = f"{parameter.name}: "
    held = annotation(parameter.type, _READINGS[parameter.role], names)
    return prefix + fit(held, 4, 4 + len(prefix), 1)


def _imports(node: Function, names: Names) -> tuple[str, ...]:
    """Import what runs, behind the classes of its result that the module could not import."""
    taken = frozenset(p.name for p in node.parameters)
    late = [line for line in late_imports([node.returns], names, 4) if line]
    return (*late, import_line(node.impl, taken, 4))


def _call(node: Function, names: Names, converters: list[Converter]) -> tuple[str, ...]:
    """Call what runs, and hold its result to the declared type."""
    taken = frozenset(p.name for p in node.parameters)
    owner = py_str(node.name)
    if isinstance(node.returns, types.NoneType):
        # For mypy such a call has no result that could be looked at here.
        given = [owner, implementation(node, taken), *(p.name for p in node.parameters)]
        return (statement("", call(names.runtime("classes.arrays", "returns_none"), *given), 4),)
    called = call_lines(node, names, taken, [], 4, Reading.DYNAMIC)
    writer = DynamicWriter(names, owner, node.name, "result", converters, 4, path="return")
    return (*called[:-1], *writer.convert(local("result", taken), node.returns), called[-1])


def _bind(
    node: Function, names: Names, converters: list[Converter], donated: str, kept: str
) -> tuple[list[str], list[Node]]:
    """Return the statements that convert and split the arguments, and the parts of the key."""
    taken = frozenset(p.name for p in node.parameters)
    owner = py_str(node.name)
    statics = StaticWriter(names, owner, node.name, taken, converters, typed=True)
    dynamics = DynamicWriter(names, owner, node.name, "argument", converters, 4)
    lines = late_imports([p.type for p in node.parameters], names, 4)
    key: list[Node] = []
    for parameter in node.parameters:
        name = parameter.name
        if parameter.role == "static":
            value = statics.normalise(name, parameter.type)
            lines += value.lines
            key.append(value.tag)
            continue
        lines += dynamics.convert(name, parameter.type)
        target = donated if parameter.role == "donated" else kept
        if is_leaf(parameter.type):
            lines.append(statement("", call(f"{target}.append", name), 4))
        else:
            structure = local(f"{name}_structure", taken)
            if isinstance(parameter.type, types.ClassType):
                # Its class is known, so that nothing has to be looked for.
                split = f"{name}.__codegen_record__.split"
            else:
                split = names.runtime("classes.split", "split")
            lines.append(statement(f"{structure} = ", call(split, name, target, kept), 4))
            key.append(structure)
    return lines, key


def _object(node: Function, names: Names) -> str:
    """Write the statement that makes what users call."""
    final = names.use("typing", "Final")
    items: list[Node] = [
        f"_codegen_bind_{node.name}",
        f"_codegen_impl_{node.name}",
        f"name={py_str(node.name)}",
        f"runs={py_str(f'{node.impl.module}:{node.impl.attribute}')}",
    ]
    named = {
        "donated": [p for p in node.parameters if p.role == "donated"],
        "static": [p for p in node.parameters if p.role == "static"],
        "weak": [p for p in node.parameters if p.role != "static" and _may_be_weak(p.type)],
    }
    for option, parameters in named.items():
        if parameters:
            quoted = tuple(py_str(p.name) for p in parameters)
            items.append(Bracket(f"{option}=[", quoted, "]"))
    if node.impl.keep_unused:
        items.append("keep_unused=True")
    lines = [f"    {fit(i, 4, 4, 1)}," for i in items]
    made = type_name(node) if is_generic(node) else names.runtime("call.functions", "Function")
    head = f"{node.name}: {final} = {made}("
    return "\n".join([head, *lines, ")"])


def _may_be_weak(type: Type) -> bool:
    """Whether a value holds leaves of which nothing says that they are arrays."""
    match type:
        case types.Array() | types.ClassType() | types.NoneType():
            return False
        case types.Sequence() | types.Mapping() | types.FixedTuple() | types.Union():
            return any(map(_may_be_weak, inside(type)))
        case _:
            return True
