"""Follow the page on notebooks in a real kernel. Its blocks are cells, and its comments the expected output."""

from __future__ import annotations

import itertools
import os
import re
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from jupyter_client.blocking.client import BlockingKernelClient
from jupyter_client.manager import KernelManager

from tests.docs.blocks import blocks
from tests.promises import project as projects

ROOT = Path(__file__).parents[2]
PAGE = "docs/notebooks.md"
SESSION = ROOT / "tests/docs/session.py"


@pytest.fixture
def kernel(tmp_path: Path) -> Iterator[BlockingKernelClient]:
    manager = KernelManager(kernel_name="python3", transport="ipc", ip=str(tmp_path / "socket"))
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "JAX_PLATFORMS": "cpu"}
    manager.start_kernel(cwd=str(tmp_path), env=environment)
    client = manager.client()
    client.start_channels()
    try:
        client.wait_for_ready(timeout=120)
        yield client
    finally:
        client.stop_channels()
        manager.shutdown_kernel(now=True)


def execute(kernel: BlockingKernelClient, code: str) -> str:
    """Run a cell; return its output on both streams, and its error."""
    shown: list[str] = []

    def see(message: dict[str, Any]) -> None:
        content = message["content"]
        if message["msg_type"] == "stream":
            shown.append(content["text"])
        elif message["msg_type"] == "error":
            shown.append("\n".join(content["traceback"]))

    kernel.execute_interactive(code, output_hook=see, timeout=300)
    return "".join(shown)


class Project:
    """A folder whose changed modules are reloaded in a kernel, even within a second."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._seconds = itertools.count(int(time.time()) + 10, 10)

    def write(self, name: str, text: str) -> None:
        path = self.folder / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
        self._touch(path)

    def run(self, program: str, *words: str) -> None:
        assert program == "codegen"
        finished = projects.Project(self.folder).call(*words)
        assert finished.returncode == 0, finished.stderr
        for path in (self.folder / "generated").glob("*.py"):
            self._touch(path)

    def _touch(self, path: Path) -> None:
        moment = next(self._seconds)
        os.utime(path, times=(moment, moment))


def test_notebook_page_can_be_followed_in_a_kernel(
    kernel: BlockingKernelClient, tmp_path: Path
) -> None:
    setup = (
        f"import sys, runpy; page = runpy.run_path({str(SESSION)!r})['run']; sys.path.insert(0, '')"
    )
    assert execute(kernel, setup) == ""
    project = Project(tmp_path)
    cells = 0
    for block in blocks((ROOT / PAGE).read_text(encoding="utf-8")):
        if block.file:
            project.write(block.file, block.text)
        elif block.language == "sh":
            project.run(*block.text.split())
        elif block.text.startswith("%"):
            assert execute(kernel, block.text) == ""
        else:
            cells += 1
            code = f"page(globals(), {PAGE!r}, {block.line}, {block.text!r}, None)"
            assert execute(kernel, code) == "", block.text
    assert cells == 11


FUNCTION = """
from codegen.schema import dynamic, f32, impl, static

@impl("models:less")
def less({}) -> f32: ...
"""


def test_reloaded_function_with_changed_parameters(
    kernel: BlockingKernelClient, tmp_path: Path
) -> None:
    """Autoreload replaces the code of the old function object by the new code."""
    project = Project(tmp_path)
    a, b = "a: dynamic[f32]", "b: dynamic[f32]"
    for at, (declared, call, expected) in enumerate([
        ((a, b, "n: static[int] = 1"), "less(3.0, 1.0)", "2.0"),
        ((b, a, "n: static[int] = 1"), "less(1.0, 3.0)", "2.0"),
        ((b, a, "n: static[float] = 1.0"), "less(1.0, 3.0)", "2.5"),
        ((b, a, "n: static[float] = 1.0", "m: static[float] = 2.0"), "less(1.0, 3.0)", "2.5"),
        ((b, a, "m: static[float] = 2.0", "n: static[float] = 1.0"), "less(1.0, 3.0)", "2.5"),
    ]):  # fmt: skip
        names = ", ".join(one.partition(":")[0] for one in declared)
        project.write("schemas/m.pyi", FUNCTION.format(", ".join(declared)))
        project.write(
            "models.py",
            f"def less({names}):\n    return a - b + 0.5 * isinstance(n, float) * n\n",
        )
        project.run("codegen", "build")
        if not at:
            setup = "import sys; sys.path.insert(0, '')\n%load_ext autoreload\n%autoreload 2\n"
            assert execute(kernel, f"{setup}from generated.m import less") == ""
        assert execute(kernel, f"print(float({call}))") == f"{expected}\n", declared


MATERIALS = """
from codegen.schema import donated, dynamic, f32, impl, static

class Material:
    k: static[float]
{}

class Field:
    u: donated[f32]
"""
PLATES = """
from codegen.schema import dynamic, f32, impl, static
from .materials import Field, Material

class Plate:
    material: static[Material]
    layers: static[tuple[Material, ...]] = ()
    fields: dynamic[list[Field]] = []

@impl("models:field")
def field(u: dynamic[f32], n: static[int] = 0) -> Field: ...
"""


def test_reloaded_class_that_another_module_imports(
    kernel: BlockingKernelClient, tmp_path: Path
) -> None:
    """Autoreload binds the new class in the importing module, which it does not reload."""
    project = Project(tmp_path)
    project.write("schemas/plates.pyi", PLATES)
    project.write(
        "models.py",
        "def field(u, n):\n    from generated.materials import Field\n    return Field(u)\n",
    )
    for at, added in enumerate(["", "    c: static[float] = 0.0", "    d: static[float] = 0.0"]):
        project.write("schemas/materials.pyi", MATERIALS.format(added))
        project.run("codegen", "build")
        if not at:
            setup = "import sys; sys.path.insert(0, '')\n%load_ext autoreload\n%autoreload 2\n"
            imports = "from generated.materials import Field, Material\n"
            assert execute(kernel, f"{setup}{imports}from generated.plates import *") == ""
        assert execute(kernel, "import pickle; steel = Material(1.0)") == ""
        plate = "plate = Plate(steel, layers=(steel,), fields=[Field(0.5)])"
        copied = "print(pickle.loads(pickle.dumps(plate)) == plate)"
        assert execute(kernel, f"{plate}; {copied}") == "True\n", added
        assert execute(kernel, f"print(type(field(0.5, n={at})) is Field)") == "True\n", added


CELL = """%%schema {}

from codegen.schema import dynamic, f32, impl{}

class Plate:
    \"\"\"A plate.\"\"\"

    u: dynamic[f32] = 0.5  # [K]

@impl("__main__:{}")
def step(plate: dynamic[Plate]) -> Plate: ...
"""


def test_schemas_in_cells(kernel: BlockingKernelClient, tmp_path: Path) -> None:
    """Cases that the page and the notebooks in `docs/notebooks/` do not contain."""

    def shows(code: str) -> str:
        return re.sub(r"\x1b\[[\d;]*m", "", execute(kernel, code)).strip()

    assert shows("%load_ext codegen.notebook") == ""
    assert shows(CELL.format("heat", "", "less")) == ""
    assert shows("def less(plate): return plate.replace(u=plate.u - 1)") == ""
    assert shows("step(Plate()).u, print(float(step(Plate()).u))") == "-0.5"
    assert shows("import pickle; old = pickle.loads(pickle.dumps(Plate())); print(old)") == (
        "Plate(u=0.5)"
    )
    # Names that both the notebook and the schema define are those of the notebook.
    assert shows("def step(plate): return plate.replace(u=plate.u + 1)") == ""
    said = "`step` is your own function; call `heat.step` to run it compiled"
    assert shows(CELL.format("heat", "", "step")) == said
    assert shows("print(step(Plate()), heat.step(Plate()), heat.step)") == (
        "Plate(u=1.5) Plate(u=1.5) <generated function heat.step>"
    )
    told = "call `upgrade(...)` of `codegen.runtime`"
    assert f"its class is from before `heat` was reloaded: {told}" in shows("heat.step(old)")
    assert shows("from codegen.runtime import upgrade; print(heat.step(upgrade(old)))") == (
        "Plate(u=1.5)"
    )
    assert shows("print(type(pickle.loads(pickle.dumps(old))) is Plate)") == "True"
    # An error in a cell hides nothing and changes nothing.
    (tmp_path / "rods").mkdir()  # results, say
    assert "a module `random` already exists" in shows(CELL.format("random", "", "step"))
    assert "usage: %%schema NAME [--write]" in shows("%%schema --writ heat\nx")
    assert "error[BAD_FILE_NAME]: `2d`" in shows("%%schema 2d\nx")
    assert "error[UNKNOWN_NAME]" in shows(CELL.format("rods", "\nfrom .heat import Rod", "step"))
    assert shows("print('rods' in globals(), Plate().u)") == "False 0.5"
    # An error in another cell is not reported for this one.
    assert shows(CELL.format("rods", "\nfrom .heat import Plate as Other", "less")) == ""
    assert shows(CELL.format("heat", "", "step").replace("Plate", "Rod")) == said
    assert shows("%reload_ext codegen.notebook") == ""
    assert shows(CELL.format("heat", "", "less")) == ""
    assert [path.name for path in tmp_path.iterdir() if path.is_dir()] == ["rods"]
    # A valid cell is kept, even if the project cannot be built.
    (tmp_path / "halves").mkdir()
    assert shows("%cd -q halves") == ""
    importing = CELL.format("rods --write", "\nfrom .heat import Plate as Other", "less")
    said = shows(importing)
    assert said.startswith("wrote schemas/rods.pyi; generated is unchanged until this is fixed:")
    assert "error[UNKNOWN_MODULE]" in said
    assert shows("print(Plate())") == "Plate(u=0.5)"
    assert [path.name for path in (tmp_path / "halves").iterdir()] == ["schemas"]
    assert shows("%cd -q ..") == ""
    # Files behind a link are not written.
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "project").mkdir()
    (tmp_path / "project/schemas").symlink_to(tmp_path / "elsewhere")
    assert shows("%cd -q project") == ""
    assert "a symbolic link out of the project" in shows(CELL.format("heat --write", "", "less"))
    assert [*(tmp_path / "elsewhere").iterdir()] == []
