from codegen.schema import Dim, donated, dynamic, f32, stacked

layers = Dim()
n = Dim()
Weights = f32[n]

class Linear:
    w: donated[f32[n]]

class Norm:
    scale: donated[f32[n]]

class Mlp:
    weights: donated[stacked[f32[n, 3], layers]]
    aliased: donated[stacked[Weights, layers + 1]]
    either: donated[stacked[Linear | Norm, layers]]
    maybe: donated[stacked[Linear | None, layers]]
    several: donated[stacked[tuple[Linear, ...], layers]]
    number: dynamic[stacked[float, layers]]
    bare: donated[stacked]
    alone: donated[stacked[Linear]]
    swapped: donated[stacked[layers, Linear]]
    unknown: donated[stacked[Linear, layer]]
    any_number: donated[stacked[Linear, ...]]
    counted: donated[tuple[Linear, layer]]
    misspelt: donated[tuple[Linear, depth]]
    too_many: donated[tuple[Linear, Norm, layers]]
    as_list: donated[list[Linear, layers]]

class Derived(stacked[Linear, layers]):
    v: donated[f32[n]]
