"""Which parameter of an override type checkers take for one that it stands for."""

import pytest

from codegen.view.layout import Choice, Node, subscript
from codegen.view.overrides import accepts

INT_OR_NONE = Choice(("int", "None"))
ONE_OF = subscript("Literal", '"a"', '"b"')


@pytest.mark.parametrize(
    ("new", "old"),
    [
        ("int", "int"),
        (Choice(("None", "int")), INT_OR_NONE),
        (Choice(("int", "str", "None")), INT_OR_NONE),
        (subscript("Literal", '"b"', '"a"'), ONE_OF),
        (subscript("Literal", '"b"', '"c"', '"a"'), ONE_OF),
        ("Any", INT_OR_NONE),
        (INT_OR_NONE, "Any"),
        ("int", Choice(("bool", "int"))),
        ("complex", Choice(("float", "int"))),
        ("ArrayLike", Choice(("float", "ArrayLike"))),
        (subscript("tuple", "Any", "..."), subscript("tuple", "int", "...")),
        (subscript("tuple", Choice(("None", "int"))), subscript("tuple", INT_OR_NONE)),
    ],
)
def test_it_takes_as_much(new: Node, old: Node) -> None:
    assert accepts(new, old)


@pytest.mark.parametrize(
    ("new", "old"),
    [
        ("int", INT_OR_NONE),
        ("int", "float"),
        ("ArrayLike", Choice(("ArrayLike", "None"))),
        (subscript("Literal", '"a"'), ONE_OF),
        (subscript("tuple", "Any", "..."), Choice((subscript("tuple", "Any", "..."), "int"))),
        (subscript("tuple", "int"), subscript("tuple", INT_OR_NONE)),
        (subscript("tuple", "int"), subscript("tuple", "int", "int")),
        (subscript("tuple", "int"), subscript("frozenset", "int")),
        ("Derived", "Base"),
    ],
)
def test_it_takes_less(new: Node, old: Node) -> None:
    assert not accepts(new, old)
