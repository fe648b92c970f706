"""Names, types and documentation that do not fit on a line."""

from typing import Any, Callable, Literal

from codegen.schema import Dim, Float, donated, dynamic, f32, frozendict, impl, static

a_dimension_with_a_very_long_name_indeed = Dim()
another_dimension_with_a_very_long_name = Dim()

LongAlias = Callable[
    [f32[a_dimension_with_a_very_long_name_indeed], f32[another_dimension_with_a_very_long_name]],
    Float[a_dimension_with_a_very_long_name_indeed, another_dimension_with_a_very_long_name],
]

class AClassWhoseNameIsVeryLongAndGoesOnAndOnUntilNothingFitsBesideIt:
    a_very_long_field_name_that_goes_on_and_on: static[float | None]
    a_very_long_field_name_that_goes_on_and_on_until_no_condition_on_it_fits_any_more: static[int]
    another_very_long_field_name_for_literals: static[
        Literal["aaaaaaaaaaaaaaaaaaaaa", "bbbbbbbbbbbbbbbbbbbb", "ccccccccccc"]
    ]
    a_field_with_a_long_union_in_it: static[
        tuple[int, ...] | frozendict[str, tuple[float, ...]] | frozenset[str] | None
    ] = None
    a_function: static[LongAlias | None] = None
    an_array: dynamic[
        f32[a_dimension_with_a_very_long_name_indeed, another_dimension_with_a_very_long_name + 1]
    ]
    texts: static[tuple[str, ...]] = (
        "a default that is a long text and has to be broken over lines",
        "another default that is a long text",
    )  # documentation that is itself rather longer than what fits beside the name of the field

    @impl("tests.generated.impl.methods:nothing")
    def a_method_with_a_long_name(
        self, an_argument_with_a_long_name: int, *, another_argument_with_a_long_name: str = "x"
    ) -> tuple[tuple[int, ...], frozenset[str], Literal["aaaaaaaaaaaaaaaaaaaaa"] | None]: ...

class AnotherClassWithALongNameThatHoldsTheFirst:
    part: donated[AClassWhoseNameIsVeryLongAndGoesOnAndOnUntilNothingFitsBesideIt]
    parts: dynamic[
        dict[str, tuple[AClassWhoseNameIsVeryLongAndGoesOnAndOnUntilNothingFitsBesideIt, ...]]
    ]
    anything_at_all_in_a_field_with_a_long_name: static[Any] = (
        1,
        2.0,
        "three",
        (4, 5),
        b"six seven",
    )

@impl("tests.generated.impl.functions:identity")
def a_function_with_a_very_long_name_that_goes_on_and_on_and_on(
    an_argument_with_a_long_name: donated[
        AClassWhoseNameIsVeryLongAndGoesOnAndOnUntilNothingFitsBesideIt
    ],
) -> AClassWhoseNameIsVeryLongAndGoesOnAndOnUntilNothingFitsBesideIt: ...

class WithLongKeys:
    broken_keys: static[frozendict[tuple[str, str], int]] = frozendict({
        ("a key that is a tuple of long texts, which", "does not fit on a line in any way"): 1,
    })
    broken_values: static[frozendict[tuple[str, str], tuple[str, str]]] = frozendict({
        ("short", "key"): ("a value that is a tuple of long texts", "which do not fit on a line"),
        ("a key that nearly fits, but not with the", "start of its value"): ("short", "value"),
        ("a key that is too long with any value at all", "however short"): ("short", "value"),
    })

@impl("tests.generated.impl.functions:step")
def a_function_without_parameters() -> WithLongKeys | AnotherClassWithALongNameThatHoldsTheFirst: ...

@impl("tests.generated.impl.functions:step")
def another_function_without_any_parameters_but_with_a_name_that_goes_on() -> WithLongKeys: ...

@impl("tests.generated.impl.functions:step")
def a_third_function_without_any_parameters_but_with_a_name_that_goes_on_and_on() -> WithLongKeys | None: ...
