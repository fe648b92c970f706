from codegen.schema import impl, static

class Base:
    nx: static[int]

    @impl("heat_model:size")
    def size(self) -> int: ...
