"""Static objects as plain data, and back."""

import json
import tomllib
from typing import Any

import jax.numpy as jnp
import numpy as np
import pytest

from generated._runtime.checkpoint import from_dict, from_json, to_dict, to_json
from generated.digits import Architecture, Config
from tests.checkpoint.test_pack import NAN

ROUND: list[dict[str, Any]] = [
    {},
    {"number": 2**70, "real": NAN, "both": complex(-0.0, NAN), "flag": True, "text": "\u00e9"},
    {"real": -0.0, "data": bytes(range(256)), "maybe": 3, "mode": True},
    {"real": float("-inf"), "mode": 1, "kind": jnp.bfloat16},
    {"table": np.arange(6, dtype=np.float32).reshape(2, 3)},
    {"items": (1, 2), "pair": (7, "x"), "names": frozenset("abc")},
    {"anything": (1, True, 1.0, -0.0, None, "1", ((),))},
]


def test_every_type_comes_back(values: Any, checkpoint: Any) -> None:
    for given in ROUND:
        made = values.Statics(**given, scheme=values.Scheme.IMPLICIT, grid=values.Grid(nx=7))
        data = checkpoint.to_dict(made)
        assert checkpoint.from_dict(values.Statics, data) is not None
        assert checkpoint.from_dict(values.Statics, data) == made
        text = checkpoint.to_json(made)
        assert checkpoint.from_json(values.Statics, text) == made
        json.loads(text, parse_constant=pytest.fail)


def test_a_file_of_toml_is_a_configuration() -> None:
    text = """
    epochs = 3
    [architecture]
    hidden = 32
    [optimiser]
    learning_rate = 1
    """
    config = from_dict(Config, tomllib.loads(text))
    assert config == Config(
        epochs=3,
        architecture=Architecture(hidden=32),
        optimiser=config.optimiser,
    )
    assert type(config.optimiser.learning_rate) is float
    assert from_json(Config, to_json(config)) == config


@pytest.mark.parametrize(
    ("data", "error", "message"),
    [
        ({"epoch": 3}, ValueError, r"`Config.epoch` is no field: did you mean `epochs`\?"),
        ({"epochs": "3"}, TypeError, "`Config.epochs` takes an int, but was given '3'"),
        ({"epochs": True}, TypeError, "`Config.epochs`"),
        ({"epochs": 3.0}, TypeError, "`Config.epochs`"),
        ({"optimiser": {"schedule": "linear"}}, TypeError, "`Config.optimiser.schedule` takes"),
        ({"optimiser": {"learning_rate": None}}, TypeError, "`Config.optimiser.learning_rate`"),
        ({"optimiser": 3}, TypeError, "`Config.optimiser` takes a table"),
        ({"optimiser": {"learning_rate": 2**2000}}, ValueError, "`Config.optimiser`"),
        ([], TypeError, "`Config` takes a table"),
    ],
)
def test_mistakes_are_named_by_path(data: Any, error: Any, message: str) -> None:
    with pytest.raises(error, match=message):
        from_dict(Config, data)


def test_mistakes_in_values(values: Any, checkpoint: Any) -> None:
    wrong: list[dict[str, Any]] = [
        {"items": [1, "2"]}, {"items": 1}, {"pair": [1]}, {"names": [1]}, {"kind": "f99"},
        {"scheme": "explicit"}, {"table": [[1.0], [2.0, 3.0]]}, {"table": ["0.1"]}, {"data": "?"},
        {"mode": 2}, {"both": [1.0]}, {"grid": {}}, {"source": "os:system"}, {"anything": {}},
    ]  # fmt: skip
    for data in wrong:
        with pytest.raises((TypeError, ValueError), match=f"Statics.{next(iter(data))}"):
            checkpoint.from_dict(values.Statics, data)
    with pytest.raises(TypeError, match="no static class"):
        to_dict(values.State)
