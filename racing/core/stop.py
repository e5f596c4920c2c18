"""The reasons for the end of a race."""

from __future__ import annotations

from enum import StrEnum


class Stop(StrEnum):
    """The reason for the end of a race.

    Examples
    --------
    >>> import racing
    >>> found = racing.minimize(lambda values, *_: values["x"], [{"x": 1}, {"x": 2}], range(10))
    >>> found.stopped in racing.Stop, found.stopped.meaning
    (True, 'few enough candidates are left')
    """

    SURVIVORS = "survivors"
    EVALUATIONS = "evaluations"
    WALL_TIME = "wall_time"
    TARGET_TIME = "target_time"
    USD = "usd"
    TOKENS = "tokens"
    INSTANCES = "instances"
    INSTANCE_BUDGET = "instance_budget"
    ALL_FAILED = "all_failed"
    TARGET_FAILED = "target_failed"
    MORE_INSTANCES = "more_instances"

    @property
    def by_budget(self) -> bool:
        """Whether a larger budget would have continued it."""
        return self in _LIMITS or self is Stop.INSTANCE_BUDGET

    @property
    def by_instances(self) -> bool:
        """Whether more instances would have continued it."""
        return self.by_budget or self in (Stop.INSTANCES, Stop.MORE_INSTANCES)

    @property
    def meaning(self) -> str:
        """The reason in words, of a race; see `why` for a search."""
        return self.why(search=False)

    @property
    def instead(self) -> str:
        """What to do where a larger budget changes nothing."""
        return _INSTEAD.get(self, "resume it as it is")

    def why(self, *, search: bool) -> str:
        """The reason in words, of a race or a search."""
        if self in _LIMITS:
            what = "comparison" if search else "instance"
            return f"the budget of {_LIMITS[self]} does not cover another {what}"
        if self is Stop.SURVIVORS and search:
            return "nothing is left to compare"
        return _MEANINGS[self]


_LIMITS = {
    Stop.EVALUATIONS: "evaluations",
    Stop.WALL_TIME: "wall-clock time",
    Stop.TARGET_TIME: "target time",
    Stop.USD: "money",
    Stop.TOKENS: "tokens",
}
_MEANINGS = {
    Stop.SURVIVORS: "few enough candidates are left",
    Stop.INSTANCES: "there are no more instances",
    Stop.INSTANCE_BUDGET: "the budget of instances is used up",
    Stop.ALL_FAILED: "every evaluation failed",
    Stop.TARGET_FAILED: "an evaluation failed, and the scenario says to stop then",
    Stop.MORE_INSTANCES: "instances are added to it",
}
_INSTEAD = {
    Stop.SURVIVORS: "test the winner on unseen problems, or begin a new run with more candidates",
    Stop.INSTANCES: "add instances",
    Stop.ALL_FAILED: "fix the target, and begin a new run",
    Stop.TARGET_FAILED: "fix the target, and resume the run without another budget",
}
