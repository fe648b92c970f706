def _codegen_call_total(
    self: Any, u: ArrayLike, scale: float | Array = 1.0
) -> Float32[Array, ""]:
    """total."""
    kept: list[Any] = []
    try:
        if type(u) in _rt.CONVERTED or _rt.is_weak(u):
            u = _rt.as_argument(u, "float32", "total", "u")
        kept.append(u)
        if type(scale) is not float:
            scale = _rt.as_scalar(scale, float, "total", "scale")
        kept.append(scale)
        return self.run((), [], kept, (u, scale))
    except BaseException as error:
        _rt.hide_frames(error)
        raise


def _codegen_run_total(
    u: Float32[Array, "..."], scale: float | Array
) -> Float32[Array, ""]:
    from model import total as impl

    return impl(u=u, scale=scale)


total: Final = _rt.Function(
    _codegen_call_total,
    _codegen_run_total,
    name="total",
    runs="model:total",
    types={
        "u": _rt.array("float32", "..."),
        "scale": float,
        "return": _rt.array("float32"),
    },
)
