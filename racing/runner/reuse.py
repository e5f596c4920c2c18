"""Reuses the outcomes of earlier logs that a run names, so that nothing is paid twice.

An outcome is taken if all of this is the same as in the earlier run:

- the values of the configuration, to the last digit;
- the instance by its name, and its file unchanged since;
- the seed;
- the target: how it is called, and what its files held when the outcome was made, and functions
  and instances that Python code gave.

A failure is not taken, since it may have been an accident; nor is what an earlier evaluation
learned of a cost beyond a bound, unless the new bound is no higher.
"""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from operator import attrgetter
from pathlib import Path
from typing import Any, TypeAlias

from racing.base.errors import InputError
from racing.core.experiment import Experiment, Instance, Outcome, Reused, Status, at_bound, total
from racing.core.goal import Goal
from racing.evaluate.function import is_given
from racing.log import Log, SQLiteLog, TargetFile
from racing.runner.preflight import as_now, check_logs, of_instance, same, target_now
from racing.scenario import Scenario

Key: TypeAlias = tuple[str, str, int]
"""Values as JSON, the instance's name, the seed."""

State: TypeAlias = tuple[tuple[str, str], ...]
"""What the target's files and functions held: name and SHA-256 of each, in order."""


@dataclass(frozen=True, kw_only=True)
class Earlier:
    """The outcomes of earlier logs that a run of a scenario may take.

    Attributes
    ----------
    outcomes
        By key; of several with one key, that of the first log.
    others
        How many outcomes were made by the target as it was before a change.
    failed
        How many failed.
    """

    outcomes: Mapping[Key, Outcome] = field(default_factory=dict)
    others: int = 0
    failed: int = 0

    def __len__(self) -> int:
        return len(self.outcomes)

    @property
    def price(self) -> Mapping[str, float]:
        """The average charge of an evaluation, by name; empty without outcomes."""
        paid = total(one.price for one in self.outcomes.values())
        return {name: amount / len(self) for name, amount in paid.items()}

    def fitting(self, scenario: Scenario) -> int:
        """The number of outcomes for candidates and instances of a scenario with known seeds."""
        values = {_values(one.values) for one in scenario.plan.candidates}
        problems = {(one.name, seed) for one in scenario.plan.problems for seed in one.seeds}
        return sum(key[0] in values and key[1:] in problems for key in self.outcomes)

    def find(self, experiment: Experiment) -> Outcome | None:
        """The outcome of an experiment, if there is one that can be taken."""
        if not self.outcomes:  # a key takes longer than the rest of the loop
            return None
        found = self.outcomes.get(key_of(experiment.candidate.values, experiment.instance))
        if found is None or _changed_since(experiment.instance, found):
            return None
        return _bounded(experiment, found)


def key_of(values: Mapping[str, Any], instance: Instance) -> Key:
    """The key of an evaluation, the same in every run of a target."""
    return _values(values), instance.name, instance.seed


def _values(values: Mapping[str, Any]) -> str:
    return json.dumps(dict(values), sort_keys=True, default=_plain)


def earlier_outcomes(scenario: Scenario, *, run: Log | None = None) -> Earlier:
    """The outcomes for the target of a scenario in the logs that it names.

    Parameters
    ----------
    run
        The log of the run that is gone on with. Where a change of the target's files was accepted
        there, what they held before will do too.

    Raises
    ------
    LogError
        If a log cannot be read.
    InputError
        If none of its outcomes was made by this target.
    """
    if not scenario.reuse:
        return Earlier()
    check_logs(scenario)
    _check_names(scenario)
    now = _state(target_now(scenario).items())
    known = {now} if run is None else {now, *_states(run.target_files()).values()}
    _check_files(scenario, now)
    outcomes: dict[Key, Outcome] = {}
    counts = Counter[str]()
    for name, path in zip(scenario.reuse, scenario.earlier_logs, strict=True):
        with SQLiteLog.open(path, write=False) as log, log.snapshot():
            _check_target(scenario, log)
            taken = Counter[str]()
            for key, outcome in _taken(log, known, taken):
                outcomes.setdefault(key, _taken_from(name, outcome, scenario.plan.goal))
            _refuse_others(taken, path)
        counts += taken
    return Earlier(outcomes=outcomes, others=counts["others"], failed=counts["failed"])


def check_not_own(scenario: Scenario, log: Path) -> None:
    """Refuse a run whose own log is among the earlier ones.

    Raises
    ------
    InputError
        If it is.
    """
    own = os.path.realpath(log)
    if any(os.path.realpath(path) == own for path in scenario.earlier_logs):
        raise InputError(
            f"reuse: {log} is where this run is recorded; `racing resume {log}` continues it, "
            "or name another log for this run: log: in the file, --log"
        )


def _taken(
    log: SQLiteLog, known: set[State], counts: Counter[str]
) -> Iterator[tuple[Key, Outcome]]:
    """The outcomes of a log that a target may take, with their keys; counts the others too."""
    states = _states(log.target_files())
    values = {one.id: one.values for one in log.candidates()}
    instances = {one.step: one for one in log.instances()}
    state: State = ()
    for number, outcome in enumerate(log.each_outcome(), start=1):
        state, instance = states.get(number, state), instances[outcome.step]
        if not any(_agree(state, one, instance.name) for one in known):
            counts["others"] += 1
        elif outcome.failed:
            counts["failed"] += 1
        else:
            counts["found"] += 1
            yield key_of(values[outcome.candidate], instance), outcome


def _taken_from(log: str, outcome: Outcome, goal: Goal | None) -> Outcome:
    """An outcome for another run: free, and with the cost by that run's objective."""
    cost = outcome.cost if goal is None else goal.cost(outcome.metrics)
    then = outcome.reused
    started = outcome.started if then is None else then.started
    reused = Reused(log=log, seconds=outcome.duration, spent=outcome.price, started=started)
    return Outcome(
        outcome.candidate, outcome.step, cost, status=outcome.status,
        message=outcome.message, bound=outcome.bound, reused=reused, metrics=outcome.metrics,
    )  # fmt: skip


def _bounded(experiment: Experiment, found: Outcome) -> Outcome | None:
    """The outcome for the experiment, whose bound may differ from that of the outcome."""
    bound, cost = experiment.bound, found.cost
    if found.status is Status.CENSORED:
        if bound is None or found.bound is None or bound > found.bound:
            return None
        cost = bound
    return Outcome(
        *experiment.key, cost=cost, status=at_bound(cost, bound), message=found.message,
        bound=bound, reused=found.reused, metrics=found.metrics,
    )  # fmt: skip


def _changed_since(instance: Instance, found: Outcome) -> bool:
    """Whether the instance is a file that was written after the evaluation began."""
    path = instance.problem
    if not (isinstance(path, str) and os.path.isabs(path) and os.path.isfile(path)):
        return False
    assert found.reused is not None
    return os.stat(path).st_mtime > found.reused.started


def _states(files: Iterable[TargetFile]) -> dict[int, State]:
    """Outcome, counted from 1 → the state of the files from this outcome on."""
    held: dict[str, str] = {}
    found: dict[int, State] = {}
    for file in sorted(files, key=attrgetter("since")):
        held[file.path] = file.sha256
        found[file.since] = _state(held.items())
    return found


def _state(files: Iterable[tuple[str, str]]) -> State:
    """The names and checksums of files, without folders, so that a project may be moved."""
    return tuple(
        sorted((path if is_given(path) else Path(path).name, sha256) for path, sha256 in files)
    )


def _agree(then: State, now: State, instance: str) -> bool:
    """Whether two states are the same for an instance, as far as both tell."""
    given = dict(now)
    return _files(then) == _files(now) and all(
        same(name, one, given.get(name, ""))
        for name, one in then
        if is_given(name) and of_instance(name) in (None, instance)
    )


def _files(state: State) -> State:
    return tuple(one for one in state if not is_given(one[0]))


def _call(scenario: Mapping[str, Any]) -> dict[str, Any]:
    """How a target is called; its timeout is left out, as failures are not taken."""
    target = {key: part for key, part in scenario["target"].items() if key != "timeout"}
    space = scenario.get("space") or {}
    switches = {name: one.get("switch") for name, one in space.items() if isinstance(one, Mapping)}
    used = {name: switch for name, switch in switches.items() if switch is not None}
    metrics = scenario.get("metrics") or {}
    told = {"direction": scenario["direction"]} if not metrics else {}
    return {"target": target, "metrics": _measured(metrics), "switches": used, **told}


def _measured(metrics: Mapping[str, Any]) -> list[tuple[str, str, str | None]]:
    """The metrics and their meaning, in the order of reported values."""
    return [(name, one["direction"], one.get("measure")) for name, one in metrics.items()]


def _check_target(scenario: Scenario, log: SQLiteLog) -> None:
    """Refuse a log whose target is called in another way."""
    kept = log.header.scenario
    if "target" not in kept:
        raise InputError(
            f"reuse: {log.path} was made by Python code and names no target, so nothing says that "
            "its outcomes are of this one; leave it out"
        )
    then = _call({"direction": log.header.direction, **as_now(kept)})
    now = _call(json.loads(json.dumps(scenario.to_dict())))
    if differ := [key for key in now if now[key] != then.get(key)]:
        raise InputError(
            f"reuse: {log.path} is the log of another target; they differ in "
            f"{' and '.join(differ)}, so that its outcomes would mean something else; leave it out"
        )


def _refuse_others(taken: Counter[str], path: Path) -> None:
    """Refuse a log all of whose outcomes were made by another target."""
    if [*taken] == ["others"]:
        raise InputError(
            f"reuse: files, functions or instances have changed since {path}, so that none of its "
            f"{taken['others']} outcomes can be taken; put them back, or leave it out"
        )


def _check_files(scenario: Scenario, state: State) -> None:
    """Refuse a target of which no file can be compared."""
    files = _files(state)
    if not files or not all(sha256 for _, sha256 in files):
        which = "no file of it is known" if not files else "a file of it cannot be read"
        raise InputError(
            f"reuse: nothing says that the target is what it was, as {which}; name a file in it, "
            "such as target.py:solve or ./solver, or leave reuse out"
        )


def _check_names(scenario: Scenario) -> None:
    """Refuse instances that are objects without a name of their own."""
    for place, one in enumerate(scenario.plan.problems, start=1):
        if one.problem is not None and one.name == f"{type(one.problem).__name__} {place}":
            raise InputError(
                f"reuse: the instance {one.name} is an object without a name, so that it cannot be "
                "known again; name it: racing.Instances(objects, names=[...])"
            )


def _plain(value: Any) -> Any:
    return value.item()  # a NumPy scalar
