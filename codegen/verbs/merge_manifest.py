"""`codegen merge-manifest`: what Git runs to merge the manifests of two branches.

    $ git config merge.codegen-manifest.driver "codegen merge-manifest %O %A %B"

`init` has Git use it, by a line of .gitattributes.
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from codegen.cli.console import Console
from codegen.cli.failure import Failure
from codegen.files import scaffold
from codegen.plan import manifest

HELP = "merge the manifests of two branches, as Git's merge driver"


def add_arguments(parser: ArgumentParser) -> None:
    """Say what `merge-manifest` takes."""
    parser.add_argument("base", metavar="%O", help="the common ancestor's")
    parser.add_argument("ours", metavar="%A", help="the one of this branch, where the result goes")
    parser.add_argument("theirs", metavar="%B", help="the one of the other branch")


def run(arguments: Namespace, console: Console) -> int:  # noqa: ARG001 -- every verb is run so
    """Merge; a file may be empty, where a branch has none."""
    listings = []
    for path in (arguments.base, arguments.ours, arguments.theirs):
        text = scaffold.text_of(path)
        if text is None:
            raise Failure(f"`{path}` is not there")
        if text and text.partition("\n")[0].rstrip("\r") != manifest.FIRST_LINE:
            raise Failure(f"`{path}` is no manifest of codegen")
        listings.append(manifest.read(text))
    scaffold.replace(arguments.ours, manifest.write(manifest.merge(*listings)))
    return 0
