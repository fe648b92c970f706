from codegen.schema import f32, static

class Table:
    opacity: static[f32[512, 512]]  # by density and temperature [m^2/kg]
