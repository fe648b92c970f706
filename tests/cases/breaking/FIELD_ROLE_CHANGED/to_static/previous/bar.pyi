from codegen.schema import dynamic, static

class Bar:
    dx: dynamic[float]  # an array of JAX's was taken
    dt: static[float]  # whatever it took is taken
