"""Former names of fields, in pickles, checkpoints and configurations."""

from collections.abc import Collection, Hashable, Mapping
from typing import TypeVar

Name = TypeVar("Name", bound=Hashable)


def former_names(
    saved: Collection[Name], now: Collection[Name], former: Mapping[Name, Name]
) -> dict[Name, Name]:
    """Map the current name of each saved field to its saved name.

    A former name counts if the field's own name was not saved, or if another field
    takes the value saved under it. For example, `b` was `a`, and `c` was `b`: a state
    with `a` and `b` has both values under their former names. Of several former names
    that were saved, the last counts, because they are written from oldest to newest.

    Args:
        saved: all names in the saved version
        now: all current names
        former: the current names by their former names
    """
    earlier: dict[Name, list[Name]] = {}
    for old, name in former.items():
        if old in saved:
            earlier.setdefault(name, []).append(old)
    saved_names: dict[Name, Name] = {}
    vacant = [name for name in now if name not in saved]
    for name in vacant:  # The loop adds to it.
        for old in earlier.get(name, [])[-1:]:
            saved_names[name] = old
            vacant += [old] if old in now else []
    unchanged = {*now}.intersection(saved).difference(saved_names.values())
    return saved_names | {name: name for name in now if name in unchanged}
