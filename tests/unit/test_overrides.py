"""Which parameter of an override type checkers take for one that it stands for."""

import pytest

from codegen.emit.expressions import subscript
from codegen.emit.methods import accepts

INT_OR_NONE = "int | None"
ONE_OF = subscript("Literal", '"a"', '"b"')


@pytest.mark.parametrize(
    ("new", "old"),
    [
        ("int", "int"),
        ("None | int", INT_OR_NONE),
        ("int | str | None", INT_OR_NONE),
        (subscript("Literal", '"b"', '"a"'), ONE_OF),
        (subscript("Literal", '"b"', '"c"', '"a"'), ONE_OF),
        ("Any", INT_OR_NONE),
        (INT_OR_NONE, "Any"),
        ("int", "bool | int"),
        ("complex", "float | int"),
        ("ArrayLike", "float | ArrayLike"),
        (subscript("tuple", "Any", "..."), subscript("tuple", "int", "...")),
        (subscript("tuple", "None | int"), subscript("tuple", INT_OR_NONE)),
    ],
)
def test_it_takes_as_much(new: str, old: str) -> None:
    assert accepts(new, old)


@pytest.mark.parametrize(
    ("new", "old"),
    [
        ("int", INT_OR_NONE),
        ("int", "float"),
        ("ArrayLike", "ArrayLike | None"),
        (subscript("Literal", '"a"'), ONE_OF),
        (subscript("tuple", "Any", "..."), "tuple[Any, ...] | int"),
        (subscript("tuple", "int"), subscript("tuple", INT_OR_NONE)),
        (subscript("tuple", "int"), subscript("tuple", "int", "int")),
        (subscript("tuple", "int"), subscript("frozenset", "int")),
        ("Derived", "Base"),
    ],
)
def test_it_takes_less(new: str, old: str) -> None:
    assert not accepts(new, old)
