"""All options of irace's scenario files (3.5 and 4.x), and their translations."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

Scheme = Literal["continuous", "irace"]
"""The search of a translated scenario: `continuous`, or iterated racing."""

OptionKind = Literal["text", "number", "count", "flag", "any"]
"""The type of an option's value; a `count` of 0 means the default."""

Fate = Literal["honoured", "translated", "no meaning", "refused"]
"""`honoured`: has the same effect. `translated`: has a similar effect. `no meaning`: is left out
without loss. `refused`: the scenario cannot be run."""


@dataclass(frozen=True)
class Option:
    """One option.

    Attributes
    ----------
    fate
        Its translation.
    why
        The key of the scenario, or the reason why it is left out.
    kind
        The type of its value.
    iterated
        Fate and reason for iterated racing, if they differ.
    key
        The key of `search` that has its value in iterated racing.
    """

    fate: Fate
    why: str
    kind: OptionKind = "any"
    iterated: tuple[Fate, str] | None = None
    key: str = ""

    def under(self, search: Scheme) -> tuple[Fate, str]:
        """Fate and reason with this search."""
        if search == "irace" and self.iterated is not None:
            return self.iterated
        return self.fate, self.why


def _honoured(key: str, kind: OptionKind) -> Option:
    return Option("honoured", key, kind)


def _left_out(why: str) -> Option:
    return Option("no meaning", why)


def _iterated(key: str, kind: OptionKind, why: str = "") -> Option:
    """An option of iterated racing only."""
    return Option("no meaning", why or _ITERATED, kind, ("honoured", f"search.{key}"), key)


_ITERATED = "concerns irace's iterations, which `--search irace` has"
_TESTS = "concerns the tests of irace's races, which `--search irace` has"
_TIMING = "time is measured during the whole run, not guessed beforehand"
_CAPPING = "belongs to irace's capping; set target.timeout to bound every run"
_OUTPUT = "concerns irace's own output"

OPTIONS: Mapping[str, Option] = {
    "scenarioFile": _left_out("names this very file"),
    "execDir": _honoured("target.cwd", "text"),
    "parameterFile": _honoured("space", "text"),
    "parameters": Option("refused", "is an R object; write a parameter file"),
    "initConfigurations": Option("refused", "is an R object; write a configurationsFile"),
    "configurationsFile": _honoured("candidates.list", "text"),
    "forbiddenFile": _honoured("space.forbidden", "text"),
    "forbiddenExps": Option("refused", "is an R object; write the clauses below [forbidden]"),
    "digits": _honoured("digits of real parameters", "number"),
    "logFile": _left_out("runs are kept in one SQLite file: `log`"),
    "recoveryFile": _left_out("`racing resume RUN` continues any interrupted run"),
    "instances": Option("refused", "is an R object; use trainInstancesFile"),
    "trainInstancesDir": _honoured("instances", "text"),
    "trainInstancesFile": _honoured("instances", "text"),
    "sampleInstances": _honoured("instances.order", "flag"),
    "testInstancesDir": _honoured("test_instances", "text"),
    "testInstancesFile": _honoured("test_instances", "text"),
    "testInstances": Option("refused", "is an R object; use testInstancesFile"),
    "testNbElites": Option("translated", "the winner and the default are tested", "number"),
    "testIterationElites": _left_out("the winner and the default are tested once, at the end"),
    "testType": Option(
        "translated",
        "objective: `rank` for the F-test, `mean` for t-tests, and where it is not set",
        "text",
        ("honoured", "rule and objective"),
    ),
    "firstTest": _iterated("first_test", "count", _TESTS),
    "eachTest": _iterated("each_test", "count", _TESTS),
    "blockSize": Option(
        "no meaning",
        _TESTS,
        "number",
        ("translated", "multiplies search.first_test, each_test and new_instances"),
    ),
    "confidence": Option(
        "no meaning", _TESTS, "number", ("honoured", "rule.alpha = 1 - confidence")
    ),
    "targetRunner": _honoured("target.command", "text"),
    "targetRunnerLauncher": _honoured("target.command", "text"),
    "targetRunnerLauncherArgs": _honoured("target.command", "text"),
    "targetCmdline": _honoured("target.command", "text"),
    "targetRunnerRetries": _honoured("on_failure.retries", "number"),
    "targetRunnerTimeout": _honoured("target.timeout", "number"),
    "targetRunnerData": Option("refused", "is an R object, for target runners written in R"),
    "targetRunnerParallel": Option("refused", "is an R function; set execution.jobs"),
    "targetEvaluator": Option(
        "translated",
        "target.evaluator, called after each run with that configuration as the only one alive",
        "text",
    ),
    "repairConfiguration": Option("refused", "is an R function; state forbidden combinations"),
    "deterministic": _honoured("instances.repeat", "flag"),
    "maxExperiments": _honoured("budget.evaluations", "number"),
    "minExperiments": _left_out("the budget is what maxExperiments or maxTime say"),
    "maxTime": _honoured("budget.target_time", "number"),
    "budgetEstimation": _iterated("estimation", "number", _TIMING),
    "minMeasurableTime": _iterated("min_time", "number", _TIMING),
    "parallel": _honoured("execution.jobs", "number"),
    "loadBalancing": _left_out("workers always take the next evaluation as soon as they are free"),
    "mpi": _left_out("see execution in the documentation"),
    "batchmode": _left_out("see execution in the documentation"),
    "sgeCluster": _left_out("see execution in the documentation"),
    "quiet": _left_out(_OUTPUT),
    "debugLevel": _left_out(_OUTPUT),
    "aclib": _left_out("concerns the AClib benchmark's own wrappers"),
    "seed": _honoured("seed", "number"),
    "softRestart": _iterated("soft_restart", "flag"),
    "softRestartThreshold": _iterated("restart_threshold", "number"),
    "elitist": _iterated("elitist", "flag"),
    "elitistNewInstances": _iterated("new_instances", "number"),
    "elitistLimit": _iterated("elitist_limit", "number"),
    "elitistInstances": _left_out("is a name of older versions; set elitistNewInstances"),
    "postselection": _iterated("post_selection", "any"),
    "nbIterations": _iterated("iterations", "count"),
    "nbExperimentsPerIteration": _iterated("per_iteration", "count"),
    "nbConfigurations": _iterated("configurations", "count"),
    "minNbSurvival": _iterated("min_survivors", "count"),
    "mu": _iterated("mu", "count"),
    "capping": Option(
        "no meaning",
        _CAPPING,
        "flag",
        ("honoured", "search.bound, which caps runs, is boundMax or left out"),
    ),
    "cappingAfterFirstTest": _left_out(
        "with capping, dominated configurations leave after every instance"
    ),
    "cappingType": _iterated("capping", "text", _CAPPING),
    "boundType": _left_out("bounds are those of a configuration, over all instances so far"),
    "boundMax": Option(
        "translated",
        "target.timeout, in seconds",
        "number",
        ("translated", "target.timeout, in seconds; with capping also search.bound"),
    ),
    "boundDigits": _left_out("bounds are not rounded"),
    "boundPar": _left_out("a run that reached its bound counts as one that took boundMax"),
    "boundAsTimeout": _left_out("a run that reached its bound counts as one that took boundMax"),
}
