"""The stages in order, and the functions that the verbs call.

compile((("schemas/heat.pyi", "heat", b"..."),), Options("schemas", "generated"))
# CompileResult(report, rendered)
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Collection, Generator, Sequence
from contextlib import contextmanager
from functools import cache
from typing import TYPE_CHECKING

from msgspec import Struct

from codegen.check.check import Checked, check
from codegen.diagnostics import Code, Report
from codegen.emit.build import Builder, packages
from codegen.emit.render import print_module, print_package, read_back
from codegen.emit.rendered import Rendered
from codegen.emit.support import assemble
from codegen.emit.view import ModuleView
from codegen.options import Options, import_names, naming_schema
from codegen.program.lower import lower
from codegen.program.nodes import Program
from codegen.progress import steps
from codegen.schema.decode import decode as decode_schema
from codegen.schema.language import read
from codegen.schema.nodes import ModuleDecl
from codegen.schema.stub import Stub
from codegen.schema.text import decode as decode_source
from codegen.source import Source

if TYPE_CHECKING:
    # A build does not need the stages of other verbs, which import them when they are called.
    from codegen.lint.linting import Python

STAGES = ("syntax", "schema", "program", "checked", "view", "rendered")

# A schema file: the path as shown, the dotted module, the bytes.
File = tuple[str, str, bytes]


@cache
def _keep_freed_memory() -> None:
    """Let glibc keep what parsing frees, which it does once a block of this size was freed.

    Parsing allocates a few megabytes for each file, which the system would otherwise supply again.
    """
    bytes(1 << 24)


@contextmanager
def _paused_garbage_collector() -> Generator[None, None, None]:
    """Pause the garbage collector: trees and declarations have no cycles, and all of them stay."""
    _keep_freed_memory()
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


class Stages(Struct, frozen=True):
    """The results of all stages, up to the first one that found mistakes."""

    report: Report
    syntax: tuple[Stub, ...] = ()
    schema: tuple[ModuleDecl, ...] = ()
    program: Program | None = None
    checked: Checked | None = None
    view: tuple[ModuleView, ...] = ()
    rendered: tuple[Rendered, ...] = ()


class CompileResult(Struct, frozen=True):
    """The files to write; none if there are mistakes."""

    report: Report
    rendered: tuple[Rendered, ...]


@_paused_garbage_collector()
def compile(
    files: Sequence[File],
    options: Options,
    is_there: Callable[[Rendered], bool] = lambda _: False,
) -> CompileResult:
    """Compile schema files to output files; return the mistakes of the first stage that finds any.

    Args:
        files: the schemas
        options: the settings
        is_there: whether the output folder has a file exactly as it was rendered. Such a file is
            not written again, so it is not parsed again, which takes a third of a build.

    Raises:
        AssertionError: if the output does not match the program, which is a bug in codegen.
    """
    stages = run(files, options, "checked")
    if stages.checked is None:
        return CompileResult(stages.report, ())
    with naming_schema(options.root):
        return CompileResult(stages.report, _rendered(stages.checked, options, is_there))


def _rendered(
    checked: Checked, options: Options, is_there: Callable[[Rendered], bool]
) -> tuple[Rendered, ...]:
    """Render module by module, so that only one view is in memory at a time."""
    builder = Builder(checked, options)
    modules = checked.program.modules
    files = [*map(print_package, packages(module.name for module in modules))]
    for file in files:
        read_back(file)
    for module in steps("writing", modules):
        with naming_schema(module.source.path):
            names = builder.names(module)
            file = print_module(builder.view(names), names, options.holder)
            if not is_there(file):
                read_back(file, module)
            files.append(file)
    return assemble(files, options)


@_paused_garbage_collector()
def run(files: Sequence[File], options: Options, last: str = "rendered") -> Stages:
    """Run the stages up to `last`; stop after a stage that finds mistakes."""
    with naming_schema(options.root):
        return _run(files, options, last)


def _run(files: Sequence[File], options: Options, last: str) -> Stages:
    modules, report = _read(files)
    if report or last == "syntax":
        return Stages(report, modules)
    decoded = [_decoded(module) for module in steps("decoding", modules)]
    report = report.merge(*(found for _, found in decoded))
    schema = tuple(decl for decl, _ in decoded)
    if report or last == "schema":
        return Stages(report, modules, schema)
    program, report = lower(schema, _folders(options))
    if report or last == "program":
        return Stages(report, modules, schema, program)
    checked, report = check(program)
    if checked is None or last == "checked":
        return Stages(report, modules, schema, program, checked)
    if last == "view":
        return Stages(report, modules, schema, program, checked, _views(checked, options))
    rendered = _rendered(checked, options, lambda _: False)
    return Stages(report, modules, schema, program, checked, rendered=rendered)


def _views(checked: Checked, options: Options) -> tuple[ModuleView, ...]:
    builder = Builder(checked, options)
    modules = steps("planning", checked.program.modules)
    return tuple(builder.view(builder.names(module)) for module in modules)


def _folders(options: Options) -> frozenset[str]:
    """Return the names under which the schema folder and the output folder may be imported."""
    return frozenset((*import_names(options.root), *import_names(options.out)))


def _read(files: Sequence[File]) -> tuple[tuple[Stub, ...], Report]:
    results = [_read_one(file) for file in steps("reading", files)]
    stubs = tuple(stub for stub, _ in results if stub is not None)
    return stubs, Report(one for _, report in results for one in report)


def _read_one(file: File) -> tuple[Stub | None, Report]:
    source = decode_source(*file)
    if not isinstance(source, Source):
        return None, Report((source,))
    with naming_schema(source.path):
        return read(source)


def _decoded(stub: Stub) -> tuple[ModuleDecl, Report]:
    with naming_schema(stub.source.path):
        return decode_schema(stub)


def lint(
    files: Sequence[File],
    options: Options,
    chosen: Collection[Code],
    python: Python = lambda _: None,
) -> Report:
    """Return the findings of the chosen lints, or the mistakes that stop an earlier stage."""
    from codegen.lint.lint import lint as find_lints  # noqa: PLC0415

    stages = run(files, options, "checked")
    if stages.checked is None:
        return stages.report
    with naming_schema(options.root):
        return find_lints(stages.checked, stages.syntax, stages.schema, chosen, python)


def breaking(old: Stages, new: Stages, kinds: Collection[str]) -> Report:
    """Return the changes in `new` that break users of `old`, of these kinds. Neither has mistakes."""
    from codegen.diff.compare import compare  # noqa: PLC0415

    assert old.program is not None, "it has no mistakes"
    assert new.program is not None, "it has no mistakes"
    report = compare(old.program, new.program)
    return Report(one for one in report if {*one.breaks} & {*kinds})
