"""A function of any type."""

from typing import TypeVar

from codegen.schema import donated, dynamic, f32, impl

T = TypeVar("T")

@impl("model:double")
def double(state: donated[T], by: dynamic[f32]) -> T:
    """The same, doubled."""
