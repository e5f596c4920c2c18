"""Budgets on the command line: `+500`, `30m`, `evaluations=500,target_time=2h`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from racing.errors import InputError

if TYPE_CHECKING:
    from racing.budget import Budget

_FORMS = "expected a number of evaluations such as +500, a time such as +30m, or name=limit pairs"


def budget_from(text: str) -> Budget:
    """The budget that a text says.

    Raises
    ------
    InputError
        If it says none.
    """
    from racing.budget import Budget
    from racing.records import INVALID, Errors, Record

    parts: dict[str, Any] = {}
    for part in text.split(","):
        name, sign, limit = part.strip().rpartition("=")
        limit = limit.strip().removeprefix("+")
        value: Any = int(limit) if limit.isdigit() else limit
        if not sign:
            name = "evaluations" if isinstance(value, int) else "wall_time"
        parts[name.strip()] = value
    errors = Errors()
    found = Record(Budget).read(parts, "", errors)
    if found is INVALID or errors.found:
        raise InputError(f"--budget {text!r}: {_FORMS}: {'; '.join(map(str, errors.found))}")
    assert isinstance(found, Budget)
    return found
