from codegen.schema import dynamic, f32, frozendict, impl

class Table:
    a: dynamic[dict[str, f32]] = frozendict(a=1.0)

    @impl("heat_model:rates")
    def rates(self, of: dict[str, float] = frozendict()) -> int: ...
