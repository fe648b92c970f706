from codegen.schema import Dim, dynamic, f32

env = Dim(mesh="data")  # environments
batch = Dim(mesh="data")  # examples
step = Dim()  # steps
n = Dim()  # features

class Rollout:
    """An array with axes in front."""

    state: dynamic[f32[*env, n]]  # of each environment
    reward: dynamic[f32[*env]]  # of each environment
    image: dynamic[f32[batch, n]]  # of each example
    label: dynamic[f32[*batch]]  # of each example
    time: dynamic[f32[*step, n]]  # of each step
    other: dynamic[f32[*step, n]]  # of each step
