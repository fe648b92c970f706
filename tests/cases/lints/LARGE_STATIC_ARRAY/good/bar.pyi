from codegen.schema import dynamic, f32

class Table:
    opacity: dynamic[f32[512, 512]]  # by density and temperature [m^2/kg]
