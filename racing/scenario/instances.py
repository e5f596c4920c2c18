"""Where the instances of a scenario come from."""

from __future__ import annotations

import glob
import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Annotated, Any

from racing.errors import InputError, ScenarioError, show
from racing.instances import Instances, Order
from racing.quantities import Correlation, Quantity
from racing.records import Checked, FieldError, FieldErrors, Record, Short
from racing.records.collections import Several
from racing.records.leaves import LABEL
from racing.scenario.files import read_text

Seed = Annotated[int, Quantity("a whole number from 1 to 2147483647", low=1, high=2**31 - 1)]


@dataclass(frozen=True)
class Problem(Checked):
    """One instance of a list.

    Attributes
    ----------
    name
        What people and the log call it, and what the target is given. The name of a file, seen
        from the folder, reaches the target as an absolute path.
    seeds
        Fixed seeds: the instance comes once with each of them. Without any it gets a seed of its
        own from the scenario's.
    file
        Whether it has to be a file: no run begins, or goes on, while that is missing. A log notes
        it of every instance that is a file when its run begins.
    group
        What the instance has in common with others, such as the data set that folds are of. Costs
        on instances of one group are correlated, so that more of them tell less. Either all
        instances have one, or none.
    problem
        For Python code: what the target is given instead of the name.
    """

    name: Annotated[str, LABEL]
    seeds: Sequence[Seed] = ()
    file: bool = False
    group: Annotated[str | None, LABEL] = None
    problem: Any = field(default=None, metadata={"key": False})

    def contradictions(self, given: dict[str, Any]) -> Iterator[FieldError]:
        """A seed that is there twice."""
        if "seeds" in given and len(set(given["seeds"])) < len(given["seeds"]):
            yield FieldError("seeds", "a seed is given twice; each must be different")

    def given(self, folder: Path) -> object:
        """What the target is given."""
        if self.problem is not None:
            return self.problem
        return str(folder / self.name) if self.found(folder) else self.name

    def found(self, folder: Path) -> bool:
        """Whether there is such a file."""
        return self.problem is None and os.path.isfile(folder / self.name)


@dataclass(frozen=True, kw_only=True)
class InstanceSource(Checked):
    """The instances, from exactly one of `list`, `glob` and `file`.

    Attributes
    ----------
    list
        One by one: `a.cnf`, or `{name: a.cnf, seeds: [1, 2]}`.
    glob
        A pattern of files, seen from the folder: `data/*.cnf`, or `data/**/*.cnf` for all folders
        below. A folder, such as `data`, stands for the files in it. They are taken in alphabetical
        order.
    file
        A text file, seen from the folder, with an instance in each line: its name (in double
        quotes if it has spaces), then any fixed seeds. Empty lines and lines that start with #
        are passed over. Names in it are seen from the folder too.
    order
        `shuffled` by the scenario's seed, or as `listed`.
    repeat
        Whether the instances come again, with new seeds, after the last one.
    correlation
        Of two costs within a `group`: for the folds of a data set the share of the data that is
        tested, 1/k for k folds. Default: 0.1, where instances have groups.
    """

    list: Annotated[
        Sequence[Problem | str], Several(Record(Problem, Short(((str, "name"),), "text")), least=1)
    ] = ()
    glob: Annotated[str | None, LABEL] = None
    file: Annotated[str | None, LABEL] = None
    order: Order = "shuffled"
    repeat: bool = False
    correlation: Correlation | None = None

    def __post_init__(self) -> None:
        if isinstance(self.list, Sequence) and not isinstance(self.list, str):
            object.__setattr__(self, "list", tuple(map(_problem, self.list)))
        super().__post_init__()

    def contradictions(self, given: dict[str, Any]) -> Iterator[FieldError]:
        """Exactly one source, no instance twice, and groups for all instances or none."""
        if not given.keys() >= {"list", "glob", "file"}:
            return
        sources = [key for key in ("list", "glob", "file") if given[key]]
        if len(sources) != 1:
            what = f"has {' and '.join(sources)}" if sources else "has none"
            yield FieldError("", f"give exactly one of list, glob, file; it {what}")
        yield from _repeated("list", given["list"])
        yield from _ungrouped(given["list"], given.get("correlation"))

    def problems(self, folder: Path) -> tuple[Problem, ...]:
        """The instances, one by one.

        Raises
        ------
        FieldErrors
            Naming everything that cannot be used, with its key.
        """
        if self.glob:
            found = _matches(folder, self.glob)
        elif self.file:
            try:
                found = _lines(folder / self.file, self.file)
            except ScenarioError as error:
                raise FieldErrors(FieldError("file", text) for text in error.errors) from None
        else:
            found = self.list  # type: ignore[assignment]
        if errors := [*_repeated("file", found)] if self.file else []:
            raise FieldErrors(errors)
        return tuple(found)

    def stream(self, problems: Sequence[Problem], folder: Path) -> Instances:
        """The stream of these instances."""
        return Instances(
            problems=tuple(problem.given(folder) for problem in problems),
            names=tuple(problem.name for problem in problems),
            seeds=tuple(tuple(problem.seeds) for problem in problems),
            order=self.order,
            repeat=self.repeat,
            **self._dependence(problems),
        )

    def _dependence(self, problems: Sequence[Problem]) -> dict[str, Any]:
        """Groups and their correlation, as `Instances` takes them."""
        groups = tuple(one.group for one in problems if one.group is not None)
        known = {"groups": groups, "correlation": self.correlation}
        return {key: value for key, value in known.items() if value is not None}

    def resolve(self, folder: Path) -> Instances:
        """The stream of instances; raises what `problems` raises."""
        return self.stream(self.problems(folder), folder)

    def written_out(self, problems: Sequence[Problem], folder: Path) -> InstanceSource:
        """These instances one by one; those that are files have to be so from now on."""
        noted = [one if one.file else replace(one, file=one.found(folder)) for one in problems]
        return InstanceSource(
            list=noted, order=self.order, repeat=self.repeat, correlation=self.correlation
        )


def _problem(item: object) -> object:
    """What Python code gave as an instance."""
    if isinstance(item, Problem):
        return item
    return Problem(item) if isinstance(item, str) else Problem(f"{item!s:.80}", problem=item)


def _repeated(key: str, problems: Sequence[Problem]) -> Iterator[FieldError]:
    seen: set[str] = set()
    for place, problem in enumerate(problems):
        if problem.name in seen:
            where = f"{key}[{place}]" if key == "list" else key
            yield FieldError(
                where,
                f"the instance {show(problem.name)} is given twice; "
                "to run it more than once, give it several seeds",
            )
        seen.add(problem.name)


def _ungrouped(problems: Sequence[Problem], correlation: float | None) -> Iterator[FieldError]:
    """Groups that some instances lack, or a correlation that is of no group."""
    lacking = [place for place, one in enumerate(problems) if one.group is None]
    if problems and 0 < len(lacking) < len(problems):
        name = show(problems[lacking[0]].name)
        yield FieldError(
            f"list[{lacking[0]}]",
            f"the instance {name} has no group, but others have one; give each a group (one of its "
            "own if it is independent of the others), or none",
        )
    if correlation is not None and len(lacking) == len(problems):
        yield FieldError(
            "correlation",
            "is of instances of one group, but these have none; write the instances as "
            "{name: fold 1, group: wine}, or leave it out",
        )


def _matches(folder: Path, pattern: str) -> Sequence[Problem]:
    """The files that match a pattern, or lie in a folder."""
    inside = os.path.join(glob.escape(pattern), "*") if os.path.isdir(folder / pattern) else pattern
    try:
        found = glob.glob(inside, root_dir=folder, recursive=True)
    except (ValueError, OSError, re.error) as error:
        raise FieldErrors([FieldError("glob", f"cannot be used: {error}")]) from None
    files = sorted(name for name in found if os.path.isfile(folder / name))
    if not files:
        what = "no file lies in" if inside != pattern else "no file matches"
        raise FieldErrors([FieldError("glob", f"{what} {show(pattern)}")])
    return [Problem(Path(name).as_posix()) for name in files]


def _lines(path: Path, shown: str) -> Sequence[Problem]:
    """The instances of a text file."""
    problems: list[Problem] = []
    errors: list[str] = []
    for number, line in enumerate(read_text(path, shown, "lines").splitlines(), start=1):
        if line.strip() and not line.lstrip().startswith("#"):
            try:
                problems.append(_parse(line.strip()))
            except InputError as error:
                errors.append(f"{shown}:{number}: {error}")
    if not problems and not errors:
        errors.append(f"{shown}: no instances; expected one in each line")
    if errors:
        raise ScenarioError(tuple(errors))
    return problems


def _parse(line: str) -> Problem:
    match = re.fullmatch(r'(?:"([^"]+)"|(\S+))((?:\s+\d{1,10})*)', line)
    if not match:
        raise InputError(f"expected a name, then whole numbers as seeds; got {show(line)} "
                         "(a name with spaces goes in double quotes)")  # fmt: skip
    return Problem(match[1] or match[2], tuple(map(int, match[3].split())))
