"""A regression that is trained online, with its input statistics."""

from codegen.schema import Dim, donated, dynamic, f32, i32, key, static

features = Dim()

class Statistics:
    """Mean and spread of all samples, updated one sample at a time."""

    count: dynamic[i32] = 0  # samples seen
    mean: dynamic[f32[features]]
    spread: dynamic[f32[features]]  # sum of squared deviations from the mean

class Regression(draft=True):
    """A linear model of inputs that are normalised to mean 0 and variance 1."""

    weights: donated[f32[features]]
    bias: donated[f32] = 0.0
    inputs: dynamic[Statistics]
    steps: dynamic[i32] = 0  # number of steps so far
    rng: donated[key]  # for the noise on the inputs
    learning_rate: static[float] = 0.02  # codegen: ignore[SWEPT_STATIC]
    noise: static[float] = 0.05  # standard deviation added to the normalised inputs
