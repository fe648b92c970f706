@dataclasses.dataclass(frozen=True, init=False, eq=False, repr=False)
class Cache(_rt.ShapedPytree):

    k: Ref  # ref
    """keys"""

    def __new__(cls, k: Ref | Array, *, used: ArrayLike = 0) -> Self:
        k = _rt.as_ref(k, "bfloat16", cls, "k")
        used = _rt.as_array(used, "int32", cls, "used")
        key = _rt.trace_key(cls, (), ())
        return cls.__codegen_record__.unflatten(key, (k, used))


def _codegen_call_decode(
    self: Any, cache: Cache, buffer: Ref, token: ArrayLike
) -> Cache:
    """decode."""
    donated: list[Any] = []
    kept: list[Any] = []
    try:
        if type(cache) is not Cache:
            cache = _rt.as_part(cache, Cache, "decode", "cache")
        cache_structure = cache.__codegen_record__.split(cache, donated, kept)
        buffer = _rt.as_ref_argument(buffer, "bfloat16", "decode", "buffer")
        kept.append(buffer)
        if type(token) in _rt.CONVERTED or _rt.is_weak(token):
            token = _rt.as_argument(token, "int32", "decode", "token")
        kept.append(token)
        return self.run(cache_structure, donated, kept, (cache, buffer, token))
    except BaseException as error:
        _rt.hide_frames(error)
        raise


def _codegen_run_decode(cache: Cache, buffer: Ref, token: Int32[Array, ""]) -> Cache:
    from decoder import decode as impl

    return impl(cache=cache, buffer=buffer, token=token)


decode: Final = _rt.Function(
    _codegen_call_decode,
    _codegen_run_decode,
    name="decode",
    runs="decoder:decode",
    donated=["cache"],
    types={
        "cache": Cache,
        "buffer": _rt.ref("bfloat16", "length"),
        "token": _rt.array("int32"),
        "return": Cache,
    },
)
