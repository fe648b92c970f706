"""Where the generator's own files lie.

    templates()   # ".../site-packages/codegen/templates", or ".../templates" in a checkout

In a checkout the templates stand beside the package, where they are easy to find; a wheel puts
them into it, so that an installation takes one top-level name and no more.
"""

import os


def package() -> str:
    """The folder of the package `codegen`."""
    return os.path.dirname(os.path.abspath(__file__))


def templates() -> str:
    """The folder of the templates."""
    inside = os.path.join(package(), "templates")
    return inside if os.path.isdir(inside) else os.path.join(package(), "..", "templates")
