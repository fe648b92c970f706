from codegen.schema import Dim, donated, dynamic, f32, share

vocabulary = Dim()

class Embed(dims=(n,)):
    table: donated[f32[n]]

class Encoder:
    embed: dynamic[Embed[vocabulary]]

class Model:
    embed: donated[Embed[vocabulary]]
    encoder: donated[Encoder]
    decoder: donated[Encoder]
    bias: donated[f32[vocabulary]]
    other: donated[f32[vocabulary]]
    share(embed, encoder.embed, decoder.embed)
    share(bias, other)
