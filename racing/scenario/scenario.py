"""The scenario: everything that defines a run."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Annotated, Any, Literal

from racing.budget import Budget
from racing.candidate import Candidate
from racing.evaluate.command import Command
from racing.evaluate.evaluator import OnFailure
from racing.evaluate.function import Function
from racing.instances import Instances
from racing.objective import Objective
from racing.quantities import RunSeed
from racing.records import FieldError, Record, Short, read_fields
from racing.records.leaves import LABEL
from racing.records.unions import ByName, OneOf
from racing.rules.rule import Rule
from racing.scenario.candidates import CandidateSource, Entry
from racing.scenario.checks import contradictions
from racing.scenario.instances import InstanceSource
from racing.scenario.plan import Plan, switches
from racing.scenario.search import AnySearch, SearchKind, default_objective
from racing.scenario.settings import Execution, RaceSettings
from racing.space import Space
from racing.space_keys import SpaceKind, WithSpace


def rules() -> Mapping[str, type[Any]]:
    """Name → elimination rule."""
    from racing.rules import RULES

    return RULES


_RULE = ByName("rule", rules)
_TARGET = OneOf((Record(Command), Record(Function)), function="python")
_BUDGET = Record(
    Budget,
    Short(
        ((int, "evaluations"), (float, "evaluations"), (str, "wall_time")),
        "a whole number of evaluations such as 2000, a wall-clock time such as 30m",
    ),
)
_CANDIDATES = Record(CandidateSource, Short(((list, "list"),), "a list"))
_INSTANCES = Record(
    InstanceSource, Short(((list, "list"), (str, "glob")), "a list, a pattern of files or a folder")
)


@dataclass(frozen=True, kw_only=True)
class Scenario:
    """A race or a search: what is tried on what, what it may cost, and how it is decided.

    A scenario that exists is valid: it checks itself, and reads the files that it names, when it
    is built. It does not start the target.

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
        instances, or the one with the lowest `mean` cost. Default: `rank`, for a search `mean`.
    target
        What is run: a program (`command`) or a Python function (`python`).
    on_failure
        What a crash, a timeout, NaN or unreadable output of the target means.
    space
        The parameters of the target and their domains.
    candidates
        The configurations that are raced. A list alone is the key `list`. With a search they enter
        it first; needed without one.
    search
        Search the space for configurations, in place of racing given ones: `true`, or how; `irace`
        for iterated racing. The space's default and its known configurations take part.
    instances
        The problems that they are raced on. A list alone is the key `list`, a text the key `glob`.
    test_instances
        Problems held back from the race, written as `instances` are. The winner is tested on them
        when the run is over.
    budget
        The most that the race may spend; the limit that is met first ends it. A number alone means
        evaluations, a time alone wall-clock time. Needed where instances repeat without end, and
        for a search.
    race
        When candidates are compared, and when the race may stop; not for a search.
    rule
        How candidates are eliminated: the name of a rule, or its name and parameters. A search
        judges challengers by a rule of its own unless one is named.
    execution
        Where evaluations run.
    log
        The file that the run is recorded in. Default: `runs/<name>.sqlite`.
    folder
        The folder that relative paths are seen from. Default: the scenario file's own.

    Raises
    ------
    InputError
        Naming everything that is wrong, as a file would be told.
    """

    name: Annotated[str, LABEL] = field(default="race", metadata={"default": "the file's name"})
    seed: RunSeed = 1
    direction: Literal["minimize", "maximize"] = "minimize"
    objective: Objective = field(  # None until it is known whether this is a search
        default=None,  # type: ignore[arg-type]
        metadata={"default": "rank, for a search mean"},
    )
    target: Annotated[Command | Function, _TARGET]
    on_failure: OnFailure = OnFailure()  # noqa: RUF009 (frozen)
    space: Annotated[Space | None, SpaceKind()] = None
    candidates: Annotated[CandidateSource | None, _CANDIDATES] = None
    search: Annotated[AnySearch | None, SearchKind()] = None
    instances: Annotated[InstanceSource, _INSTANCES]
    test_instances: Annotated[InstanceSource | None, _INSTANCES] = None
    budget: Annotated[Budget, _BUDGET] = Budget()  # noqa: RUF009 (frozen)
    race: RaceSettings = RaceSettings()  # noqa: RUF009 (frozen)
    rule: Annotated[Rule | None, _RULE] = field(default=None, metadata={"default": "auto"})
    execution: Execution = Execution()  # noqa: RUF009 (frozen)
    log: Annotated[str | None, LABEL] = field(
        default=None, metadata={"default": "runs/<name>.sqlite"}
    )
    folder: Annotated[str, LABEL] = field(default=".", metadata={"default": "the file's folder"})

    def __post_init__(self) -> None:
        if isinstance(self.folder, str | os.PathLike):
            object.__setattr__(self, "folder", os.path.abspath(self.folder))
        if self.objective is None:
            object.__setattr__(self, "objective", default_objective(self.search, self.rule))
        given = read_fields(self)
        object.__setattr__(self, "rule", given["judge"])
        object.__setattr__(self, "_plan", self._made_of(given))

    def contradictions(self, given: dict[str, Any]) -> Iterator[FieldError]:
        """What fields contradict each other; adds to `given` what they name, looked up."""
        return contradictions(given)

    def _made_of(self, given: Mapping[str, Any]) -> Plan:
        return Plan(
            candidates=given["pool"],
            problems=given["problems"],
            instances=given["stream"],
            test_problems=given["test_problems"],
            target=replace(self.target, cwd=os.path.join(self.folder, self.target.cwd)),
            switches=switches(self.space),
            execution=self.execution,
            race=self.race,
            rule=given["judge"],
            log=Path(self.folder, self.log or f"runs/{self.name}.sqlite"),
        )

    @property
    def plan(self) -> Plan:
        """What the run is made of: candidates, instances, target, as they were found."""
        plan: Plan = self._plan  # type: ignore[attr-defined]
        return plan

    def resolve_candidates(self) -> tuple[Candidate, ...]:
        """The candidates, with ids from 1 in the order given."""
        return self.plan.candidates

    def resolve_instances(self) -> Instances:
        """The stream of instances."""
        return self.plan.instances

    def resolve_target(self) -> Command | Function:
        """The target, its folder made absolute."""
        return self.plan.target

    def resolve_log(self) -> Path:
        """Where the log is."""
        return self.plan.log

    def resolved(self) -> Scenario:
        """The same race with every candidate and instance written out.

        It needs no other file any more, and gives the same candidates and instances; so a log
        that keeps it can be resumed whatever became of the files that the scenario was read from.
        """
        return replace(self, **self._written_out())

    def _written_out(self) -> dict[str, Any]:
        """The fields that name what the plan has found."""
        folder, plan = Path(self.folder), self.plan
        entries = tuple(Entry(one.values, one.name) for one in plan.candidates)
        held = self.test_instances
        return {
            "candidates": CandidateSource(list=entries) if entries else None,
            "instances": self.instances.written_out(plan.problems, folder),
            "test_instances": held.written_out(plan.test_problems, folder) if held else None,
        }

    def to_dict(self, *, resolved: bool = False) -> dict[str, Any]:
        """Plain data in the layout of a scenario file, every default written out.

        Parameters
        ----------
        resolved
            Whether every candidate and instance is written out, as by `resolved`.
        """
        data = WithSpace(Scenario).write(self)
        for name, part in self._written_out().items() if resolved else ():
            if part is not None:
                data[name] = Record(type(part)).write(part)
        return data

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Scenario:
        """The scenario in plain data with the layout of a scenario file.

        Raises
        ------
        ScenarioError
            With every error and its key.
        """
        from racing.scenario.load import from_dict

        return from_dict(data)
