"""Declarations that their implementations do not fit, beside some that they do."""

from codegen.schema import donated, dynamic, f32, field, impl, static

class Tank:
    level: donated[f32]
    sizes: static[tuple[int, ...]] = field(
        default=(1,), convert="tests.generated.typing.misfits:wrong_sizes"
    )

    @impl("tests.generated.typing.misfits:depth")
    def depth(self, scale: float = 1.0) -> float: ...
    @impl("tests.generated.typing.misfits:depth")
    def wrong_method(self, scale: str) -> float: ...
    @impl("tests.generated.typing.misfits:depth")
    def wrong_name_of_method(self, factor: float) -> float: ...
    @property
    @impl("tests.generated.typing.misfits:text_of")
    def wrong_property(self) -> float: ...

class Start:
    """Initializers, one of which takes no key."""

    good: donated[f32] = field(init="tests.generated.typing.misfits:start")
    bad: donated[f32] = field(init="tests.generated.typing.misfits:filled")

class Made(kw_only=False):
    good: dynamic[f32] = field(factory="tests.generated.typing.misfits:zero")
    bad: dynamic[f32] = field(factory="tests.generated.typing.misfits:name")
    many: static[int] = field(factory="tests.generated.typing.misfits:depth")

class Fine:
    good: donated[f32] = field(init="tests.generated.typing.misfits:start")

@impl("tests.generated.typing.misfits:filled")
def fits(tank: donated[Tank], by: dynamic[f32], n: static[int] = 1) -> Tank: ...
@impl("tests.generated.typing.misfits:filled")
def other_order(by: dynamic[f32], tank: donated[Tank], n: static[int] = 1) -> Tank: ...
@impl("tests.generated.typing.misfits:filled")
def wrong_name(tank: donated[Tank], rate: dynamic[f32], n: static[int] = 1) -> Tank: ...
@impl("tests.generated.typing.misfits:by_position")
def without_names(tank: donated[Tank], by: dynamic[f32]) -> Tank: ...
@impl("tests.generated.typing.misfits:filled")
def too_few(tank: donated[Tank], by: dynamic[f32]) -> Tank: ...
@impl("tests.generated.typing.misfits:filled")
def too_many(tank: donated[Tank], by: dynamic[f32], n: static[int], more: static[int]) -> Tank: ...
@impl("tests.generated.typing.misfits:filled")
def wrong_result(tank: donated[Tank], by: dynamic[f32], n: static[int] = 1) -> f32: ...
@impl("tests.generated.typing.misfits:filled")
def wrong_static(tank: donated[Tank], by: dynamic[f32], n: static[str]) -> Tank: ...
@impl("tests.generated.typing.misfits:lost")
def missing(tank: donated[Tank]) -> Tank: ...
@impl("nowhere_in_the_world:lost")
def missing_module(tank: donated[Tank]) -> Tank: ...
