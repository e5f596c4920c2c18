"""Every option of irace's scenario files (3.5 and 4.x), and what becomes of it here."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

Fate = Literal["honoured", "translated", "no meaning", "refused"]
"""`honoured`: does the same here. `translated`: becomes something close. `no meaning`: is left out
and changes nothing of value. `refused`: a scenario with it cannot be run."""


@dataclass(frozen=True)
class Option:
    """One option.

    Attributes
    ----------
    fate
        What becomes of it.
    why
        The key of a scenario that it becomes, or the reason why it is left out.
    kind
        What its value is.
    """

    fate: Fate
    why: str
    kind: Literal["text", "number", "flag", "any"] = "any"


def _honoured(key: str, kind: Literal["text", "number", "flag", "any"]) -> Option:
    return Option("honoured", key, kind)


def _left_out(why: str) -> Option:
    return Option("no meaning", why)


_ITERATED = "concerns irace's iterations; a search here has none"
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
    "recoveryFile": _left_out("`racing resume RUN` goes on with any interrupted run"),
    "instances": Option("refused", "is an R object; use trainInstancesFile"),
    "trainInstancesDir": _honoured("instances", "text"),
    "trainInstancesFile": _honoured("instances", "text"),
    "sampleInstances": _honoured("instances.order", "flag"),
    "testInstancesDir": _honoured("test_instances", "text"),
    "testInstancesFile": _honoured("test_instances", "text"),
    "testInstances": Option("refused", "is an R object; use testInstancesFile"),
    "testNbElites": Option("translated", "the winner and the default are tested", "number"),
    "testIterationElites": _left_out(_ITERATED),
    "testType": _honoured("rule", "text"),
    "firstTest": _honoured("race.first_test", "number"),
    "eachTest": _honoured("race.each_test", "number"),
    "blockSize": Option("translated", "multiplies race.first_test and race.each_test", "number"),
    "confidence": _honoured("rule.alpha = 1 - confidence", "number"),
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
    "budgetEstimation": _left_out(_TIMING),
    "minMeasurableTime": _left_out(_TIMING),
    "parallel": _honoured("execution.jobs", "number"),
    "loadBalancing": _left_out("workers always take the next evaluation as soon as they are free"),
    "mpi": _left_out("see execution in the documentation"),
    "batchmode": _left_out("see execution in the documentation"),
    "sgeCluster": _left_out("see execution in the documentation"),
    "quiet": _left_out(_OUTPUT),
    "debugLevel": _left_out(_OUTPUT),
    "aclib": _left_out("concerns the AClib benchmark's own wrappers"),
    "seed": _honoured("seed", "number"),
    "softRestart": _left_out(_ITERATED),
    "softRestartThreshold": _left_out(_ITERATED),
    "elitist": _left_out(_ITERATED),
    "elitistNewInstances": _left_out(_ITERATED),
    "elitistLimit": _left_out(_ITERATED),
    "elitistInstances": _left_out(_ITERATED),
    "postselection": _left_out(_ITERATED),
    "nbIterations": _left_out(_ITERATED),
    "nbExperimentsPerIteration": _left_out(_ITERATED),
    "nbConfigurations": _honoured("candidates.sample", "number"),
    "minNbSurvival": _honoured("race.min_survivors", "number"),
    "mu": _left_out(_ITERATED),
    "capping": _left_out(_CAPPING),
    "cappingAfterFirstTest": _left_out(_CAPPING),
    "cappingType": _left_out(_CAPPING),
    "boundType": _left_out(_CAPPING),
    "boundMax": Option("translated", "target.timeout, in seconds", "number"),
    "boundDigits": _left_out(_CAPPING),
    "boundPar": _left_out(_CAPPING),
    "boundAsTimeout": _left_out(_CAPPING),
}
