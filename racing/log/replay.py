"""Makes the decider of a log: a new one receives all outcomes of the log.

All code that shows, exports or compares a run reads this race, so reports cannot disagree with it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, get_args

import numpy as np

from racing.base.errors import InputError, LogError, RacingError
from racing.core.decider import Entrant
from racing.core.experiment import Outcome
from racing.core.goal import Kind
from racing.core.results import Results
from racing.core.view import View
from racing.log.headers import candidates_in, goal_in, instances_in, rule_in, search_in
from racing.log.log import Log
from racing.log.recorder import retell
from racing.log.records import Header
from racing.race import Race
from racing.race.speculation import MOST_AHEAD
from racing.rules import Keep, Outlook, Rule, Verdict
from racing.rules.equals import judged, next_drop
from racing.rules.rule import each_look, first_look


def replay(log: Log, *, heard: Callable[[View, Outcome], None] | None = None) -> View:
    """The race or the search of a log, at the last write.

    The log's verdicts replace the rule of a race, which therefore need not run again and need not
    be available: it may be another person's Python code. If the run was killed between an outcome
    and its verdict, the rule itself decides. A search tests again.

    Parameters
    ----------
    heard
        Called after each outcome, with the race at that point; reports read the course of a run in
        this pass.

    Returns
    -------
    A race for reading, not for continuing: to resume a run, `racing.resume` applies the rule itself
    and compares its verdicts with the log.

    Raises
    ------
    LogError
        If the log is inconsistent.

    Examples
    --------
    >>> import racing
    >>> from racing.log import MemoryLog, Recorder, header_of, replay
    >>> race = racing.Race([{"x": 1}, {"x": 2}], range(10))
    >>> log = MemoryLog(header_of(race))
    >>> recorder = Recorder(race, log)
    >>> for experiment in recorder.ask(4):
    ...     recorder.tell(experiment.outcome(experiment.candidate.values["x"]))
    >>> replay(log).results.costs.tolist() == race.results.costs.tolist()
    True
    """
    with log.snapshot():
        header = log.header
        try:
            race = _new(log, header)
            retell(race, log, heard=heard)
            _check_names(race, log)
        except LogError:
            raise
        except (RacingError, KeyError, TypeError, ValueError, AttributeError) as error:
            raise LogError(
                f"the log of {header.name} cannot be replayed: {error}; it is "
                "damaged, or its header has other arguments than the run"
            ) from error
        return race


class Recorded:
    """A rule that returns the verdicts of a log, one by one, and then those of another rule."""

    merges_equals = True  # the log's verdicts include merged equals
    serves = get_args(Kind)  # any, as the rule that it stands for

    def __init__(self, verdicts: Sequence[Verdict], then: Rule) -> None:
        self._verdicts = iter(verdicts)
        self._then = then

    def __call__(self, results: Results, outlook: Outlook, rng: np.random.Generator) -> Verdict:
        verdict = next(self._verdicts, None)
        return judged(self._then, results, outlook, rng) if verdict is None else verdict

    def first_look(self, outlook: Outlook) -> int:
        """The first test of the other rule."""
        return first_look(self._then, outlook)

    def each_look(self, outlook: Outlook) -> int | str:
        """The distance of the other rule's tests."""
        return each_look(self._then, outlook)

    def next_drop(self, results: Results, outlook: Outlook) -> float:
        """When the other rule may drop a candidate."""
        return next_drop(self._then, results, outlook)


def _new(log: Log, header: Header) -> View:
    """The race or the search before the first outcome."""
    scenario: Mapping[str, Any] = header.scenario
    if scenario.get("ablation"):
        raise LogError("this is the log of an ablation; `racing explain RUN` shows it with its run")
    if scenario.get("filling"):
        raise LogError("this is the log of a --fill; `racing portfolio RUN` reads it with its run")
    if scenario.get("search"):
        return search_in(header, instances_in(log, scenario.get("instances") or {}))
    race = scenario.get("race") or {}
    return Race(
        _given(log, header),
        instances_in(log, scenario.get("instances") or {}),
        rule=Recorded(log.verdicts(), _rule(header)),
        budget={key: limit for key, limit in (scenario.get("budget") or {}).items() if limit},
        seed=header.seed,
        direction=header.direction,
        ahead=kept_ahead(header),
        **goal_in(header),
        **{key: value for key, value in race.items() if value is not None},
    )


def kept_ahead(header: Header) -> float:
    """The share of the budget of money that the run keeps for evaluations ahead of need.

    0 in logs from before there was such a share, which lack `hedge` too.
    """
    execution: Any = header.scenario.get("execution") or {}
    return min(execution.get("speculate", 0.0), MOST_AHEAD) if "hedge" in execution else 0.0


def _check_names(race: View, log: Log) -> None:
    """Refuse verdicts about unknown candidates."""
    known = {candidate.id for candidate in race.candidates}
    for verdict in race.verdicts:
        named = {verdict.leader, *(verdict.about or ())}
        named |= {id for out in verdict.eliminated for id in (out.candidate, out.against)}
        if strangers := named - known:
            raise ValueError(f"a verdict names candidates {strangers}, which are not in it")


def _given(log: Log, header: Header) -> list[Entrant]:
    """The candidates given at the start, even if the run was killed before they were logged."""
    entrants = [entrant for entrant in log.entrants() if entrant.origin == "given"]
    entrants = entrants or [Entrant(candidate=one) for one in candidates_in(header)]
    if not entrants:
        raise InputError("there are no candidates")
    return entrants


def _rule(header: Header) -> Rule:
    """The rule of the scenario; if it is not of this package, one that drops no candidate."""
    try:
        return rule_in(header) or Keep()
    except (KeyError, TypeError):
        return Keep()
