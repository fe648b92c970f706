"""Compare two versions of a function, a method or a property.

def step(plate, dt)    ->    def step(plate, dt, n): FUNCTION_CHANGED
"""

from __future__ import annotations

from collections.abc import Iterator

from codegen.compared.kinds import SOURCE
from codegen.compared.scopes import in_module, in_signature
from codegen.compared.values import is_same_default
from codegen.compared.versions import Comparison
from codegen.diagnostics import Code
from codegen.program.nodes import Function, Parameter
from codegen.source import Source


def compare_function(
    comparison: Comparison,
    old: Function,
    new: Function,
    module: str,
    before: Source,
    after: Source,
) -> None:
    """Compare signatures, and what is consumed."""
    comparison = in_module(comparison, module)
    for said in signature_changes(comparison, old, new):
        comparison.add(
            Code.FUNCTION_CHANGED,
            after,
            new.span,
            f"the function `{new.name}` {said}",
            (SOURCE,),
            advice="add new parameters at the end, with a default; declare a new function for "
            "another meaning",
            before=(before, old.span),
        )
    parameters = {one.name: one for one in old.parameters}
    for parameter in new.parameters:
        known = parameters.get(parameter.name)
        if known is not None and known.role == "dynamic" and parameter.role == "donated":
            comparison.add(
                Code.DONATION_ADDED,
                after,
                parameter.role_span,
                f"`{new.name}` consumes `{parameter.name}`, which it left alone",
                (SOURCE,),
                label="touching it after a call is an error now",
                advice=f"callers that use it afterwards need `{new.name}.keep(...)`",
                before=(before, known.role_span),
            )


def signature_changes(comparison: Comparison, old: Function, new: Function) -> Iterator[str]:
    """What is said of a signature that does not take every old call. Example: "lost `n`"."""
    comparison = in_signature(comparison, old, new)
    if old.kind != new.kind:
        yield f"is a {new.kind} now, and was a {old.kind}"
    if not comparison.gives(new.returns, old.returns):
        type, before = comparison.texts(old.returns, new.returns, "which was")
        yield f"returns `{type}`{before}"
    old_by_name = {one.name: one for one in old.parameters}
    new_by_name = {one.name: one for one in new.parameters}
    for name, parameter in old_by_name.items():
        if name not in new_by_name:
            yield f"has no parameter `{name}` any more"
        else:
            yield from _parameter(comparison, parameter, new_by_name[name])
    for name, parameter in new_by_name.items():
        if name not in old_by_name and parameter.default is None:
            yield f"needs `{name}` now"
    kept = [p.name for p in old.parameters if p.name in new_by_name and not p.keyword_only]
    now = [p.name for p in new.parameters if not p.keyword_only]
    if now[: len(kept)] != kept and set(kept) <= set(now):
        yield "takes its parameters in another order"


def _parameter(comparison: Comparison, old: Parameter, new: Parameter) -> Iterator[str]:
    is_retyped = not comparison.takes(new.type, old.type)
    if is_retyped:
        type, before = comparison.texts(old.type, new.type, "which was")
        yield f"takes `{old.name}: {type}`{before}"
    if (old.role == "static") != (new.role == "static"):
        yield f"takes `{old.name}` as {new.role}, which was {old.role}"
    if old.default is not None and new.default is None:
        yield f"needs `{old.name}` now, which had a default"
    elif old.default is not None and not is_same_default(comparison, old, new, retyped=is_retyped):
        yield f"has another default for `{old.name}`"
    if new.keyword_only and not old.keyword_only:
        yield f"takes `{old.name}` by keyword alone now"
