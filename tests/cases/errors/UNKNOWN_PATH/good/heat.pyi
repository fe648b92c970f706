from codegen.schema import donated, f32, share

class Encoder:
    embed: donated[f32[3]]

class Model:
    embed: donated[f32[3]]
    encoder: donated[Encoder]
    share(embed, encoder.embed)
