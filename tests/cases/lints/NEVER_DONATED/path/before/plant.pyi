from codegen.schema import Dim, donated, dynamic, f32, impl

n = Dim()

class Tank(abstract=True):
    level: donated[f32[n]]

class Boiler(Tank):
    heat: donated[f32[n]]
    rate: dynamic[f32[n]]

class Plant:
    tank: dynamic[Tank]
    flow: donated[f32[n]]

@impl("plant:step")
def step(plant: donated[Plant]) -> Plant: ...
