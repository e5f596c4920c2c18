"""The scenario: the complete definition of a run."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Annotated, Any, Literal

from racing.base.quantities import RunSeed
from racing.base.records import INVALID, Errors, FieldError, KeyDoc, Record, Short, read_fields
from racing.base.records.collections import OneOrSeveral, Several
from racing.base.records.leaves import LABEL
from racing.base.records.unions import OneOf
from racing.core.aims import Aim, ObjectiveKind, unasked
from racing.core.budget import BUDGET, Budget
from racing.core.failures import ON_FAILURE, OnFailure
from racing.core.metric import Metric, MetricsKind
from racing.core.objective import Objective
from racing.evaluate.command import Command
from racing.evaluate.function import Function
from racing.rules.names import RULE
from racing.rules.rule import Rule
from racing.scenario.candidates import CandidateSource, Entry
from racing.scenario.checks import contradictions
from racing.scenario.document import Document
from racing.scenario.instances import InstanceSource
from racing.scenario.plan import Plan, switches
from racing.scenario.search_settings import AnySearch, SearchKind, default_objective
from racing.scenario.settings import Execution, RaceSettings
from racing.space import Space
from racing.space.keys import BESIDE, SpaceKind, WithSpace

_TARGET = OneOf((Record(Command), Record(Function)), function="python")
_CANDIDATES = Record(CandidateSource, Short(((list, "list"),), "a list"))
_INSTANCES = Record(
    InstanceSource, Short(((list, "list"), (str, "glob")), "a list, a pattern of files or a folder")
)


_LOGS = OneOrSeveral(LABEL, Several(LABEL, least=1, distinct=True))


@dataclass(frozen=True, kw_only=True)
class Scenario:
    """The definition of a race or a search: target, space, instances, budget and rule.

    A scenario is always valid: when it is built, it checks itself and reads the files that it
    names. It does not start the target.

    Attributes
    ----------
    name
        The name of the run. Default: the scenario file's name without its ending.
    seed
        The seed of all random draws of a run.
    direction
        Whether to `minimize` or `maximize` the target's answer.
    metrics
        The numbers that an experiment is measured by, where one is not enough: name → metric. The
        target then tells each value.
    objective
        The best candidate has the best mean `rank` among all candidates over the instances, or the
        lowest `mean` cost. Default: `rank`, for a search `mean`. Required for several metrics: a
        mapping that says what is asked of them, to `minimize` or `maximize` a formula, perhaps
        `subject_to` constraints, an `order`, or a `front`. `rank` or `mean` is about the first one.
    unit
        The unit of costs, such as `conflicts` or `s`, for tables and pictures.
    target
        The program (`command`) or Python function (`python`) to run.
    on_failure
        The treatment of a crash, a timeout, NaN or unreadable output of the target.
    space
        The parameters of the target and their domains.
    candidates
        The configurations of a race. A plain list is the key `list`. They enter a search first;
        required without a search.
    search
        Search the space for configurations instead of racing given ones: `true`, settings, or
        `irace` for iterated racing. The space's default and its known configurations take part.
    instances
        The problems to run on. A plain list is the key `list`, a text the key `glob`.
    test_instances
        Problems for the test of the winner after the run, written as `instances`.
    budget
        The limits; the first that is reached ends the run. A plain number means evaluations, a
        plain time wall-clock time. Required if instances repeat without end, and for a search.
    race
        When candidates are compared, and when the race may stop; not for a search.
    rule
        How candidates are eliminated: the name of a rule, or its name and parameters. By default, a
        search uses its screening test.
    execution
        Where evaluations run.
    reuse
        Logs of earlier runs, relative to the folder: what one of them holds for the same values,
        instance, seed and target is taken from it, and neither takes time nor is paid for again.
        Instances then have the seeds that they had there, or one of their own that does not depend
        on the others. Failures are evaluated again.
    log
        The file of the run's log. Default: `runs/<name>.sqlite`.
    folder
        The folder for relative paths. Default: the scenario file's.

    Raises
    ------
    InputError
        Naming all errors, as for a file.

    Examples
    --------
    >>> from racing import Scenario
    >>> scenario = Scenario(
    ...     target={"command": "./solve {instance} {parameters}"},
    ...     space={"x": {"real": [0, 1], "default": 0.5}},
    ...     search=True,
    ...     instances={"list": ["a", "b"], "repeat": True},
    ...     budget=300,
    ... )
    >>> scenario.budget.evaluations
    300
    """

    name: Annotated[str, LABEL] = field(default="race", metadata={"default": "the file's name"})
    seed: RunSeed = 1
    direction: Literal["minimize", "maximize"] = "minimize"
    metrics: Annotated[Mapping[str, Metric] | None, MetricsKind()] = None
    objective: Annotated[Objective | Aim, ObjectiveKind()] = field(  # None until search is read
        default=None,  # type: ignore[arg-type]
        metadata={"default": "rank, for a search mean"},
    )
    unit: Annotated[str | None, LABEL] = None
    target: Annotated[Command | Function, _TARGET]
    on_failure: Annotated[OnFailure, ON_FAILURE] = OnFailure()  # noqa: RUF009 (frozen)
    space: Annotated[Space | None, SpaceKind()] = None
    candidates: Annotated[CandidateSource | None, _CANDIDATES] = None
    search: Annotated[AnySearch | None, SearchKind()] = None
    instances: Annotated[InstanceSource, _INSTANCES]
    test_instances: Annotated[InstanceSource | None, _INSTANCES] = None
    budget: Annotated[Budget, BUDGET] = Budget()  # noqa: RUF009 (frozen)
    race: RaceSettings = RaceSettings()  # noqa: RUF009 (frozen)
    rule: Annotated[Rule | None, RULE] = field(default=None, metadata={"default": "auto"})
    execution: Execution = Execution()  # noqa: RUF009 (frozen)
    reuse: Annotated[Sequence[str], _LOGS] = ()
    log: Annotated[str | None, LABEL] = field(
        default=None, metadata={"default": "runs/<name>.sqlite"}
    )
    folder: Annotated[str, LABEL] = field(default=".", metadata={"default": "the file's folder"})

    def __post_init__(self) -> None:
        if isinstance(self.folder, str | os.PathLike):
            object.__setattr__(self, "folder", os.path.abspath(self.folder))
        logs: Any = [self.reuse] if isinstance(self.reuse, str | os.PathLike) else self.reuse
        if isinstance(logs, list | tuple):
            texts = (os.fspath(one) if isinstance(one, os.PathLike) else one for one in logs)
            object.__setattr__(self, "reuse", type(logs)(texts))
        object.__setattr__(self, "_assumed", self.objective is None)
        if self.objective is None:
            object.__setattr__(self, "objective", default_objective(self.search, self.rule))
        given = read_fields(self)
        object.__setattr__(self, "rule", given["judge"])
        if (goal := given["goal"]) is not None:
            object.__setattr__(self, "direction", goal.direction)
        object.__setattr__(self, "_plan", self._made_of(given))

    @property
    def objective_assumed(self) -> bool:
        """Whether `objective` was not given."""
        return bool(self._assumed)  # type: ignore[attr-defined]

    def contradictions(self, given: dict[str, Any]) -> Iterator[FieldError]:
        """The contradictions between fields; adds the objects that they name to `given`."""
        yield from contradictions(given)
        if self.objective_assumed and (why := unasked([*(given.get("metrics") or ())])):
            yield FieldError("metrics", why)

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
            goal=given["goal"],
            failures=given["failures"],
        )

    @property
    def score(self) -> Objective:
        """What is averaged over instances: `rank` or `mean`."""
        if isinstance(self.objective, str):
            return self.objective
        assert self.plan.goal is not None
        return self.plan.goal.score(default_objective(self.search, self.rule))

    @property
    def plan(self) -> Plan:
        """The parts of the run: candidates, instances, target and so on."""
        plan: Plan = self._plan  # type: ignore[attr-defined]
        return plan

    def resolved(self) -> Scenario:
        """The same scenario with every candidate and instance written out.

        It needs no other files, and gives the same candidates and instances; so a log with it can
        be resumed even if those files are changed or deleted.
        """
        return replace(self, **self._written_out())

    def _written_out(self) -> dict[str, Any]:
        """The fields with candidates and instances of the plan written out."""
        folder, plan = Path(self.folder), self.plan
        entries = tuple(Entry(one.values, one.name) for one in plan.candidates)
        held = self.test_instances
        return {
            "candidates": CandidateSource(list=entries) if entries else None,
            "instances": self.instances.written_out(plan.problems, folder),
            "test_instances": held.written_out(plan.test_problems, folder) if held else None,
        }

    @property
    def earlier_logs(self) -> tuple[Path, ...]:
        """The paths of the logs that outcomes are taken from."""
        joined = (os.path.join(self.folder, name) for name in self.reuse)
        return tuple(Path(os.path.normpath(path)) for path in joined)

    def to_dict(self, *, resolved: bool = False) -> dict[str, Any]:
        """Plain data in the layout of a scenario file, every default written out.

        Parameters
        ----------
        resolved
            Whether to write out every candidate and instance, as `resolved` does.
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
        return build(Document(data=data))


def json_schema() -> dict[str, Any]:
    """The JSON Schema (draft 2020-12) of a scenario file, for editors.

    It allows the values that the reader does; only the reader finds contradictions between keys.
    """
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "racing scenario",
        **WithSpace(Scenario).schema(),
    }


def reference() -> list[KeyDoc]:
    """All keys of a scenario file, in order."""
    return list(WithSpace(Scenario).key_docs(""))


def build(document: Document) -> Scenario:
    """The scenario in a document, or an error with all that is wrong."""
    top = frozenset(field.name for field in fields(Scenario)) | BESIDE.keys()
    errors = Errors(top=top, plain=True)
    built = WithSpace(Scenario).read(document.data, "", errors)
    document.raise_if_any(errors.found)
    assert built is not INVALID
    return built  # type: ignore[no-any-return]
