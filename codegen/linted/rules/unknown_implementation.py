"""A path to a function that its Python module does not have.

@impl("heat_model:stpe")    ->    UNKNOWN_IMPLEMENTATION: `heat_model` has no `stpe`
"""

from __future__ import annotations

from collections.abc import Iterator

from codegen.diagnostics import Code, Diagnostic
from codegen.diagnostics.suggest import did_you_mean
from codegen.linted.linting import Linting
from codegen.linted.python import lacking
from codegen.program.paths import named_functions


def check(linting: Linting) -> Iterator[Diagnostic]:
    """Report each path whose module lies below the project and lacks the function."""
    for module in linting.program.modules:
        for path in named_functions(module):
            text = linting.python(path.module)
            missing = None if text is None else lacking(text, path.attribute)
            if missing is not None:
                yield linting.warn(
                    Code.UNKNOWN_IMPLEMENTATION,
                    module.source,
                    path.span,
                    f"`{path.module}:{path.attribute}` is called, and `{path.module}` has no "
                    f"`{missing.name}`",
                    label="an AttributeError at the first call",
                    advice=did_you_mean(
                        missing.name, missing.names, f"write `{missing.name}` there"
                    ),
                )
