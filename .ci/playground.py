"""Assemble the files of docs/playground.md: Pyodide, and an archive of the compiler.

Pyodide comes from the registry of npm and is verified against its digest. It is kept in the cache folder of the user.
"""

from __future__ import annotations

import base64
import hashlib
import http.client
import io
import json
import os
import tarfile
import urllib.request
import zipfile
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

ROOT = Path(__file__).parents[1]
SOURCES = ROOT / "docs" / "playground"
VERSION = "314.0.7"
ADDRESS = f"https://registry.npmjs.org/pyodide/-/pyodide-{VERSION}.tgz"
SHA512 = "0YvXxEhfEdpLfb/XkM2BFAeMROq0iMUX2bzzH9pOttyMcWkwq+HbE5uyuGD82LN7y2q+SNvi/6V5JEsOlD2R1A=="
PYODIDE = (
    "pyodide.mjs",
    "pyodide.asm.mjs",
    "pyodide.asm.wasm",
    "python_stdlib.zip",
    "pyodide-lock.json",
)
# What a build does not import.
LEFT_OUT = ("codegen/adopt/", "codegen/cli/", "codegen/diff/", "codegen/lint/", "codegen/testing/")


def files() -> dict[str, bytes]:
    """Return the files of the playground by name: without the compiler if Pyodide cannot be had."""
    found = {
        path.name: path.read_bytes() for path in SOURCES.iterdir() if path.suffix in (".js", ".css")
    }
    found |= {
        f"schemas/{path.name}": path.read_bytes() for path in (ROOT / "schemas").glob("*.pyi")
    }
    package = _package()
    if package is None:
        return found
    with tarfile.open(fileobj=io.BytesIO(package)) as archive:
        for name in PYODIDE:
            member = archive.extractfile(f"package/{name}")
            assert member is not None
            found[f"pyodide/{name}"] = member.read()
    found["compiler.zip"] = compiler()
    total = sum(
        len(text)
        for name, text in found.items()
        if not name.endswith((".js", ".css", ".pyi", ".mjs"))
    )
    found["sizes.json"] = json.dumps({"total": total}).encode()
    return found


def compiler() -> bytes:
    """Return an archive with all that a build imports, a stand-in for msgspec, and the examples."""
    found = dict(_compiler())
    memory = io.BytesIO()
    with zipfile.ZipFile(memory, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, path in sorted(found.items()):
            archive.writestr(zipfile.ZipInfo(name), path.read_bytes(), zipfile.ZIP_DEFLATED)
    return memory.getvalue()


def _compiler() -> Iterator[tuple[str, Path]]:
    for folder in ("codegen", "schemas"):
        for path in (ROOT / folder).rglob("*.*"):
            name = path.relative_to(ROOT).as_posix()
            if path.suffix in (".py", ".pyi", ".md") and not name.startswith(LEFT_OUT):
                yield name, path
    for path in (ROOT / "templates").glob("*.jinja"):
        yield f"codegen/templates/{path.name}", path
    # markupsafe has a version in Python beside the one in C.
    for library in ("jinja2", "markupsafe"):
        spec = find_spec(library)
        assert spec is not None
        assert spec.origin is not None
        for path in Path(spec.origin).parent.glob("*.py"):
            yield f"{library}/{path.name}", path
    yield "compiling.py", SOURCES / "compiling.py"
    yield "msgspec/__init__.py", SOURCES / "msgspec_stand_in.py"
    yield "msgspec/structs.py", SOURCES / "msgspec_stand_in.py"


def _package() -> bytes | None:
    """Return the archive of Pyodide; None without a network."""
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "codegen-site"
    kept = cache / Path(ADDRESS).name
    if kept.exists():
        return _verified(kept.read_bytes())
    try:
        with urllib.request.urlopen(ADDRESS, timeout=60) as response:
            package = _verified(response.read())
    except (OSError, http.client.HTTPException):
        return None
    cache.mkdir(parents=True, exist_ok=True)
    kept.write_bytes(package)
    return package


def _verified(package: bytes) -> bytes:
    digest = base64.b64encode(hashlib.sha512(package).digest()).decode()
    assert digest == SHA512, f"this is not the archive of Pyodide {VERSION}"
    return package
