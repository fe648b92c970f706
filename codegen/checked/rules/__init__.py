"""The rules that a program must pass, in one table."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from codegen.checked.rule import Inspection
from codegen.checked.rules.cycles import check_cycles
from codegen.checked.rules.defaults import check_defaults
from codegen.checked.rules.enums import check_enums
from codegen.checked.rules.equal import check_equal
from codegen.checked.rules.inheritance import check_inheritance
from codegen.checked.rules.names import check_names
from codegen.checked.rules.options import check_options
from codegen.checked.rules.overriding import check_overriding
from codegen.checked.rules.renames import check_renames
from codegen.checked.rules.roles import check_roles
from codegen.checked.rules.shares import check_shares
from codegen.checked.rules.type_parameters import check_type_parameters

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
