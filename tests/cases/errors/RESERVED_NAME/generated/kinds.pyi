from codegen.schema import f32, static

class _rt:
    n: static[int]
