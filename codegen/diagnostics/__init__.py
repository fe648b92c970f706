"""Diagnostics about schemas: first values, and text only at the end.

Diagnostic(Code.OUTSIDE_LANGUAGE, source, span, "`*` names nothing")   # a value
Report((diagnostic, ...))                                         # sorted, without repeats
text.full(report)                                                 # the frame with the caret
"""

from codegen.diagnostics.codes import Code
from codegen.diagnostics.model import Diagnostic, Edit, Fix, Related, Report, Severity

__all__ = ["Code", "Diagnostic", "Edit", "Fix", "Related", "Report", "Severity"]
