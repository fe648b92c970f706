"""Run the examples, and draw the pictures of docs/examples.md.

    $ python -m benchmarks.gallery
    $ python -m benchmarks.gallery ppo decoder

Pictures are SVG files of at most 60 kB, in `docs/examples`. They are narrow enough for a phone and have their own
background, because pages may be light or dark. This needs the packages of the extras `examples` and `benchmarks`.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from benchmarks.peers.report import pyplot
from examples import decoder, digits, heat, ppo, transformer
from examples.ppo_model import FORCE, LONGEST, start
from generated.decoder import decode
from generated.heat import Scheme
from generated.ppo import Agent, CartPole
from generated.transformer import Config, Scanned, Transformer

FOLDER = Path(__file__).parents[1] / "docs" / "examples"
LARGEST = 60_000  # bytes
WIDTH = 4.8  # [inch]: as wide as a phone
PROMPTS = ("Licensed under", "You may")
STEPS = 1500  # until the text has words
COLUMNS = 33  # characters in a row


def draw_heat(plots: Any) -> Any:
    """Draw the temperature of a plate at four times, with a badly conducting patch in it."""
    plate = heat.make_plate(64, Scheme.ALTERNATING_DIRECTION, "ambient")
    plate = plate.replace(alpha=plate.alpha.at[12:28, 12:24].mul(0.02))
    figure, panels = plots.subplots(2, 2, figsize=(WIDTH, 3.4), sharex=True, sharey=True)
    decay = heat.decay_time()
    for panel, part in zip(panels.flat, (0.0, 0.25, 0.5, 1.0), strict=True):
        left = part * decay - float(plate.t)
        plate = heat.run(plate, left, steps=128) if left > 0 else plate
        image = panel.imshow(
            np.asarray(plate.u).T,
            extent=(0, heat.LENGTH_X, 0, heat.LENGTH_Y),
            origin="lower",
            cmap="inferno",
            interpolation="none",
            vmin=0,
            vmax=heat.AMPLITUDE,
        )
        panel.set_title(f"{part * decay:.0f} s")
    for panel in panels[1]:
        panel.set(xlabel="x [m]", xticks=(0, 0.5, 1))
    for panel in panels[:, 0]:
        panel.set_ylabel("y [m]")
    figure.colorbar(image, ax=panels, label="above ambient [K]", shrink=0.8)
    return figure


def draw_digits(plots: Any) -> Any:
    """Draw test images with the digits that the classifier reads, the wrong ones first."""
    data = digits.load()
    outcome = digits.train(data)
    images, labels = np.asarray(data.test.images), np.asarray(data.test.labels)
    answers = np.asarray(outcome.training.model.logits(data.test.images)).argmax(axis=1)
    first = np.argsort(answers == labels, kind="stable")
    figure, panels = plots.subplots(3, 6, figsize=(WIDTH, 3.0))
    for panel, number in zip(panels.flat, first, strict=False):
        is_right = answers[number] == labels[number]
        panel.imshow(images[number].reshape(8, 8), cmap="gray_r", interpolation="none")
        text = f"{answers[number]}" if is_right else f"{answers[number]}, not {labels[number]}"
        panel.set_title(text, color="black" if is_right else "firebrick")
        panel.set_xticks([])
        panel.set_yticks([])
    figure.suptitle(f"{outcome.test_accuracy:.1%} of {len(labels)} test images are read correctly")
    return figure


def draw_transformer(plots: Any) -> Any:
    """Draw the loss of a stack and of a tuple of layers."""
    text = transformer.load()
    figure, axes = plots.subplots(figsize=(WIDTH, 2.8))
    axes.plot(trained(Config())[1], label="a stack of layers")
    axes.plot(trained(Config(stacked=False))[1], "--", label="a tuple of layers")
    axes.axhline(np.log(len(text.vocabulary)), color="grey", linewidth=0.8, label="uniform guess")
    axes.set(xlabel="step", ylabel="loss [nat per character]", ylim=(0, None))
    axes.legend(frameon=False)
    return figure


def trained(config: Config) -> tuple[Transformer, list[float]]:
    """Return a transformer, and the loss of each step of its training."""
    text = transformer.load()
    model = transformer.make_model(config, len(text.vocabulary))
    training, losses = transformer.train(transformer.make_training(model, config), text)
    return training.model, losses


def draw_decoder(plots: Any) -> Any:
    """Draw a text that the transformer wrote; the colour is the probability of each character."""
    text, (model, _) = transformer.load(), trained(Config(steps=STEPS))
    assert isinstance(model, Scanned)
    figure, axes = plots.subplots(figsize=(WIDTH, 1.7))
    style = {"ha": "center", "va": "center", "family": "monospace"}
    colours = np.ones((len(PROMPTS), 3, COLUMNS, 4))
    for number, prompt in enumerate(PROMPTS):
        beginning = [text.vocabulary.index(each) for each in prompt]
        count = transformer.LENGTH + 1 - len(beginning)
        characters = decoder.generate(model, beginning, count)
        odds = _probabilities(model, characters)
        for place, (each, probability) in enumerate(zip(characters, odds, strict=True)):
            row, column = divmod(place, COLUMNS)
            is_given = place < len(beginning)
            colour = (0.83, 0.83, 0.83, 1) if is_given else plots.cm.YlGn(0.75 * probability)
            colours[number, row, column] = colour
            shown = text.vocabulary[each].replace("\n", "⏎")
            if shown != " ":
                axes.text(column, 3 * number + row, shown, **style)
    axes.imshow(colours.reshape(-1, COLUMNS, 4)[:-1], interpolation="none", aspect="auto")
    axes.set_axis_off()
    axes.set_title("grey: prompt; darker green: more probable")
    return figure


def _probabilities(model: Scanned, characters: list[int]) -> list[float]:
    """Return the probability of each character after those before it; that of the first is 1."""
    cache, found = decoder.make_cache(model), [1.0]
    for one, following in pairwise(characters):
        cache, scores = decode(model, cache, one)
        found.append(float(jax.nn.softmax(scores)[following]))
    return found


def draw_ppo(plots: Any) -> Any:
    """Draw how long episodes last during the training, and the pole before and after it."""
    training = ppo.make_training()
    untrained = _angles(training.agent)
    training, steps = ppo.train(training)
    figure, (upper, lower) = plots.subplots(2, 1, figsize=(WIDTH, 4.4))
    upper.plot(range(1, len(steps) + 1), steps)
    upper.axhline(LONGEST, color="grey", linewidth=0.8)
    upper.set(xlabel="round", ylabel="steps per episode", ylim=(0, 1.08 * LONGEST))
    for number, (name, angles) in enumerate(
        (("untrained", untrained), ("trained", _angles(training.agent)))
    ):
        lower.plot(angles, color=f"C{1 - number}", label=name, zorder=2 - number, linewidth=1)
    lower.set(xlabel="step", ylabel="angle of the pole [degree]", ylim=(-13, 13))
    lower.legend(frameon=False, loc="upper right")
    figure.subplots_adjust(hspace=0.35)
    return figure


def _angles(agent: Agent) -> list[float]:
    """Return the angle of a pole in one episode, in which the agent takes the best action [degree]."""

    @jax.jit
    def advance(cart: CartPole) -> CartPole:
        scores, _ = agent.judge(cart.senses())
        return cart.push(FORCE * (2.0 * jnp.argmax(scores) - 1.0))

    cart, found = start(jax.random.key(1)), []
    while not cart.has_ended():
        found.append(float(jnp.rad2deg(cart.angle)))
        cart = advance(cart)
    return found


DRAWINGS: dict[str, Callable[[Any], Any]] = {
    "heat": draw_heat,
    "digits": draw_digits,
    "transformer": draw_transformer,
    "decoder": draw_decoder,
    "ppo": draw_ppo,
}


def main() -> None:
    """Draw the chosen pictures, or all."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("names", nargs="*", choices=[[], *DRAWINGS], metavar="NAME")
    chosen = parser.parse_args().names or list(DRAWINGS)
    plots = pyplot()
    plots.rcParams.update({"font.size": 8, "axes.titlesize": 8, "figure.titlesize": 8})
    FOLDER.mkdir(exist_ok=True)
    for name in chosen:
        path = FOLDER / f"{name}.svg"
        figure = DRAWINGS[name](plots)
        figure.savefig(path, bbox_inches="tight", facecolor="white", metadata={"Date": None})
        assert path.stat().st_size <= LARGEST, f"{path} has {path.stat().st_size} bytes"
        print(path, path.stat().st_size)


if __name__ == "__main__":
    main()
