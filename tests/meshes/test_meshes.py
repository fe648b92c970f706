"""What declared dimensions give on a mesh; the tests themselves are in `on_eight_devices.py`.

A process has its devices before its first test, so these run in one of their own:

XLA_FLAGS=--xla_force_host_platform_device_count=8 pytest tests/meshes/on_eight_devices.py
"""

import os
import subprocess
import sys
from pathlib import Path

from tests.meshes import table
from tests.xla import COMPILED_QUICKLY

HERE = Path(__file__).parent


def test_on_eight_devices() -> None:
    environment = os.environ | {
        "XLA_FLAGS": f"{COMPILED_QUICKLY} --xla_force_host_platform_device_count=8",
        "JAX_PLATFORMS": "cpu",
    }
    command = [sys.executable, "-m", "pytest", "-q", "-n0", "-x", str(HERE / "on_eight_devices.py")]
    done = subprocess.run(
        command,
        cwd=HERE.parents[1],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout


def test_the_documents_table_is_what_a_schema_gives() -> None:
    text = table.DOCUMENT.read_text(encoding="utf-8")
    assert text == table.with_table(text), "write it anew: python -m tests.meshes.table"
