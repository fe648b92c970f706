from codegen.schema import Dim, donated, dynamic, f32, field, static

n_in = Dim()
words = Dim()
hidden = Dim()

class Linear(dims=(n_in, n_out)):
    w: donated[f32[n_in, n_out]] = field(init="lecun_normal", tag="decay")
    b: donated[f32[n_out]] = field(init="zeros")

class Net:
    embed: donated[Linear[words, hidden]] = field(tag=("frozen", "embedding"))
    rest: donated[tuple[Linear[hidden, hidden], ...]]
    scale: dynamic[float] = field(default=1.0, tag="scale")
    depth: static[int] = 2

class Head(Linear[hidden, 10]):
    gain: dynamic[f32] = field(default=1.0, tag="scale")

class Plain:
    labels: dynamic[f32[hidden]]
    mask: dynamic[f32[hidden]]
