"""Compile the schema of the editor: this runs in the browser, called by worker.js.

compile("plate", 'class Plate: ...')
# '{"output": "...", "diagnostics": [{"text": "error[...]", "page": "# ...", ...}], "seconds": 0.03}'
"""

import json
import re
import time
from pathlib import Path

from codegen import pipeline
from codegen.diagnostics import Diagnostic, Report
from codegen.diagnostics import text as as_text
from codegen.diagnostics.pages import page
from codegen.options import Options

# The examples: a schema may import another.
SCHEMAS = Path(__file__).parent / "schemas"


def compile(module: str, schema: str) -> str:
    """Return the generated module, and the diagnostics with the places that they mark, as JSON."""
    start = time.perf_counter()
    # Half of a pair of surrogates is no text: the compiler reports it.
    files = [(f"schemas/{module}.pyi", module, schema.encode(errors="surrogatepass"))]
    for name in _imported(schema, {module}):
        files.append((f"schemas/{name}.pyi", name, (SCHEMAS / f"{name}.pyi").read_bytes()))
    result = pipeline.compile(files, Options("schemas", "generated"))
    output = {file.path: file.text for file in result.rendered}.get(f"{module}.py", "")
    return json.dumps(
        {
            "output": output,
            "diagnostics": [_object(one, schema) for one in result.report],
            "seconds": time.perf_counter() - start,
        }
    )


def _imported(schema: str, known: set[str]) -> list[str]:
    """Return the examples that a schema imports, and that these import."""
    found = []
    for name in re.findall(r"^from \.(\w+) import", schema, re.MULTILINE):
        path = SCHEMAS / f"{name}.pyi"
        if name not in known and path.exists():
            known.add(name)
            found += [name, *_imported(path.read_text(encoding="utf-8"), known)]
    return found


def _object(diagnostic: Diagnostic, schema: str) -> dict[str, object]:
    # Places in a file do not count a byte order mark.
    skipped = 1 if schema.startswith("\ufeff") else 0
    return {
        "code": diagnostic.code.value,
        "text": as_text.full(Report((diagnostic,))),
        "page": page(diagnostic.code),
        "path": diagnostic.source.path,
        "start": diagnostic.span.start + skipped,
        "end": diagnostic.span.end + skipped,
    }
