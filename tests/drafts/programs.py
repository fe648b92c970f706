# mypy: disable-error-code="no-untyped-def"
"""The same program with and without drafts, under every transformation.

Drafts(lift).build("scan", "vmap")(draft, x)            # writes to the draft
Functional().build("scan", "vmap")(loop, x)             # the new loop, and the result
"""

from collections import Counter

import jax
import jax.numpy as jnp

TRANSFORMATIONS = ("jit", "scan", "while_loop", "cond", "vmap", "grad", "checkpoint")


def make(model, outer, inner):
    """Create an object for the program with these two transformations."""
    shape = (2,) * (outer, inner).count("vmap")
    return model.Loop(
        u=jnp.arange(3.0) + jnp.ones((*shape, 3)),
        t=jnp.full(shape, 0.25),
        count=jnp.zeros(shape, jnp.int32),
        outer_end=jnp.zeros(shape, jnp.int32),
        inner_end=jnp.zeros(shape, jnp.int32),
        rng=jax.random.split(jax.random.key(7), shape),
    )


class Drafts:
    """The program with drafts. `seen` counts the traces of the innermost function."""

    def __init__(self, lift):
        self.lift = lift
        self.seen: Counter[str] = Counter()

    def build(self, outer, inner):
        return getattr(self, outer)(getattr(self, inner)(self.step, "inner_end"), "outer_end")

    def step(self, draft, x):
        self.seen["step"] += 1
        noise = jax.random.normal(draft.next_key(), draft.u.shape)
        draft.u = 0.5 * draft.u + noise * x
        draft.at.u[0] += x
        draft.count += 1
        draft.t += x * x
        return jnp.sum(draft.u) * x**2 + draft.t

    def jit(self, f, _):
        return self.lift.jit(f)

    def checkpoint(self, f, _):
        return self.lift.checkpoint(f)

    def scan(self, f, _):
        def program(draft, x):
            return self.lift.scan(f, draft, x * jnp.arange(1.0, 4.0)).sum()

        return program

    def while_loop(self, f, end):
        def condition(draft):
            return jnp.min(draft.count) < jnp.min(getattr(draft, end))

        def body(draft):
            draft.t += f(draft, 0.5)

        def program(draft, x):
            setattr(draft, end, draft.count + 3)
            self.lift.while_loop(condition, body, draft)
            return jax.lax.stop_gradient(draft.t.sum()) * x

        return program

    def cond(self, f, _):
        def other(draft, x):
            draft.count += 2
            return x

        def program(draft, x):
            return self.lift.cond(x > 0.4, f, other, draft, x)

        return program

    def vmap(self, f, _):
        mapped = self.lift.vmap(f, (0, 0))

        def program(draft, x):
            return mapped(draft, jnp.stack([x, 0.5 * x])).sum()

        return program

    def grad(self, f, _):
        def swapped(w, draft):
            return f(draft, w)

        gradient = self.lift.grad(swapped)

        def program(draft, x):
            return gradient(x, draft)

        return program


class Functional:
    """The same program with immutable objects that are replaced."""

    def __init__(self):
        self.seen: Counter[str] = Counter()

    def build(self, outer, inner):
        return getattr(self, outer)(getattr(self, inner)(self.step, "inner_end"), "outer_end")

    def step(self, loop, x):
        self.seen["step"] += 1
        rng, key = jax.random.split(loop.rng)
        u = 0.5 * loop.u + jax.random.normal(key, loop.u.shape) * x
        u = u.at[0].set(u[0] + x)
        t = loop.t + x * x
        new = loop.replace(rng=rng, u=u, t=t, count=loop.count + 1)
        return new, jnp.sum(u) * x**2 + t

    def jit(self, f, _):
        return jax.jit(f)

    def checkpoint(self, f, _):
        return jax.checkpoint(f)

    def scan(self, f, _):
        def program(loop, x):
            loop, results = jax.lax.scan(f, loop, x * jnp.arange(1.0, 4.0))
            return loop, results.sum()

        return program

    def while_loop(self, f, end):
        def condition(loop):
            return jnp.min(loop.count) < jnp.min(getattr(loop, end))

        def body(loop):
            before = loop.t
            loop, result = f(loop, 0.5)
            return loop.replace(t=before + result)

        def program(loop, x):
            loop = loop.replace(**{end: loop.count + 3})
            loop = jax.lax.while_loop(condition, body, loop)
            return loop, jax.lax.stop_gradient(loop.t.sum()) * x

        return program

    def cond(self, f, _):
        def other(loop, x):
            return loop.replace(count=loop.count + 2), x

        def program(loop, x):
            return jax.lax.cond(x > 0.4, f, other, loop, x)

        return program

    def vmap(self, f, _):
        mapped = jax.vmap(f, (0, 0))

        def program(loop, x):
            loop, results = mapped(loop, jnp.stack([x, 0.5 * x]))
            return loop, results.sum()

        return program

    def grad(self, f, _):
        def swapped(w, loop):
            loop, value = f(loop, w)
            return value, loop

        gradient = jax.grad(swapped, has_aux=True)

        def program(loop, x):
            result, loop = gradient(x, loop)
            return loop, result

        return program
