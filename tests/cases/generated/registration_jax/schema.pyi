from codegen.schema import dynamic, f32, static

class Point(registration="jax"):
    x: dynamic[f32]
    n: static[int] = 1
