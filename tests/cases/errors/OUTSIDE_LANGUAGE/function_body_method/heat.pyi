from codegen.schema import impl, static

class Grid:
    nx: static[int]

    @impl("heat_model:area")
    def area(self) -> float:
        """The area."""
        return self.nx * 1.0
