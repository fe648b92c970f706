"""Test that the flow of `examples.flow` learns digits, resumes exactly, and runs on eight devices."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from codegen.runtime import max_traces
from codegen.runtime.checkpoint import pack, restore
from examples import flow
from examples.flow_model import CLASSES, make_training
from generated.flow import Architecture, Config, Optimiser, Training, sample, train
from tests import forked
from tests.xla import COMPILED_QUICKLY

SMALL = ["--config.architecture.hidden", "16", "--config.batch", "32", "--config.chunk", "4"]


def numbers(folder: Path, step: int) -> dict[str, Any]:
    """Return the arrays of a checkpoint, and its static values."""
    packed = pack(restore(folder / str(step), Training))
    return {path: np.asarray(x) for path, x in packed.arrays.items()} | {"about": packed.about}


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The checkpoints of a training without a break."""
    folder = tmp_path_factory.mktemp("whole")
    flow.main(["train", str(folder), *SMALL, "--chunks", "3"])
    return folder


def require_same(one: Path, other: Path, require: Callable[..., None], **how: float) -> None:
    """Compare the states after the third chunk of two runs."""
    first, second = numbers(one, 3), numbers(other, 3)
    assert first.pop("about") == second.pop("about")
    assert first.keys() == second.keys()
    for path, array in first.items():
        require(array, second[path], err_msg=path, **how)


def test_resumed_training_ends_with_the_same_bits(whole: Path, tmp_path: Path) -> None:
    flow.main(["train", str(tmp_path), *SMALL, "--chunks", "1"])
    flow.main(["resume", str(tmp_path), "--chunks", "3"])
    require_same(whole, tmp_path, np.testing.assert_array_equal)
    with pytest.raises(SystemExit, match="nothing has no complete checkpoint"):
        flow.main(["resume", str(tmp_path / "nothing")])
    assert not (tmp_path / "nothing").exists()
    with pytest.raises(SystemExit, match="has checkpoints: resume"):
        flow.main(["train", str(tmp_path), *SMALL])


def test_devices_that_do_not_divide_are_an_error() -> None:
    number = jax.device_count() + 1
    with pytest.raises(SystemExit, match=f"{number} does not divide the number of devices"):
        flow.make_mesh(number)


def test_eight_devices_compute_the_same_as_one(whole: Path, tmp_path: Path) -> None:
    arguments = ["train", str(tmp_path), *SMALL, "--chunks", "3", "--model-devices", "2"]
    flags = f"{COMPILED_QUICKLY} --xla_force_host_platform_device_count=8"
    root = Path(flow.__file__).parents[1]
    forked.run("-m", "examples.flow", *arguments, cwd=root, env={"XLA_FLAGS": flags})
    require_same(whole, tmp_path, np.testing.assert_allclose, rtol=1e-3, atol=1e-5)


def test_samples_resemble_their_digits() -> None:
    sizes, optimiser = Architecture(hidden=64, layers=2), Optimiser(peak=5e-3, steps=300)
    config = Config(architecture=sizes, optimiser=optimiser, batch=128, decay=0.97)
    images, first = flow.load(), make_training(config)
    with max_traces(1, train):
        training, before = train(first, images, steps=150)
        training, after = train(training, images, steps=150)
    assert float(after.mean()) < 0.5 * float(before[0])
    labels = jnp.repeat(jnp.arange(CLASSES), 4)
    found = np.asarray(sample(training.average, labels, jax.random.key(1)))
    assert len(flow.as_text(jnp.asarray(found[::4])).splitlines()) == 8
    x, label = np.asarray(images.x), np.asarray(images.label)
    means = np.stack([x[label == digit].mean(0) for digit in range(CLASSES)])
    nearest = ((found[:, None] - means) ** 2).sum(-1).argmin(-1)
    assert (nearest == labels).mean() > 0.7
