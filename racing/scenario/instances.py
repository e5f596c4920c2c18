"""The sources of the instances of a scenario."""

from __future__ import annotations

import glob
import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Annotated, Any

from racing.base.errors import InputError, ScenarioError, must_be, show
from racing.base.quantities import Correlation, Quantity
from racing.base.records import Checked, FieldError, FieldErrors, Record, Short
from racing.base.records.collections import Several
from racing.base.records.leaves import LABEL, LONGEST, NAME
from racing.core.instances import Instances, Order
from racing.scenario.families import families
from racing.scenario.files import matching, read_text, unreplaced

Seed = Annotated[int, Quantity("a whole number from 1 to 2147483647", low=1, high=2**31 - 1)]


@dataclass(frozen=True)
class Problem(Checked):
    """One instance of a list.

    Attributes
    ----------
    name
        Its name in reports and the log, and the argument of the target. The name of a file,
        relative to the folder, reaches the target as an absolute path.
    seeds
        Fixed seeds: the instance is used once with each of them. Without any, its seed is drawn by
        the scenario's seed.
    file
        Whether it must be a file: no run starts or resumes while the file is missing. A log sets it
        for every instance that is a file when its run starts.
    group
        A label that related instances share, such as the data set of folds. Costs on instances of
        one group are correlated. Either all instances have one, or none.
    family
        The kind of problem: gains are reported for each family too. It has no effect on the race.
        Default: the group, if any.
    problem
        For Python code: the argument of the target instead of the name.

    Examples
    --------
    >>> from pathlib import Path
    >>> from racing.scenario import Problem
    >>> problem = Problem("a.cnf", seeds=(1, 2), group="crafted")
    >>> problem.name, problem.seeds, problem.found(Path("data"))
    ('a.cnf', (1, 2), False)
    """

    name: Annotated[str, NAME]
    seeds: Sequence[Seed] = ()
    file: bool = False
    group: Annotated[str | None, LABEL] = None
    family: Annotated[str | None, LABEL] = None
    problem: Any = field(default=None, metadata={"key": False})

    def contradictions(self, given: dict[str, Any]) -> Iterator[FieldError]:
        """Repeated seeds."""
        if "seeds" in given and len(set(given["seeds"])) < len(given["seeds"]):
            yield FieldError("seeds", "must differ; got one of them twice")

    def given(self, folder: Path) -> object:
        """The argument of the target."""
        if self.problem is not None:
            return self.problem
        return str(folder / self.name) if self.found(folder) else self.name

    def found(self, folder: Path) -> bool:
        """Whether the file exists."""
        return self.problem is None and os.path.isfile(os.path.join(folder, self.name))


@dataclass(frozen=True, kw_only=True)
class InstanceSource(Checked):
    """The instances, from exactly one of `list`, `glob` and `file`.

    Attributes
    ----------
    list
        One by one: `a.cnf`, or `{name: a.cnf, seeds: [1, 2]}`.
    glob
        A pattern of files, relative to the folder: `data/*.cnf`, or `data/**/*.cnf` for all folders
        below. A folder, such as `data`, means the files in it. Files are in alphabetical order.
    file
        A text file, relative to the folder, with an instance in each line: its name (in double
        quotes if it has spaces), then any fixed seeds. Empty lines and lines that start with # are
        ignored. Names in it are relative to the folder too.
    order
        `shuffled` by the scenario's seed, or as `listed`.
    repeat
        Whether the instances repeat, with new seeds, after the last one.
    correlation
        Of two costs within a `group`: for the folds of a data set the share of the data that is
        tested, 1/k for k folds. Default: 0.1, if instances have groups.
    family
        Gives the family of instances without one: `folder`, the name of the instance's folder; a
        regular expression, whose first group, or whole match, is the family; or `kinds.csv:kind`, a
        column of a table with the instances in its first column.

    Examples
    --------
    >>> from racing.scenario import InstanceSource
    >>> source = InstanceSource(list=["a.cnf", "b.cnf"], order="listed")
    >>> [problem.name for problem in source.list]
    ['a.cnf', 'b.cnf']
    """

    list: Annotated[
        Sequence[Problem | str],
        Several(
            Record(Problem, Short(((str, "name"), (int, "name")), "text or a whole number")),
            least=1,
        ),
    ] = ()
    glob: Annotated[str | None, LABEL] = None
    file: Annotated[str | None, LABEL] = None
    order: Order = "shuffled"
    repeat: bool = False
    correlation: Correlation | None = None
    family: Annotated[str | None, LABEL] = None

    def __post_init__(self) -> None:
        if isinstance(self.list, Sequence) and not isinstance(self.list, str):
            object.__setattr__(self, "list", tuple(map(_problem, self.list)))
        super().__post_init__()

    def contradictions(self, given: dict[str, Any]) -> Iterator[FieldError]:
        """Errors: not exactly one source, repeated instances, or groups for only some instances."""
        if not given.keys() >= {"list", "glob", "file"}:
            return
        sources = [key for key in ("list", "glob", "file") if given[key]]
        if len(sources) != 1:
            what = f"has {' and '.join(sources)}" if sources else "has none"
            yield FieldError("", f"give exactly one of list, glob, file; it {what}")
        yield from _repeated(given["list"])
        yield from _ungrouped(given["list"], given.get("correlation"))
        yield from _lacking(given["list"], "family") if not given.get("family") else ()

    def problems(self, folder: Path) -> tuple[Problem, ...]:
        """The instances, one by one.

        Raises
        ------
        FieldErrors
            Naming each error with its key.
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
        return self._with_families(found, folder)

    def _with_families(self, found: Sequence[Problem], folder: Path) -> tuple[Problem, ...]:
        """The instances; those without a family get theirs from `family`."""
        lacking = [one.name for one in found if one.family is None]
        if self.family is None or not lacking:
            return tuple(found)
        try:
            told = iter(families(lacking, self.family, folder))
        except ScenarioError as error:
            raise FieldErrors(FieldError("family", text) for text in error.errors) from None
        except InputError as error:
            raise FieldErrors([FieldError("family", str(error))]) from None
        return tuple(replace(one, family=one.family or next(told)) for one in found)

    def stream(self, problems: Sequence[Problem], folder: Path) -> Instances:
        """The stream of these instances."""
        return Instances(
            problems=tuple(problem.given(folder) for problem in problems),
            names=tuple(problem.name for problem in problems),
            seeds=tuple(tuple(problem.seeds) for problem in problems),
            order=self.order,
            repeat=self.repeat,
            **self._dependence(problems),
            families=tuple(one.family for one in problems if one.family is not None),
        )

    def _dependence(self, problems: Sequence[Problem]) -> dict[str, Any]:
        """Groups and their correlation, as arguments of `Instances`."""
        groups = tuple(one.group for one in problems if one.group is not None)
        known = {"groups": groups, "correlation": self.correlation}
        return {key: value for key, value in known.items() if value is not None}

    def resolve(self, folder: Path) -> Instances:
        """The stream of instances; raises what `problems` raises."""
        return self.stream(self.problems(folder), folder)

    def written_out(self, problems: Sequence[Problem], folder: Path) -> InstanceSource:
        """These instances as a list; existing files are required from now on."""
        noted = [one if one.file else replace(one, file=one.found(folder)) for one in problems]
        return replace(self, list=noted, glob=None, file=None)


def _problem(item: object) -> object:
    """An instance given by Python code."""
    if isinstance(item, Problem):
        return item
    short = isinstance(item, str) and len(item) <= LONGEST
    return Problem(item) if short else Problem(f"{item!s:.80}", problem=item)  # type: ignore[arg-type]


_AGAIN = "to run it more than once, give it several seeds, or set repeat: true"


def _repeated(problems: Sequence[Problem]) -> Iterator[FieldError]:
    """An error for each instance that is given more than once, at its second place."""
    places: dict[str, list[int]] = {}
    for place, problem in enumerate(problems):
        places.setdefault(problem.name, []).append(place)
    for name, (_, *again) in places.items():
        if again:
            times = "twice" if len(again) == 1 else f"{1 + len(again)} times"
            yield FieldError(
                f"list[{again[0]}]",
                f"the instance {show(name)} is given {times}; {_AGAIN}",
            )


def _ungrouped(problems: Sequence[Problem], correlation: float | None) -> Iterator[FieldError]:
    """Errors: groups of only some instances, or a correlation without groups."""
    yield from _lacking(problems, "group", " (one of its own if it is independent of the others)")
    if correlation is not None and all(one.group is None for one in problems):
        yield FieldError(
            "correlation",
            "is of instances of one group, but these have none; write the instances as "
            "{name: fold 1, group: wine}, or leave it out",
        )


def _lacking(problems: Sequence[Problem], key: str, hint: str = "") -> Iterator[FieldError]:
    """The first instance without a group or a family that others have."""
    lacking = [place for place, one in enumerate(problems) if getattr(one, key) is None]
    if 0 < len(lacking) < len(problems):
        name = show(problems[lacking[0]].name)
        yield FieldError(
            f"list[{lacking[0]}]",
            f"the instance {name} has no {key}, but others have one; give each a {key}{hint}, or "
            "none",
        )


def _matches(folder: Path, pattern: str) -> Sequence[Problem]:
    """The files that match a pattern, or are in a folder."""
    inside = os.path.join(glob.escape(pattern), "*") if os.path.isdir(folder / pattern) else pattern
    try:
        found = matching(inside, folder)
    except (ScenarioError, ValueError, OSError, re.error) as error:
        raise FieldErrors([FieldError("glob", f"cannot be used: {error}")]) from None
    files = [name for name in found if os.path.isfile(folder / name)]
    if not files:
        what = "no file lies in" if inside != pattern else "no file matches"
        raise FieldErrors([FieldError("glob", f"{what} {show(pattern)}{_why(folder, pattern)}")])
    return [Problem(Path(name).as_posix()) for name in files]


def _why(folder: Path, pattern: str) -> str:
    """Why nothing is found, where that is known."""
    if os.path.isabs(pattern) or os.path.isdir(folder):
        return unreplaced(pattern)
    return f"; the folder {folder} does not exist"


def _lines(path: Path, shown: str) -> Sequence[Problem]:
    """The instances of a text file."""
    problems: list[Problem] = []
    errors: list[str] = []
    places: dict[str, int] = {}
    for number, line in enumerate(read_text(path, shown, "lines").splitlines(), start=1):
        if line.strip() and not line.lstrip().startswith("#"):
            try:
                problems.append(one := _parse(line.strip()))
                if (first := places.setdefault(one.name, number)) != number:
                    raise InputError(f"the instance {show(one.name)} is also in line {first}; "
                                     f"{_AGAIN}")  # fmt: skip
            except InputError as error:
                errors.append(f"{shown}:{number}: {error}")
    if not problems and not errors:
        errors.append(f"{shown} must have one instance in each line; got none")
    if errors:
        raise ScenarioError(tuple(errors))
    return problems


def _parse(line: str) -> Problem:
    match = re.fullmatch(r'(?:"([^"]+)"|(\S+))((?:\s+\d{1,10})*)', line)
    if not match:
        raise InputError(must_be("a line", "a name, then whole numbers as seeds", line,
                                 "write a name with spaces in double quotes"))  # fmt: skip
    return Problem(match[1] or match[2], tuple(map(int, match[3].split())))
