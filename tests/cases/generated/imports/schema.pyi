from optax import GradientTransformation

from codegen.schema import dynamic, f32, static

class Trained:
    loss: dynamic[f32]
    optimizer: static[GradientTransformation]
