"""This version reads, checks and rebuilds what earlier versions wrote: see `record.py`."""

from __future__ import annotations

import importlib
import itertools
import json
import pickle
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from codegen.runtime import PROTOCOL
from tests.frozen.fixtures import ARCHIVES, PACKAGE, extract
from tests.frozen.objects import objects
from tests.generated.package import forget
from tests.promises.project import Project

NAMES = (
    "arrays",
    "containers",
    "holder",
    "material",
    "net",
    "plate",
    "registered",
    "renamed",
    "statics",
    "statics_of_many_values",
    "tied",
)

RUNTIMES = ("package", "vendored")
FORMER_MODULES = {
    f"{PACKAGE}._runtime.keys.interning": "keys.interning",
    f"{PACKAGE}._runtime.frozendict": "frozen_dicts",
    "codegen.runtime.keys.interning": "keys.interning",
    "codegen.runtime.frozen_dicts": "frozen_dicts",
}
"""The modules of the run time that pickles of each version name, and those of the present output."""


def _codegen(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return Project(folder).call(*arguments)


@pytest.fixture(scope="module", params=itertools.product(ARCHIVES, RUNTIMES), ids=str)
def folder(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Path]:
    """The fixtures of a version, with the output rebuilt by this version and importable."""
    version, runtime = request.param
    folder = extract(tmp_path_factory.mktemp("frozen"), version, runtime)
    built = _codegen(folder, "build")
    assert built.returncode == 0, built.stderr
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(folder)
        yield folder
        forget(PACKAGE)


@pytest.fixture(scope="module")
def expected(folder: Path) -> dict[str, Any]:
    return objects(PACKAGE)


@pytest.fixture(scope="module")
def recorded(folder: Path) -> dict[str, dict[str, str]]:
    found: dict[str, dict[str, str]] = json.loads((folder / "recorded.json").read_text())
    return found


@pytest.fixture(scope="module")
def part(folder: Path) -> Callable[[str], Any]:
    """Import a module of the run time that the output uses."""
    is_copied = (folder / PACKAGE / "_runtime/__init__.py").exists()
    runtime = f"{PACKAGE}._runtime" if is_copied else "codegen.runtime"
    return lambda name: importlib.import_module(f"{runtime}.{name}")


def test_every_object_has_a_fixture(expected: dict[str, Any]) -> None:
    assert sorted(expected) == sorted(NAMES)


@pytest.mark.parametrize("version", ARCHIVES)
def test_output_is_checked_and_rebuilt_without_force(tmp_path: Path, version: str) -> None:
    folder = extract(tmp_path, version)
    checked = _codegen(folder, "check")
    assert checked.returncode in (0, 1), checked.stderr
    assert "edited" not in checked.stdout + checked.stderr
    built = _codegen(folder, "build")
    assert built.returncode == 0, built.stderr
    assert _codegen(folder, "check").returncode == 0
    (folder / PACKAGE / ".codegen-manifest").unlink()
    built = _codegen(folder, "build")
    assert built.returncode == 0, built.stderr


@pytest.mark.parametrize("version", ARCHIVES)
def test_modules_import_the_installed_package_if_the_protocol_is_the_same(
    tmp_path: Path, version: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As with `runtime = "package"`."""
    folder = extract(tmp_path, version)
    name = f"packaged_{''.join(filter(str.isalnum, version))}"
    modules = (folder / PACKAGE).rename(folder / name).glob("*.py")
    texts = {
        path: path.read_text().replace("from ._runtime", "from codegen.runtime") for path in modules
    }
    for path, text in texts.items():
        path.write_text(text)
    monkeypatch.syspath_prepend(folder)
    if f"protocol_v{PROTOCOL}" in texts[folder / name / "heat.py"]:
        recorded = json.loads((folder / "recorded.json").read_text())
        assert objects(name)["plate"].fingerprint() == recorded["fingerprints"]["plate"]
    else:
        with pytest.raises(ImportError, match="The code is older: run `codegen build` again"):
            objects(name)
    forget(name)


@pytest.mark.parametrize("name", NAMES)
def test_pickles_are_read(
    folder: Path,
    part: Callable[[str], Any],
    expected: dict[str, Any],
    name: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """With the lines of docs/coming-from/rc1.md, because they name modules of another run time."""
    for former, now in FORMER_MODULES.items():
        monkeypatch.setitem(sys.modules, former, part(now))
    assert pickle.loads((folder / f"{name}.pickle").read_bytes()) == expected[name]


@pytest.mark.parametrize("name", NAMES)
def test_checkpoints_are_read(
    folder: Path, part: Callable[[str], Any], expected: dict[str, Any], name: str
) -> None:
    about = (folder / f"{name}.json").read_text()
    with np.load(folder / f"{name}.npz") as arrays:
        found = part("checkpoint").unpack(type(expected[name]), dict(arrays), about)
    assert found == expected[name]


def test_a_saved_folder_is_restored(
    folder: Path, part: Callable[[str], Any], expected: dict[str, Any]
) -> None:
    restored = part("checkpoint").restore(folder / "saved", type(expected["plate"]))
    assert restored == expected["plate"]


def test_digests_stay(
    part: Callable[[str], Any], recorded: dict[str, dict[str, str]], folder: Path
) -> None:
    """`migrate(since=...)` in a schema names them."""
    for schema in (folder / "schemas").glob("*.pyi"):
        importlib.import_module(f"{PACKAGE}.{schema.stem}")
    declared = part("checkpoint.schemas")._package(f"{PACKAGE}.").table
    found = {
        name: part("evolution").schema_digest(entry)
        for name, entry in declared.items()
        if entry["kind"] == "class"
    }
    assert found == recorded["digests"]


def test_fingerprints_stay(expected: dict[str, Any], recorded: dict[str, dict[str, str]]) -> None:
    found = {name: obj.fingerprint() for name, obj in expected.items()}
    assert found == recorded["fingerprints"]
