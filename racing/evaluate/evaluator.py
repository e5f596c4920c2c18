"""Experiment → Outcome: run the target, turn its score into a cost, and try again if told to."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from racing.errors import InputError
from racing.quantities import Natural


@dataclass(frozen=True, kw_only=True)
class OnFailure:
    """What a crash, a timeout, NaN or unreadable output means.

    Attributes
    ----------
    policy
        `worst`: the candidate ranks last on that instance, tied with other failures, and the race
        goes on. `stop`: the run stops; nothing that was evaluated is lost.
    retries
        How often a failed run is started again before it counts as a failure.
    """

    policy: Literal["worst", "stop"] = "worst"
    retries: Natural = 0

    def __post_init__(self) -> None:
        if self.policy not in ("worst", "stop"):
            raise InputError(f"on_failure policy is {self.policy!r}; expected 'worst' or 'stop'")
        if not self.retries >= 0:
            raise InputError(f"on_failure retries is {self.retries!r}; it must be 0 or more")
