"""A running script is not imported a second time if a schema names its functions."""

import importlib
import os
import subprocess
import sys
import types
import zipfile
from pathlib import Path

import pytest

from codegen.runtime import protocol_v2
from tests import forked
from tests.generated.package import PROJECT, write_text

SCHEMA = """
from codegen.schema import Dim, donated, dynamic, f32, field, impl, static

n = Dim()

class Rod:
    u: donated[f32[n]] = field(init="train:started")
    k: static[int] = field(factory="train:made", convert="train:converted")

    @impl("train:heat")
    def heat(self, factor: float) -> float: ...

@impl("train:Steps.run")
def step(rod: donated[Rod], dt: dynamic[f32]) -> Rod: ...
"""
# Each function returns the global variable that the script sets when it runs.
FUNCTIONS = """
RATE = 1.0

def started(key, shape, dtype):
    return jnp.full(shape, RATE, dtype)

def made():
    return int(RATE)

def converted(k):
    return int(k * RATE)

def heat(rod, factor):
    return RATE * factor

class Steps:
    @staticmethod
    def run(rod, dt):
        return rod.replace(u=rod.u + dt * RATE)
"""
HEAD = """
import sys
import jax, jax.numpy as jnp
from made_of.rods import Rod, step

print("runs as", __name__)
"""
CALLS = """
    rod = Rod(u=jnp.zeros(2))
    print(rod.k, rod.heat(2.0), step(rod, 0.5).u[0], Rod.abstract(n=2, k=2).init(jax.random.key(0)))
"""
NOT_YET = """
def show(call):
    try:
        call()
    except (ImportError, AttributeError) as error:
        print(type(error).__name__, error)

def made():
    return 1

show(lambda: Rod(u=jnp.zeros(2), k=1))
show(lambda: Rod(u=jnp.zeros(2)))
converted = int
del made
show(lambda: Rod(u=jnp.zeros(2)))
rod = Rod(u=jnp.zeros(2), k=1)
show(lambda: rod.heat(2.0))
show(lambda: step(rod, 0.5))
show(lambda: Rod.abstract(n=2, k=2).init(jax.random.key(0)))
rod.u + 1
"""


def run(folder: Path, *arguments: str, **variables: str) -> list[str]:
    """Run Python in a folder, in a fork; return the printed lines."""
    path = os.pathsep.join([str(PROJECT), variables.pop("PYTHONPATH", "")])
    return forked.run("-B", *arguments, cwd=folder, env={"PYTHONPATH": path}).stdout.splitlines()


def run_alone(folder: Path, *arguments: str) -> list[str]:
    """Run Python in a folder, in its own process, which may create `__main__` in another way."""
    done = subprocess.run(
        [sys.executable, "-B", *arguments],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": f"{PROJECT}{os.pathsep}{folder}"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A folder with a generated package."""
    write_text(SCHEMA, "rods", tmp_path, "made_of")
    return tmp_path


def test_functions_of_a_script_see_its_global_variables(project: Path) -> None:
    script = project / "train.py"
    guard = "\nif __name__ == '__main__':\n    RATE = 3.0\n"
    script.write_text(HEAD + FUNCTIONS + guard + CALLS)
    shown = ["9 6.0 1.5 Rod(u=[3.0, 3.0], k=6)"]
    assert run_alone(project, "train.py") == ["runs as __main__", *shown]
    # Without a guard, the script would run twice.
    script.write_text(HEAD + FUNCTIONS + "\nif True:\n    RATE = 3.0\n" + CALLS)
    assert run_alone(project, "-m", "train") == ["runs as __main__", *shown]


def test_function_not_yet_defined_in_the_script_is_a_clear_error(project: Path) -> None:
    (project / "train.py").write_text(HEAD + NOT_YET)
    first, *lines = run(project, "train.py")
    assert first == "runs as __main__"
    kinds = ["ImportError"] * 5 + ["AttributeError"]
    names = ["converted", "converted", "made", "heat", "Steps", "started"]
    assert lines == [
        f"{kind} the running script `{project / 'train.py'}` does not define `{name}` yet: "
        "define it above the first call, or in another module"
        for kind, name in zip(kinds, names, strict=True)
    ]


def test_spawned_process_of_a_script_imports_it_once(project: Path) -> None:
    (project / "train.py").write_text(
        HEAD
        + FUNCTIONS
        + """
def work(rate):
    global RATE
    RATE = rate
    print(Rod(u=jnp.zeros(2)).heat(2.0), step(Rod(u=jnp.zeros(2)), 0.5).u[0], flush=True)

if __name__ == "__main__":
    import multiprocessing
    process = multiprocessing.get_context("spawn").Process(target=work, args=(4.0,))
    process.start()
    process.join()
"""
    )
    assert run_alone(project, "train.py") == ["runs as __main__", "runs as __mp_main__", "8.0 2.0"]


# --- imports of a generated module from the script

IMPORTING = """
from train import Mode, Named, doubled
from typing import Callable

from codegen.schema import dynamic, f32, impl, static

class Rod(Named):
    u: dynamic[f32]
    mode: static[Mode] = Mode.SLOW
    function: static[Callable[[f32], f32]] = doubled

@impl("train:run")
def step(rod: dynamic[Rod]) -> Rod: ...
"""
IMPORTED = """
import enum
from pathlib import Path
print("runs as", __name__)

class Mode(enum.Enum):
    SLOW = 1
    FAST = 2

class Named:
    u: object

def doubled(x):
    return 2 * x

def run(rod):
    return rod.replace(u=rod.function(rod.u))
"""
SAVING = """
from made_of.rods import Rod, step
from codegen.runtime.checkpoint import pack
rod = step(Rod(1.0, mode=Mode.FAST, function=doubled))
print(rod.u, rod.mode is Mode.FAST, isinstance(rod, Named))
print(Rod(1.0).mode is Mode.SLOW, Rod(1.0).function is doubled)
Path("saved.txt").write_text(pack(rod).about)
print(rod.fingerprint())
"""
LOADING = """
import train
from pathlib import Path
from made_of.rods import Rod
from codegen.runtime.checkpoint import unpack
import jax.numpy as jnp
rod = unpack(Rod, {"u": jnp.float32(2)}, Path("saved.txt").read_text())
print(rod.mode is train.Mode.FAST, rod.function is train.doubled)
print(rod.fingerprint())
"""


@pytest.fixture
def importing(tmp_path: Path) -> Path:
    """A folder with a generated package that imports from the script."""
    write_text(IMPORTING, "rods", tmp_path, "made_of")
    return tmp_path


def test_generated_module_imports_the_objects_of_the_running_script(importing: Path) -> None:
    (importing / "train.py").write_text(IMPORTED + SAVING)
    (importing / "load.py").write_text(LOADING)
    saved = run(importing, "train.py")
    assert saved[:3] == ["runs as __main__", "2.0 True True", "True True"]
    # Another program that imports the script uses the same module for everything.
    (importing / "train.py").write_text(IMPORTED)
    assert run(importing, "load.py") == ["runs as train", "True True", saved[3]]


def test_import_of_a_name_that_the_script_defines_later_is_a_clear_error(importing: Path) -> None:
    asked = "try:\n    import made_of.rods\nexcept ImportError as error:\n    print(error)"
    (importing / "train.py").write_text(asked + IMPORTED)
    assert run(importing, "train.py") == [
        f"the running script `{importing / 'train.py'}` does not define `Mode` yet: "
        "define it above the import of `made_of.rods`, or in another module",
        "runs as __main__",
    ]


# --- finding the module of the script

ASK = """
import sys
from importlib import import_module
from codegen.runtime import protocol_v2
from tests import forked

print("once")
protocol_v2("made", implementations=sys.argv[1:])
print(*[import_module(name) is sys.modules["__main__"] for name in sys.argv[1:]])
print(*sorted(sys.modules.keys() & {"package", "package.inner"}))
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder of modules, with packages that have an `__init__` and packages that have none."""
    for name in ("train.py", "package/train.py", "package/inner/train.py", "plain/train.py"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(ASK)
    (tmp_path / "plain" / "__init__.py").write_text("print('package')")
    return tmp_path


@pytest.mark.parametrize(
    ("command", "module"),
    [
        ("package/train.py", "package.train"),
        ("-m package.train", "package.train"),
        ("package/inner/train.py", "package.inner.train"),
        ("./package/../train.py", "train"),
    ],
)
def test_script_is_found_as_the_module_of_its_file(folder: Path, command: str, module: str) -> None:
    lines = run(folder, *command.split(), module, PYTHONPATH=str(folder))
    assert lines[:2] == ["once", "True"]
    assert lines[2] in ("", "package"), "no package was imported to find out"


def test_script_run_through_a_link_is_the_module(folder: Path) -> None:
    (folder / "start").symlink_to(folder / "train.py")
    (folder / "elsewhere").mkdir()
    (folder / "elsewhere" / "train.py").symlink_to(folder / "train.py")
    for script in ("start", "elsewhere/train.py"):
        assert run(folder, script, "train")[:2] == ["once", "True"]


def test_archive_and_command_are_not_a_module(folder: Path) -> None:
    text = (
        ASK.partition("print")[0]
        + "protocol_v2('made', implementations=['train']); print('train' in sys.modules)"
    )
    with zipfile.ZipFile(folder / "app.zip", "w") as archive:
        archive.writestr("__main__.py", text)
    for command in (["app.zip"], ["-c", text]):
        assert run_alone(folder, *command) == ["False"]


def _main(monkeypatch: pytest.MonkeyPatch, **names: object) -> types.ModuleType:
    main = types.ModuleType("__main__")
    vars(main).update(names)
    monkeypatch.setitem(sys.modules, "__main__", main)
    for name in ("train", "package.train"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    return main


def test_file_with_the_same_name_elsewhere_is_another_module(
    folder: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(str(folder))
    other = tmp_path_factory.mktemp("other") / "train.py"
    other.write_text("")
    main = _main(monkeypatch, __file__=str(other))
    protocol_v2("made", implementations=["train", "package.train", "no_such_package.train", "math"])
    assert not {"train", "package.train", "no_such_package.train"} & sys.modules.keys()
    assert type(main) is types.ModuleType
    for nothing in (None, 3, str(folder / "no_folder" / "train.py")):
        _main(monkeypatch, __file__=nothing)
        protocol_v2("made", implementations=["train"])
        assert "train" not in sys.modules


def test_earlier_second_import_is_replaced(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(folder))
    main = _main(monkeypatch, __file__=str(folder / "package" / "train.py"))
    package = types.ModuleType("package")
    earlier = types.ModuleType("package.train")
    monkeypatch.setitem(sys.modules, "package", package)
    monkeypatch.setitem(sys.modules, "package.train", earlier)
    vars(package)["train"] = earlier
    protocol_v2("made", implementations=["package.train"])
    assert importlib.import_module("package.train") is main
    assert vars(package)["train"] is main
    with pytest.raises(AttributeError, match="does not define `missing` yet"):
        main.missing  # noqa: B018
    assert not hasattr(main, "__path__")
