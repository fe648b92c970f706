"""Which parameter may stand in an override in the place of another.

accepts("float", "int | None")       # False: None may not be given any more
accepts("int | None", "int")         # True

Type checkers refuse an override that takes less than what it overrides. They are told to let it be,
and some of them complain where they were told for nothing.
"""

from __future__ import annotations

from codegen.view.expressions import alternatives, arguments_of

# What else passes where one of these is asked for: subclasses, and numbers by promotion.
_PASSES = {
    "int": frozenset(("bool",)),
    "float": frozenset(("bool", "int")),
    "complex": frozenset(("bool", "int", "float")),
    "ArrayLike": frozenset(("bool", "int", "float", "complex", "Array", "np.ndarray")),
}


def accepts(new: str, old: str) -> bool:
    """Say whether a parameter takes whatever another one takes."""
    if new == old or "Any" in (new, old):
        return True
    asked, taken = alternatives(old), alternatives(new)
    if len(asked) > 1:
        return all(accepts(new, member) for member in asked)
    if len(taken) > 1:
        return any(accepts(member, old) for member in taken)
    (head, own), (old_head, theirs) = arguments_of(new), arguments_of(old)
    if own and theirs:
        if head != old_head:
            return False
        if head.endswith("Literal"):
            return all(item in own for item in theirs)
        pairs = zip(own, theirs, strict=False)
        return len(own) == len(theirs) and all(accepts(*pair) for pair in pairs)
    return old in _PASSES.get(new, ())
