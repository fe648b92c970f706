from codegen.schema import dynamic, f32, static

class A(eqx.nn.Linear):
    state: dynamic[optax.OptState]
    schedule: static[optax.schedules.Schedule]
    u: dynamic[jnp.ndarray]
    v: dynamic[jax.Array]
    k: static[np.random.Generator]
    s: static[steel.Steel]
    w: static[f32.Steel]
