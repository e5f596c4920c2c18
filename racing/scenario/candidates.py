"""Where the candidates of a scenario come from."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from racing.candidate import Candidate
from racing.errors import InputError, SamplingError, ScenarioError, did_you_mean, show
from racing.quantities import Count
from racing.scenario.forms import Named
from racing.scenario.leaves import Label, ParameterValue
from racing.scenario.lists import Grid, Items
from racing.scenario.records import Contradictions, Fault, verify
from racing.scenario.table import rows
from racing.seeds import Purpose, stream
from racing.space import Space, Value
from racing.space.configurations import Reading

MOST = 100_000


@dataclass(frozen=True)
class Entry:
    """One candidate of a list.

    Attributes
    ----------
    values
        Parameter → value. What is left out takes the space's default.
    name
        A label for people.
    """

    values: Mapping[str, Value]
    name: str = ""

    def __post_init__(self) -> None:
        verify(self)
        if "name" in self.values:
            name = show(self.values["name"])
            raise InputError(f"name is no parameter; write {{name: {name}, values: {{…}}}}")


@dataclass(frozen=True, kw_only=True)
class CandidateSource:
    """The candidates, from any of these sources; together, in this order, they are the pool.

    Within a list or a table no configuration may stand twice. Across the sources one that comes
    again is raced once, where it came first.

    Attributes
    ----------
    default
        The space's default, under the name `default`.
    list
        Candidates one by one: `{alpha: 1.0}`, or `{name: tuned, values: {alpha: 1.0}}`.
    csv
        A CSV file, seen from the folder: parameters in the header, a candidate in each row; a
        column `name` labels them. An empty cell takes the space's default.
    grid
        All combinations of some values of some parameters; the others keep the space's defaults.
        Forbidden combinations are passed over, and values of inactive parameters left out.
    sample
        How many random configurations of the space to draw, all different from one another and
        from those above. They depend on the seed alone.
    """

    default: bool = False
    list: Annotated[
        Sequence[Entry | Mapping[str, Value]],
        Items(Entry, Named(ParameterValue(), "a mapping from parameters to values"), "values"),
    ] = ()
    csv: Annotated[str | None, Label()] = None
    grid: Annotated[Mapping[str, Sequence[Value]] | None, Grid()] = None
    sample: Count | None = None

    def __post_init__(self) -> None:
        entries = (item if isinstance(item, Entry) else Entry(item) for item in self.list)
        object.__setattr__(self, "list", tuple(entries))
        verify(self)
        if not (self.default or self.list or self.csv or self.grid or self.sample):
            raise InputError("no candidates; give any of default, list, csv, grid, sample")
        for name, many in (("grid", self._combinations), ("sample", self.sample or 0)):
            if many > MOST:
                raise Contradictions([(name, f"{many} candidates; at most {MOST} are possible")])

    @property
    def _combinations(self) -> int:
        return math.prod(len(column) for column in (self.grid or {}).values())

    def resolve(self, space: Space | None, folder: Path, seed: int) -> tuple[Candidate, ...]:
        """The candidates, with ids from 1 in the order given.

        Raises
        ------
        InputError
            Naming everything that cannot be used, with its key.
        """
        faults = list(self._misfits(space))
        pool = _Pool(space, faults)
        if self.default and space and not faults:
            pool.add("default", "default", {})
        for i, entry in enumerate(self.list):
            assert isinstance(entry, Entry)
            pool.add(f"list[{i}]", entry.name, entry.values)
        if self.csv:
            pool.add_csv(folder, self.csv, space)
        if not any(key.startswith("grid") for key, _ in faults):
            for values in self._grid():
                pool.add("grid", "", values)
        if faults:
            raise Contradictions((f"candidates.{key}", message) for key, message in faults)
        if self.sample and space:
            known = [candidate.values for candidate in pool.candidates]
            try:
                drawn = space.sample(stream(seed, Purpose.SAMPLE), self.sample, exclude=known)
            except SamplingError as error:
                raise Contradictions([("candidates.sample", str(error))]) from error
            for values in drawn:
                pool.add("sample", "", values)
        return tuple(pool.candidates)

    def _grid(self) -> Iterator[Mapping[str, Value]]:
        if self.grid:
            for row in itertools.product(*self.grid.values()):
                yield dict(zip(self.grid, row, strict=True))

    def _misfits(self, space: Space | None) -> Iterator[Fault]:
        """What does not go together with the space."""
        if space is None:
            for key in ("default", "sample"):
                if getattr(self, key):
                    yield key, "needs a space, and the scenario has none"
            return
        if self.default and (missing := space.without_default()):
            yield "default", f"the space has no default for {', '.join(missing)}"
        if self.sample and self.sample > space.size:
            yield "sample", f"{self.sample} samples, but the space has only {space.size} members"
        for name, column in (self.grid or {}).items():
            if name not in space:
                yield f"grid.{name}", f"unknown parameter{did_you_mean(name, space)}"
                continue
            for value in column:
                if space[name].admit(value) is None:
                    yield f"grid.{name}", f"must be {space[name].allowed}; got {show(value)}"


class _Pool:
    """Collects candidates, and what is wrong with those that cannot be used."""

    def __init__(self, space: Space | None, faults: list[Fault]) -> None:
        self.candidates: list[Candidate] = []
        self._space = space
        self._faults = faults
        self._names: set[str] = set()
        self._known: dict[object, tuple[str, int]] = {}  # values → the key, the place

    def add(self, key: str, name: str, values: Mapping[str, Value], where: str = "") -> None:
        """Take a candidate in; `where` goes before a message about it."""
        if self._space is not None:
            reading = Reading(self._space, values, lenient=key == "grid")
            if key == "grid" and reading.is_forbidden:
                return
            for parameter, message in reading.faults:
                if where:
                    self._faults.append((key, f"{where}{parameter}: {message}"))
                else:
                    self._faults.append((f"{key}.{parameter}", message))
            if reading.faults:
                return
            values = reading.values
        self._take(key, name, dict(values), where)

    def _take(self, key: str, name: str, values: dict[str, Value], where: str) -> None:
        identity = frozenset((n, isinstance(v, bool), v) for n, v in values.items())
        source = key.partition("[")[0]
        if identity in self._known:
            first, place = self._known[identity]
            if first.partition("[")[0] == source and source != "grid":
                other = f"candidates.{first}" if "[" in first else f"row {place + 1}"
                self._faults.append((key, f"{where}the same values as {other}"))
            elif name and not self.candidates[place].name:
                self._label(place, name)
            return
        if name and name in self._names:
            self._faults.append((key, f"{where}a second candidate named {show(name)}"))
        self._names.add(name)
        self._known[identity] = key, len(self.candidates)
        self.candidates.append(Candidate(len(self.candidates) + 1, values, name))

    def _label(self, place: int, name: str) -> None:
        old = self.candidates[place]
        self._names.add(name)
        self.candidates[place] = Candidate(old.id, old.values, name)

    def add_csv(self, folder: Path, csv: str, space: Space | None) -> None:
        """Take in the rows of a CSV file."""
        try:
            for line, name, values in rows(folder / csv, csv, space):
                self.add("csv", name, values, f"{csv}:{line}: ")
        except ScenarioError as error:
            self._faults += [("csv", fault) for fault in error.faults]
