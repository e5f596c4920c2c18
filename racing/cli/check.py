"""Check a scenario, and run its target once to see its answer."""

from __future__ import annotations

import argparse
import math
import shlex
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from racing.base.words import amounts, listed
from racing.cli import exits
from racing.cli.changes import add_changes, changes_of
from racing.cli.console import add_json, count, duration, number, results_alone, say, say_json
from racing.cli.irace import add_search, say_options

if TYPE_CHECKING:
    from collections.abc import Mapping

    from racing.cli.forecast import Costing
    from racing.core.budget import Budget
    from racing.core.experiment import Experiment, Outcome
    from racing.core.view import View
    from racing.race import Race
    from racing.scenario import Scenario
    from racing.search import SearchBase

HELP = "check a scenario, and run its target once"
EXAMPLES = (
    "racing check race.yaml",
    "racing check race.yaml --no-run",
    "racing check race.yaml --budget 2000 --set rule=sign",
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument("config", metavar="CONFIG", help="a scenario in YAML, or irace's .txt")
    parser.add_argument(
        "--no-run", dest="run", action="store_false", help="only read it; do not start the target"
    )
    add_changes(parser)
    add_search(parser)
    add_json(parser)


def main(args: argparse.Namespace) -> int:
    """Run the command."""
    from racing.cli.forecast import forecast, reuse_facts, warnings
    from racing.race import Race
    from racing.runner.build import decider_of
    from racing.runner.known_seeds import with_known_seeds
    from racing.runner.preflight import check_files, check_target
    from racing.scenario import read
    from racing.scenario.search_settings import scheme_of

    scenario = read(args.config, search=args.search, changes=changes_of(args))
    say_options(args.config, args.search)
    scenario = with_known_seeds(scenario)
    check_files(scenario)
    race = decider_of(scenario)
    if args.run:
        check_target(scenario, scenario.plan.candidates)
    facts: dict[str, Any] = {
        "scenario": scenario.name,
        "candidates": len(scenario.plan.candidates),
        "scheme": scheme_of(scenario.search),
        "window": getattr(scenario.search, "window", None),
        "instances": min(_ends(race), default=None),
        "problems": str(race.as_search.division) if race.as_search else None,
        "rule": scenario.to_dict().get("rule", {}).get("name"),
        "log": str(scenario.plan.log),
        "reuse": reuse_facts(scenario),
    }
    seconds, price = None, (facts["reuse"] or {}).get("price") or {}
    if not race.done:
        experiment = race.ask(1)[0]
        facts["arguments"] = _arguments(scenario, experiment)
        if args.run:
            facts["trial"] = _trial(scenario, experiment)
            seconds, price = facts["trial"]["seconds"], price or facts["trial"]["spent"]
            _check_told(race.budget, facts["trial"])
    facts["buys"] = _bought(scenario, race, price, args.config)
    expected = forecast(scenario, race, seconds, price) if isinstance(race, Race) else None
    facts["forecast"] = asdict(expected) if expected else None
    facts["warnings"] = list(warnings(scenario, race, expected, facts.get("trial")))
    if args.json:
        say_json(facts)
    else:
        _print(facts, expected)
    failed = "trial" in facts and facts["trial"]["status"] != "ok"
    return exits.TARGET_FAILED if failed else exits.OK


def _bought(
    scenario: Scenario, race: Race | SearchBase, price: Mapping[str, float], config: str
) -> str:
    """The forecast of the budget as a sentence."""
    from racing.cli.forecast import affordable
    from racing.race import Race
    from racing.rules.forecast import forecast

    if not isinstance(race, Race):
        return f"What the search does with its budget: racing plan {shlex.quote(config)}"
    budget = min(race.budget.evaluations or math.inf, affordable(race.budget, price))
    return forecast(
        race.rule,
        candidates=len(race.candidates),
        evaluations=budget,
        instances=min(_ends(race), default=math.inf),
        first_test=scenario.race.first_test,
    ).sentence()


def _arguments(scenario: Scenario, experiment: Experiment) -> list[str] | None:
    """The command line of the first evaluation; None for a Python function."""
    from racing.base.errors import InputError
    from racing.evaluate import template
    from racing.evaluate.command import Command
    from racing.runner.build import evaluator_of

    evaluator = evaluator_of(scenario)
    if not isinstance(evaluator.target, Command):
        return None
    try:
        return template.fill(evaluator.target.arguments, experiment, evaluator.switches)
    except InputError:  # the trial reports the error
        return None


def _trial(scenario: Scenario, experiment: Experiment) -> dict[str, Any]:
    """The result of one evaluation: the first candidate on the race's first instance."""
    from racing.base.quantities import score_of
    from racing.evaluate.pool import open_pool
    from racing.runner.build import evaluator_of

    with results_alone(), open_pool(evaluator_of(scenario)) as pool:
        pool.submit(experiment)
        while not (found := pool.wait()):
            pass
    outcome: Outcome = found[0]
    return {
        "candidate": str(experiment.candidate),
        "instance": experiment.instance.name,
        "seed": experiment.instance.seed,
        "status": str(outcome.status),
        "score": score_of(outcome.cost, scenario.direction),
        **_metrics(scenario, outcome),
        "seconds": outcome.seconds,
        "message": outcome.message,
        "spent": dict(outcome.spent),
    }


def _check_told(budget: Budget, trial: Mapping[str, Any]) -> None:
    """Refuse a limit of payments that the target does not tell."""
    from racing.race.prices import silent

    untold = [unit for unit in budget.paid if unit not in trial["spent"]]
    if untold and trial["status"] == "ok":
        raise silent(untold[0], 1)


def _metrics(scenario: Scenario, outcome: Outcome) -> dict[str, Any]:
    """The value of each metric, where there are several."""
    goal = scenario.plan.goal
    return {"metrics": goal.scores(outcome.metrics)} if goal and outcome.metrics else {}


def _ends(race: View) -> list[int]:
    """The number of instances, and the limit of instances in the budget."""
    return [end for end in (race.instances.limit, race.budget.instances) if end is not None]


def _print(facts: dict[str, Any], expected: Costing | None) -> None:
    from racing.cli.forecast import lines, reuse_line

    instances = facts["instances"]
    what = [] if facts["scheme"] is None else ["iterated racing"]
    if facts["window"] is not None:
        what = [f"a search with window {facts['window']}"]
    if facts["candidates"] or not what:
        what.append(count(facts["candidates"], "candidate"))
    what.append("instances without end" if instances is None else count(instances, "instance"))
    if facts["rule"]:
        what.append(f"rule {facts['rule']}")
    say(f"{facts['scenario']}: {', '.join(what)}, log {facts['log']}")
    if facts["problems"]:
        say(f"Instances: {facts['problems']}")
    say(facts["buys"])
    if facts["reuse"]:
        say(reuse_line(facts["reuse"]))
    if facts.get("arguments"):
        say(f"The first command: {shlex.join(facts['arguments'])}")
    _print_trial(facts.get("trial"))
    for line in lines(expected) if expected else ():
        say(line)
    for warning in facts["warnings"]:
        say(f"warning: {warning}")


def _print_trial(trial: dict[str, Any] | None) -> None:
    if trial is None:
        say("The scenario is valid; the target was not started.")
        return
    where = f"candidate {trial['candidate']} on {trial['instance']} with seed {trial['seed']}"
    if trial["status"] == "ok":
        took = duration(trial["seconds"])
        paid = f" and {listed(amounts(trial['spent']))}" if trial["spent"] else ""
        said = number(trial["score"], 6)
        if metrics := trial.get("metrics"):
            said = listed([f"{name} {number(value, 6)}" for name, value in metrics.items()])
        say(f"The target answers: {said} after {took}{paid}, for {where}.")
        if trial["message"]:
            say(f"warning: {trial['message']}")
    else:
        say(f"The target failed for {where}:")
        say(trial["message"] or trial["status"])
