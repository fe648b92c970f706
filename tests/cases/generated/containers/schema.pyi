from codegen.schema import dynamic, f32, frozendict, static

class Layers:
    sizes: static[tuple[int, ...]]
    names: static[frozendict[str, int]]
    weights: dynamic[dict[str, f32[...]]]
