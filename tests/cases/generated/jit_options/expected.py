from ._runtime.compiler_options import JitWithOptions


step: Final = DonatingFunction(
    _codegen_call_step,
    _codegen_run_step,
    jit=lambda run: JitWithOptions(
        run,
        static_argnums=0,
        donate_argnums=1,
        inline=True,
        compiler_options={"xla_a": True, "xla_b": -1, "xla_c": "x", "xla_d": 1e20},
    ),
    keep=lambda run: JitWithOptions(
        run,
        static_argnums=0,
        inline=True,
        compiler_options={"xla_a": True, "xla_b": -1, "xla_c": "x", "xla_d": 1e20},
    ),
    name="step",
    runs="model:step",
    donated=["u"],
    shapes={"u": array("float32", "..."), "return": array("float32", "...")},
)
