"""The module of `sampled/sample.pyi`, built on import, on `codegen.runtime` itself.

Box(1) == Box(True)    # False
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from codegen import pipeline
from codegen.options import Options

_SCHEMA = Path(__file__).parent / "sampled" / "sample.pyi"


def _build() -> str:
    """Compile the schema. Unlike in a package, there is no support package beside this module."""
    file = (str(_SCHEMA), "sample", _SCHEMA.read_bytes())
    compiled = pipeline.compile(
        [file], Options(str(_SCHEMA.parent), "generated", runtime="package")
    )
    assert not compiled.report, [one.message for one in compiled.report]
    (text,) = (one.text for one in compiled.rendered if one.path == "sample.py")
    return text


SOURCE = _build()
exec(compile(SOURCE, "<sample>", "exec", dont_inherit=True), globals())

if TYPE_CHECKING:

    def __getattr__(name: str) -> Any:
        """Tell type checkers that any name exists; `test_typed.py` checks the types."""
