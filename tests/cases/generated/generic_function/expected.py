use_running_script("model")


T = TypeVar("T")


class _codegen_type_double(DonatingFunction[..., Any]):
    """The type of `double`, whose result depends on its arguments."""

    if TYPE_CHECKING:

        def __call__(self, state: T, by: ArrayLike) -> T: ...

        def keep(self, state: T, by: ArrayLike) -> T: ...

        def eval_shape(self, state: T, by: ArrayLike) -> T: ...

        def lower(self, state: T, by: ArrayLike) -> Lowered[..., T]: ...

        def donation(self, state: T, by: ArrayLike) -> dict[str, bool]: ...


def _codegen_run_double(state: T, by: Float32[Array, ""]) -> T:
    from model import double as impl

    # `def double` in schema.pyi declares this call.
    result: T = impl(state=state, by=by)
    return result


double: Final = _codegen_type_double(
    _codegen_call_double,
    _codegen_run_double,
    jit=lambda run: jax.jit(run, static_argnums=0, donate_argnums=1),
    keep=lambda run: jax.jit(run, static_argnums=0),
    name="double",
    runs="model:double",
    donated=["state"],
    weak=["state"],
    shapes={"state": parameter("T"), "by": array("float32"), "return": parameter("T")},
)
"""The same, doubled."""
