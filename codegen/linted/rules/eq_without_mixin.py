"""`eq=False` where no mixin could have an equality.

class Plate(eq=False): ...    ->    EQ_WITHOUT_MIXIN: plates are compared by content all the same
"""

from __future__ import annotations

from collections.abc import Iterator

from codegen.checked.facts import descendants
from codegen.diagnostics import Code, Diagnostic
from codegen.linted.linting import Linting
from codegen.program.bind import bases_of


def check(linting: Linting) -> Iterator[Diagnostic]:
    """Report each class that says so first, and has no mixin above or below it.

    Of an abstract class a Python subclass may define one.
    """
    classes = linting.program.classes
    for node in classes.values():
        above = [base for base, _ in bases_of(node, classes)]
        below = [classes[ref] for ref in descendants(linting.program, node.ref)]
        says_it = not node.eq and all(base.eq for base in above)
        if says_it and not any(one.mixins or one.abstract for one in (node, *above, *below)):
            yield linting.warn(
                Code.EQ_WITHOUT_MIXIN,
                node.source,
                node.span,
                f"the class `{node.ref.name}` says `eq=False`, and has no mixin",
                label="compared by content, and without a hash, all the same",
                advice="give it a mixin with `__eq__` and `__hash__`, or leave `eq=False` out",
            )
