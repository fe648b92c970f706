"""What every stage made of the same schemas, side by side.

Stages(Report(), syntax=(Stub(...),), schema=(ModuleDecl(...),), program=Program(...))
"""

from __future__ import annotations

from msgspec import Struct

from codegen.checked.nodes import Checked
from codegen.diagnostics import Report
from codegen.program.nodes import Program
from codegen.rendered.nodes import Rendered
from codegen.schema.nodes import ModuleDecl
from codegen.schema.stub import Stub
from codegen.view.nodes import ProgramView


class Stages(Struct, frozen=True):
    """What every stage made of the schemas, up to the one that found mistakes."""

    report: Report
    syntax: tuple[Stub, ...] = ()
    schema: tuple[ModuleDecl, ...] = ()
    program: Program | None = None
    checked: Checked | None = None
    view: ProgramView | None = None
    rendered: tuple[Rendered, ...] = ()
