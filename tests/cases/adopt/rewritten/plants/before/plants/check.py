"""What the package is for; run as a program."""

import pickle

import jax
import jax.numpy as jnp

from plants.base import Pair, Part, Scheme
from plants.plant import DEFAULT, Boiler, Config, Odd, Plant, Wall, step


def main():
    boiler = Boiler(jnp.float32(1.0), 2, Scheme.IMPLICIT)
    weak = Boiler(3.0, jnp.arange(2))
    plant = Plant((boiler, weak), DEFAULT, Pair(None, "x" if False else 1), None)
    plant = Plant((boiler, weak), DEFAULT, Pair(jnp.ones(2), jnp.ones(3)), 1.5)
    rows = [jnp.ones(2), jnp.zeros(3)]
    more = Plant(plant.parts, DEFAULT, plant.pair, 1.5, {"b": Part(1.0)}, rows, [rows[0], 1.0])
    assert more.rows[1] is rows[1] and type(more.rows) is list and more.by_name["b"].level == 1.0
    assert plant.limit == 10.0
    plant = step(plant, DEFAULT)
    assert float(plant.total()) == 6.0
    assert float(boiler(2.0)) > 12 and Boiler.unit() == "K" and boiler.twice == 2.0
    assert (boiler + weak).title == "boiler" and Part.LIMIT == 10.0
    assert Part.empty().stepped().count == 1
    assert plant.merged(plant).parts[3].count.shape == (2,)
    assert Config() == Config(2) and hash(Config()) == hash(Config(2)) and type(Config().rate) is int
    assert pickle.loads(pickle.dumps(boiler)).count == 2 and type(boiler).__module__.endswith("plant")
    assert jax.tree.map(lambda _: None, plant).config.name == 'a "b"'
    for n in 2, 3:
        wall = Wall(jnp.ones((4, n)), jnp.ones(n), jnp.ones(4), jnp.ones((n, n)))
        assert wall.links.shape == (n, n) and wall.shown() == "Wall"
    assert float(Odd(jnp.zeros(())).x) == 1.0 and Odd(1.0).shown() == "Odd"
    try:
        Part(1.0, -1)
    except ValueError:
        print("done", [str(path[-1]) for path, _ in jax.tree_util.tree_leaves_with_path(boiler)])


if __name__ == "__main__":
    main()
