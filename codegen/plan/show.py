"""A plan as text: one line a file.

create     heat.py
unchanged  steel.py
remove     old.py
refuse     plate.py: edited
create     .codegen-manifest
"""

from codegen.plan.nodes import Plan


def show(plan: Plan) -> str:
    """One line for each step and each refusal, sorted by path, the manifest last."""
    lines = [(step.path, f"{step.action:<9}  {step.path}") for step in plan.steps]
    lines += [(one.path, f"{'refuse':<9}  {one.path}: {one.reason}") for one in plan.refusals]
    last = f"{plan.manifest.action:<9}  {plan.manifest.path}"
    return "".join(f"{line}\n" for line in (*(line for _, line in sorted(lines)), last))
