from codegen.schema import donated, f32, field, static

class Grid:
    n: static[int] = field(convert="rounded")
    u: donated[f32] = field(init="my model:init")
