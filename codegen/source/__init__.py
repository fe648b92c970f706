r"""The text of one schema file and places in it.

source = Source("schemas/heat.pyi", "heat", "nx = Dim()\n")
source.position(5)        # (1, 6): line and column, both from 1
source.text[0:2]          # "nx", which Span(0, 2) names
"""

from codegen.source.model import NOWHERE, Source, Span

__all__ = ["NOWHERE", "Source", "Span"]
