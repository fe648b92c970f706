"""Test what an observed command decides: what stays, what is refused, and which types it gives."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import types
from pathlib import Path
from typing import Any

import pytest

from codegen.adopt.observe import failures
from codegen.adopt.observe.recorder import Recorder
from codegen.cli.main import main

CASES = Path(__file__).parents[1] / "cases" / "adopt"
# Settings of ruff that projects have: usual ones, few rules, and a package that isort takes for a foreign one.
SETTINGS = (
    ("--select=E4,E7,F,I,PLC0414,UP037,RUF100",),
    ("--select=RUF100",),
    ("--select=I", "--config=lint.isort.known-third-party=['farm']"),
)


def _adopt(
    folder: Path, *command: str, package: str = "farm", status: int = 0
) -> tuple[dict[str, str], dict[str, Any]]:
    """Adopt the package; return why classes are refused, by name, and the report."""
    words = [
        "adopt",
        package,
        "--schemas",
        "schemas",
        "--out",
        f"{package}/_generated",
        "--rewrite",
    ]
    assert main([*words, "--report", "report.json", *command]) == status
    report = json.loads((folder / "report.json").read_text(encoding="utf-8"))
    refused = {
        one["name"].removeprefix(f"{package}."): f"{each['construct']}: {each['why']}"
        for one in report["classes"]
        for each in one["refused"]
    }
    return refused, report


def _lint(folder: Path, settings: tuple[str, ...]) -> set[str]:
    """Return what ruff reports, without lines."""
    words = ["check", "--isolated", "--no-cache", *settings, "--exclude", "_generated"]
    done = subprocess.run(
        [sys.executable, "-m", "ruff", *words, "--output-format", "json", "farm"],
        cwd=folder,
        capture_output=True,
        check=False,
    )
    return {f"{one['filename']} {one['code']} {one['message']}" for one in json.loads(done.stdout)}


@pytest.fixture
def farm(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    shutil.copytree(CASES / "observed", tmp_path, dirs_exist_ok=True)
    # The libraries themselves may be missing, and import slowly.
    monkeypatch.setenv("PYTHONPATH", str(CASES / "standins"))
    return tmp_path


def test_observed_line_overrules_use_in_source(
    farm: Path,
    preloaded: str,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    for name in ("__init__.py", "pyproject.toml"):  # the root of a repository
        (farm / name).touch()
    left = farm / "farm" / ".0123456789abcdef.codegen-tmp"  # of a killed run
    left.touch()
    faults = [_lint(farm, settings) for settings in SETTINGS]
    with monkeypatch.context() as patch:
        patch.setattr(sys, "executable", preloaded)
        refused, _ = _adopt(farm, "--observe", "--", preloaded, "-W", "ignore", "-m", "farm.check")
    assert not left.exists()
    for settings, before in zip(SETTINGS, faults, strict=True):
        assert _lint(farm, settings) <= before
    source = (farm / "farm" / "kinds.py").read_text(encoding="utf-8")
    assert "import struct" not in source
    assert '    first: "Measured"\n    later: "Measured | None" = None\n' in source
    assert 'def last(self, *others: "Measured") -> "Measured":' in source
    assert "def chosen(one: Measured) -> Measured:" in source
    assert "of both runs: no difference" in capfd.readouterr().out
    assert refused == {
        "uses.State": "used as a mapping: `Wrapped(**other, extra=extra)` at farm/uses.py:27 uses an object as a mapping, "  # noqa: E501
        "which can be one of this class, and the observed command did not run this line",
        "uses.Wrapped": refused["uses.State"],
        "uses.Box": "mutable: `box.u = ...` at farm/uses.py:51 changes an object, which can be one of this class, "
        "and the observed command did not run this line",
        "uses.Cached": "__dict__: `self.__dict__` at farm/uses.py:113 reads the `__dict__` of its own object, "
        "but a generated object has none",
        "uses.Stored": "__dict__: `self.__dict__` at farm/uses.py:129 reads the `__dict__` of its own object, "
        "but a generated object has none",
        "uses.Shown": "__dict__: `vars(x)` at farm/uses.py:83 reads the `__dict__` of an object, "
        "which can be one of this class",
        "uses.Weird": "subclass: its subclass `farm.uses.Weirder` is not adopted",
        "uses.Weirder": "second run: the command no longer runs as before with the generated class: "
        "AttributeError: 'Weirder' object has no attribute '__dict__'",
        "uses.Node": "isinstance: `isinstance(one, struct.PyTreeNode)` at farm/uses.py:146 has an object that can be "
        "one of this class, and the observed command did not run this line, but a generated class does not derive "
        "from a class of its library",
        "uses.Pair": "used as a tuple: `first, second = pair(u)` at farm/uses.py:166 uses an object as a tuple, "
        "which can be one of this class, and the observed command did not run this line",
        "uses.Couple": "used as a tuple: `first, second = self.pair(u)` at farm/uses.py:175 uses an object as a tuple, "
        "which can be one of this class, and the observed command did not run this line",
        "kinds.Reading": "used as a tuple: `first, _ = Reading(u, u)` at farm/check.py:33 uses an object as a tuple, "
        "which can be one of this class",
    }
    schema = (farm / "schemas" / "kinds.pyi").read_text(encoding="utf-8")
    types = [line.strip() for line in schema.splitlines() if "[" in line and "class" not in line]
    assert types == [
        "reading: dynamic[Reading]",
        "maybe: dynamic[Reading | None] = None",
        'dtype: static[Any] = field(factory="farm.kinds:_measured_dtype_default")',
        "function: static[Callable[..., Any] | None] = None",
        "scale: dynamic[float] = 1.0",
        "u: dynamic[Shaped[...]]",
        "late: dynamic[Shaped[...] | None] = None",
        "f: dynamic[bool | int | float] = 1.0",
        'name: static[str] = "unseen"',
        "# Observed: rows[m], same[m], many[m]; `--shapes` declares such dimensions.",
        "rows: dynamic[Any]",
        "same: dynamic[Shaped[...] | None]",
        "many: dynamic[Any] = 1.0",
        'title: static[str | None] = ""',
    ]
    unseen = (farm / "schemas" / "uses.pyi").read_text(encoding="utf-8")
    assert "    function: static[identity[Any]]\n" in unseen
    source = (farm / "farm" / "uses.py").read_text(encoding="utf-8")
    assert "    def set(self, **changes):\n        return self.replace(**changes)\n" in source
    assert source.count("    @property\n    def __dict__(self):\n") == 2  # Table, Listed: only read


def test_failure_without_a_class_costs_one_of_the_classes_that_the_test_creates(
    farm: Path, preloaded: str, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "executable", preloaded)
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")  # Plugins import slowly.
    command = [preloaded, "-m", "pytest", "-q", "-p", "no:cacheprovider", "barn"]
    refused, report = _adopt(farm, "--no-import", "--observe", "--", *command, package="barn")
    said = capfd.readouterr()
    assert said.err.count("1 failed, 1 passed") == 2  # with all classes, and without the other two
    assert said.err.count("2 passed") == 2  # at first, and without the class
    assert "compared 4 objects of both runs: no difference" in said.out
    assert refused == {
        "kinds.Cow": "second run: the command no longer runs as before with the generated class: "
        "`barn/kinds_test.py::test_constructor_has_annotations` did not fail before, but fails now"
    }
    assert "class Cow:" in (farm / "barn" / "kinds.py").read_text(encoding="utf-8")
    assert not report["notes"]  # the class of the test file was observed too


def _lines_not_run(report: dict[str, Any]) -> list[str]:
    notes = [one for one in report["notes"] if one["kind"] == "not run"]
    return [f"{one['file']}:{one['line']} {one['why'].split('`')[1]}" for one in notes]


def test_line_that_did_not_run_refuses_only_classes_that_types_and_names_show(
    farm: Path, preloaded: str, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "executable", preloaded)
    command = ["--no-import", "--observe", "--", preloaded, "-m", "shed.check"]
    accepted, report = _adopt(farm, "--dry-run", "--accept-unseen", *command, package="shed")
    lines = _lines_not_run(report)
    refused, report = _adopt(farm, *command, package="shed", status=1)
    assert (accepted, lines) == (refused, _lines_not_run(report))
    reads = "reads the `__dict__` of an object, which can be one of this class"
    own = "reads the `__dict__` of its own object, but a generated object has none"
    unseen = ", and the observed command did not run this line"
    assert refused == {
        "kinds.Hoe": f"__dict__: `tool.__dict__` at shed/kinds.py:92 {reads}",
        "kinds.Spade": f"__dict__: `tool.__dict__` at shed/kinds.py:96 {reads}{unseen}",
        "kinds.Fork": f"__dict__: `tool.__dict__` at shed/kinds.py:101 {reads}{unseen}",
        "kinds.Cart": "mutable: `tool.load = ...` at shed/kinds.py:110 changes an object, "
        f"which can be one of this class{unseen}",
        "kinds.Scythe": f"__dict__: `self.__dict__` at shed/kinds.py:55 {own}",
        "kinds.Sickle": f"__dict__: `vars(self)` at shed/kinds.py:64 {own}",
    }
    assert lines == [
        "shed/kinds.py:72 tool.__dict__",
        "shed/kinds.py:76 vars(tool)",
        "shed/kinds.py:80 setattr(tool, name, value)",
        "shed/kinds.py:84 object.__setattr__(tool, name, value)",
        "shed/kinds.py:88 isinstance(tool, struct.PyTreeNode)",
    ]
    said = capfd.readouterr().out
    assert "shed/kinds.py:72: not run: generated objects do not support `tool.__dict__`" in said
    assert "of both runs: no difference" in said
    source = (farm / "shed" / "kinds.py").read_text(encoding="utf-8")
    assert source.count("    @property\n    def __dict__(self):\n") == 1  # Bucket: only read
    again, report = _adopt(farm, *command, package="shed")  # It adopts no class.
    assert again.keys() == refused.keys()
    assert not _lines_not_run(report)


@pytest.mark.parametrize("option", ["--shapes", "--accept-unseen"])
def test_option_without_observation_is_an_error(
    option: str, farm: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["adopt", "shed", "--schemas", "schemas", "--out", "out", option]) == 2
    assert f"`{option}` needs observations: add `--observe" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("body", "is_extended"),
    [("u: int", True), ("u: Missing", True), ("u: 'Missing'", True), ("u = 1", False)],
)
def test_subclass_with_annotations_is_recorded(
    tmp_path: Path, body: str, *, is_extended: bool
) -> None:
    names = ("classes", "interfaces", "places")
    recorder = Recorder(
        {name: {} for name in names} | {"out": str(tmp_path), "generated": "", "arguments": False}
    )
    # Python 3.14 evaluates annotations only when they are read.
    lazy = "" if sys.version_info >= (3, 14) else "from __future__ import annotations\n"
    known: dict[str, Any] = {}
    text = f"{lazy}class Cow: ...\nclass Calf(Cow):\n    {body}\n"
    exec(compile(text, "cows.py", "exec", dont_inherit=True), known)
    recorder.wrapped["barn.Cow"] = known["Cow"]
    recorder.save()
    (file,) = tmp_path.iterdir()
    seen = json.loads(file.read_text(encoding="utf-8"))["classes"]
    assert ("extended" in seen.get("barn.Cow", {})) is is_extended


def test_arguments_are_recorded_if_annotations_use_missing_names(tmp_path: Path) -> None:
    names = ("interfaces", "places")
    settings = {"classes": {"barn": {"Cow": {}}}, "out": str(tmp_path), "generated": ""}
    recorder = Recorder({name: {} for name in names} | settings | {"arguments": True})
    lazy = "" if sys.version_info >= (3, 14) else "from __future__ import annotations\n"
    text = f"{lazy}class Cow:\n    def __init__(self, age: Missing): self.age = age\n"
    barn = types.ModuleType("barn")
    exec(compile(text, "cows.py", "exec", dont_inherit=True), vars(barn))
    recorder.wrap(barn)
    barn.Cow(3)
    assert recorder.seen["barn.Cow"]["arguments"] == [("age", "3")]


def test_use_in_source_refuses_without_observation(farm: Path) -> None:
    refused, _ = _adopt(farm, "--no-import")
    refused = {name: why for name, why in refused.items() if name.startswith("uses.")}
    assert {*refused} == {
        f"uses.{name}"
        for name in (
            "State",
            "Wrapped",
            "Big",
            "Box",
            "Tin",
            "Table",
            "Shown",
            "Hidden",
            "Fluid",
            "Weird",
            "Weirder",
            "Cached",
            "Plain",
            "Listed",
            "Stored",
            "Node",
            "Leafless",
            "Pair",
            "Couple",
            "Unseen",
        )
    }
    assert refused["uses.Tin"].startswith("mutable: `tin.w = ...`")


@pytest.mark.parametrize(
    ("module", "name"), [("heat._generated.plate", "Plate"), ("heat.plate", "_PlateMethods")]
)
def test_exception_is_about_the_class_whose_code_raised_it(
    module: str, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    config: dict[str, Any] = {"classes": {"heat.plate": {"Plate": {}}}, "out": "", "places": {}}
    config |= {"generated": f"{tmp_path.as_posix()}/", "interfaces": {}, "arguments": False}
    monkeypatch.setattr(failures, "_RECORDERS", [Recorder(config)])
    file = tmp_path / "plate.py" if "_generated" in module else Path("plate.py")
    text = f"class {name}:\n    def energy(self):\n        raise ValueError\n"
    if file.is_absolute():
        file.write_text(text, encoding="utf-8")
    known: dict[str, Any] = {"__name__": module}
    exec(compile(text, str(file), "exec"), known)
    with pytest.raises(ValueError) as raised:  # noqa: PT011 -- it is raised above
        known[name]().energy()
    assert [*failures._owners(raised.value)] == ["heat.plate.Plate"]
