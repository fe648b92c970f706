from codegen.schema import f32

Field = f32
Field |= None
