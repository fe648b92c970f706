"""Two classes that the tests make JAX take for one."""

from codegen.schema import dynamic, f32, static

class One(registration="jax"):
    x: dynamic[f32]
    n: static[int] = 1

class Two(registration="jax"):
    x: dynamic[f32]
    n: static[int] = 1
