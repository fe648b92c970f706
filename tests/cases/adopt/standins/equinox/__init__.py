"""As much of equinox as the cases need."""

from equinox._module import Module, field
