"""Compare the objects of two runs: with the original classes, and with the generated ones.

compare_runs(before, after)
->    RunComparison(12, 0, (("heat.Plate", "created in tests.test_plate:test_step: the leaf ..."),))

Objects of two runs correspond if the same function created them from the same kinds of arguments.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from msgspec import Struct, json

from codegen.adopt.observe.run import ClassRecord, ConstructorResult, Observation

_SHOWN_MAX = 50


class RunComparison(Struct, frozen=True):
    """The result of comparing two runs."""

    objects: int
    """The objects with a counterpart."""
    unmatched: int
    """The objects without one. In many libraries, unlike here, JAX also calls the constructor."""
    differences: tuple[tuple[str, str], ...]
    """Each with the class, which is empty if no class is known."""
    suspects: tuple[str, ...] = ()
    """If the command failed and an exception names no class: the classes that it can be about."""

    def lines(self) -> tuple[str, ...]:
        """Return the first differences as text."""
        shown = [f"`{name}`: {text}" if name else text for name, text in self.differences]
        more = len(shown) - _SHOWN_MAX
        return (*shown[:_SHOWN_MAX], *([f"and {more} more"] if more > 0 else []))


def compare_runs(before: Observation, after: Observation) -> RunComparison:
    """Compare the corresponding objects of each class, and the command's exit status."""
    compared = others = 0
    differences: list[tuple[str, str]] = []
    is_other = (before.status, before.failed) != (after.status, after.failed)
    if is_other:
        differences += (("", one) for one in _compare_outcomes(before, after))
        new = _new_failures(before, after)
        differences += dict.fromkeys((name, text) for name, _, text in new if name)
    for name, seen in before.classes.items():
        counterparts = after.classes.get(name, ClassRecord()).objects
        both = {key: old for key, old in seen.objects.items() if key in counterparts}
        compared += len(both)
        others += len(seen.objects) - len(both)
        if seen.objects and not both and not is_other:
            text = "the second run created no object that matches one of the first run"
            differences.append((name, text))
        for key, old in both.items():
            changes = _compare_objects(old, counterparts[key], seen)
            differences += [(name, f"created in {_creator(key)}: {one}") for one in changes]
        differences += [(name, one) for one in _compare_treedefs(both, counterparts)]
    if not compared and not differences:
        text = f"the command ended with exit status {after.status} and created no object to compare"
        differences.append(("", text))
    suspects = _find_suspects(before, after) if is_other else ()
    return RunComparison(compared, others, tuple(differences), suspects)


def _find_suspects(before: Observation, after: Observation) -> tuple[str, ...]:
    """Return the classes whose objects the tests created that now fail; else all classes."""
    tests = {test for name, test, _ in _new_failures(before, after) if not name}
    created = [name for name, one in before.classes.items() if not tests.isdisjoint(one.tests)]
    return tuple(created or before.classes)


def _new_failures(before: Observation, after: Observation) -> list[tuple[str, str, str]]:
    known = {*before.failed, *(test for _, test, _ in before.failures.values() if test)}
    return [one for one in after.failures.values() if one[1] not in known]


def _compare_outcomes(before: Observation, after: Observation) -> Iterator[str]:
    if before.status != after.status:
        yield f"the exit status of the command was {before.status} and is now {after.status}"
    for one in sorted({*before.failed} ^ {*after.failed}):
        yield (
            f"`{one}` failed before, but does not fail now"
            if one in before.failed
            else f"`{one}` did not fail before, but fails now"
        )


def _creator(key: str) -> str:
    """Return the function that created an object. Example: "tests.test_plate:test_step"."""
    return json.decode(key, type=list[str])[0]


def _compare_objects(
    old: ConstructorResult, new: ConstructorResult, seen: ClassRecord
) -> Iterator[str]:
    paths, now = ([path for path, _ in one.leaves] for one in (old, new))
    if paths != now:
        yield f"its leaves were {', '.join(paths)}, and are now {', '.join(now)}"
    else:
        for (path, was), (_, leaf) in zip(old.leaves, new.leaves, strict=True):
            if was != leaf:
                yield f"the leaf `{path}` was {was} and is now {leaf}"
    for name, was in old.statics.items():
        if new.statics.get(name) != was:
            yield f"the static field `{name}` was {was} and is now {new.statics.get(name)}"
    if "__hash__" in seen.asked and old.hash and not new.hash:
        yield "it had a hash, which the command used, and has none now"
    if "__eq__" in seen.asked and old.equal != new.equal:
        outcome = "no longer equal" if old.equal else "now equal"
        yield f"the command used `==`, and a copy with the same leaves is {outcome}"
    if old.kept and not new.kept:
        yield "`jax.tree.map` kept its class and fields, but no longer does"
    if old.hollow and not new.hollow:
        yield "`jax.tree.map` could replace its leaves by None, but no longer can"


def _compare_treedefs(
    objects: Mapping[str, ConstructorResult], counterparts: Mapping[str, ConstructorResult]
) -> Iterator[str]:
    """Yield objects whose treedefs were equal and now differ (each retraces), or the reverse."""
    both = [
        (key, one.treedef, counterparts[key].treedef) for key, one in objects.items() if one.treedef
    ]
    for was, now, side in (("equal", "different", 1), ("different", "equal", 2)):
        firsts: dict[object, tuple[str, str, str]] = {}
        for one in both:
            first = firsts.setdefault(one[side], one)
            other, known = one[3 - side], first[3 - side]
            # Treedefs from different processes cannot be compared.
            if other != known and other.split()[0] == known.split()[0]:
                makers = f"{_creator(first[0])} and {_creator(one[0])}"
                yield f"objects created in {makers} had {was} treedefs and now have {now} ones"
