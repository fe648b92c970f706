"""Migrations from earlier schemas to the current one, for `tests/cases/evolution/`."""

from typing import Any


def split_qkv(entries: dict[str, Any]) -> dict[str, Any]:
    """Split one array into three."""
    q, k, v = entries.pop("qkv")
    heads = entries.pop("heads")
    assert not entries
    return {"q": q, "k": k, "v": v, "width": 2 // heads}


def first(entries: dict[str, Any]) -> dict[str, Any]:
    """Migrate from the first version to the second."""
    return {"b": entries["a"] + 1}


def second(entries: dict[str, Any]) -> dict[str, Any]:
    """Migrate from the second version to the third."""
    return {"c": 2 * entries["b"]}
