"""Check a scenario, and run its target once to see that it answers."""

from __future__ import annotations

import argparse
import math
import shlex
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from racing.cli import exits
from racing.cli.console import add_json, count, duration, number, results_alone, say, say_json
from racing.cli.irace import add_search, tell_options

if TYPE_CHECKING:
    from racing.cli.forecast import Costing
    from racing.experiment import Experiment, Outcome
    from racing.race import Race
    from racing.scenario import Scenario
    from racing.search import Search

HELP = "check a scenario, and run its target once"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What the command takes."""
    parser.add_argument("config", metavar="CONFIG", help="a scenario in YAML, or irace's .txt")
    parser.add_argument(
        "--no-run", dest="run", action="store_false", help="only read it; do not start the target"
    )
    add_search(parser)
    add_json(parser)


def main(args: argparse.Namespace) -> int:
    """Run the command."""
    from racing.cli.forecast import forecast, warnings
    from racing.preflight import check_files, check_target
    from racing.runs import decider_of
    from racing.scenario import read
    from racing.scenario.search import scheme_of
    from racing.search import Search

    scenario = read(args.config, search=args.search)
    tell_options(args.config, args.search)
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
        "rule": scenario.to_dict().get("rule", {}).get("name"),
        "log": str(scenario.plan.log),
        "buys": _bought(scenario, race),
    }
    seconds = None
    if not race.done:
        experiment = race.ask(1)[0]
        facts["arguments"] = _arguments(scenario, experiment)
        if args.run:
            facts["trial"] = _trial(scenario, experiment)
            seconds = facts["trial"]["seconds"]
    expected = None if isinstance(race, Search) else forecast(scenario, race, seconds)
    facts["forecast"] = asdict(expected) if expected else None
    facts["warnings"] = list(warnings(scenario, race, expected))
    if args.json:
        say_json(facts)
    else:
        _print(facts, expected)
    failed = "trial" in facts and facts["trial"]["status"] != "ok"
    return exits.TARGET_FAILED if failed else exits.OK


def _bought(scenario: Scenario, race: Race | Search) -> str:
    """What the budget will buy, in a sentence."""
    from racing.rules.forecast import forecast
    from racing.search import Search

    if isinstance(race, Search):
        return "What the search does with its budget: racing plan CONFIG"
    budget = race.budget.evaluations
    return forecast(
        race.rule,
        candidates=len(race.candidates),
        evaluations=math.inf if budget is None else budget,
        instances=min(_ends(race), default=math.inf),
        first_test=scenario.race.first_test,
    ).sentence()


def _arguments(scenario: Scenario, experiment: Experiment) -> list[str] | None:
    """What a program is started with for the first evaluation; None for a Python function."""
    from racing.errors import InputError
    from racing.evaluate import template
    from racing.evaluate.command import Command
    from racing.runs import evaluator_of

    evaluator = evaluator_of(scenario)
    if not isinstance(evaluator.target, Command):
        return None
    try:
        return template.fill(evaluator.target.arguments, experiment, evaluator.switches)
    except InputError:  # the trial says what is missing
        return None


def _trial(scenario: Scenario, experiment: Experiment) -> dict[str, Any]:
    """What one evaluation says: the first candidate on the race's first instance."""
    from racing.evaluate.pool import open_pool
    from racing.report.facts import in_direction
    from racing.runs import evaluator_of

    with results_alone(), open_pool(evaluator_of(scenario)) as pool:
        pool.submit(experiment)
        outcome: Outcome = pool.wait()[0]
    return {
        "candidate": str(experiment.candidate),
        "instance": experiment.instance.name,
        "seed": experiment.instance.seed,
        "status": str(outcome.status),
        "score": in_direction(outcome.cost, scenario.direction),
        "seconds": outcome.seconds,
        "message": outcome.message,
    }


def _ends(race: Race | Search) -> list[int]:
    """Where the instances end, and where the budget of instances does."""
    return [end for end in (race.instances.limit, race.budget.instances) if end is not None]


def _print(facts: dict[str, Any], expected: Costing | None) -> None:
    from racing.cli.forecast import lines

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
    say(facts["buys"])
    if facts.get("arguments"):
        say(f"The first command: {shlex.join(facts['arguments'])}")
    _print_trial(facts.get("trial"))
    for line in lines(expected) if expected else ():
        say(line)
    for warning in facts["warnings"]:
        say(f"warning: {warning}")


def _print_trial(trial: dict[str, Any] | None) -> None:
    if trial is None:
        say("The scenario is sound; the target was not started.")
        return
    where = f"candidate {trial['candidate']} on {trial['instance']} with seed {trial['seed']}"
    if trial["status"] == "ok":
        took = duration(trial["seconds"])
        say(f"The target answers: {number(trial['score'], 6)} after {took}, for {where}.")
    else:
        say(f"The target failed for {where}:")
        say(trial["message"] or trial["status"])
