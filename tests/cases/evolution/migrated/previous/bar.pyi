from codegen.schema import dynamic, f32, static

class Attention:
    qkv: dynamic[f32[3, 2]]
    heads: static[int]

class Bar:
    attention: dynamic[Attention]
