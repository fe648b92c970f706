"""The rules that a program must pass, in one table."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from codegen.check.rule import Inspection
from codegen.check.rules.cycles import check_cycles
from codegen.check.rules.defaults import check_defaults
from codegen.check.rules.enums import check_enums, check_equal
from codegen.check.rules.inheritance import check_inheritance
from codegen.check.rules.names import check_names, check_type_parameters
from codegen.check.rules.options import check_options
from codegen.check.rules.overriding import check_overriding
from codegen.check.rules.renames import check_renames
from codegen.check.rules.roles import check_roles
from codegen.check.rules.shares import check_shares

RULES: Final[tuple[Callable[[Inspection], None], ...]] = (
    check_roles,
    check_defaults,
    check_equal,
    check_inheritance,
    check_overriding,
    check_cycles,
    check_names,
    check_options,
    check_shares,
    check_enums,
    check_type_parameters,
    check_renames,
)
