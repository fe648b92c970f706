"""Conversion of static objects to plain data and back."""

import json
import tomllib
from typing import Any

import jax.numpy as jnp
import numpy as np
import pytest

from codegen.runtime import frozendict
from codegen.runtime.checkpoint import from_dict, from_json, to_dict, to_json
from generated.digits import Architecture, Config
from tests.checkpoint.foreign import Rights, heating
from tests.checkpoint.test_pack import NAN

ROUND: list[dict[str, Any]] = [
    {},
    {"number": 2**70, "real": NAN, "both": complex(-0.0, NAN), "flag": True, "text": "\u00e9"},
    {"real": -0.0, "data": bytes(range(256)), "maybe": 3, "mode": True},
    {"real": float("-inf"), "mode": 1, "kind": jnp.bfloat16},
    {"table": np.arange(6, dtype=np.float32).reshape(2, 3)},
    {"table": np.array([[NAN, -0.0], [float("-inf"), 5e-324]], np.float32)},
    {"items": (1, 2), "pair": (7, "x"), "names": frozenset("abc")},
    {"anything": (1, True, 1.0, -0.0, None, "1", ((),))},
]


def test_every_static_type_round_trips(values: Any, checkpoint: Any) -> None:
    for given in ROUND:
        made = values.Statics(**given, scheme=values.Scheme.IMPLICIT, grid=values.Grid(nx=7))
        data = checkpoint.to_dict(made)
        assert checkpoint.from_dict(values.Statics, data) is not None
        assert checkpoint.from_dict(values.Statics, data) == made
        text = checkpoint.to_json(made)
        assert checkpoint.from_json(values.Statics, text) == made
        json.loads(text, parse_constant=pytest.fail)


def test_flags_and_enums_of_a_module_round_trip(values: Any, checkpoint: Any) -> None:
    both = values.Parts.A | values.Parts.B
    made = values.Statics(parts=both)
    assert checkpoint.to_dict(made)["parts"] == "A|B"
    assert checkpoint.from_dict(values.Statics, checkpoint.to_dict(made)) == made
    made = values.Acting(act=heating, rights=Rights.READ | Rights.WRITE)
    data = checkpoint.to_dict(made)
    assert data["rights"] == "READ|WRITE"
    with pytest.raises(TypeError, match=r"`Acting.act` is a function"):
        checkpoint.from_dict(values.Acting, data)
    back = checkpoint.from_dict(values.Acting, {one: data[one] for one in ("heat", "rights")})
    assert back == made.replace(act=back.act)
    with pytest.raises(TypeError, match=r"`Statics.parts` is "):
        checkpoint.to_dict(values.Statics(parts=values.Parts(0)))


def test_former_names_are_accepted(values: Any, checkpoint: Any) -> None:
    data = {"grid": {"nx": 3, "h": 0.5}, "scheme": "BACKWARD"}
    made = values.Statics(grid=values.Grid(nx=3, dx=0.5), scheme=values.Scheme.IMPLICIT)
    assert checkpoint.from_dict(values.Statics, data) == made
    with pytest.raises(ValueError, match=r"`Grid\.dx` is given under two names"):
        checkpoint.from_dict(values.Grid, {"nx": 3, "h": 0.5, "dx": 0.5})


def test_function_in_a_field_of_any_type_is_rejected(values: Any, checkpoint: Any) -> None:
    with pytest.raises(TypeError, match="but would be read as"):
        checkpoint.to_dict(values.Statics(anything=heating))


def test_toml_file_is_read_as_configuration() -> None:
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
        ({"epoch": 3}, ValueError, r"`Config.epoch` is not a field: did you mean `epochs`\?"),
        ({"epochs": "3"}, TypeError, "`Config.epochs` takes an int, but was given '3'"),
        ({"epochs": True}, TypeError, "`Config.epochs`"),
        ({"epochs": 3.0}, TypeError, "`Config.epochs`"),
        ({"optimiser": {"schedule": "linear"}}, TypeError, "`Config.optimiser.schedule` takes"),
        ({"optimiser": {"learning_rate": None}}, TypeError, "`Config.optimiser.learning_rate`"),
        ({"optimiser": 3}, TypeError, "`Config.optimiser` takes a dict"),
        ({"optimiser": {"learning_rate": 2**2000}}, ValueError, "`Config.optimiser.learning_rate`"),
        ([], TypeError, "`Config` takes a dict"),
    ],
)
def test_error_names_the_path(data: Any, error: Any, message: str) -> None:
    with pytest.raises(error, match=message):
        from_dict(Config, data)


def test_wrong_values_are_errors(values: Any, checkpoint: Any) -> None:
    wrong: list[dict[str, Any]] = [
        {"items": [1, "2"]}, {"items": 1}, {"pair": [1]}, {"names": [1]}, {"kind": "03501"}, {"parts": "A|"},
        {"scheme": "explicit"}, {"scheme": "EXPLICIT|IMPLICIT"},
        {"table": [[1.0], [2.0, 3.0]]}, {"table": ["0.1"]}, {"data": "?"},
        {"mode": 2}, {"both": [1.0]}, {"grid": {}}, {"source": "os:system"}, {"anything": {}},
    ]  # fmt: skip
    for data in wrong:
        with pytest.raises((TypeError, ValueError), match=f"Statics.{next(iter(data))}"):
            checkpoint.from_dict(values.Statics, data)
    with pytest.raises(TypeError, match="is not a static class"):
        to_dict(values.State)


def test_table_names_its_class_if_the_type_is_ambiguous(values: Any, checkpoint: Any) -> None:
    spring, stiff, damper = values.Spring(k=1.0, n=3), values.Stiff(k=2.0), values.Damper(k=3.0)
    for given in (
        {"forces": (spring, stiff, damper)}, {"spring": spring}, {"spring": stiff},
        {"either": spring}, {"either": damper}, {"named": frozendict(a=stiff, b=damper)},
        {"number": 3}, {"number": 3.0}, {"anything": (spring, (1, None))},
    ):  # fmt: skip
        made = values.System(force=damper, **given)
        back = checkpoint.from_json(values.System, checkpoint.to_json(made))
        assert back is not None
        assert back == made
    data = checkpoint.to_dict(values.System(force=damper, spring=spring))
    assert data["force"] == {"class": "values.Damper", "k": 3.0, "name": ""}
    assert data["spring"] == {"k": 1.0, "n": 3}
    made = checkpoint.from_dict(values.System, {"force": {"class": "Stiff", "k": 1}})
    assert type(made.force) is values.Stiff
    assert type(checkpoint.from_dict(values.Force, {"class": "Stiff", "k": 1})) is values.Stiff
    for wrong, message in (
        (
            {"force": {"k": 1.0}},
            r"`System.force` does not name its class: add `class`, one of \"values.Damper\"",
        ),
        (
            {"force": {"class": "Grid", "nx": 1}},
            "`System.force.class` takes one of .* given 'Grid'",
        ),
        ({"force": {"class": ["a"]}}, "`System.force.class`"),
        ({"force": data["force"], "either": {"k": 1.0}}, "`System.either` does not name its class"),
        ({"force": data["force"], "anything": {"class": "os.system"}}, "`System.anything.class`"),
    ):
        with pytest.raises(TypeError, match=message):
            checkpoint.from_dict(values.System, wrong)
    for odd in ({"text": b"a"}, {"anything": frozenset({1})}, {"anything": NAN}):
        with pytest.raises(TypeError, match="but would be read as"):
            checkpoint.to_dict(values.System(force=damper, **odd))


def test_invalid_json_is_rejected() -> None:
    for text, message in (
        ('{"epochs": 1, "epochs": 2}', "the key 'epochs' appears twice"),
        ('{"optimiser": {"learning_rate": 1e400}}', "1e400 is not a finite float"),
        ('{"optimiser": {"learning_rate": NaN}}', "NaN is not a finite float"),
        ("[" * 10**5, "nested too deeply"),
        ("{", "Expecting"),
    ):
        with pytest.raises(ValueError, match=message):
            from_json(Config, text)


def test_error_shortens_long_values(values: Any, checkpoint: Any) -> None:
    for data in ({"scheme": "x" * 100_000}, {"table": [["x" * 100_000]]}, {"items": "x" * 100_000}):
        with pytest.raises(
            TypeError, match=r"`Statics\.\w+` takes .*, but was given .*xxx"
        ) as raised:
            checkpoint.from_dict(values.Statics, data)
        assert len(str(raised.value)) < 300
    with pytest.raises(TypeError, match=r"`Statics\.rates\['xxx.*\.\.\.\]` takes") as raised:
        checkpoint.from_dict(values.Statics, {"rates": {"x" * 100_000: "y"}})
    assert len(str(raised.value)) < 300


def test_error_has_no_context(values: Any, checkpoint: Any) -> None:
    for data in ({"scheme": "EXPLCIT"}, {"table": [[1], [1, 2]]}, {"data": "%"}, {"both": "x"}):
        with pytest.raises(TypeError, match=r"`Statics\.\w+` takes") as raised:
            checkpoint.from_dict(values.Statics, data)
        assert raised.value.__suppress_context__ or raised.value.__context__ is None
    with pytest.raises(TypeError, match=r"`Statics\.both` takes a list of two numbers"):
        checkpoint.from_dict(values.Statics, {"both": "x"})


def test_too_deeply_nested_data_is_rejected(values: Any, checkpoint: Any) -> None:
    text = '{"anything":' + "[" * 900 + "]" * 900 + "}"
    with pytest.raises(ValueError, match="`Statics` is nested too deeply"):
        checkpoint.from_json(values.Statics, text)
