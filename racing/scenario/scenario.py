"""The scenario: everything that defines a run."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal

from racing.budget import Budget
from racing.candidate import Candidate
from racing.evaluate.command import Command
from racing.evaluate.evaluator import OnFailure
from racing.evaluate.function import Function
from racing.instances import Instances
from racing.objective import Objective
from racing.quantities import RunSeed
from racing.rules.rule import Rule
from racing.scenario.candidates import CandidateSource, Entry
from racing.scenario.checks import CHECKS
from racing.scenario.instances import InstanceSource
from racing.scenario.leaves import Label
from racing.scenario.nodes import BAD, Faults, Node, of_data
from racing.scenario.records import Check, Record, verify
from racing.scenario.settings import Execution, RaceSettings
from racing.scenario.shapes import BudgetShape, OneOf, RuleShape, default_rule
from racing.scenario.space_shape import SpaceShape
from racing.space import Space


@dataclass(frozen=True, kw_only=True)
class Scenario:
    """A race: what is raced on what, what it may cost, and how it is decided.

    A scenario that exists is valid: it checks itself, and the files that it names, when it is
    built. It does not start the target.

    Attributes
    ----------
    name
        What the run is called. Default: the scenario file's name without its ending.
    seed
        All randomness of a run comes from it.
    direction
        Whether the target's answer is to be small (`minimize`) or large (`maximize`).
    objective
        What the best candidate is: the one with the best mean `rank` among all candidates over the
        instances, or the one with the lowest `mean` cost.
    target
        What is run: a program (`command`) or a Python function (`python`).
    on_failure
        What a crash, a timeout, NaN or unreadable output of the target means.
    space
        The parameters of the target and their domains.
    candidates
        The configurations that are raced.
    instances
        The problems that they are raced on.
    budget
        The most that the race may spend; the limit that is met first ends it. A number alone means
        evaluations, a time alone wall-clock time. Needed where instances repeat without end.
    race
        When candidates are compared, and when the race may stop.
    rule
        How candidates are eliminated: the name of a rule, or its name and parameters.
    execution
        Where evaluations run.
    log
        The file that the run is recorded in. Default: `runs/<name>.sqlite`.
    folder
        The folder that relative paths are seen from. Default: the scenario file's own.
    """

    CHECKS: ClassVar[tuple[Check, ...]] = CHECKS

    name: Annotated[str, Label()] = field(default="race", metadata={"default": "the file's name"})
    seed: RunSeed = 1
    direction: Literal["minimize", "maximize"] = "minimize"
    objective: Objective = "rank"
    target: Annotated[Command | Function, OneOf((Command, Function))]
    on_failure: OnFailure = OnFailure()  # noqa: RUF009 (frozen)
    space: Annotated[Space | None, SpaceShape()] = None
    candidates: CandidateSource
    instances: InstanceSource
    budget: Annotated[Budget, BudgetShape()] = Budget()  # noqa: RUF009 (frozen)
    race: RaceSettings = RaceSettings()  # noqa: RUF009 (frozen)
    rule: Annotated[Rule, RuleShape()] = field(default_factory=default_rule)
    execution: Execution = Execution()  # noqa: RUF009 (frozen)
    log: Annotated[str | None, Label()] = field(
        default=None, metadata={"default": "runs/<name>.sqlite"}
    )
    folder: Annotated[str, Label()] = field(default=".", metadata={"default": "the file's folder"})

    def __post_init__(self) -> None:
        object.__setattr__(self, "folder", os.path.abspath(self.folder))
        verify(self)

    def resolve_candidates(self) -> tuple[Candidate, ...]:
        """The candidates, with ids from 1 in the order given."""
        return self.candidates.resolve(self.space, Path(self.folder), self.seed)

    def resolve_instances(self) -> Instances:
        """The stream of instances."""
        return self.instances.resolve(Path(self.folder))

    def resolve_target(self) -> Command | Function:
        """The target, its folder made absolute."""
        return replace(self.target, cwd=os.path.join(self.folder, self.target.cwd))

    def resolve_log(self) -> Path:
        """Where the log is."""
        return Path(self.folder, self.log or f"runs/{self.name}.sqlite")

    def resolved(self) -> Scenario:
        """The same race with every candidate and instance written out.

        It needs no other file any more, and gives the same candidates and instances; so a log
        that keeps it can be resumed whatever became of the files that the scenario was read from.
        """
        entries = tuple(Entry(one.values, one.name) for one in self.resolve_candidates())
        instances = self.instances.resolved(Path(self.folder))
        return replace(self, candidates=CandidateSource(list=entries), instances=instances)

    def to_dict(self) -> dict[str, Any]:
        """Plain data in the layout of a scenario file, every default written out."""
        return Record(Scenario).write(self)  # type: ignore[no-any-return]

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Scenario:
        """The scenario in plain data with the layout of a scenario file.

        Raises
        ------
        ScenarioError
            With every fault and its key.
        """
        return build(of_data(data), Faults(top=KEYS))


KEYS = tuple(part.name for part in fields(Scenario))


def build(node: Node, faults: Faults) -> Scenario:
    """The scenario in a tree of nodes, or an error with all faults."""
    scenario = BAD if faults and node.value is BAD else Record(Scenario).read(node, faults)
    faults.raise_if_any()
    assert isinstance(scenario, Scenario)
    return scenario
