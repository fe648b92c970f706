"""Where the frozen fixtures are: see `record.py`."""

from __future__ import annotations

import tarfile
from pathlib import Path
from typing import Final

PACKAGE: Final = "frozen_generated"
ARCHIVES: Final = {
    path.name.removeprefix("fixtures-").removesuffix(".tar.gz"): path
    for path in sorted(Path(__file__).parent.glob("fixtures-*.tar.gz"))
}
"""The archive of each recorded version."""


def extract(folder: Path, version: str, runtime: str = "package") -> Path:
    """Write the fixtures of a version into a folder, for this setting, and return it."""
    with tarfile.open(ARCHIVES[version]) as archive:
        archive.extractall(folder, filter="data")
    with (folder / "pyproject.toml").open("a") as settings:
        settings.write(f'runtime = "{runtime}"\n')
    schema = folder / "schemas/everything.pyi"
    schema.write_text(schema.read_text().replace('(registration="jax")', ""))  # no longer an option
    return folder
