"""The one reader of a log: the decider that the log was made with, told all of it again.

Everything that shows, exports or compares a run asks the race that comes out of here, so that no
report can disagree with the race.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, is_dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from racing.candidate import Candidate
from racing.decider import Decider, Entrant
from racing.errors import InputError, LogError, RacingError
from racing.experiment import Outcome
from racing.instances import Instances
from racing.log.log import Header, Log
from racing.log.recorder import retell
from racing.race import Race
from racing.results import Results
from racing.rules import RULES, Keep, Outlook, Rule, Verdict
from racing.rules.equals import judged
from racing.rules.rule import first_look

if TYPE_CHECKING:
    from racing.search import Search


def replay(log: Log, *, heard: Callable[[Decider, Outcome], None] | None = None) -> Race | Search:
    """The race or the search in a log, as it was when the log was written last.

    The log's own verdicts stand for the rule of a race, so that the rule need not be run again, and
    need not be there: it may be Python code of somebody else's. Where the log ends before a verdict
    that is due, since the run was killed between two commits, the rule itself is asked. A search
    judges anew.

    Parameters
    ----------
    heard
        Called after each outcome, with the race as it is then: what a report wants to know of the
        course of a run is read in this one pass.

    Returns
    -------
    A race that can be asked for everything that it came to. It is not meant to go on: to resume a
    run, `racing.resume` asks the rule itself, and compares what it says with the log.

    Raises
    ------
    LogError
        If the log does not hold together, so that no race can be told it.
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
                f"the log of {header.name} cannot be told again: {error}; it is damaged, or it "
                "was made with other arguments than it says"
            ) from error
        return race


def header_of(race: Race, *, name: str = "race") -> Header:
    """The header of a log for a race that no scenario describes: with all that replay needs.

    Parameters
    ----------
    name
        What the run is called.
    """
    return Header(
        name=name,
        seed=race.seed,
        direction=race.direction,
        objective=race.objective,
        scenario={
            "instances": _instances_as_data(race.instances),
            "budget": {key: value for key, value in asdict(race.budget).items() if value},
            "race": {**asdict(race.schedule), "min_survivors": race.min_survivors},
            "rule": _rule_as_data(race.rule),
        },
    )


class Recorded:
    """A rule that says what a log has, verdict by verdict; then what another rule says."""

    merges_equals = True  # what a log has includes the equals that were merged

    def __init__(self, verdicts: Sequence[Verdict], then: Rule) -> None:
        self._verdicts = iter(verdicts)
        self._then = then

    def __call__(self, results: Results, outlook: Outlook, rng: np.random.Generator) -> Verdict:
        verdict = next(self._verdicts, None)
        return judged(self._then, results, outlook, rng) if verdict is None else verdict

    def first_look(self, outlook: Outlook) -> int:
        """When the other rule wants to be asked first."""
        return first_look(self._then, outlook)


def _new(log: Log, header: Header) -> Race | Search:
    """The race or the search before anything was told."""
    scenario: Mapping[str, Any] = header.scenario
    if scenario.get("ablation"):
        raise LogError("this is the log of an ablation; `racing explain RUN` shows it with its run")
    if scenario.get("search"):
        from racing.log.searches import search_in

        return search_in(header, _instances(log, scenario.get("instances") or {}))
    race = scenario.get("race") or {}
    return Race(
        _given(log, scenario.get("candidates") or {}),
        _instances(log, scenario.get("instances") or {}),
        rule=Recorded(log.verdicts(), _rule(scenario.get("rule"))),
        budget={key: limit for key, limit in (scenario.get("budget") or {}).items() if limit},
        seed=header.seed,
        objective=header.objective,
        direction=header.direction,
        **{key: value for key, value in race.items() if value is not None},
    )


def _check_names(race: Race | Search, log: Log) -> None:
    """Refuse verdicts about candidates that the log does not have."""
    known = {candidate.id for candidate in race.candidates}
    for verdict in race.verdicts:
        named = {verdict.leader, *(verdict.about or ())}
        named |= {id for out in verdict.eliminated for id in (out.candidate, out.against)}
        if strangers := named - known:
            raise ValueError(f"a verdict names candidates {strangers}, who are not in it")


def _given(log: Log, source: Mapping[str, Any]) -> list[Entrant]:
    """The candidates given at the start, also if the run was killed before they were logged."""
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


def _instances(log: Log, source: Mapping[str, Any]) -> Instances:
    """The stream of instances: by name, as no target is to be started."""
    problems = source.get("list")
    if problems is None:  # no scenario says them: those that were met, in that order
        problems = [{"name": one.name, "seeds": [one.seed]} for one in log.instances()]
        source = {**source, "order": "listed"}
    names = tuple(str(problem["name"]) for problem in problems)
    return Instances(
        names,
        names=names,
        seeds=tuple(tuple(problem.get("seeds") or ()) for problem in problems),
        order=source.get("order", "shuffled"),
        repeat=source.get("repeat", False),
        groups=tuple(one["group"] for one in problems if one.get("group") is not None),
        correlation=0.1 if source.get("correlation") is None else source["correlation"],
    )


def _instances_as_data(instances: Instances) -> dict[str, Any]:
    names = instances.names or [str(problem) for problem in instances.problems]
    seeds = instances.seeds or [()] * len(names)
    problems = [{"name": name, "seeds": list(own)} for name, own in zip(names, seeds, strict=True)]
    found: dict[str, Any] = {
        "list": problems,
        "order": instances.order,
        "repeat": instances.repeat,
    }
    if len(instances.groups):
        found["correlation"] = instances.correlation
        for problem, group in zip(problems, instances.groups, strict=True):
            problem["group"] = str(group)
    return found


def _rule(told: Any) -> Rule:
    """The rule of a scenario; one that drops nobody where it is not one of this package."""
    name = told.get("name") if isinstance(told, Mapping) else told
    if name is None:
        return RULES["auto"]()
    options = {key: value for key, value in told.items() if key != "name"} if name != told else {}
    try:
        return RULES[name](**options)
    except (KeyError, TypeError):
        return Keep()


def _rule_as_data(rule: Rule) -> dict[str, Any]:
    name = next((name for name, kind in RULES.items() if kind is type(rule)), None)
    if name is None or not is_dataclass(rule) or isinstance(rule, type):
        return {"name": f"{type(rule).__module__}:{type(rule).__qualname__}"}
    return {"name": name, **asdict(rule)}
