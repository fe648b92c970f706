"""Generate functions and methods that run a user's function.

def step(plate: donated[Plate], n: static[int] = 1) -> Plate    ->    _codegen_call_step, _codegen_run_step, step
def heat_content(self) -> f32                                   ->    MethodView("heat_content", ...)

A jitted function has three parts: one converts its arguments and calls a program, one is traced, and
one is the object that users call. It calls the first one.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator

from codegen.check.contents import ObjectContents
from codegen.emit.annotations import (
    AnnotationStyle,
    annotation,
    has_parameter,
    shape_text,
    stacks_doc,
)
from codegen.emit.conversions import Conversions, is_leaf
from codegen.emit.expressions import (
    assignment,
    call,
    dict_of,
    doc_lines,
    docstring,
    expression,
    list_of,
    py_str,
    py_value,
    subscript,
    tuple_of,
)
from codegen.emit.names import ModuleNames, late_imports, local_variable
from codegen.emit.view import (
    FunctionTypeView,
    FunctionView,
    ImportView,
    LinesView,
    MethodView,
    Statement,
)
from codegen.program import types
from codegen.program.nodes import Function, Parameter, Value
from codegen.schema.nodes import ImplDecl


def function_views(
    node: Function, names: ModuleNames, contents: ObjectContents, *, checks: bool
) -> list[LinesView | FunctionTypeView | FunctionView]:
    """Return the views of one function of a module, after the types of its arguments and its own type.

    Args:
        node: the function
        names: those of its module
        contents: the classes that its types name
        checks: whether a function checks dtypes and shapes if it has no option for that
    """
    taken = frozenset(p.name for p in node.parameters)
    donated, kept = local_variable("donated", taken), local_variable("kept", taken)
    conversions = Conversions(names, contents, py_str(node.name), taken, node.name)
    steps, key = _split_arguments(node, conversions, donated, kept)
    receiver = self_name(taken)
    donates = any(p.role == "donated" for p in node.parameters)
    lines = doc_lines(node.doc)
    summary = [*itertools.takewhile(str.strip, lines)]
    view = FunctionView(
        name=node.name,
        receiver=receiver,
        error=local_variable("error", taken),
        parameters=(f"{receiver}: {names.use('typing', 'Any')}", *parameters_of(node, names)),
        doc=docstring([*(lines or [f"{node.name}."]), *stacks_doc(node)], 4),
        summary=docstring(summary, 0) if summary else "",
        lists=(donated, kept) if donates else (kept,),
        donated=donated if donates else "[]",
        kept=kept,
        imports=late_imports((p.type for p in node.parameters), names),
        steps=tuple(steps),
        key=key[0] if len(key) == 1 else tuple_of(*key),
        arguments=tuple_of(*(p.name for p in node.parameters)),
        inner=tuple(_traced_parameter(p, names) for p in node.parameters),
        returns=annotation(node.returns, AnnotationStyle.DYNAMIC, names),
        source=source_of(node.impl, taken),
        call=_call(node, taken),
        constructor=_type_name(node) if _is_generic(node) else "_rt.Function",
        has_result=not isinstance(node.returns, types.NoneType),
        options=tuple(_options(node, conversions, checks=checks)),
    )
    final = names.use("typing", "Final")
    constants = [
        assignment(conversions.constant(n), final, one) for n, one in conversions.constants.items()
    ]
    return [
        *([LinesView(tuple(constants))] if constants else []),
        *([_function_type(node, names)] if _is_generic(node) else []),
        view,
    ]


def _jit_options(impl: ImplDecl) -> Iterator[tuple[str, str]]:
    """Yield the options of `jax.jit`."""
    if impl.keep_unused:
        yield py_str("keep_unused"), "True"
    if impl.inline:
        yield py_str("inline"), "True"
    if impl.compiler_options:
        items = [(py_str(name), py_value(value)) for name, value in impl.compiler_options]
        yield py_str("compiler_options"), dict_of(items)


def _traced_parameter(parameter: Parameter, names: ModuleNames) -> str:
    reading = AnnotationStyle.STATIC if parameter.role == "static" else AnnotationStyle.DYNAMIC
    type, text = parameter.type, annotation(parameter.type, reading, names)
    if isinstance(type, types.ClassType) and type.stacked:
        # For traces: nothing else at run time identifies its first axes.
        axes = py_str(f"stacked: {shape_text(type.stacked)}")
        text = subscript(names.use("typing", "Annotated"), text, axes)
    return f"{parameter.name}: {text}"


def _call(node: Function, taken: frozenset[str]) -> str:
    """Return the call of the implementation. If it should return nothing, check that."""
    function, arguments = implementation(node, taken), _keywords(node)
    if isinstance(node.returns, types.NoneType):
        # For mypy, such a call has no result that could be checked here.
        return call("_rt.returns_none", py_str(node.name), function, *arguments)
    return call(function, *arguments)


def _keywords(node: Function) -> list[str]:
    """Return the arguments of the implementation, by keyword: "plate=plate"."""
    return [f"{p.name}={p.name}" for p in node.parameters]


def _split_arguments(
    node: Function, conversions: Conversions, donated: str, kept: str
) -> tuple[list[Statement], list[str]]:
    """Return the steps that convert and split the arguments, and the parts of the key."""
    steps: list[Statement | None] = []
    key: list[str] = []
    for parameter in node.parameters:
        name = parameter.name
        if parameter.role == "static":
            value = conversions.static(name, parameter.type)
            steps.append(value.step)
            key.append(value.tag)
            continue
        steps.append(conversions.traced(name, parameter.type))
        target = donated if parameter.role == "donated" else kept
        if is_leaf(parameter.type):
            steps.append(Statement("", "", call(f"{target}.append", name)))
        else:
            structure = local_variable(f"{name}_structure", conversions.taken)
            ref = parameter.type.ref if isinstance(parameter.type, types.ClassType) else None
            if ref is not None and not conversions.names.facts.is_static(ref):
                # Its class is known, so no lookup is needed.
                split = f"{name}.__codegen_record__.split"
            else:
                split = "_rt.split"
            steps.append(Statement("", structure, call(split, name, target, kept)))
            key.append(structure)
    return [step for step in steps if step is not None], key


def _options(
    node: Function, conversions: Conversions, *, checks: bool
) -> Iterator[tuple[str, str]]:
    """Yield the arguments of the object that users call."""
    yield "name", py_str(node.name)
    yield "runs", py_str(node.impl.path)
    named = {
        "donated": [p for p in node.parameters if p.role == "donated"],
        "static": [p for p in node.parameters if p.role == "static"],
    }
    for option, parameters in named.items():
        if parameters:
            yield option, list_of(*(py_str(p.name) for p in parameters))
    if node.impl.traces:
        yield "traces", str(node.impl.traces)
    if options := [*_jit_options(node.impl)]:
        yield "jit", dict_of(options)
    if not (checks and node.impl.checks):
        yield "checks", "False"
    declared = [(p.name, p.type, p.role == "static") for p in node.parameters]
    yield (
        "types",
        dict_of(
            (py_str(name), conversions.description(name, type, is_static=is_static))
            for name, type, is_static in (*declared, ("return", node.returns, False))
        ),
    )


def _is_generic(node: Function) -> bool:
    """Return whether a function's types contain a type parameter."""
    return any(map(has_parameter, (node.returns, *(p.type for p in node.parameters))))


def _function_type(node: Function, names: ModuleNames) -> FunctionTypeView:
    """Return the type of a function whose result depends on its arguments, for type checkers.

    `Function[P, R]` has one result for all calls. Only a signature can give the result of each
    call.
    """
    result = annotation(node.returns, AnnotationStyle.DYNAMIC, names)
    donation = subscript(names.builtin("dict"), names.builtin("str"), names.builtin("bool"))
    self = self_name(parameter.name for parameter in node.parameters)
    return FunctionTypeView(
        name=_type_name(node),
        function=node.name,
        parameters=(self, *parameters_of(node, names)),
        methods=(
            ("__call__", result),
            ("keep", result),
            ("eval_shape", result),
            ("lower", subscript("_rt.Lowered", "...", result)),
            ("donation", donation),
        ),
    )


def _type_name(node: Function) -> str:
    """Return the name of the class."""
    return f"_codegen_type_{node.name}"


# --- methods


def self_name(taken: Iterable[str]) -> str:
    """Return the name of `self` where a parameter may have that name."""
    return local_variable("self", set(taken))


def method(node: Function, names: ModuleNames) -> MethodView:
    """Return one method, property, class method or static method.

    @impl("heat_model:energy")        ->    def energy(self) -> Float32[Array, ""]:
    def energy(self) -> f32: ...                from heat_model import energy as impl
                                                return impl(self)
    """
    taken = frozenset(p.name for p in node.parameters)
    first = () if node.kind == "staticmethod" else (_first_argument(node, taken),)
    taken |= {*first}
    doc = doc_lines(node.doc)
    return MethodView(
        name=node.name,
        decorators=() if node.kind == "method" else (names.builtin(node.kind),),
        parameters=(*first, *parameters_of(node, names)),
        returns=annotation(node.returns, AnnotationStyle.PLAIN, names),
        doc=docstring(doc, 8) if doc else "",
        source=source_of(node.impl, taken),
        call=call(implementation(node, taken), *first, *_keywords(node)),
        has_result=not isinstance(node.returns, types.NoneType),
    )


def _first_argument(node: Function, taken: frozenset[str]) -> str:
    """Return the first argument of a method, before its parameters."""
    return local_variable("cls", taken) if node.kind == "classmethod" else self_name(taken)


# --- both


def parameters_of(node: Function, names: ModuleNames) -> list[str]:
    """Return the parameters of a function or method, as its callers see them."""
    texts: list[str] = []
    for parameter in node.parameters:
        if parameter.keyword_only and "*" not in texts:
            texts.append("*")
        held = annotation(parameter.type, _annotation_style(parameter), names)
        texts.append(parameter_of(parameter.name, held, parameter.default, names))
    return texts


def parameter_of(name: str, type_text: str, default: Value | None, names: ModuleNames) -> str:
    """Format a parameter of a type, with its default."""
    return f"{name}: {type_text}" + ("" if default is None else f" = {expression(default, names)}")


def _annotation_style(parameter: Parameter) -> AnnotationStyle:
    if parameter.role is None:
        return AnnotationStyle.PLAIN
    return (
        AnnotationStyle.STATIC_PARAMETER
        if parameter.role == "static"
        else AnnotationStyle.DYNAMIC_PARAMETER
    )


def source_of(impl: ImplDecl, taken: frozenset[str]) -> ImportView:
    """Return the import of the implementation."""
    head = impl.attribute.partition(".")[0]
    name = local_variable("impl", taken)
    return ImportView(impl.module, (head if head == name else f"{head} as {name}",))


def implementation(node: Function, taken: frozenset[str]) -> str:
    """Return the implementation's expression, as `source_of` imports it."""
    rest = node.impl.attribute.partition(".")[2]
    return local_variable("impl", taken) + (f".{rest}" if rest else "")
