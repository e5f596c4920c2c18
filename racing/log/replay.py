"""Makes the decider of a log: a new one receives all outcomes of the log.

All code that shows, exports or compares a run reads this race, so reports cannot disagree with it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, is_dataclass
from typing import TYPE_CHECKING, Any, get_args

import numpy as np

from racing.base.errors import InputError, LogError, RacingError
from racing.core.candidate import Candidate
from racing.core.decider import Entrant
from racing.core.experiment import Outcome
from racing.core.goal import Kind
from racing.core.results import Results
from racing.core.view import View
from racing.log.goals import goal_as_data, goal_in
from racing.log.log import Header, Log
from racing.log.recorder import retell
from racing.log.streams import instances_as_data, instances_in
from racing.race import Race
from racing.race.speculation import MOST_AHEAD
from racing.rules import RULES, Keep, Outlook, Rule, Verdict, name_of
from racing.rules.equals import judged, next_drop
from racing.rules.rule import each_look, first_look
from racing.space.keys import BESIDE, SpaceKind

if TYPE_CHECKING:
    from racing.search import Search, SearchBase


def replay(log: Log, *, heard: Callable[[View, Outcome], None] | None = None) -> Race | SearchBase:
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


def header_of(decider: Race | Search, *, name: str = "race") -> Header:
    """The header of a log for a race or a search without a scenario, with all that replay needs.

    Parameters
    ----------
    decider
        A search has its known configurations in its space.
    name
        The name of the run.

    Examples
    --------
    >>> import racing
    >>> from racing.log import header_of
    >>> race = racing.Race([{"x": 1}, {"x": 2}], range(10), seed=7)
    >>> header = header_of(race, name="tune")
    >>> header.name, header.seed, header.objective
    ('tune', 7, 'rank')
    """
    return Header(
        name=name,
        seed=decider.seed,
        direction=decider.direction,
        objective=decider.objective,
        scenario={
            "instances": instances_as_data(decider.instances),
            "budget": {key: value for key, value in asdict(decider.budget).items() if value},
            **({} if decider.rule is None else {"rule": _rule_as_data(decider.rule)}),
            **goal_as_data(decider),
            **_own_keys(decider),
        },
    )


def _own_keys(decider: Race | Search) -> dict[str, Any]:
    """The keys of a scenario that a race or a search has for itself."""
    if isinstance(decider, Race):
        bounds = {"min_survivors": decider.min_survivors, "risk": decider.risk}
        ahead = {"speculate": decider.ahead, "hedge": 1.0}
        return {"race": {**asdict(decider.schedule), **bounds}, "execution": ahead}
    space, settings = decider.space, asdict(decider.settings)
    beside = {key: kind.write(getattr(space, key)) for key, kind in BESIDE.items()}
    own = {"search": {**settings, "window": decider.window}, "space": SpaceKind().write(space)}
    return {**own, **{key: part for key, part in beside.items() if part}}


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


def _new(log: Log, header: Header) -> Race | SearchBase:
    """The race or the search before the first outcome."""
    scenario: Mapping[str, Any] = header.scenario
    if scenario.get("ablation"):
        raise LogError("this is the log of an ablation; `racing explain RUN` shows it with its run")
    if scenario.get("filling"):
        raise LogError("this is the log of a --fill; `racing portfolio RUN` reads it with its run")
    if scenario.get("search"):
        from racing.log.searches import search_in

        return search_in(header, instances_in(log, scenario.get("instances") or {}))
    race = scenario.get("race") or {}
    return Race(
        _given(log, scenario.get("candidates") or {}),
        instances_in(log, scenario.get("instances") or {}),
        rule=Recorded(log.verdicts(), _rule(scenario.get("rule"))),
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


def _given(log: Log, source: Mapping[str, Any]) -> list[Entrant]:
    """The candidates given at the start, even if the run was killed before they were logged."""
    entrants = [entrant for entrant in log.entrants() if entrant.origin == "given"]
    if not entrants:
        entries = enumerate(source.get("list") or (), start=1)
        entrants = [
            Entrant(candidate=Candidate(id, one["values"], one.get("name") or ""))
            for id, one in entries
        ]
    if not entrants:
        raise InputError("there are no candidates")
    return entrants


def _rule(told: Any) -> Rule:
    """The rule of a scenario; if it is not of this package, one that drops no candidate."""
    name = told.get("name") if isinstance(told, Mapping) else told
    if name is None:
        return RULES["auto"]()
    options = {key: value for key, value in told.items() if key != "name"} if name != told else {}
    try:
        return RULES[name](**options)
    except (KeyError, TypeError):
        return Keep()


def _rule_as_data(rule: Rule) -> dict[str, Any]:
    name = name_of(rule)
    if name is None or not is_dataclass(rule) or isinstance(rule, type):
        return {"name": f"{type(rule).__module__}:{type(rule).__qualname__}"}
    return {"name": name, **asdict(rule)}
