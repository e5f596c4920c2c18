"""Why a race ended."""

from __future__ import annotations

from enum import StrEnum


class Stop(StrEnum):
    """The reason that a race gives for its end."""

    SURVIVORS = "survivors"
    EVALUATIONS = "evaluations"
    WALL_TIME = "wall_time"
    TARGET_TIME = "target_time"
    INSTANCES = "instances"
    INSTANCE_BUDGET = "instance_budget"
    ALL_FAILED = "all_failed"
    TARGET_FAILED = "target_failed"

    @property
    def by_budget(self) -> bool:
        """Whether a larger budget would have let it go on."""
        limits = Stop.EVALUATIONS, Stop.WALL_TIME, Stop.TARGET_TIME, Stop.INSTANCE_BUDGET
        return self in limits

    @property
    def meaning(self) -> str:
        """The reason in words."""
        return _MEANINGS[self]


_MEANINGS = {
    Stop.SURVIVORS: "as few candidates are left as were asked for",
    Stop.EVALUATIONS: "the budget of evaluations does not cover another instance",
    Stop.WALL_TIME: "the budget of wall-clock time does not cover another instance",
    Stop.TARGET_TIME: "the budget of target time does not cover another instance",
    Stop.INSTANCES: "there are no more instances",
    Stop.INSTANCE_BUDGET: "the budget of instances is used up",
    Stop.ALL_FAILED: "every evaluation failed",
    Stop.TARGET_FAILED: "an evaluation failed, and the scenario says to stop then",
}
