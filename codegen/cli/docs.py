"""`codegen docs`: write a site of all declarations, readable without network or JavaScript.

    $ codegen docs
    wrote 4 pages to site: 6 written, 0 removed, 0 unchanged in 0.24 s
    $ codegen docs --out public

It is written like a build: all or nothing, and never over files that were edited or are foreign.
"""

from __future__ import annotations

import shlex
from argparse import ArgumentParser, Namespace
from time import perf_counter

from codegen.cli.build import OutputFolder
from codegen.cli.console import Console
from codegen.cli.project import Project, add_root, counted, since, sources, summary
from codegen.output.lock import locked

HELP = "write an HTML site that documents every class and function"
EXAMPLE = "codegen docs --out site"


def add_arguments(parser: ArgumentParser) -> None:
    """Add the arguments of `docs`."""
    add_root(parser)
    # Not `out`: that is the folder of the generated modules.
    parser.add_argument(
        "--out",
        metavar="DIR",
        dest="site",
        default="site",
        help="the folder of the site (default: site)",
    )
    parser.add_argument(
        "--force",
        action="store_true",
        help="overwrite files of the site even if you edited them",
    )


def run(arguments: Namespace, console: Console) -> int:
    """Write the site.

    Raises:
        Mistakes: if something must be fixed first.
    """
    started = perf_counter()
    project = Project.of(arguments)
    site: str = arguments.site
    project.keep_apart("site", site)
    target = OutputFolder(site, "site", project.options)
    with locked(site, console.status) as target.is_held:
        command = shlex.join(["codegen", "docs", "--out", site])
        target.prepare(sources(project), command, console, force=arguments.force)
        plan = target.write()
    pages = sum(step.path.endswith(".html") for step in plan.steps if step.after)
    text = summary(plan, f"wrote {counted(pages, 'page')} to {site}")
    where = "" if plan.changes else f" in {site}"
    console.status(f"{text}{where} in {since(started)}")
    return 0
