"""What the classes are for; run as a program."""

import sys

import zoo.birds  # before `zoo.animals`, which it needs

import dataclasses

import jax
import jax.numpy as jnp

from zoo.animals import (
    Bear,
    Cage,
    Cub,
    Fox,
    Hidden,
    House,
    Large,
    Keywords,
    Mapped,
    Node,
    Owl,
    Pair,
    Step,
    Vixen,
    Wolf,
    _Hidden,
    fed,
)
from mujoco import mjx
from zoo.bees import FarCrowd, FarSwarm, Swarm
from zoo.birds import Bough, Bud, Contact, Laid, Nest, Tree, Wing
from zoo.fish import Fin, Fish, Tail
from zoo import swarms
from zoo.tables import Read, scaled


def main():
    bear = Bear(2.0, jnp.ones(3), optimizer=lambda x: x)
    assert bear(3.0) == 6.0 and bear.replace(age=jnp.zeros(2)).name == "bear"
    cub = Cub(1.0, jnp.ones(2), mother=bear)
    assert cub(1.0) == 2.0 and jax.jit(lambda one: one(2.0))(cub) == 4.0
    assert jax.grad(lambda one: one(3.0))(cub).weight == 6.0
    try:
        Bear(-1.0, jnp.ones(1))
    except ValueError:
        print("no bear")
    node = Node(1, (Node(2), Node(3)))
    assert len(jax.tree.leaves(node)) == 3
    fox = Fox(tail=jnp.ones(2), ears=jnp.zeros(3)).grown()
    vixen = Vixen(tail=jnp.ones(2), ears=jnp.zeros(3), cubs=jnp.zeros(4)).grown()
    paths = [
        [jax.tree_util.keystr(path) for path, _ in jax.tree_util.tree_leaves_with_path(one)]
        for one in (fox, vixen)
    ]
    assert fox.names() == ["tail", "ears"] and vixen.names() == ["tail", "ears", "cubs", "shade"]
    assert isinstance(vixen, Fox) and jax.tree.map(jnp.sum, vixen).tail == 4
    assert paths == [[".ears", ".tail"], [".cubs", ".ears", ".shade", ".tail"]]
    assert Mapped(tail=jnp.ones(1))["tail"].shape == (1,)
    assert fed(fox, Cage()).tail[0] == 24 and fed(fox, Cage(2), House(Cage(1))).tail[0] == 4
    assert Cage() == Cage(3) and hash(Cage()) == hash(Cage(3)) and Cage().dtype is jnp.float32
    owl = Owl(jnp.ones(3), jax.nn.relu, [1, 2])
    out = jax.vmap(lambda one, x: one(x), in_axes=(Owl(0, jax.nn.relu, (1, 2)), None))(owl, 2.0)
    assert out.shape == (3,) and owl.shape == (1, 2)
    large = jax.tree.map(lambda x: x + 1, Large(3))
    assert large.leader.legs.sum() == large.pups[0].legs.sum() == 3 and large.size() == 1
    assert large.names == ("w3", "1") and Wolf(2).names == ("w",)
    try:
        large.legs = None
    except AttributeError:
        print("no wolf")
    assert Keywords(1.0, y=jnp.ones(2)).y.shape == (2,)
    last, losses = jax.lax.scan(
        lambda step, _: (step.halved(), step.loss), Step(jnp.float32(8)), None, length=3
    )
    assert last.loss == 1 and losses.shape == (3,) and jax.tree.map(lambda x: x, last) is not last
    assert jax.lax.cond(True, lambda: Step(jnp.float32(1), 2), lambda: Step(jnp.float32(2), 1)).count == 2
    one, two = Pair(1, 2)
    assert one + two == 3 and _Hidden(1.0).twice() == 2 and Hidden(1.0).twice() == 3
    tree = Tree(jnp.ones(2), nests=(Nest(obj=jnp.ones(1), init=2.0, twigs=(1,)),))
    assert len(jax.tree.leaves(tree)) == 4
    assert len(jax.tree.leaves([Nest(obj=Bud(1.0)), Nest(obj=Bough(jnp.ones(1)))])) == 4
    wing = Wing(Contact(jnp.ones(1), 3), (Contact(jnp.ones(2), 4),), None)
    assert len(jax.tree.leaves(wing)) == 2 and wing.tree_replace({"size": jnp.ones(1)}).size[0] == 1
    assert [one.type for one in dataclasses.fields(Contact)] == [jax.Array, int]
    assert Wing.fields()[0].type is Contact
    assert "unit" not in dataclasses.fields(Contact)[0].metadata
    fish = Fish(Tail(jnp.ones(2)), jnp.ones(3))
    assert len(jax.tree.leaves(fish)) == 2 and fish.check(Fin(jnp.ones(1))).u[0] == -1
    assert Laid(jnp.ones(2)).replace(size=jnp.ones(3)).is_warm()
    assert scaled(Read(3.0), {"u": 2.0}) == {"u": 6.0}
    place = -swarms.Place(jnp.ones(2))
    assert swarms.table(place)["u"] is place.u and swarms.Hive(swarms.Swarm(place, None)).swarm.queen is None
    far = FarSwarm(jnp.ones(1), 3, place, None)
    paths = [jax.tree_util.keystr(path) for path, _ in jax.tree_util.tree_leaves_with_path(far)]
    assert paths == [".time", ".place.u"] and swarms.Hive(far).swarm is far
    for one in (far, Swarm(place, jnp.ones(1), jnp.ones(2)), jax.tree.map(lambda x: x, far)):
        assert isinstance(one, swarms.Swarm) and isinstance(one, mjx.Data) == isinstance(one, FarSwarm)
    assert FarCrowd(jnp.ones(1), 3, place).first() == -1
    try:
        Keywords(1.0, 2.0)
    except TypeError:
        print("done")


if __name__ == "__main__":
    main()
