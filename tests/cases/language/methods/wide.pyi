"""Results that take more than a line."""

from codegen.schema import dynamic, f32, impl

class ExplicitDifferencesInTimeAndSpace:
    x: dynamic[f32]

class ImplicitDifferencesInTimeAndSpace:
    x: dynamic[f32]

    @impl("wide_model:finer")
    def finer(
        self, n: int
    ) -> ExplicitDifferencesInTimeAndSpace | ImplicitDifferencesInTimeAndSpace:
        """The same on a finer grid."""

    @impl("wide_model:pair")
    def pair(self) -> tuple[ExplicitDifferencesInTimeAndSpace, ImplicitDifferencesInTime]:
        """Both of them."""

class ImplicitDifferencesInTime:
    x: dynamic[f32]

@impl("wide_model:chosen")
def chosen(
    x: dynamic[f32], y: dynamic[f32]
) -> ExplicitDifferencesInTimeAndSpace | ImplicitDifferencesInTimeAndSpace | f32:
    """One of them."""

@impl("wide_model:all_of_them")
def all_of_them(
    x: dynamic[f32], y: dynamic[f32]
) -> tuple[ExplicitDifferencesInTimeAndSpace, ImplicitDifferencesInTimeAndSpace, f32]:
    """All of them."""
