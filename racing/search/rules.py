"""What stays the same for all decisions of a search."""

from __future__ import annotations

from dataclasses import dataclass

from racing.objective import Objective
from racing.search.model import Model
from racing.search.settings import Settings


@dataclass(frozen=True, kw_only=True)
class Rules:
    """What stays the same for all decisions of a search.

    Attributes
    ----------
    limit
        How many instances there are, or the budget allows; inf without an end.
    """

    settings: Settings
    model: Model
    objective: Objective
    window: int
    limit: float
