"""A scenario with everything that it names looked up, once."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from racing.candidate import Candidate
from racing.evaluate.command import Command
from racing.evaluate.function import Function
from racing.evaluate.template import FlagSwitch
from racing.instances import Instances
from racing.rules.rule import Rule
from racing.scenario.instances import Problem
from racing.scenario.settings import Execution, RaceSettings
from racing.space import Flag, Parameter, Space


@dataclass(frozen=True, kw_only=True)
class Plan:
    """What a run is made of; the files that the scenario names have been read.

    Attributes
    ----------
    candidates
        With ids from 1, in the order given; those that a search draws are not among them.
    problems, instances
        What is raced on: one by one, and as the stream that a race goes through.
    test_problems
        The instances held back for the test of the winner; empty if the scenario names none.
    target
        Its folder made absolute.
    switches
        Parameter → what a command line puts before its value, or has for a flag.
    execution
        Where evaluations run.
    race
        When candidates are compared, and when the race may stop.
    rule
        How candidates are eliminated; None for a search that judges challengers in its own way.
    log
        Where the run is recorded.
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


def switches(space: Space | None) -> dict[str, str]:
    """Parameter → what a command line puts before its value, or has for a flag."""
    return {name: _switch(name, parameter) for name, parameter in (space or {}).items()}


def _switch(name: str, parameter: Parameter) -> str:
    if isinstance(parameter, Flag):
        return FlagSwitch(parameter.switch or f"--{name}")
    return f"--{name}=" if parameter.switch is None else parameter.switch
