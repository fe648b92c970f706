"""Where the frozen fixtures are: see `record.py`."""

from __future__ import annotations

import tarfile
from pathlib import Path
from typing import Final

PACKAGE: Final = "frozen_generated"
ARCHIVE: Final = Path(__file__).parent / "fixtures.tar.gz"


def extract(folder: Path) -> Path:
    """Write the fixtures into a folder, and return it."""
    with tarfile.open(ARCHIVE) as archive:
        archive.extractall(folder, filter="data")
    return folder
