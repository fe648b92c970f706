"""What the author wrote, as text, for `codegen show --stage schema`.

module heat
  ClassDecl name='Grid'
    fields: FieldDecl name='nx' role='static' type=int doc='cells along x'
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from codegen.dump import Wanted, dump
from codegen.schema.nodes import ModuleDecl, Ref, declarations
from codegen.schema.vocabulary import Word


def show(modules: Iterable[ModuleDecl], wanted: Wanted) -> str:
    """The declarations that are wanted."""
    found = (module for module in modules if wanted.module(module.name))
    return "".join(f"{line}\n" for module in found for line in _module(module, wanted))


def _module(module: ModuleDecl, wanted: Wanted) -> Iterator[str]:
    def leaf(value: object) -> str | None:
        """An expression as it was written, in one line."""
        if isinstance(value, Word):
            return value.name
        if isinstance(value, Ref):
            return ascii(value.name)
        if isinstance(value, ast.expr):
            span = module.source.span(value)
            written = module.source.text[span.start : span.end]
            return " ".join(ascii(written)[1:-1].replace("\\n", " ").split())
        return None

    yield f"module {module.name}"
    if wanted.whole(module.name):
        for imported in module.imports:
            yield from (f"  {line}" for line in dump(imported, leaf))
    for decl in declarations(module):
        if wanted.one(module.name, decl.name):
            yield from (f"  {line}" for line in dump(decl, leaf))
