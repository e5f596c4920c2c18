"""Formulas of metrics and constraints on their means; the language is that of spaces."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from racing.base.errors import ExpressionError

if TYPE_CHECKING:
    from racing.space.expressions import Compiled, Node

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Formula:
    """A numeric expression of metrics.

    Attributes
    ----------
    text
        Such as `time + 10 * (1 - success)`.
    names
        The names of the metrics.

    Raises
    ------
    ExpressionError
        If it cannot be read, names something else, or is not numeric.

    Examples
    --------
    >>> import numpy as np
    >>> from racing.core.formula import Formula
    >>> formula = Formula("time + 10 * (1 - success)", ("time", "success"))
    >>> scores = {"time": np.array([2.0, 3.0]), "success": np.array([1.0, 0.5])}
    >>> formula(scores).tolist()
    [2.0, 8.0]
    """

    text: str
    names: tuple[str, ...]

    def __post_init__(self) -> None:
        from racing.space.expressions import names

        if not any(True for _ in names(self._node)):
            reason = f"it names no metric, so that all are equal; known: {', '.join(self.names)}"
            raise ExpressionError(reason, text=self.text, offset=0)

    def __call__(self, scores: Mapping[str, Any]) -> Any:
        """The value for numbers or arrays by metric; NaN where undefined."""
        with np.errstate(all="ignore"):
            return self._compiled(scores)

    @property
    def alone(self) -> str | None:
        """The metric, if the formula is nothing else."""
        return self.text.strip() if self.text.strip() in self.names else None

    @cached_property
    def _node(self) -> Node:
        from racing.space.expressions import parse, quantity

        return quantity(parse(self.text), _columns(self.names), self.text)

    @cached_property
    def _compiled(self) -> Compiled:
        from racing.space.expressions import number

        return number(self._node, _columns(self.names))


@dataclass(frozen=True)
class Limit:
    """A bound on the mean of an expression, such as `success >= 0.95`.

    Raises
    ------
    ExpressionError
        If it does not compare an expression of metrics with a number by <= or >=.

    Examples
    --------
    >>> import numpy as np
    >>> from racing.core.formula import Limit
    >>> limit = Limit("success >= 0.8", ("time", "success"))
    >>> limit.bound, limit.violation(np.array([0.9, 0.8, 0.6])).round(2).tolist()
    (0.8, [0.0, 0.0, 0.25])
    """

    text: str
    names: tuple[str, ...]
    _parts: tuple[Formula, float, float] = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_parts", _limit(self.text, self.names))

    def value(self, scores: Mapping[str, Floats]) -> Floats:
        """The expression, one value per experiment; the bound is on its mean."""
        found: Floats = self._parts[0](scores)
        return found

    @property
    def bound(self) -> float:
        """The bound."""
        return self._parts[1]

    def violation(self, means: Floats) -> Floats:
        """By how much means violate the bound, as a share of it; 0 where they meet it.

        For a bound of 0, the amount itself. A mean that does not exist is as far off as can
        be.
        """
        excess = self.excess(means)
        return np.asarray(np.maximum(np.where(np.isnan(excess), np.inf, excess), 0.0))

    def excess(self, values: Floats) -> Floats:
        """As `violation`, of single values or means; below 0 where better than the bound."""
        _, bound, sign = self._parts
        return np.asarray(sign * (bound - values) / (abs(bound) or 1.0))


def _limit(text: str, names: tuple[str, ...]) -> tuple[Formula, float, float]:
    """The expression, the bound, and 1 for a lower bound, −1 for an upper one."""
    from racing.space.expressions import Compare, condition, number, parse, render
    from racing.space.expressions import names as named

    node = condition(parse(text), _columns(names), text)
    if not isinstance(node, Compare) or node.operator not in ("<=", ">=", "<", ">"):
        reason = "this must be one comparison by <= or >=, such as success >= 0.95"
        raise ExpressionError(reason, text=text, offset=node.at)
    sides = [side for side in (node.left, node.right) if any(True for _ in named(side))]
    if len(sides) != 1:
        reason = "one side of the comparison must be a number, and the other name a metric"
        raise ExpressionError(reason, text=text, offset=node.at)
    left = sides[0] is node.left
    with np.errstate(all="ignore"):
        bound = float(number(node.right if left else node.left, {})({}))
    if not np.isfinite(bound):
        raise ExpressionError("the number must be finite", text=text, offset=node.at)
    at_least = (node.operator in (">=", ">")) == left
    return Formula(render(sides[0]), names), bound, 1.0 if at_least else -1.0


def _columns(names: Collection[str]) -> dict[str, Any]:
    """Metrics as the numeric parameters of an expression."""
    from racing.space.numeric import Real

    return {name: Real(0, 1) for name in names}
