from codegen.schema import dynamic, f32, static

class Source:
    name: static[int | str]
    rate: dynamic[f32[...] | None] = None
