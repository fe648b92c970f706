import jax

try:
    from fast import step
except ImportError:
    def step(plate): ...

class Class:
    energy = property(len)

jitted, made = jax.jit(len), (other := len)

# Python warns of this escape, but the lint does not pass the warning on.
DIGITS = "\d"
