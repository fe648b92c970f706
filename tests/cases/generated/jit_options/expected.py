step: Final = _rt.Function(
    _codegen_call_step,
    _codegen_run_step,
    name="step",
    runs="model:step",
    donated=["u"],
    jit={
        "inline": True,
        "compiler_options": {"xla_a": True, "xla_b": -1, "xla_c": "x", "xla_d": 1e20},
    },
    types={"u": _rt.array("float32", "..."), "return": _rt.array("float32", "...")},
)
