"""Checks of intervals and their options, for real and integer parameters."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from racing.base.errors import must_be
from racing.space.expressions.nodes import Node
from racing.space.expressions.render import render
from racing.space.parameter import Bound, is_clause, is_number

SLACK = 1e-9  # tolerance for the rounding of a computed bound, relative to a step


def is_fixed(low: Bound, high: Bound) -> bool:
    """Whether both bounds are numbers."""
    return is_number(low) and is_number(high)


def interval_faults(low: object, high: object, log: object) -> Iterator[str]:
    """The errors of the ends of a numeric domain."""
    ends = [end for end in (low, high) if not (is_number(end) or is_clause(end))]
    if ends:
        yield must_be("the ends of the interval", "finite numbers", ends[0])
    elif is_number(low) and is_number(high) and not low < high:  # type: ignore[operator]
        yield f"the lower end must be below the upper end, {high}; got {low}"
    elif not isinstance(log, bool):
        yield must_be("log", "true or false", log)
    elif log and is_number(low) and low <= 0:  # type: ignore[operator]
        yield f"the lower end must be above 0 for a logarithmic scale; got {low}"


def step_faults(step: object, low: Any, high: Any) -> Iterator[str]:
    """The errors of a step."""
    if step is None:
        return
    if not is_number(step) or step <= 0:  # type: ignore[operator]
        yield must_be("the step", "a number above 0", step)
    elif is_fixed(low, high):
        last = last_step(low, high, step)
        if abs(last - high) > SLACK * step:  # type: ignore[operator]
            yield f"the upper end must be {last:g}, by steps of {step} from {low}; got {high}"


def last_step(low: Any, high: Any, step: Any) -> Any:
    """The largest low + k·step that is not above `high`."""
    return low + np.floor((high - low) / step + SLACK) * step


def bound_text(bound: Bound) -> str:
    """A bound for a message."""
    return render(bound) if isinstance(bound, Node) else str(bound)
