"""Test the example of a decoder with a cache that is written in place."""

from typing import Any

import jax.numpy as jnp
import numpy as np
import pytest

from codegen.runtime import max_traces
from examples import decoder, transformer
from generated.decoder import decode
from generated.transformer import Config, Scanned


@pytest.fixture(scope="module")
def model() -> Scanned:
    """An untrained model of two layers."""
    model = transformer.make_model(Config(layers=2), 20)
    assert isinstance(model, Scanned)
    return model


def test_scores_are_those_of_the_whole_text(model: Scanned) -> None:
    cache = decoder.make_cache(model)
    keys, values = cache.keys, cache.values
    characters = np.random.default_rng(0).integers(0, 20, transformer.LENGTH)
    scores: list[Any] = []
    # The first result is committed to a device, as JAX's results of calls with Refs are.
    with max_traces(2, decode):
        for character in characters:
            cache, each = decode(model, cache, character)
            scores.append(each)
    assert cache.keys is keys
    assert cache.values is values
    assert cache.used == transformer.LENGTH
    expected = model.logits(jnp.asarray(characters)[None])[0]
    np.testing.assert_allclose(np.stack(scores), expected, rtol=1e-4, atol=1e-5)


def test_text_continues_the_prompt(model: Scanned, capsys: pytest.CaptureFixture[str]) -> None:
    characters = decoder.generate(model, [3, 1], 5)
    assert characters[:2] == [3, 1]
    assert len(characters) == 7
    assert characters == decoder.generate(model, [3, 1], 5)
    decoder.main(["--steps", "2", "--prompt", "You"])
    assert capsys.readouterr().out.startswith("You")
    with pytest.raises(SystemExit):
        decoder.main(["--prompt", "\0"])
