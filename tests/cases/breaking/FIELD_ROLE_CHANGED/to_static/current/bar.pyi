from codegen.schema import dynamic, static

class Bar:
    dx: static[float]  # an array of JAX's was taken
    dt: dynamic[float]  # whatever it took is taken
