"""Run `on_eight_devices.py`, the tests of declared dimensions on a mesh, here and in `tests/memory`.

The number of devices is fixed before the first test of a process, so these tests run in a separate process:

XLA_FLAGS=--xla_force_host_platform_device_count=8 pytest tests/meshes/on_eight_devices.py
"""

from pathlib import Path

from tests import forked
from tests.meshes import table
from tests.xla import COMPILED_QUICKLY

HERE = Path(__file__).parent


def test_meshes_on_eight_devices() -> None:
    flags = f"{COMPILED_QUICKLY} --xla_force_host_platform_device_count=8"
    files = [str(folder / "on_eight_devices.py") for folder in (HERE, HERE.parent / "memory")]
    command = ("-m", "pytest", "-q", "-n0", "-x", *files)
    done = forked.run(*command, cwd=HERE.parents[1], env={"XLA_FLAGS": flags}, check=False)
    assert done.returncode == 0, done.stdout


def test_table_in_docs_is_current() -> None:
    text = table.DOCUMENT.read_text(encoding="utf-8")
    assert text == table.with_table(text), "write it anew: python -m tests.meshes.table"
