from codegen.schema import dynamic, f32, static

class Model(abstract=True):
    order: static[int]

class Fitted(Model):
    weights: dynamic[f32]

class Plant:
    model: dynamic[Model]
