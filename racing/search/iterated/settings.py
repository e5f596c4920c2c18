"""The options of iterated racing, each with irace's name for it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, Literal

from racing.base.quantities import RISK, Count, Natural, NonNegative, Positive, Quantity, Risk
from racing.base.records import Checked, FieldError
from racing.core.goal import Kind

Share = Annotated[float, Quantity("a number from 0 to 0.5", low=0, high=0.5)]
Statistic = Literal["median", "mean", "best", "worst"]


@dataclass(frozen=True, kw_only=True)
class IteratedSettings(Checked):
    """How iterated racing spends its budget, with the defaults of irace 4.4.

    Attributes
    ----------
    iterations
        The most races (`nbIterations`). Default: floor(2 + log2 N) for N
        parameters, and more while the budget covers them.
    per_iteration
        Evaluations of each race (`nbExperimentsPerIteration`). Default: the rest of the budget,
        divided by the remaining races.
    configurations
        The most configurations at the start of a race (`nbConfigurations`). Default: as many as its
        evaluations allow.
    min_survivors
        A race ends when no more than these are left; they become the elites (`minNbSurvival`).
        Default: floor(2 + log2 N).
    mu
        A race is planned for this many instances and a few more (`mu`), and for `first_test` at
        least.
    first_test
        The first test comes after this many instances (`firstTest`); a multiple of `each_test`.
    each_test
        Further tests come every so many instances (`eachTest`).
    elitist
        Whether an elite keeps its outcomes, and cannot be dropped before the others have met the
        same instances (`elitist`).
    new_instances
        The number of new instances at the start of an elitist race (`elitistNewInstances`).
    elitist_limit
        An elitist race ends after this many tests in a row that drop none, 0 for no limit
        (`elitistLimit`).
    soft_restart
        Whether the model is widened when configurations become similar (`softRestart`).
    restart_threshold
        The largest difference of similar configurations on the unit scale (`softRestartThreshold`).
    post_selection
        Whether the elites of all races meet in a last race with the rest of the budget
        (`postselection`); needs `elitist`.
    estimation
        Share of a budget of time for measuring how long an evaluation takes (`budgetEstimation`).
    bound
        For costs that are running times: the largest time of a run (`boundMax`). If it is given,
        runs are capped by the elites' times, and dominated configurations are dropped (`capping`);
        needs `elitist`.
    capping
        The statistic of the elites' mean times that bounds the others (`cappingType`).
    min_time
        The least time that is measurable (`minMeasurableTime`), in the unit of the costs.
    confirm
        Share of the budget kept for comparing the winner with the default on fresh instances; irace
        has no such option. The rest of the budget at the end is added.
    set_aside
        The problems that only the confirmation meets, as of `Settings`.
    risk
        The largest probability that what wins over the default is truly worse, as of `Settings`.

    Examples
    --------
    >>> from racing import Budget, IteratedRacing
    >>> from racing.search import IteratedSettings
    >>> space, settings = {"x": {"real": [0, 1]}}, IteratedSettings()
    >>> IteratedRacing(space, range(60), budget=Budget(evaluations=300), settings=settings).done
    False
    """

    serves: ClassVar[tuple[Kind, ...]] = ("single",)

    iterations: Count | None = None
    per_iteration: Count | None = None
    configurations: Count | None = None
    min_survivors: Count | None = None
    mu: Count = 5
    first_test: Count = 5
    each_test: Count = 1
    elitist: bool = True
    new_instances: Natural = 1
    elitist_limit: Natural = 2
    soft_restart: bool = True
    restart_threshold: NonNegative = 1e-4
    post_selection: bool = True
    estimation: Share = 0.05
    bound: Positive | None = None
    capping: Statistic = "median"
    min_time: Positive = 0.01
    confirm: Share = 0.0
    set_aside: NonNegative | None = None
    risk: Risk = RISK

    def contradictions(self, given: dict[str, Any]) -> Iterable[FieldError]:
        """Conflicts between options."""
        first, each = given.get("first_test"), given.get("each_test")
        if first and each and first % each:
            yield FieldError("first_test", f"must be a multiple of each_test, {each}; got {first}")
        if given.get("bound") is not None and given.get("elitist") is False:
            yield FieldError("bound", "runs are capped by the elites' times: needs elitist")

    @property
    def aside(self) -> float | None:
        """What to set aside, as `Settings.aside`."""
        return 0 if self.set_aside is None and not self.confirm else self.set_aside

    @property
    def bounds_runs(self) -> bool:
        """Whether runs are stopped at a bound: costs are then times."""
        return self.bound is not None

    @property
    def planned_instances(self) -> int:
        """`mu`, but no less than `first_test`."""
        return max(self.mu, self.first_test)
