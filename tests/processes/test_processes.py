"""Several processes of `jax.distributed` give the same results as one, or a clear error."""

import json
import os
import socket
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import jax
import numpy as np
import pytest

from generated.digits import Training, train_step
from tests.processes.training import STEPS, make_batches, make_training
from tests.xla import COMPILED_QUICKLY

CHECKOUT = Path(__file__).parents[2]
SECONDS_MAX = 200.0


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
    return port


def run(count: int, rest: Sequence[object], folder: Path) -> None:
    """Run this many workers, and kill each by its handle at the end."""
    port = free_port()
    environment = {**os.environ, "JAX_PLATFORMS": "cpu", "XLA_FLAGS": COMPILED_QUICKLY}
    workers: list[subprocess.Popen[bytes]] = []
    logs = [folder / f"{index}.log" for index in range(count)]
    deadline = time.monotonic() + SECONDS_MAX
    try:
        for index, log in enumerate(logs):
            words = [port, count, index, *rest, folder]
            command = [sys.executable, "-m", "tests.processes.worker", *map(str, words)]
            with log.open("wb") as file:
                workers.append(
                    subprocess.Popen(
                        command, cwd=CHECKOUT, env=environment, stdout=file, stderr=file
                    )
                )
        codes = [wait_until(worker, deadline) for worker in workers]
    finally:
        for worker in workers:
            worker.kill()
            worker.wait()
    assert codes == [0] * count, "\n".join(log.read_text(encoding="utf-8") for log in logs)


def wait_until(worker: subprocess.Popen[bytes], deadline: float) -> int | None:
    """Return the exit status of a process, or None if it still runs at the deadline."""
    try:
        return worker.wait(max(deadline - time.monotonic(), 0.1))
    except subprocess.TimeoutExpired:
        return None


@pytest.fixture(scope="module")
def single_process() -> tuple[Training, float]:
    """The result of training in one process."""
    training, batches = make_training(), make_batches()
    for step in range(STEPS):
        training, metrics = train_step(training, batches[step % len(batches)])
    return training, float(metrics.loss)


def test_four_processes_train_like_one(
    single_process: tuple[Training, float], tmp_path: Path
) -> None:
    """Two share the data and two the model. Each of these has half of the columns of `first.w`."""
    run(4, [2, 2], tmp_path)
    said: list[dict[str, Any]] = [
        json.loads((tmp_path / f"{index}.json").read_text(encoding="utf-8")) for index in range(4)
    ]
    training, loss = single_process
    assert {each["fingerprint"] for each in said} == {training.fingerprint()}
    assert [each["pieces"] for each in said] == [[16, 4]] * 4
    assert [each["restored"] for each in said] == [True] * 4
    np.testing.assert_allclose([each["loss"] for each in said], loss, rtol=1e-5)
    with np.load(tmp_path / "weights.npz") as weights:
        found = list(weights.values())
    for mine, expected in zip(found, jax.tree.leaves(training.model), strict=True):
        np.testing.assert_allclose(mine, expected, rtol=1e-5, atol=1e-5)
    _require_refusals(said)


def _require_refusals(said: list[dict[str, Any]]) -> None:
    """Static values that differ between processes are named in every process, with their values."""
    (error,) = {each["refused"] for each in said}
    values = "0.001 in processes 0, 1; 0.002 in processes 2, 3. 1 more"
    path = "`Training.config.optimiser.learning_rate`"
    assert f"{path} is not the same in every process: {values}" in error
    assert "use the same static values in every process" in error
    assert {each["agreed"] for each in said} == {""}
