"""A policy that keeps a pole upright on a cart, trained by proximal policy optimisation."""

from optax import OptState

from codegen.schema import Bool, Dim, donated, dynamic, f32, field, i32, impl, key, stacked, static

envs = Dim(mesh="data")  # carts that move at the same time
sensors = Dim()  # numbers that a policy sees
width = Dim()  # units of a layer
actions = Dim()  # pushes between which a policy chooses
n_in = Dim()  # inputs of a layer
n_out = Dim()  # outputs of a layer

class CartPole:
    """A cart on a track, with a pole on a hinge. The pole must not fall."""

    x: donated[f32] = 0.0  # place of the cart [m]
    speed: donated[f32] = 0.0  # of the cart [m/s]
    angle: donated[f32] = 0.0  # of the pole, from upright [rad]
    spin: donated[f32] = 0.0  # of the pole [rad/s]
    age: donated[i32] = 0  # steps since the start

    @impl("examples.ppo_model:push")
    def push(self, force: f32) -> CartPole:
        """The cart after one step under a force [N]."""

    @impl("examples.ppo_model:senses")
    def senses(self) -> f32[sensors]:
        """What a policy sees of it."""

    @impl("examples.ppo_model:has_ended")
    def has_ended(self) -> Bool:
        """Whether the pole fell, the cart left the track, or the time is over."""

class Layer(dims=(n_in, n_out)):
    """An affine map, and tanh."""

    w: donated[f32[n_in, n_out]] = field(init="glorot_normal")
    b: donated[f32[n_out]] = field(init="zeros")

    @impl("examples.ppo_model:apply")
    def apply(self, x: f32[..., n_in]) -> f32[..., n_out]:
        """The layer's output, tanh(x @ w + b)."""

class Agent:
    """A policy, and its estimate of the return."""

    first: donated[Layer[sensors, width]]
    second: donated[Layer[width, width]]
    policy: donated[f32[width, actions]] = field(init="zeros")
    value: donated[f32[width]] = field(init="zeros")

    @impl("examples.ppo_model:judge")
    def judge(self, seen: f32[..., sensors]) -> tuple[f32[..., actions], f32[...]]:
        """Unnormalised log-probabilities of the actions, and the estimated return."""

class Move:
    """What an agent saw and did in one step, and what followed."""

    seen: dynamic[f32[sensors]]
    action: dynamic[i32]
    log_probability: dynamic[f32]  # of the action
    value: dynamic[f32]  # estimated return before the step
    age: dynamic[i32]  # steps of the episode, with this one
    ended: dynamic[Bool]  # whether the step ended the episode

class Config:
    """The static configuration of the training."""

    envs: static[int] = 64
    steps: static[int] = 128  # of each cart in a round
    width: static[int] = 64
    epochs: static[int] = 4  # passes over the moves of a round
    batches: static[int] = 4  # in a pass
    learning_rate: static[float] = 1e-3  # of Adam  # codegen: ignore[SWEPT_STATIC]
    discount: static[float] = 0.99
    trace: static[float] = 0.95  # decay of later errors in an advantage
    clip: static[float] = 0.2  # of the ratio of probabilities
    entropy: static[float] = 0.01  # weight of the entropy in the loss

class Training:
    """The state that a round replaces."""

    agent: donated[Agent]
    optimiser_state: donated[OptState]
    carts: donated[stacked[CartPole, envs]]
    rng: donated[key]
    config: static[Config]

@impl("examples.ppo_model:improve")
def improve(training: donated[Training]) -> tuple[Training, f32]:
    """Move all carts, and learn from it. Return the new state, and the steps of an episode.

    These are the mean over the episodes that ended in this round, NaN if none did.
    """
