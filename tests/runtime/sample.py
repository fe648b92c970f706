"""What `sampled/sample.pyi` becomes, made as it is imported and run on `codegen.runtime` itself.

Box(1) == Box(True)    # False
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from codegen import pipeline
from codegen.options import Options

_SCHEMA = Path(__file__).parent / "sampled" / "sample.pyi"


def _made() -> str:
    """Compile the schema; a package has its support package beside it, and this module has not."""
    file = (str(_SCHEMA), "sample", _SCHEMA.read_bytes())
    compiled = pipeline.compile(
        [file], Options(str(_SCHEMA.parent), "generated", runtime="package")
    )
    assert not compiled.report, [one.message for one in compiled.report]
    (text,) = (one.text for one in compiled.rendered if one.path == "sample.py")
    return text


SOURCE = _made()
exec(compile(SOURCE, "<sample>", "exec", dont_inherit=True), globals())

if TYPE_CHECKING:

    def __getattr__(name: str) -> Any:
        """Type checkers know of its names that they are there; `test_typed.py` has the types."""
