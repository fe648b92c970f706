T = TypeVar("T")


class _codegen_type_double(_rt.Function[..., Any]):
    """The type of `double`, whose result depends on its arguments."""


def _codegen_run_double(state: T, by: Float32[Array, ""]) -> T:
    from model import double as impl

    return impl(state=state, by=by)


double: Final = _codegen_type_double(
    _codegen_call_double,
    _codegen_run_double,
    name="double",
    runs="model:double",
    donated=["state"],
    types={
        "state": _rt.parameter("T"),
        "by": _rt.array("float32"),
        "return": _rt.parameter("T"),
    },
)
"""The same, doubled."""
