from codegen.schema import Dim, donated, f32, field, share

n = Dim()  # features

class Linear:
    w: donated[f32[n]]  # weights

class Encoder:
    embed: donated[Linear]

class Tied:
    encoder: donated[Encoder] = field(tag="frozen")
    head: donated[Linear] = field(tag="decay")
    share(encoder.embed, head)
