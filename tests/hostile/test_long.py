"""Long names, types, defaults, options and texts, each broken over several lines if needed.

Output is parsed again before it is returned, so a wrong line break is an error. A different line break than that of
`ruff format` is found by running it once on all files.
"""

from __future__ import annotations

import random
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from codegen.options import Options
from tests.reading.verify import verified

OPTIONS = Options("schemas", "generated")
HEAD = """from enum import Enum
from typing import Any, Callable, ClassVar, Generic, Literal, TypeVar

from codegen.schema import (
    Dim, Float, bf16, donated, dtype, dynamic, f32, field, frozendict, i32, impl, key, static, u8,
)

T = TypeVar("T")
"""


class Long:
    """Draw one schema. No name is longer than `length`."""

    def __init__(self, seed: int, length: int) -> None:
        self.random = random.Random(seed)
        self.length = length
        self.count = 0
        self.dims = [self.name() for _ in range(3)]
        self.enum, self.config, self.part, self.box, self.linear = (
            self.name().capitalize() for _ in range(5)
        )
        self.members = [self.name() for _ in range(3)]
        self.settings = [self.name() for _ in range(3)]

    def name(self) -> str:
        """Return a new name."""
        self.count += 1
        length = self.random.choice([4, self.length // 2, self.length])
        return "".join(self.random.choices("abcdefg_", k=length)).strip("_") + f"q{self.count}"

    def one_of(self, *choices: Callable[[], str]) -> str:
        return self.random.choice(choices)()

    def several(self, item: Callable[[], str], most: int) -> str:
        return ", ".join(item() for _ in range(self.random.randint(1, most)))

    def text(self) -> str:
        return repr(
            self.random.choice([self.name(), 'it\'s "so"', "x" * self.random.randint(1, 70)])
        )

    def number(self) -> str:
        return str(self.random.randint(0, 10 ** self.random.randint(1, 40)))

    def path(self) -> str:
        return repr(f"{self.name()}.{self.name()}:{self.name()}")

    def dim(self) -> str:
        one = self.random.choice(self.dims)
        return self.random.choice([one, "3", f"{one} + 1", f"2 * {self.random.choice(self.dims)}"])

    def array(self) -> str:
        kind = self.random.choice(["f32", "bf16", "Float", "i32", "u8"])
        return self.random.choice([kind, f"{kind}[{self.several(self.dim, 5)}]"])

    def static(self, depth: int = 3) -> str:
        """Return a type for a static role."""
        plain = ["int", "float", "str", "bytes", "dtype", "Any", self.enum, self.config]
        if not depth:
            return self.random.choice(plain)

        def inner() -> str:
            return self.static(depth - 1)

        return self.one_of(
            lambda: self.random.choice(plain),
            lambda: f"Literal[{self.several(self.text, 6)}, 1]",
            lambda: f"tuple[{inner()}, ...]",
            lambda: f"tuple[{self.several(inner, 5)}]",
            lambda: f"frozendict[str, {inner()}]",
            lambda: f"tuple[{inner()}, ...] | frozenset[str] | None",
            lambda: f"Callable[[{self.several(self.array, 4)}], {inner()}]",
            self.array,
        )

    def dynamic(self, depth: int = 3) -> str:
        """Return a type for a dynamic role."""
        if not depth:
            return self.random.choice([self.part, "float", "key", self.array()])

        def inner() -> str:
            return self.dynamic(depth - 1)

        return self.one_of(
            self.array,
            lambda: f"{self.linear}[{self.dim()}, {self.dim()}]",
            lambda: f"{self.box}[{inner()}]",
            lambda: f"tuple[{self.several(inner, 4)}]",
            lambda: f"dict[str, {inner()}]",
            lambda: f"list[{inner()}]",
            lambda: f"{inner()} | None",
        )

    def default(self) -> tuple[str, str]:
        """Return a static type and a default for it."""
        given = ", ".join(f"{name}={self.number()}" for name in self.settings)
        words = ", ".join(repr(self.name()) for _ in range(self.random.randint(1, 4)))
        pairs = self.several(lambda: f"{self.name()!r}: {self.number()}", 4)
        keyed = self.several(lambda: f"({self.count}, {self.name()!r}): ({self.number()},)", 4)
        return self.random.choice(
            [
                ("int", self.number()),
                ("str", self.text()),
                ("tuple[int, ...]", f"({self.several(self.number, 8)},)"),
                ("frozenset[str]", f"frozenset(({words},))"),
                ("frozendict[str, int]", f"frozendict({{{pairs}}})"),
                ("frozendict[tuple[int, str], tuple[int, ...]]", f"frozendict({{{keyed}}})"),
                (self.enum, f"{self.enum}.{self.random.choice(self.members)}"),
                (self.config, f"{self.config}({given})"),
                (f"{self.static()} | None", "None"),
            ]
        )

    def field(self) -> str:
        """Return a field with random options."""
        name, (type, default) = self.name(), self.default()
        words = " ".join(self.name() for _ in range(self.random.randint(1, 9)))
        init = self.random.choice(['"zeros"', "normal(0.02)", "normal(stddev=1e-05)", self.path()])
        spec = self.several(lambda: self.random.choice([self.text(), "None"]), 1)
        line = self.random.choice(
            [
                f"static[{self.static()}]",
                f"static[{type}] = {default}",
                f"static[{type}] = field(default={default}, convert={self.path()})",
                f"static[{self.static()}] = field(convert={self.path()})",
                f"{self.random.choice(['donated', 'dynamic'])}[{self.array()}]",
                f"dynamic[{self.dynamic()}]",
                f"dynamic[{self.dynamic()} | None] = None",
                f"donated[f32[{self.dim()}]] = field(init={init}, spec=({spec},))",
                "dynamic[f32] = 123456789.123456",
                f"ClassVar[str] = {self.text()}",
            ]
        )
        return f"    {name}: {line}" + self.random.choice(["", f"  # {words}"])

    def method(self) -> str:
        """Return a method or a property."""
        type, default = self.default()
        given = f"self, {self.name()}: {self.static()}, {self.name()}: {type} = {default}"
        head = f"    @impl({self.path()})\n    def {self.name()}"
        if self.random.random() < 0.5:
            return f"    @property\n{head}(self) -> {self.static()}: ..."
        return f"{head}({given}) -> {self.dynamic()}: ..."

    def function(self, held: str) -> str:
        """Return a function with arguments of a class."""
        type, default = self.default()
        given = [
            f"donated[{held}]",
            f"dynamic[{self.dynamic()}]",
            f"static[{self.static()}]",
            f"static[{type}] = {default}",
        ]
        parameters = ", ".join(f"{self.name()}: {one}" for one in given)
        head = f"@impl({self.path()})\ndef {self.name()}({parameters})"
        return f"{head} -> tuple[{held}, {self.dynamic()}]: ..."

    def schema(self) -> str:
        """Return the whole schema."""
        mesh = [f"mesh={self.text()}", "", f"mesh=({self.text()}, {self.name()!r})"]
        options = ["", "(kw_only=True)"]
        lines = [HEAD, *(f"{n} = Dim({m})" for n, m in zip(self.dims, mesh, strict=True))]
        lines += [f"class {self.enum}(Enum):"]
        lines += [f"    {name} = ({self.number()}, {self.text()})" for name in self.members]
        lines += [f"class {self.config}:", *(f"    {name}: static[int]" for name in self.settings)]
        lines += [f"class {self.linear}(dims=(ain, bout)):", "    w: donated[f32[ain, bout]]"]
        lines += [f"class {self.box}(Generic[T]):", f"    {self.name()}: dynamic[T]"]
        lines += [f"class {self.part}:", f"    {self.name()}: donated[f32[{self.dims[0]}]]"]
        lines += [f"{self.name().capitalize()} = {self.static()}"]
        for option in options:
            held = self.name().capitalize()
            lines += [f"class {held}{option}:", f"    {self.name()}: donated[f32]"]
            lines += [self.field() for _ in range(self.random.randint(1, 6))]
            lines += [self.method(), self.function(held)]
        return "\n".join(lines) + "\n"


def _outputs(length: int, count: int) -> dict[str, str]:
    """Return the modules of the legal ones of the drawn schemas."""
    found: dict[str, str] = {}
    for seed in range(count):
        files = [("heat.pyi", "heat", Long(seed, length).schema().encode())]
        for file in verified(files, OPTIONS).rendered:
            if "heat" in file.path:
                found[f"seed_{seed}_{file.path.replace('/', '_')}"] = file.text
    return found


@pytest.mark.parametrize("length", [40, 80])
def test_long_schemas_compile_to_valid_python(length: int) -> None:
    assert len(_outputs(length, 15)) > 10


def test_long_lines_are_broken_as_by_ruff_format(tmp_path: Path) -> None:
    outputs = _outputs(20, 40)
    assert len(outputs) > 25
    for name, text in outputs.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    command = [sys.executable, "-m", "ruff", "format", "--isolated", "--diff", str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
