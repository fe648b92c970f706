from codegen.schema import dynamic, f32

_rt = f32[3]

class Rod:
    u: dynamic[_rt]
