"""A classifier of handwritten digits and the state of its training."""

from collections.abc import Callable
from typing import Literal

from optax import OptState

from codegen.schema import Dim, donated, dynamic, f32, field, i32, impl, key, static

batch = Dim(mesh="data")  # images in one batch
pixels = Dim()  # inputs of the classifier, one per pixel
hidden = Dim(mesh="model")  # units of a hidden layer
classes = Dim()  # one per digit
n_in = Dim()  # inputs of a layer
n_out = Dim()  # outputs of a layer

Images = f32[batch, pixels]
Logits = f32[batch, classes]
Activation = Callable[[f32[...]], f32[...]]

class Linear(dims=(n_in, n_out)):
    """An affine map of the last axis."""

    w: donated[f32[n_in, n_out]] = field(init="he_normal")
    b: donated[f32[n_out]] = field(init="zeros")

    @impl("examples.digits_model:affine")
    def apply(self, x: f32[..., n_in]) -> f32[..., n_out]:
        """The layer's output, x @ w + b."""

class Mlp:
    """A multilayer perceptron."""

    first: donated[Linear[pixels, hidden]]
    middle: donated[tuple[Linear[hidden, hidden], ...]]
    last: donated[Linear[hidden, classes]]
    activation: static[Activation]  # after every layer but the last

    @impl("examples.digits_model:logits")
    def logits(self, images: Images) -> Logits:
        """Unnormalised log-probabilities of the classes."""

class Architecture:
    """Sizes of the classifier."""

    pixels: static[int] = 64
    hidden: static[int] = 128
    classes: static[int] = 10
    middle_layers: static[int] = 1  # layers from hidden to hidden units

class Optimiser:
    """AdamW and its learning rate over time."""

    learning_rate: static[float] = 3e-3  # largest value  # codegen: ignore[SWEPT_STATIC]
    schedule: static[Literal["constant", "cosine"]] = "cosine"
    steps: static[int] = 480  # number of steps after which the cosine schedule reaches zero
    weight_decay: static[float] = 1e-4

class Config:
    """The static configuration of the training."""

    architecture: static[Architecture] = Architecture()
    optimiser: static[Optimiser] = Optimiser()
    batch_size: static[int] = 128
    epochs: static[int] = 40
    label_smoothing: static[float] = 0.05
    noise: static[float] = 0.1  # standard deviation added to pixels in training

class Batch:
    """Images and their digits."""

    images: dynamic[Images]  # grey levels from 0 to 1
    labels: dynamic[i32[batch]]  # digit shown, 0 to 9

class Metrics:
    """How well a batch was classified."""

    loss: dynamic[f32]  # mean cross-entropy [nat]
    accuracy: dynamic[f32]  # fraction classified correctly

class Training:
    """The state that a training step replaces."""

    model: donated[Mlp]
    optimiser_state: donated[OptState]
    rng: donated[key]  # for the noise on the images
    config: static[Config]

@impl("examples.digits_model:train_step")
def train_step(training: donated[Training], batch: dynamic[Batch]) -> tuple[Training, Metrics]:
    """Take one optimizer step. Return the new state and the metrics before the step."""

@impl("examples.digits_model:evaluate")
def evaluate(model: dynamic[Mlp], batch: dynamic[Batch]) -> Metrics:
    """Classify a batch without noise or label smoothing."""
