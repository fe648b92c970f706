from codegen.schema import dynamic, key, static

class Grid:
    seed: static[int]
    rng: dynamic[key]
