"""Which parameter may stand in an override in the place of another.

accepts("float", Choice(("int", "None")))       # False: None may not be given any more
accepts(Choice(("None", "int")), "int")         # True

Type checkers refuse an override that takes less than what it overrides. They are told to let it be,
and some of them complain where they were told for nothing.
"""

from __future__ import annotations

from codegen.view.layout import Bracket, Choice, Entry, Node

# What else passes where one of these is asked for: subclasses, and numbers by promotion.
_PASSES = {
    "int": frozenset(("bool",)),
    "float": frozenset(("bool", "int")),
    "complex": frozenset(("bool", "int", "float")),
    "ArrayLike": frozenset(("bool", "int", "float", "complex", "Array", "np.ndarray")),
}


def accepts(new: Node | Entry, old: Node | Entry) -> bool:
    """Say whether a parameter takes whatever another one takes."""
    if new == old or "Any" in (new, old):
        return True
    if isinstance(old, Choice):
        return all(accepts(new, member) for member in old.members)
    if isinstance(new, Choice):
        return any(accepts(member, old) for member in new.members)
    if isinstance(new, Bracket) and isinstance(old, Bracket):
        if new.opening != old.opening:
            return False
        if new.opening.endswith("Literal["):
            return all(item in new.items for item in old.items)
        pairs = zip(new.items, old.items, strict=False)
        return len(new.items) == len(old.items) and all(accepts(*pair) for pair in pairs)
    return isinstance(new, str) and old in _PASSES.get(new, ())
