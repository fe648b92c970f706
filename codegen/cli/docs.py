"""`codegen docs`: a site of all that the schemas declare, to be read without network or JavaScript.

    $ codegen docs
    wrote 4 pages to site: 6 written, 0 removed, 0 unchanged in 0.24 s
    $ codegen docs --out public

It is written as a build is: all or nothing, and never over what somebody edited or had there.
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from time import perf_counter

from codegen.cli.console import Console
from codegen.cli.project import Project, add_root
from codegen.cli.stages import compare, counted, seconds, sources, tally
from codegen.files.lock import locked

TYPE_CHECKING = False
if TYPE_CHECKING:
    from codegen.plan.nodes import Plan

HELP = "write a site that shows every class, its fields and roles, and every function"


def add_arguments(parser: ArgumentParser) -> None:
    """Say what `docs` takes."""
    add_root(parser)
    # Not `out`, which is what a setting says of the generated modules.
    parser.add_argument(
        "--out",
        metavar="DIR",
        dest="site",
        default="site",
        help="the site's folder (default: site)",
    )
    parser.add_argument(
        "--force",
        action="store_true",
        help="overwrite files that were edited since they were written",
    )


def run(arguments: Namespace, console: Console) -> int:
    """Write the site; 1 where something has to be mended first."""
    import shlex

    from codegen import pipeline
    from codegen.files import leftovers
    from codegen.files.apply import apply
    from codegen.files.names import misnamed
    from codegen.plan.findings import refused

    started = perf_counter()
    project = Project.of(arguments)
    site: str = arguments.site
    project.keep_apart("site's", site)
    with locked(site) as is_held:
        found = sources(project)
        report = misnamed(found, project.root)
        compiled = None if report else pipeline.compile_site(found, project.options)
        if compiled is None or compiled.report:
            console.report(report if compiled is None else compiled.report)
            return 1
        if is_held:
            leftovers.clear(site)
        plan = compare(compiled.rendered, site, force=arguments.force, content="site")
        if plan.refusals:
            console.report(
                refused(plan, site, shlex.join(["codegen", "docs", "--out", site]), option="--out")
            )
            return 1
        apply(plan, site)
    console.status(f"{_summary(plan, site)} in {seconds(perf_counter() - started)}")
    return 0


def _summary(plan: Plan, site: str) -> str:
    from codegen.plan.nodes import Action

    written, removed, unchanged = tally(plan)
    if not plan.changes:
        return f"up to date: {counted(unchanged, 'file')} in {site}"
    pages = sum(step.path.endswith(".html") for step in plan.steps if step.action != Action.REMOVE)
    return (
        f"wrote {counted(pages, 'page')} to {site}: {written} written, {removed} removed, "
        f"{unchanged} unchanged"
    )
