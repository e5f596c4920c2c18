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
from racing.quantities import Quantity
from racing.scenario.files import read_text
from racing.scenario.leaves import Label
from racing.scenario.lists import Items
from racing.scenario.records import Contradictions, Fault, verify

Seed = Annotated[int, Quantity("a whole number from 1 to 2147483647", low=1, high=2**31 - 1)]


@dataclass(frozen=True)
class Problem:
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
    problem
        For Python code: what the target is given instead of the name.
    """

    name: Annotated[str, Label()]
    seeds: Sequence[Seed] = ()
    file: bool = False
    problem: Any = field(default=None, metadata={"key": False})

    def __post_init__(self) -> None:
        verify(self)
        object.__setattr__(self, "seeds", tuple(self.seeds))
        if len(set(self.seeds)) < len(self.seeds):
            raise Contradictions([("seeds", "a seed stands twice; each must be different")])

    def given(self, folder: Path) -> object:
        """What the target is given."""
        if self.problem is not None:
            return self.problem
        return str(folder / self.name) if self.found(folder) else self.name

    def found(self, folder: Path) -> bool:
        """Whether there is such a file."""
        return self.problem is None and os.path.isfile(folder / self.name)


@dataclass(frozen=True, kw_only=True)
class InstanceSource:
    """The instances, from exactly one of `list`, `glob` and `file`.

    Attributes
    ----------
    list
        One by one: `a.cnf`, or `{name: a.cnf, seeds: [1, 2]}`.
    glob
        A pattern of files, seen from the folder: `data/*.cnf`, or `data/**/*.cnf` for all folders
        below. They are taken in alphabetical order.
    file
        A text file, seen from the folder, with an instance in each line: its name (in double
        quotes if it has spaces), then any fixed seeds. Empty lines and lines that start with #
        are passed over. Names in it are seen from the folder too.
    order
        `shuffled` by the scenario's seed, or as `listed`.
    repeat
        Whether the instances come again, with new seeds, after the last one.
    """

    list: Annotated[Sequence[Problem | str], Items(Problem, Label("text"), "name")] = ()
    glob: Annotated[str | None, Label()] = None
    file: Annotated[str | None, Label()] = None
    order: Order = "shuffled"
    repeat: bool = False

    def __post_init__(self) -> None:
        entries = (item if isinstance(item, Problem) else _problem(item) for item in self.list)
        object.__setattr__(self, "list", tuple(entries))
        verify(self)
        sources = [key for key in ("list", "glob", "file") if getattr(self, key)]
        if len(sources) != 1:
            what = f"has {' and '.join(sources)}" if sources else "has none"
            raise InputError(f"give exactly one of list, glob, file; it {what}")

    def resolve(self, folder: Path) -> Instances:
        """The stream of instances.

        Raises
        ------
        InputError
            Naming everything that cannot be used, with its key.
        """
        key, problems = self._problems(folder)
        if faults := list(_repeated(key, problems)):
            raise Contradictions(faults)
        return Instances(
            problems=tuple(problem.given(folder) for problem in problems),
            names=tuple(problem.name for problem in problems),
            seeds=tuple(tuple(problem.seeds) for problem in problems),
            order=self.order,
            repeat=self.repeat,
        )

    def resolved(self, folder: Path) -> InstanceSource:
        """The same instances, one by one; those that are files have to be so from now on."""
        _, problems = self._problems(folder)
        noted = [replace(one, file=one.file or one.found(folder)) for one in problems]
        return InstanceSource(list=noted, order=self.order, repeat=self.repeat)

    def missing(self, folder: Path) -> Iterator[str]:
        """The names of instances that have to be files, and are not there."""
        for one in self._problems(folder)[1]:
            if one.file and not one.found(folder):
                yield one.name

    def _problems(self, folder: Path) -> tuple[str, Sequence[Problem]]:
        """The key of the source, and what it holds."""
        if self.glob:
            return "instances.glob", _matches(folder, self.glob)
        if self.file:
            try:
                return "instances.file", _lines(folder / self.file, self.file)
            except ScenarioError as error:
                raise Contradictions(("instances.file", text) for text in error.faults) from None
        return "instances.list", self.list  # type: ignore[return-value]


def _problem(item: object) -> Problem:
    return Problem(item) if isinstance(item, str) else Problem(f"{item!s:.80}", problem=item)


def _repeated(key: str, problems: Sequence[Problem]) -> Iterator[Fault]:
    seen: set[str] = set()
    for place, problem in enumerate(problems):
        if problem.name in seen:
            where = f"{key}[{place}]" if key.endswith("list") else key
            yield where, (f"the instance {show(problem.name)} stands twice; "
                          "to run it more than once, give it several seeds")  # fmt: skip
        seen.add(problem.name)


def _matches(folder: Path, pattern: str) -> Sequence[Problem]:
    try:
        found = glob.glob(pattern, root_dir=folder, recursive=True)
    except (ValueError, OSError, re.error) as error:
        raise Contradictions([("instances.glob", f"cannot be used: {error}")]) from None
    files = sorted(name for name in found if os.path.isfile(folder / name))
    if not files:
        raise Contradictions([("instances.glob", f"no file matches {show(pattern)}")])
    return [Problem(Path(name).as_posix()) for name in files]


def _lines(path: Path, shown: str) -> Sequence[Problem]:
    """The instances of a text file."""
    problems: list[Problem] = []
    faults: list[str] = []
    for number, line in enumerate(read_text(path, shown, "lines").splitlines(), start=1):
        if line.strip() and not line.lstrip().startswith("#"):
            try:
                problems.append(_parse(line.strip()))
            except InputError as error:
                faults.append(f"{shown}:{number}: {error}")
    if not problems and not faults:
        faults.append(f"{shown}: no instances; expected one in each line")
    if faults:
        raise ScenarioError(tuple(faults))
    return problems


def _parse(line: str) -> Problem:
    match = re.fullmatch(r'(?:"([^"]+)"|(\S+))((?:\s+\d{1,10})*)', line)
    if not match:
        raise InputError(f"expected a name, then whole numbers as seeds; got {show(line)} "
                         "(a name with spaces goes in double quotes)")  # fmt: skip
    return Problem(match[1] or match[2], tuple(map(int, match[3].split())))
