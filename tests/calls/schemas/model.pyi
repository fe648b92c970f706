"""What a function can be given and return, and implementations that are wrong."""

from typing import Any

from codegen.schema import Dim, donated, dynamic, f32, impl, key, static

nx = Dim()

class Part:
    w: donated[f32[nx]]
    rate: dynamic[float] = 0.5

class Finer(Part):
    bias: dynamic[f32] = 0.0

class Plate:
    u: donated[f32[nx]]
    alpha: dynamic[f32[nx]]
    part: donated[Part]
    layers: dynamic[tuple[Part, ...]] = ()
    t: dynamic[f32] = 0.0
    name: static[str] = "plate"

class Force(abstract=True): ...

class Spring(Force):
    k: dynamic[f32]

@impl("called_impl:step")
def step(plate: donated[Plate], dt: dynamic[f32], n: static[int] = 1) -> Plate:
    """Advance the plate by n steps of dt [s]."""

@impl("called_impl:step")
def bare(plate: donated[Plate], dt: dynamic[f32], n: static[int] = 1) -> Plate: ...
@impl("called_impl:Several.inner")
def inner(x: dynamic[f32[nx]]) -> f32[nx]: ...
@impl("called_impl:branch")
def branch(plate: donated[Plate], parts: dynamic[dict[str, Part]], dt: dynamic[f32]) -> Plate:
    """Decide by what is traced."""

@impl("called_impl:add", checks=False)
def add(x: dynamic[f32[nx]], dt: dynamic[f32], rate: dynamic[float] = 1.0) -> f32[nx]: ...
@impl("called_impl:add", checks=False)
def take(x: donated[f32[nx]], dt: dynamic[f32], rate: dynamic[float] = 1.0) -> f32[nx]: ...
@impl("called_impl:given")
def array(x: dynamic[Any]) -> f32[nx]: ...
@impl("called_impl:given")
def scalar(x: dynamic[Any]) -> f32: ...
@impl("called_impl:given")
def number(x: dynamic[Any]) -> float: ...
@impl("called_impl:given")
def plate(x: dynamic[Any]) -> Plate: ...
@impl("called_impl:given")
def part(x: dynamic[Any]) -> Part: ...
@impl("called_impl:given")
def force(x: dynamic[Any]) -> Force: ...
@impl("called_impl:given")
def pair(x: dynamic[Any]) -> tuple[Part, f32]: ...
@impl("called_impl:given")
def parts(x: dynamic[Any]) -> dict[str, Part]: ...
@impl("called_impl:given")
def several(x: dynamic[Any]) -> tuple[f32[nx], ...]: ...
@impl("called_impl:given")
def either(x: dynamic[Any]) -> Part | f32[nx]: ...
@impl("called_impl:given")
def perhaps(x: dynamic[Any]) -> Part | None: ...
@impl("called_impl:given")
def nothing(x: dynamic[Any]) -> None: ...
@impl("called_impl:given")
def anything(x: dynamic[Any]) -> Any: ...
@impl("called_impl:given")
def rng(x: dynamic[Any]) -> key: ...
