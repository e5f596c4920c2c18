"""A scenario before it runs: what was found, which `racing check --json` prints, and a document."""

from __future__ import annotations

import math
import shlex
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from racing.answer.document import Callout, Document, Sentences, literal, quoted
from racing.base.errors import InputError
from racing.base.quantities import score_of
from racing.base.words import amount, amounts, count, duration, listed, number
from racing.core.aims import Order
from racing.core.budget import Budget
from racing.core.experiment import Experiment
from racing.core.goal import Goal
from racing.core.view import View
from racing.evaluate import template
from racing.evaluate.command import Command
from racing.race import Race
from racing.race.answer import DEFAULT
from racing.race.limits import silent
from racing.report.forecast import (
    Costing,
    Reusable,
    affordable,
    forecast,
    reusable,
    sentences,
    warnings,
)
from racing.rules import forecast as rule_forecast
from racing.runner.build import decider_of, evaluator_of
from racing.runner.known_seeds import with_known_seeds
from racing.runner.preflight import check_files, check_target
from racing.scenario import Scenario
from racing.scenario.search_settings import scheme_of


@dataclass(frozen=True, kw_only=True)
class Trial:
    """One evaluation: the first candidate on the first instance."""

    candidate: str
    instance: str
    seed: int
    status: str
    score: float | None
    seconds: float
    message: str
    metrics: Mapping[str, float] = field(default_factory=dict)
    spent: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class Checked:
    """A scenario that is valid; `trial` is None where the target was not started.

    Attributes
    ----------
    arguments
        The first command; None for a Python function.
    brief
        The objective, the budget and the instances, a line each.
    buys
        What the budget buys, as a sentence.
    forecast
        The cost of a race; None of a search.
    """

    scenario: str
    candidates: int
    scheme: str | None
    window: int | None
    instances: int | None
    rule: str | None
    log: str
    reuse: Reusable | None
    arguments: tuple[str, ...] | None
    trial: Trial | None
    brief: tuple[str, ...]
    buys: str
    forecast: Costing | None
    warnings: tuple[str, ...]


def check(scenario: Scenario, config: str, *, run: bool) -> Checked:
    """Check a scenario, and start its target once if `run` says so.

    Raises
    ------
    InputError
        If the scenario, its files or its target cannot be used.
    """
    scenario = with_known_seeds(scenario)
    check_files(scenario)
    race = decider_of(scenario)
    if run:
        check_target(scenario, scenario.plan.candidates)
    reuse = reusable(scenario)
    first = None if race.done else race.ask(1)[0]
    trial = _trial(scenario, first) if run and first is not None else None
    price = (reuse.price if reuse else {}) or (trial.spent if trial else {})
    if trial is not None:
        _check_told(race.budget, trial)
    seconds = None if trial is None else trial.seconds
    expected = forecast(scenario, race, seconds, price) if isinstance(race, Race) else None
    score = None if trial is None else trial.score
    return Checked(
        scenario=scenario.name, candidates=len(scenario.plan.candidates),
        scheme=scheme_of(scenario.search), window=window_of(race),
        instances=min(_ends(race), default=None),
        rule=scenario.to_dict().get("rule", {}).get("name"), log=str(scenario.plan.log),
        reuse=reuse, arguments=None if first is None else _arguments(scenario, first), trial=trial,
        brief=brief(scenario, race), buys=_bought(scenario, race, price, config), forecast=expected,
        warnings=tuple(warnings(scenario, race, expected, score)),
    )  # fmt: skip


def _bought(scenario: Scenario, race: View, price: Mapping[str, float], config: str) -> str:
    """The forecast of the budget as a sentence."""
    if not isinstance(race, Race):
        return f"What the search does with its budget: racing plan {shlex.quote(config)}"
    budget = min(race.budget.evaluations or math.inf, affordable(race.budget, price))
    return rule_forecast.forecast(
        race.rule,
        candidates=len(race.candidates),
        evaluations=budget,
        instances=min(_ends(race), default=math.inf),
        first_test=scenario.race.first_test,
    )


def _arguments(scenario: Scenario, experiment: Experiment) -> tuple[str, ...] | None:
    """The command line of the first evaluation; None for a Python function."""
    evaluator = evaluator_of(scenario)
    if not isinstance(evaluator.target, Command):
        return None
    try:
        return tuple(template.fill(evaluator.target.arguments, experiment, evaluator.switches))
    except InputError:  # the trial reports the error
        return None


def _trial(scenario: Scenario, experiment: Experiment) -> Trial:
    from racing.evaluate.pool import open_pool

    with open_pool(evaluator_of(scenario)) as pool:
        pool.submit(experiment)
        while not (found := pool.wait()):
            pass
    outcome, goal = found[0], scenario.plan.goal
    return Trial(
        candidate=str(experiment.candidate),
        instance=experiment.instance.name,
        seed=experiment.instance.seed,
        status=str(outcome.status),
        score=score_of(outcome.cost, scenario.direction),
        seconds=outcome.seconds,
        message=outcome.message,
        metrics=goal.scores(outcome.metrics) if goal and outcome.metrics else {},
        spent=dict(outcome.spent),
    )


def _check_told(budget: Budget, trial: Trial) -> None:
    """Refuse a limit of payments that the target does not tell."""
    untold = [unit for unit in budget.paid if unit not in trial.spent]
    if untold and trial.status == "ok":
        raise silent(untold[0], 1)


def _ends(race: View) -> list[int]:
    """The number of instances, and the limit of instances in the budget."""
    return [end for end in (race.instances.limit, race.budget.instances) if end is not None]


def checked(told: Checked) -> Document:
    """What the scenario is, what its budget buys, how its target answers, and warnings."""
    said = [_what(told), *told.brief, told.buys]
    said += [told.reuse.sentence] if told.reuse else []
    if told.arguments:
        said.append(f"The first command: {literal(shlex.join(told.arguments))}")
    said += _tried(told.trial)
    said += sentences(told.forecast) if told.forecast else []
    ignored = told.trial.message if told.trial and told.trial.status == "ok" else ""
    alarms = (*([ignored] if ignored else []), *told.warnings)
    return [Sentences(tuple(said)), *(Callout("warning", alarm) for alarm in alarms)]


def _what(told: Checked) -> str:
    what = [] if told.scheme is None else ["iterated racing"]
    if told.window is not None:
        what = [f"a search with window {told.window}"]
    if told.candidates or not what:
        what.append(count(told.candidates, "candidate"))
    many = told.instances
    what.append("instances without end" if many is None else count(many, "instance"))
    if told.rule:
        what.append(f"rule {told.rule}")
    return f"{quoted(told.scenario)}: {', '.join(what)}, log {quoted(told.log)}"


def _tried(trial: Trial | None) -> Iterator[str]:
    if trial is None:
        yield "The scenario is valid; the target was not started."
        return
    where = (
        f"candidate {quoted(trial.candidate)} on {quoted(trial.instance)} with seed {trial.seed}"
    )
    if trial.status != "ok":
        yield f"The target failed for {where}:"
        yield trial.message or trial.status
        return
    paid = f" and {listed(amounts(trial.spent))}" if trial.spent else ""
    values = [f"{quoted(name)} {number(value, 6)}" for name, value in trial.metrics.items()]
    said = listed(values) if values else number(trial.score, 6)
    yield f"The target answers: {said} after {duration(trial.seconds)}{paid}, for {where}."


# --- what a run is asked for ------------------------------------------------------------------

_BEST = {"minimize": "lowest", "maximize": "highest"}


def brief(scenario: Scenario, view: View, jobs: int | None = None) -> tuple[str, str, str]:
    """The objective with its direction and unit, the budget, and which instances do what.

    Parameters
    ----------
    view
        The race or search of the scenario, before its first evaluation.
    jobs
        How many evaluations run at once; None for what the scenario says.
    """
    return (
        f"Objective: {_objective(scenario, view)}",
        f"Budget: {_budget(scenario, view, jobs or scenario.plan.execution.jobs)}",
        f"Instances: {_instances(scenario, view)}",
    )


def _objective(scenario: Scenario, view: View) -> str:
    goal, search = scenario.plan.goal, view.as_search
    size, said = search.portfolio if search else 0, _wanted(scenario, view, goal)
    said = f"a team of at most {size} with {said}" if size else said
    if goal and goal.constraints:
        said += f", subject to {listed([quoted(one) for one in goal.constraints])}"
    return said if goal and goal.front else f"{said}{_compared(view)}"


def _compared(view: View) -> str:
    """What the winner is compared with, and whether that is kept in doubt."""
    over = view.baseline
    if over is None:
        return ""
    if view.as_search is None and over.name != DEFAULT:
        return f"; the winner is compared with {quoted(over)}, the first candidate"
    kept = "kept unless another one is better with probability"
    return f"; {quoted(over)} is {kept} {1 - view.risk:.3g}"


def _wanted(scenario: Scenario, view: View, goal: Goal | None) -> str:
    """What is lowest or highest, and how instances count."""
    if goal and goal.front:
        return f"the front of {listed([_extreme(goal, name) for name in goal.front])}"
    if goal and isinstance(goal.aim, Order):
        return ", then ".join(_extreme(goal, step.metric) for step in goal.aim.order)
    what = "cost" if view.direction == "minimize" else "score"
    what = quoted(goal.label) if goal else f"{what} in {scenario.unit}" if scenario.unit else what
    if view.objective == "rank":
        return f"the best mean rank by {what} over the instances; {_BEST[view.direction]} is best"
    return f"the {_BEST[view.direction]} mean of {what} over the instances"


def _extreme(goal: Goal, name: str) -> str:
    return f"the {_BEST[goal.metrics[name].direction]} {quoted(name)}"


def _budget(scenario: Scenario, view: View, jobs: int) -> str:
    at_once = "one for each processor" if jobs == -1 else count(jobs, "evaluation")
    limits = " or ".join(_limits(scenario.budget))
    limits = limits or "none, all candidates left meet all instances"
    return f"{limits}; {at_once} at a time{_window(view, jobs)}"


def window_of(view: View) -> int | None:
    """The window of a continuous search; None of any other run."""
    search = view.as_search
    return None if search is None or search.iterations is not None else search.window


def _window(view: View, jobs: int) -> str:
    """The window of a search, and a wider one if that keeps more of the jobs busy."""
    from racing.evaluate.pool import size_of
    from racing.search.settings import FINDS_LESS, window_for

    if (window := window_of(view)) is None:
        return ""
    wider = window_for(jobs := size_of(jobs), view.budget.evaluations)
    more = f"`search: {{window: {wider}}}` keeps more of them busy"
    more = more if window < wider else f"others wait, as {FINDS_LESS}"
    return f", of {window} challengers at most" + (f"; {more}" if window < jobs else "")


def _limits(budget: Budget) -> Iterator[str]:
    if budget.evaluations is not None:
        yield count(budget.evaluations, "evaluation")
    if budget.instances is not None:
        yield count(budget.instances, "instance")
    if budget.wall_time is not None:
        yield duration(budget.wall_time)
    if budget.target_time is not None:
        yield f"{duration(budget.target_time)} of evaluations, one after another"
    for unit in budget.paid:
        yield amount(unit, getattr(budget, unit))


def _instances(scenario: Scenario, view: View) -> str:
    search, many = view.as_search, view.instances.limit
    if search is not None:
        said = str(search.division)
    elif many is None:
        said = f"{count(len(scenario.plan.problems), 'problem')}, again and again with new seeds"
    else:
        said = f"{many}, which all decide"
    if tests := len(scenario.plan.test_problems):
        return f"{said}; the result is then tested on {tests} others"
    return f"{said}; no `test_instances` to test the result on"
