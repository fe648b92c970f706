from codegen.schema import dynamic, f32, impl, static

class Attention:
    q: dynamic[f32[2]]
    k: dynamic[f32[2]]
    v: dynamic[f32[2]]
    width: static[int]

    @impl("tests.checkpoint.migrations:split_qkv")
    def migrate(since="f8e4eea1") -> None: ...

class Bar:
    attention: dynamic[Attention]
