"""The objects that a scenario names, looked up once."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from racing.core.candidate import Candidate
from racing.core.failures import WORST, Failures
from racing.core.goal import Goal
from racing.core.instances import Instances
from racing.evaluate.command import Command
from racing.evaluate.function import Function
from racing.evaluate.template import FlagSwitch
from racing.rules.rule import Rule
from racing.scenario.instances import Problem
from racing.scenario.settings import Execution, RaceSettings
from racing.space import Flag, Parameter, Space


@dataclass(frozen=True, kw_only=True)
class Plan:
    """The parts of a run, after reading the files that the scenario names.

    Attributes
    ----------
    candidates
        With ids from 1, in the order given; without those that a search will draw.
    problems, instances
        The instances: as a list, and as the stream of a race.
    test_problems
        The instances for the test of the winner; may be empty.
    target
        With an absolute folder.
    switches
        Parameter → the text before its value on a command line, or a flag's text.
    execution
        Where evaluations run.
    race
        When candidates are compared, and when the race may stop.
    rule
        How candidates are eliminated; None for the screening test of a search.
    log
        The path of the log.
    goal
        The metrics, and what is asked of them; None for one cost.
    failures
        What a failure counts as.

    Examples
    --------
    >>> from racing.scenario import reads
    >>> scenario = reads('''
    ... target: {command: "./solve {parameters}"}
    ... space: {x: {real: [0, 1]}, kind: {categorical: [a, b]}}
    ... candidates: {grid: {x: [0, 1], kind: [a, b]}}
    ... instances: [p, q]
    ... ''', "race.yaml")
    >>> [candidate.id for candidate in scenario.plan.candidates]
    [1, 2, 3, 4]
    >>> [problem.name for problem in scenario.plan.problems]
    ['p', 'q']
    """

    candidates: tuple[Candidate, ...]
    problems: tuple[Problem, ...]
    instances: Instances
    test_problems: tuple[Problem, ...]
    target: Command | Function
    switches: Mapping[str, str]
    execution: Execution
    race: RaceSettings
    rule: Rule | None
    log: Path
    goal: Goal | None = None
    failures: Failures = WORST


def switches(space: Space | None) -> dict[str, str]:
    """Parameter → the text before its value on a command line, or a flag's text."""
    return {name: _switch(name, parameter) for name, parameter in (space or {}).items()}


def _switch(name: str, parameter: Parameter) -> str:
    if isinstance(parameter, Flag):
        return FlagSwitch(parameter.switch or f"--{name}")
    return f"--{name}=" if parameter.switch is None else parameter.switch
