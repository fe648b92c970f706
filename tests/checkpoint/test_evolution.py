"""Changes of a schema, as seen by `codegen breaking` and by `unpack`: `tests/cases/evolution/`.

CASE/previous/, current/    two schema folders; `expected.txt` has the output of both

`pytest tests/checkpoint/test_evolution.py --update` writes what is expected; read the difference.
"""

import re
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from codegen.diagnostics import text
from codegen.runtime.checkpoint import (
    CheckpointError,
    from_dict,
    pack,
    restore,
    save,
    to_dict,
    unpack,
)
from tests.checkpoint.versions import Versions
from tests.test_breaking import BAD, GOOD, _breaking, _files

EVOLUTION = Path(__file__).parents[1] / "cases" / "evolution"
OUTSIDE = Path(__file__).parents[1] / "testing" / "outside"
CASES = sorted(path.parent for path in EVOLUTION.glob("*/previous"))
VARIANTS = 3


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A folder on `sys.path`."""
    folder = tmp_path_factory.mktemp("versions")
    # The modules that the schemas of these cases import.
    shutil.copy(OUTSIDE / "heat_mixins.py", folder)
    (folder / "colors.py").write_text(
        "import enum\nColor = enum.Enum('Color', ['RED', 'BLUE'])\n", encoding="utf-8"
    )
    sys.path.insert(0, str(folder))
    yield folder
    sys.path.remove(str(folder))


def _versions(case: Path, site: Path) -> Versions:
    return Versions(case / "previous", case / "current", site)


def _is_refused(versions: Versions) -> bool:
    outcomes = [
        versions.outcome(name, variant)
        for name in versions.classes()
        for variant in range(VARIANTS)
    ]
    return any(isinstance(one, CheckpointError) for one in outcomes)


@pytest.mark.parametrize("part", range(4))
def test_unpack_rejects_exactly_the_changes_that_break_checkpoints(part: int, site: Path) -> None:
    for case in [*BAD, *GOOD, *CASES][part::4]:
        report = _breaking(_files(case / "previous"), _files(case / "current"), "checkpoint")
        assert _is_refused(_versions(case, site)) == bool(report), case


def test_evolution_cases_match_expected_output(site: Path, pytestconfig: pytest.Config) -> None:
    for case in CASES:
        report = _breaking(_files(case / "previous"), _files(case / "current"))
        versions = _versions(case, site)
        said = [text.full(report)]
        for name in versions.classes():
            said.append(f"{versions.create(name, 0)!r}\n    ->\n{versions.outcome(name, 0)!s}\n")
        found = "\n".join(said)
        expected = case / "expected.txt"
        if pytestconfig.getoption("--update"):
            expected.write_text(found, encoding="utf-8")
        assert found == expected.read_text(encoding="utf-8"), case


def test_like_is_compared_with_fields_that_were_not_saved(site: Path) -> None:
    versions = _versions(EVOLUTION / "default_added", site)
    made = versions.outcome("bar.Bar", 0)
    assert versions.outcome("bar.Bar", 0, like=made) == made
    refused = versions.outcome("bar.Bar", 0, like=made.replace(n=5))
    assert "`n` becomes 4, and `like` has 5" in str(refused)
    wrong = versions.outcome("bar.Bar", 0, like=made.like(None, v=jnp.ones(2), u=made.u))
    assert "`v` becomes float32[], and `like` has float32[2]" in str(wrong)


def test_field_names_shifted_by_one_are_restored_correctly(site: Path) -> None:
    versions = _versions(EVOLUTION / "names_shifted", site)
    old, now = versions.old.find_class, versions.new.find_class
    bar = old("bar.Bar")(jnp.ones(2), jnp.zeros(2), a=1, b=2.0, grid=old("bar.Grid")(a=3, b=4))
    made = unpack(now("bar.Bar"), *pack(bar))
    assert (made.middle[0], made.last[0], made.b, made.c, made.a) == (1, 0, 1, 2.0, 7)
    assert made.grid == now("bar.Grid")(b=3, c=4)
    assert unpack(now("bar.Bar"), *pack(made)) == made
    for one in (old("bar.Grid")(a=3, b=4), made.grid):
        assert from_dict(now("bar.Grid"), to_dict(one)) == made.grid
    assert from_dict(now("bar.Grid"), {"a": 3, "c": 4}) == made.grid
    with pytest.raises(ValueError, match=r"`Grid.b` may also be the former name of `c`"):
        from_dict(now("bar.Grid"), {"b": 3})
    with pytest.raises(ValueError, match=r"`Grid.b` is given under two names"):
        from_dict(now("bar.Grid"), {"a": 3, "b": 4, "c": 5})


def test_part_is_read_by_its_saved_or_its_current_path(site: Path, tmp_path: Path) -> None:
    folders = tmp_path / "previous", tmp_path / "current"
    for folder, inner, outer in (folders[0], "u", "inner"), (folders[1], "v", "part"):
        was = (
            ("  # codegen: was[u]", "  # codegen: was[inner]") if folder is folders[1] else ("", "")
        )
        (folder / "bar.pyi").parent.mkdir()
        (folder / "bar.pyi").write_text(
            "from codegen.schema import dynamic, f32\n\n"
            f"class Inner:\n    {inner}: dynamic[f32]{was[0]}\n\n"
            f"class Outer:\n    {outer}: dynamic[tuple[Inner, ...]]{was[1]}\n",
            encoding="utf-8",
        )
    versions = Versions(*folders, site)
    old, now = versions.old.find_class, versions.new.find_class("bar.Inner")
    state = old("bar.Outer")(inner=(old("bar.Inner")(u=1.0), old("bar.Inner")(u=2.0)))
    packed = pack(state)
    save(tmp_path / "state", state)
    for at in ("inner[1]", "part[1]"):
        assert unpack(now, *packed, at=at) == now(v=2.0)
        assert restore(tmp_path / "state", now, at=at) == now(v=2.0)
    with pytest.raises(CheckpointError, match=r"there is no `parts\[1\]`, only `inner`\."):
        unpack(now, *packed, at="parts[1]")
    with pytest.raises(CheckpointError, match=r"no `w`, only `u`"):
        restore(tmp_path / "state", now, at="part[1].w")


def test_new_fields_are_initialized_as_by_init(site: Path) -> None:
    versions = _versions(EVOLUTION / "init_added", site)
    key = jax.random.key(7)
    made = versions.outcome("bar.Rod", 0, key=key)
    whole = jax.eval_shape(lambda: made).init(key)
    assert made.bars[0].w.shape == (4, 2)
    np.testing.assert_array_equal(made.bars[0].w, whole.bars[0].w)
    np.testing.assert_array_equal(made.bars[0].u, jnp.ones(4))


def test_new_fields_of_different_parts_have_different_keys(site: Path) -> None:
    versions, key = _versions(EVOLUTION / "init_added", site), jax.random.key(7)
    old, now = versions.old.find_class, versions.new.find_class
    keys: dict[str, Any] = {
        "numbers": (-2, -1, 1), "pairs": ((1, "a"), (2, "a")), "names": ('a"]["b', "a.b", "it's"),
    }  # fmt: skip
    bar = old("bar.Bar")(jnp.ones(4))
    packed = pack(old("bar.Table")(*(dict.fromkeys(each, bar) for each in keys.values())))
    made = unpack(now("bar.Table"), *packed, key=key)
    whole = jax.eval_shape(lambda: made).init(key)
    for field, one in ((field, one) for field, each in keys.items() for one in each):
        expected = getattr(whole, field)[one].w
        np.testing.assert_array_equal(getattr(made, field)[one].w, expected)
        alone = unpack(now("bar.Bar"), *packed, key=key, at=f"{field}[{one!r}]")
        np.testing.assert_array_equal(alone.w, expected)


def test_new_fields_of_stacked_layers_are_initialized_per_layer(site: Path) -> None:
    versions, key = _versions(EVOLUTION / "init_added", site), jax.random.key(7)
    made = versions.outcome("bar.Pile", 0, key=key)
    whole = jax.eval_shape(lambda: made).init(key)
    assert made.bars.w.shape == (2, 4, 2)
    np.testing.assert_array_equal(made.bars.w, whole.bars.w)
    packed = pack(versions.create("bar.Pile", 0))
    bars = unpack(versions.new.find_class("bar.Bar"), *packed, key=key, at="bars")
    np.testing.assert_array_equal(bars.w, whole.bars.w)
    grown = _versions(EVOLUTION / "layers_grown", site).outcome("bar.Net", 0).blocks
    for one, value in ((grown.s, 1), (grown.count, 2), (grown.core.scale, 3)):
        np.testing.assert_array_equal(one, [value, value])
    dtypes = [one.dtype.name for one in (grown.s, grown.count, grown.core.scale)]
    assert dtypes == ["float32", "int32", "float32"]


def test_new_fields_beside_refs_and_new_sizes_are_initialized(site: Path) -> None:
    versions, key = _versions(EVOLUTION / "init_beside_refs", site), jax.random.key(7)
    made = versions.outcome("bar.Bar", 0, key=key)
    np.testing.assert_array_equal(made.total[...], [1, 1, 1, 1])
    assert made.w.shape == made.count[...].shape == (4,)
    assert not np.array_equal(made.w, made.count[...])
    assert versions.outcome("bar.Sized", 0, key=key).b.shape == (6,)


def test_dtype_is_widened_if_declared(site: Path) -> None:
    versions = _versions(EVOLUTION / "dtype_widened", site)
    bar = versions.outcome("bar.Bar", 0, cast=True)
    wider = ["float32", "int32", "float32", "float32"]
    assert [leaf.dtype.name for leaf in jax.tree.leaves(bar)] == wider
    refused = versions.outcome("bar.Bar", 0)
    assert [line.split("`")[1] for line in refused.differences] == ["a", "b", "c", "d"]
    assert all("cast=True" in line for line in refused.differences)


VERSIONS = [
    "class Bar:\n    a: dynamic[f32]\n",
    "class Bar:\n    b: dynamic[f32]\n\n    @impl('tests.checkpoint.migrations:first')\n"
    "    def migrate(since='FIRST') -> None: ...\n",
    "class Bar:\n    c: dynamic[f32]\n\n    @impl('tests.checkpoint.migrations:first')\n"
    "    def migrate(since='FIRST') -> None: ...\n\n"
    "    @impl('tests.checkpoint.migrations:second')\n"
    "    def migrate(since='SECOND') -> None: ...\n",
]


def _since(outcome: Any) -> str:
    match = re.search(r'migrate\(since="([0-9a-f]{8})"\)', str(outcome))
    assert match is not None, outcome
    return match[1]


def test_migrations_are_chained(site: Path, tmp_path: Path) -> None:
    def folder(number: int, **digits: str) -> Path:
        source = "from codegen.schema import dynamic, f32, impl\n\n" + VERSIONS[number]
        for name, each in digits.items():
            source = source.replace(name, each)
        made = tmp_path / f"{number}_{len(digits)}_{'_'.join(digits.values())}"
        made.mkdir()
        (made / "bar.pyi").write_text(source, encoding="utf-8")
        return made

    none = "0" * 8
    plain = [folder(0), folder(1, FIRST=none), folder(2, FIRST=none, SECOND="1" * 8)]
    # The error contains the digits.
    first = _since(Versions(plain[0], plain[2], site).outcome("bar.Bar", 0))
    second = _since(Versions(plain[1], plain[2], site).outcome("bar.Bar", 0))
    last = folder(2, FIRST=first, SECOND=second)
    assert Versions(plain[0], last, site).outcome("bar.Bar", 0).c == 2 * (1 + 1)
    assert Versions(folder(1, FIRST=first), last, site).outcome("bar.Bar", 0).c == 2
    assert Versions(last, last, site).outcome("bar.Bar", 0).c == 1
