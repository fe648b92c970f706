from codegen.schema import donated, dynamic, f32, impl, reserved

class Rod:
    """A rod."""

    reserved("length")
    reserved("area", "volume")
    hot: dynamic[f32]  # [K]

    @property
    @impl("rods:length")
    def length(self) -> float: ...

class Plate(Rod):
    reserved("cold")
    warm: donated[f32]  # [K]
