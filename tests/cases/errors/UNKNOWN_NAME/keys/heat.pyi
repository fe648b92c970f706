from codegen.schema import dynamic

class Grid:
    a: dynamic[PRNGKey]
    b: dynamic[PRNGKeyArray]
    c: dynamic[jax.random.PRNGKey]
