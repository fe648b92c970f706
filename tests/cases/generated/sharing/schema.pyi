from codegen.schema import donated, dynamic, f32, share

class Table:
    rows: donated[f32[...]]

class Model:
    encoder: dynamic[Table]
    decoder: dynamic[Table]
    share(encoder, decoder)
