"""One recipe gives equal values as separate copies."""

from collections.abc import Callable
from typing import Any

from codegen.testing.recipes import Leaf, Node, build, share


def node(make: Callable[[Any], Any], *values: Any) -> Node:
    return Node(lambda parts: make(parts.values()), {i: Leaf(v) for i, v in enumerate(values)})


def test_copies_are_different_objects() -> None:
    values = ["text" * 100, 1.5, (1.5, [2.0]), b"bytes", 10**30, 1j]
    recipe = node(list, *values)
    one, other = build(recipe), build(recipe)
    assert one == other == values
    assert not any(map(lambda *each: len({*map(id, each)}) < 3, one, other, values))


def test_each_build_of_a_set_has_the_same_number_of_nans() -> None:
    nan = float("nan")
    recipe = node(frozenset, nan, nan)
    assert len(build(recipe)) == len(build(recipe))


def test_known_part_replaces_that_of_the_recipe() -> None:
    recipe = node(list, 1, 2)
    changed = recipe.parts[0]
    assert isinstance(changed, Leaf)
    assert build(recipe, {changed: 3}) == [3, 2]
    assert build(recipe) == [1, 2]


def test_shared_part_shares_its_parts() -> None:
    # As `share(embed, decoder.embed)`, where the decoder has `share(embed.table, head)`.
    def embedding() -> Node:
        return Node(dict, {"table": Node(dict, {})})

    decoder = Node(dict, {"embed": embedding(), "head": Node(dict, {})})
    share(decoder, ("embed", "table"), ("head",))
    model = Node(dict, {"embed": embedding(), "decoder": decoder})
    share(model, ("embed",), ("decoder", "embed"))
    made = build(model)
    assert made["decoder"]["embed"] is made["embed"]
    assert made["decoder"]["head"] is made["embed"]["table"]
