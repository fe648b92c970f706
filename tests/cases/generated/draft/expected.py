from codegen import runtime as _rt


@dataclasses.dataclass(frozen=True, init=False, eq=False, repr=False)
class Model(_rt.Pytree):

    class Draft(_rt.PytreeDraft):
        """A mutable `Model`, for the trace in which it is created."""

        w = _rt.DraftArray()
        n: _rt.DraftStatic[int]

        if TYPE_CHECKING:

            class At(_rt.DraftAt):
                w: _rt.Items

            at = _rt.ItemsOf(At)

        def freeze(self) -> Model:
            """Return the `Model` as it is now.

            The draft cannot be used afterwards, unless it is part of another draft.
            """
            result: Model = _rt.frozen(self)
            return result

    def draft(self) -> Model.Draft:
        """Return a typed mutable copy, for the trace that is active now."""
        return self.Draft(self)
