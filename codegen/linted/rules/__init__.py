"""The rules, in one table, and which of them run where nothing is said."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final

from codegen.diagnostics import Code, Diagnostic
from codegen.linted.linting import Linting
from codegen.linted.rules import (
    absolute_import,
    donates_nothing,
    dynamic_python_scalar,
    eq_without_mixin,
    forgotten_donation,
    identity_of_value,
    implementation_parameters,
    large_static_array,
    never_donated,
    size_not_static,
    static_class_as_dynamic,
    swept_static,
    undocumented_field,
    unknown_implementation,
    unusable_donation,
    unused_alias,
    unused_dimension,
    unused_import,
    unused_type_parameter,
)

RULES: Final[dict[Code, Callable[[Linting], Iterable[Diagnostic]]]] = {
    Code.ABSOLUTE_IMPORT: absolute_import.check,
    Code.DONATES_NOTHING: donates_nothing.check,
    Code.DYNAMIC_PYTHON_SCALAR: dynamic_python_scalar.check,
    Code.EQ_WITHOUT_MIXIN: eq_without_mixin.check,
    Code.FORGOTTEN_DONATION: forgotten_donation.check,
    Code.IDENTITY_OF_VALUE: identity_of_value.check,
    Code.IMPLEMENTATION_PARAMETERS: implementation_parameters.check,
    Code.LARGE_STATIC_ARRAY: large_static_array.check,
    Code.NEVER_DONATED: never_donated.check,
    Code.SIZE_NOT_STATIC: size_not_static.check,
    Code.STATIC_CLASS_AS_DYNAMIC: static_class_as_dynamic.check,
    Code.SWEPT_STATIC: swept_static.check,
    Code.UNDOCUMENTED_FIELD: undocumented_field.check,
    Code.UNKNOWN_IMPLEMENTATION: unknown_implementation.check,
    Code.UNUSABLE_DONATION: unusable_donation.check,
    Code.UNUSED_ALIAS: unused_alias.check,
    Code.UNUSED_DIMENSION: unused_dimension.check,
    Code.UNUSED_IMPORT: unused_import.check,
    Code.UNUSED_TYPE_PARAMETER: unused_type_parameter.check,
}
LINTS: Final = frozenset({*RULES, Code.UNUSED_IGNORE})
# What is a matter of taste runs where it is selected.
OPTIONAL: Final = frozenset({Code.UNDOCUMENTED_FIELD})
DEFAULT: Final = LINTS - OPTIONAL
