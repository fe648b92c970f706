from codegen.schema import dynamic, f32, impl, static

class Arg:
    dt: static[float]

class Inner:
    lr: static[float]

class Outer:
    inner: static[Inner]

class Both:
    lr: static[float]

class State:
    x: dynamic[f32]
    both: static[Both]

@impl("foo:step")
def step(x: dynamic[f32], arg: static[Arg], outer: static[Outer]) -> f32: ...
@impl("foo:run")
def run(state: dynamic[State], both: static[Both]) -> State: ...
