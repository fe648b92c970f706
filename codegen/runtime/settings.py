"""What can be set for all functions of this package, at any time.

settings.unused_donation = "error"
settings.checks = True
"""

from typing import Final, Literal, TypeAlias

Report: TypeAlias = Literal["warn", "error", "ignore"]

_REPORTS: Final = ("warn", "error", "ignore")
# What `checks` of `[tool.codegen]` says.
_CHECKS: Final = False


class Settings:
    """The switches of this package."""

    __slots__ = ("_unused_donation", "checks", "raises")

    def __init__(self) -> None:
        # Whether functions hold every object among their arguments, and in their result,
        # against its declared dtypes and shapes, when they are traced.
        self.checks = _CHECKS
        self.unused_donation = "warn"

    @property
    def unused_donation(self) -> Report:
        """What a donation does that XLA cannot use: warn, once for each compilation.

        "error": every call raises it before anything has run, and takes a little longer.
        """
        return self._unused_donation

    @unused_donation.setter
    def unused_donation(self, report: Report) -> None:
        if report not in _REPORTS:
            raise ValueError(f"unused_donation is one of {_REPORTS}, not {report!r}")
        self._unused_donation: Report = report
        # Read by every call, which a property would make slower.
        self.raises = report == "error"


# Not Final: the package has a name for it that is the module's, too.
settings = Settings()
