"""Flow matching: a network learns the velocity that turns noise into images of digits."""

from jax.nn.initializers import normal
from optax import OptState

from codegen.schema import Dim, donated, dynamic, f32, field, i32, impl, key, stacked, static

batch = Dim(mesh="data")  # images in one batch
hidden = Dim(mesh="model")  # units of a layer
pixels = Dim()
classes = Dim()
frequencies = Dim()
layers = Dim()  # residual blocks
count = Dim()  # images in the data set
steps = Dim()  # training steps in one call
n = Dim()  # inputs and outputs of a block
n_in = Dim()  # inputs of a layer
n_out = Dim()  # outputs of a layer

class Architecture:
    """The sizes of the network."""

    hidden: static[int] = 128  # units of a layer
    layers: static[int] = 3  # residual blocks
    frequencies: static[int] = 16  # waves that describe the time

class Optimiser:
    """How the weights are updated."""

    peak: static[float] = 2e-3  # largest learning rate
    warmup: static[int] = 50  # steps until the largest learning rate
    steps: static[int] = 1000  # steps until the learning rate is zero
    weight_decay: static[float] = 1e-4

class Config:
    """The settings of a training."""

    architecture: static[Architecture] = Architecture()
    optimiser: static[Optimiser] = Optimiser()
    batch: static[int] = 256  # images in one step
    chunk: static[int] = 100  # steps in one call, after which the state is saved
    decay: static[float] = 0.99  # of the average of the weights, in one step
    unlabelled: static[float] = 0.1  # fraction of the images whose label is hidden
    seed: static[int] = 0

class Linear(dims=(n_in, n_out)):
    """An affine map."""

    w: donated[f32[n_in, n_out]] = field(init="lecun_normal", tag="decay")
    b: donated[f32[n_out]] = field(init="zeros")

class Zero(Linear[n_in, n_out], dims=(n_in, n_out)):
    """An affine map that is zero before the training."""

    w: donated[f32[n_in, n_out]] = field(init="zeros", tag="decay")

class Block(dims=(n,)):
    """A residual block. The time and the label enter between its layers."""

    first: donated[Linear[n, n]]
    condition: donated[Linear[n, n]]
    second: donated[Zero[n, n]]

class Velocity:
    """The network."""

    image: donated[Linear[pixels, hidden]]
    time: donated[Linear[2 * frequencies, hidden]]
    label: donated[f32[classes + 1, hidden]] = field(init=normal(0.02))  # the last row: no label
    blocks: donated[stacked[Block[hidden], layers]]
    last: donated[Zero[hidden, pixels]]

    @impl("examples.flow_model:velocity")
    def __call__(
        self, x: f32[batch, pixels], t: f32[batch], label: i32[batch]
    ) -> f32[batch, pixels]:
        """Return the velocity of images x at times t."""

class Images:
    """The data set."""

    x: dynamic[f32[count, pixels]]  # from -1 to 1
    label: dynamic[i32[count]]

class Batch:
    """Images, and the noise from which they start."""

    noise: dynamic[f32[batch, pixels]]
    image: dynamic[f32[batch, pixels]]
    t: dynamic[f32[batch]]  # 0 at the noise, 1 at the image
    label: dynamic[i32[batch]]

class Training:
    """The state of a training."""

    model: donated[Velocity]
    average: donated[Velocity]  # running mean of the weights
    optimiser_state: donated[OptState]
    rng: donated[key]
    config: static[Config]
    step: donated[i32] = 0  # steps taken

@impl("examples.flow_model:loss")
def loss(model: dynamic[Velocity], batch: dynamic[Batch]) -> f32:
    """Return the mean squared error of the velocity."""

@impl("examples.flow_model:train")
def train(
    training: donated[Training], images: dynamic[Images], *, steps: static[int]
) -> tuple[Training, f32[steps]]:
    """Take some steps. Return the new state, and the loss before each step."""

@impl("examples.flow_model:sample")
def sample(
    model: dynamic[Velocity],
    label: dynamic[i32[batch]],
    rng: dynamic[key],
    guidance: dynamic[f32] = 2.0,
    *,
    steps: static[int] = 50,
) -> f32[batch, pixels]:
    """Turn noise into images of these digits. A guidance above 1 strengthens the label."""
