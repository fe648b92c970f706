"""Record what a version of codegen wrote, so that every later version is tested against it.

    PYTHONPATH=<a checkout of that version> python tests/frozen/record.py

It writes `fixtures-VERSION.tar.gz`: generated output, pickles, packed checkpoints, one folder that
orbax wrote, and digests. Record again only to add a version, and never to make a failing test pass.
"""

from __future__ import annotations

import importlib
import json
import os
import pickle
import shutil
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

HERE = Path(__file__).parent
PACKAGE = "frozen_generated"  # as in fixtures.py
SETTINGS = """[tool.codegen]
out = "frozen_generated"
"""


def _write_objects(folder: Path) -> None:
    import numpy as np

    sys.path[:0] = [str(folder), str(HERE)]
    checkpoint = importlib.import_module("codegen.runtime.checkpoint")
    schemas = importlib.import_module("codegen.runtime.checkpoint.schemas")
    evolution = importlib.import_module("codegen.runtime.evolution")
    found = importlib.import_module("objects").objects(PACKAGE)
    fingerprints = {}
    for name, obj in found.items():
        packed = checkpoint.pack(obj)
        (folder / f"{name}.pickle").write_bytes(pickle.dumps(obj, protocol=4))
        (folder / f"{name}.json").write_text(packed.about)
        np.savez(folder / f"{name}.npz", **packed.arrays)
        fingerprints[name] = obj.fingerprint()
    checkpoint.save(folder / "saved", found["plate"])
    for schema in (folder / "schemas").glob("*.pyi"):
        importlib.import_module(f"{PACKAGE}.{schema.stem}")
    digests = {
        name: evolution.schema_digest(entry)
        for name, entry in schemas._package(f"{PACKAGE}.").table.items()
        if entry["kind"] == "class"
    }
    recorded = {"digests": digests, "fingerprints": fingerprints}
    (folder / "recorded.json").write_text(json.dumps(recorded, indent=1, sort_keys=True))


def record() -> None:
    """Write the archive."""
    from codegen import __version__

    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        shutil.copytree(HERE / "schemas", folder / "schemas")
        (folder / "pyproject.toml").write_text(SETTINGS)
        subprocess.run([sys.executable, "-m", "codegen", "build"], cwd=folder, check=True)
        subprocess.run([sys.executable, __file__, made], check=True)
        with tarfile.open(HERE / f"fixtures-{__version__}.tar.gz", "w:gz") as archive:
            for name in sorted(os.listdir(folder)):
                archive.add(folder / name, name, filter=_plain)


def _plain(member: tarfile.TarInfo) -> tarfile.TarInfo | None:
    member.uid = member.gid = member.mtime = 0
    member.uname = member.gname = ""
    return None if "__pycache__" in member.name else member


if __name__ == "__main__":
    _write_objects(Path(sys.argv[1])) if sys.argv[1:] else record()
