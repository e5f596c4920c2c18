"""The limits of a race, and its spending."""

from __future__ import annotations

import math
import sys
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace

from racing.base.quantities import Count, Positive, Seconds
from racing.base.records import Checked, Record, Short

PAID = "usd", "tokens"
"""The kinds of payment that a target can report (`spent`) and a budget can limit."""


@dataclass(frozen=True, kw_only=True)
class Budget(Checked):
    """The limits of a race; the first that is reached ends it.

    Attributes
    ----------
    evaluations
        Runs of the target: one per candidate and instance. Retries of a failed run do not count as
        runs, but their time counts.
    wall_time
        Wall-clock seconds, over all sessions of a run.
    target_time
        Seconds of all evaluations, summed over the workers.
    instances
        The number of instances (with their seeds).
    usd, tokens
        Money, and tokens of a language model, as the target reports in `spent`, with all retries.

    A race starts an instance only if the rest of the budget is expected to cover it for every
    survivor, since half a row of results has no effect.

    Examples
    --------
    >>> from racing import Budget
    >>> Budget(evaluations=500, wall_time=3600).timed
    True
    """

    evaluations: Count | None = None
    wall_time: Seconds | None = None
    target_time: Seconds | None = None
    instances: Count | None = None
    usd: Positive | None = None
    tokens: Positive | None = None

    @property
    def paid(self) -> tuple[str, ...]:
        """The limits of money and tokens that are set."""
        return tuple(unit for unit in PAID if getattr(self, unit) is not None)

    def without(self, kept: Mapping[str, float]) -> Budget:
        """The budget without these amounts of money and tokens, by name."""
        rest = {unit: getattr(self, unit) - kept.get(unit, 0.0) for unit in self.paid}
        return replace(
            self, **{unit: max(limit, sys.float_info.min) for unit, limit in rest.items()}
        )

    @property
    def unlimited(self) -> bool:
        """Whether no limit is set at all."""
        return all(getattr(self, field.name) is None for field in fields(self))

    @property
    def endless(self) -> bool:
        """Whether no limit ends a run that always has further evaluations."""
        return self.evaluations is None and not self.timed and not self.paid

    @property
    def paid_alone(self) -> bool:
        """Whether it ends a run by what is paid, and by nothing else."""
        return bool(self.paid) and self.evaluations is self.instances is None and not self.timed

    @property
    def timed(self) -> bool:
        """Whether a limit of time is set."""
        return self.wall_time is not None or self.target_time is not None

    def left(self, spent: Spent) -> Left:
        """The rest of the budget; inf where there is no limit."""
        return Left(
            **{
                field.name: math.inf
                if (limit := getattr(self, field.name)) is None
                else max(limit - getattr(spent, field.name), 0)
                for field in fields(self)
            }
        )


BUDGET = Record(
    Budget,
    Short(
        ((int, "evaluations"), (float, "evaluations"), (str, "wall_time")),
        "a whole number of evaluations such as 2000, a wall-clock time such as 30m",
    ),
)
"""How files and arguments write it."""


@dataclass(frozen=True, kw_only=True)
class Spent:
    """The spending on complete instances: units as in `Budget`.

    Of these evaluations `reused` were taken from earlier logs, and took neither time nor money.

    Examples
    --------
    >>> import racing
    >>> race = racing.Race([{"x": 1}, {"x": 2}], range(10))
    >>> for experiment in race.ask(2):
    ...     race.tell(experiment.outcome(1.0, seconds=3.0))
    >>> race.spent.evaluations, race.spent.made, race.spent.target_time
    (2, 2, 6.0)
    """

    evaluations: int = 0
    wall_time: float = 0.0
    target_time: float = 0.0
    instances: int = 0
    usd: float = 0.0
    tokens: float = 0.0
    reused: int = 0

    @property
    def made(self) -> int:
        """How many of the evaluations were made in this run."""
        return self.evaluations - self.reused


@dataclass(frozen=True, kw_only=True)
class Left:
    """The rest of a budget: units as in `Budget`, inf where there is no limit.

    Examples
    --------
    >>> from racing import Budget
    >>> from racing.core.budget import Spent
    >>> left = Budget(evaluations=500).left(Spent(evaluations=120, wall_time=60.0))
    >>> left.evaluations, left.wall_time
    (380, inf)
    """

    evaluations: float = math.inf
    wall_time: float = math.inf
    target_time: float = math.inf
    instances: float = math.inf
    usd: float = math.inf
    tokens: float = math.inf
