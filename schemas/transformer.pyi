"""A transformer that predicts the next character of a text. Its layers are a stack or a tuple."""

from jax.nn.initializers import normal
from optax import OptState

from codegen.schema import Dim, donated, dynamic, f32, field, i32, impl, stacked, static

batch = Dim(mesh="data")  # passages in one batch
length = Dim()  # characters of a passage
vocabulary = Dim()  # different characters
width = Dim()  # features of a character
heads = Dim(mesh="model")  # of attention, in a layer
head = Dim()  # features of a head
layers = Dim()

Features = f32[batch, length, width]

class Block:
    """A layer: attention and a perceptron, each with a residual connection."""

    attention_scale: donated[f32[width]] = field(init="ones")
    query_key_value: donated[f32[3, width, heads, head]] = field(init=normal(0.02), tag="decay")
    output: donated[f32[heads, head, width]] = field(init=normal(0.02), tag="decay")
    perceptron_scale: donated[f32[width]] = field(init="ones")
    up: donated[f32[width, 4 * width]] = field(init=normal(0.02), tag="decay")
    down: donated[f32[4 * width, width]] = field(init=normal(0.02), tag="decay")

    @impl("examples.transformer_model:block")
    def apply(self, x: Features) -> Features:
        """The input of the next layer."""

class Transformer(abstract=True):
    """A transformer without its layers."""

    embedding: donated[f32[vocabulary, width]] = field(init=normal(0.02))
    positions: donated[f32[length, width]] = field(init=normal(0.02), tag="frozen")
    """position embeddings: random, not trained"""
    scale: donated[f32[width]] = field(init="ones")

    @impl("examples.transformer_model:logits")
    def logits(self, characters: i32[batch, length]) -> f32[batch, length, vocabulary]:
        """Unnormalised log-probabilities of the next character at each position."""

class Scanned(Transformer):
    """Runs its layers in a loop, so XLA compiles a single layer."""

    blocks: donated[stacked[Block, layers]]

class Unrolled(Transformer):
    """Runs its layers one by one, and XLA compiles each."""

    blocks: donated[tuple[Block, layers]]

class Config:
    """The static configuration of the training."""

    layers: static[int] = 4
    stacked: static[bool] = True  # whether the layers are a stack; else they are a tuple
    steps: static[int] = 200
    learning_rate: static[float] = 3e-3  # of AdamW  # codegen: ignore[SWEPT_STATIC]

class Training:
    """The state that a training step replaces."""

    model: donated[Transformer]
    optimiser_state: donated[OptState]
    config: static[Config]

@impl("examples.transformer_model:train_step")
def train_step(
    training: donated[Training], passages: dynamic[i32[batch, length + 1]]
) -> tuple[Training, f32]:
    """Take one step. Return the new state and the loss before the step, per character [nat]."""
