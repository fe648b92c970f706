@dataclasses.dataclass(frozen=True, init=False, eq=False, repr=False)
class Cache(_Cache):

    k: Ref  # ref
    """keys"""

    def __new__(cls, k: Ref | Array, *, used: ArrayLike = 0) -> Self:
        record = cls.__codegen_record__
        k = as_ref(k, "bfloat16", cls, "k")
        if type(used) in CONVERTED or is_weak(used):
            used = as_array(used, "int32", cls, "used")
        key = record.key(cls, ())
        return record.unflatten(key, (k, used))


register_dataclass(
    Cache,
    schema="schema.Cache",
    data_fields={"k": ref("bfloat16", "length"), "used": donated(array("int32"))},
    meta_fields={},
    key=_codegen_key_Cache,
    flatten=_codegen_flatten_Cache,
    unflatten=_codegen_unflatten_Cache,
    split=_codegen_split_Cache,
)


def _codegen_call_decode(
    self: Any, cache: Cache, buffer: Ref, token: ArrayLike
) -> Cache:
    """decode.

    Runs `decoder:decode` under `jax.jit`.
    """
    donated: list[Any] = []
    kept: list[Any] = []
    try:
        if type(cache) is not Cache:
            cache = as_part(cache, Cache, "decode", "cache")
        cache_structure = cache.__codegen_record__.split(cache, donated, kept)
        buffer = as_ref_argument(buffer, "bfloat16", "decode", "buffer")
        kept.append(buffer)
        if type(token) in CONVERTED:
            token = as_argument(token, "int32", "decode", "token")
        kept.append(token)
        return self.run(cache_structure, donated, kept, (cache, buffer, token))
    except BaseException as error:
        hide_frames(error)
        raise


def _codegen_run_decode(cache: Cache, buffer: Ref, token: Int32[Array, ""]) -> Cache:
    from decoder import decode as impl

    # `def decode` in schema.pyi declares this call.
    result: Cache = impl(cache=cache, buffer=buffer, token=token)
    if type(result) is not Cache:
        result = as_part(result, Cache, "decode", "return")
    return result


decode: Final = DonatingFunction(
    _codegen_call_decode,
    _codegen_run_decode,
    jit=lambda run: jax.jit(run, static_argnums=0, donate_argnums=1),
    keep=lambda run: jax.jit(run, static_argnums=0),
    name="decode",
    runs="decoder:decode",
    donated=["cache"],
    shapes={
        "cache": Cache,
        "buffer": ref("bfloat16", "length"),
        "token": array("int32"),
        "return": Cache,
    },
)
