import jax
from jax.random import PRNGKey

from codegen.schema import dynamic

class Grid:
    a: dynamic[PRNGKey]
    b: dynamic[jax.random.PRNGKey]
