"""The sources of the candidates of a scenario."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

from racing.base.errors import MOST_ERRORS, SamplingError, ScenarioError, did_you_mean, placed, show
from racing.base.quantities import Count
from racing.base.records import Checked, FieldError, FieldErrors, Record, Short
from racing.base.records.collections import Named, Several
from racing.base.records.leaves import LABEL, VALUE
from racing.base.seeds import Purpose, stream
from racing.core.candidate import Candidate
from racing.scenario.tables import candidates_in
from racing.space import Space, Value
from racing.space.configurations import Reading

MOST = 100_000


@dataclass(frozen=True)
class Entry(Checked):
    """One candidate of a list.

    Attributes
    ----------
    values
        Parameter → value. What is left out takes the space's default.
    name
        A label for people.

    Examples
    --------
    >>> from racing.scenario import CandidateSource, Entry
    >>> tuned = Entry({"alpha": 1.0}, name="tuned")
    >>> found = CandidateSource(list=[tuned, {"alpha": 2.0}]).list
    >>> [(entry.name, entry.values) for entry in found]
    [('tuned', {'alpha': 1.0}), ('', {'alpha': 2.0})]
    """

    values: Mapping[str, Value]
    name: str = ""

    def contradictions(self, given: dict[str, Any]) -> Iterator[FieldError]:
        """A name among the parameters."""
        if "name" in given.get("values", ()):
            name = show(given["values"]["name"])
            yield FieldError("", f"name is not a parameter; write {{name: {name}, values: {{…}}}}")


_ENTRY = Record(Entry, Short(((Mapping, "values"),), "a mapping from parameters to values"))
_COLUMNS = Named(
    Several(VALUE, least=1, distinct=True),
    "a mapping from parameters to lists of values, such as {alpha: [0.5, 1, 2]}",
    least=1,
)


@dataclass(frozen=True, kw_only=True)
class CandidateSource(Checked):
    """The candidates: those of all given sources, in this order.

    A list or a table must not repeat a configuration. One that repeats across the sources is raced
    once, at its first place.

    Attributes
    ----------
    default
        The space's default, under the name `default`.
    known
        The space's known configurations.
    list
        Candidates one by one: `{alpha: 1.0}`, or `{name: tuned, values: {alpha: 1.0}}`.
    csv
        A CSV file, relative to the folder: parameters in the header, a candidate in each row; a
        column `name` labels them. An empty cell takes the space's default.
    grid
        All combinations of some values of some parameters; the others keep the space's defaults.
        Values of inactive parameters and forbidden combinations are left out.
    sample
        The number of random configurations of the space, all different from one another and from
        those above. They depend on the seed alone.

    Examples
    --------
    >>> from pathlib import Path
    >>> from racing.scenario import CandidateSource
    >>> from racing.space import Categorical, Real, Space
    >>> space = Space({"x": Real(0, 1, default=0.5), "kind": Categorical(["a", "b"])})
    >>> source = CandidateSource(grid={"kind": ["a", "b"]}, list=[{"x": 1, "kind": "a"}])
    >>> [dict(one.values) for one in source.resolve(space, Path(), seed=1)]
    [{'x': 1.0, 'kind': 'a'}, {'x': 0.5, 'kind': 'a'}, {'x': 0.5, 'kind': 'b'}]
    """

    default: bool = False
    known: bool = False
    list: Annotated[Sequence[Entry | Mapping[str, Value]], Several(_ENTRY, least=1)] = ()
    csv: Annotated[str | None, LABEL] = None
    grid: Annotated[Mapping[str, Sequence[Value]] | None, _COLUMNS] = None
    sample: Count | None = None

    def __post_init__(self) -> None:
        if self.list == []:
            object.__setattr__(self, "list", ())
        super().__post_init__()

    def contradictions(self, given: dict[str, Any]) -> Iterator[FieldError]:
        """No source at all, or too many candidates."""
        if len(given) == len(_SOURCES) and not any(given.values()):
            yield FieldError("", f"no candidates; give any of {', '.join(_SOURCES)}")
        columns = (given.get("grid") or {}).values()
        many = {"grid": math.prod(map(len, columns)), "sample": given.get("sample") or 0}
        for name, count in many.items():
            if count > MOST:
                yield FieldError(name, f"{count} candidates; at most {MOST} are possible")

    def resolve(self, space: Space | None, folder: Path, seed: int) -> tuple[Candidate, ...]:
        """The candidates, with ids from 1 in the order given.

        Raises
        ------
        FieldErrors
            Naming each error with its key.
        """
        errors = list(self._misfits(space))
        pool = _Pool(space, errors)
        if self.default and space and not errors:
            pool.add("default", "default", {})
        for i, values in enumerate(space.known if self.known and space else ()):
            pool.add(f"known[{i}]", "", values)
        for i, entry in enumerate(self.list):
            assert isinstance(entry, Entry)
            pool.add(f"list[{i}]", entry.name, entry.values)
        if self.csv:
            pool.add_csv(folder, self.csv)
        if not any(path.startswith("grid") for path, *_ in errors):
            pool.add_grid(self.grid or {})
        if self.sample and space and not errors:
            pool.add_samples(self.sample, seed)
        if errors:
            raise FieldErrors(errors)
        return tuple(pool.candidates)

    def _misfits(self, space: Space | None) -> Iterator[FieldError]:
        """Conflicts with the space."""
        if space is None:
            for key in ("default", "known", "sample"):
                if getattr(self, key):
                    yield FieldError(key, "needs a space, and the scenario has none")
            return
        if self.default and (missing := space.without_default()):
            yield FieldError("default", f"the space has no default for {', '.join(missing)}")
        if self.known and not space.known:
            yield FieldError("known", "the scenario has no known configurations")
        if self.sample and self.sample > space.size:
            members = f"the space has only {space.size:.0f} members"
            yield FieldError("sample", f"{self.sample} samples, but {members}")
        for name, column in (self.grid or {}).items():
            yield from _column_misfits(name, column, space)


def _column_misfits(name: str, column: Sequence[Value], space: Space) -> Iterator[FieldError]:
    if name not in space:
        yield FieldError(f"grid.{name}", f"unknown parameter{did_you_mean(name, space)}")
        return
    for value in column:
        if space[name].admit(value) is None:
            yield FieldError(f"grid.{name}", f"must be {space[name].allowed}; got {show(value)}")


_SOURCES = ("default", "known", "list", "csv", "grid", "sample")


class _Pool:
    """Collects candidates, and the errors of invalid ones."""

    def __init__(self, space: Space | None, errors: list[FieldError]) -> None:
        self.candidates: list[Candidate] = []
        self._space = space
        self._errors = errors
        self._names: set[str] = set()
        self._known: dict[object, tuple[str, int]] = {}  # values → the key, the place

    def add(self, key: str, name: str, values: Mapping[str, Value], where: str = "") -> None:
        """Add a candidate; `where` begins a message about it."""
        if self._space is not None:
            reading = Reading(self._space, values)
            for parameter, message in reading.errors:
                path = key if where else f"{key}.{parameter}"
                message = f"{where}{placed(parameter, message)}" if where else message
                self._errors.append(FieldError(path, message))
            if reading.errors:
                return
            values = reading.values
        self._take(key, name, dict(values), where)

    def _take(self, key: str, name: str, values: dict[str, Value], where: str) -> None:
        identity = frozenset((n, isinstance(v, bool), v) for n, v in values.items())
        source = key.partition("[")[0]
        if identity in self._known:
            first, place = self._known[identity]
            if first.partition("[")[0] == source and source not in ("grid", "known"):
                other = f"candidates.{first}" if "[" in first else f"row {place + 1}"
                self._errors.append(FieldError(key, f"{where}the same values as {other}"))
            elif name and not self.candidates[place].name:
                self._label(place, name)
            return
        if name and name in self._names:
            self._errors.append(FieldError(key, f"{where}a second candidate named {show(name)}"))
        self._names.add(name)
        self._known[identity] = key, len(self.candidates)
        self.candidates.append(Candidate(len(self.candidates) + 1, values, name))

    def _label(self, place: int, name: str) -> None:
        old = self.candidates[place]
        self._names.add(name)
        self.candidates[place] = Candidate(old.id, old.values, name)

    def add_csv(self, folder: Path, csv: str) -> None:
        """Add the rows of a CSV file."""
        try:
            found = candidates_in(folder / csv, csv, self._space)
            if not found:
                what = "must be a header of parameters, then a row for each candidate; got no row"
                self._errors.append(FieldError("csv", f"{csv} {what}"))
            for line, name, values in found:
                if len(self._errors) >= MOST_ERRORS:
                    self._errors.append(FieldError("csv", f"{csv}:{line}: the rest was not read"))
                    break
                self.add("csv", name, values, f"{csv}:{line}: ")
        except ScenarioError as error:
            self._errors += [FieldError("csv", text) for text in error.errors]

    def add_grid(self, grid: Mapping[str, Sequence[Value]]) -> None:
        """Add all combinations that the space allows."""
        for row in itertools.product(*grid.values()) if grid else ():
            values: Mapping[str, Value] = dict(zip(grid, row, strict=True))
            if self._space is not None:
                reading = Reading(self._space, values, lenient=True)
                if reading.is_forbidden:
                    continue
                values = values if reading.errors else reading.values
            self.add("grid", "", values)

    def add_samples(self, n: int, seed: int) -> None:
        """Draw new configurations."""
        assert self._space is not None
        known = [candidate.values for candidate in self.candidates]
        try:
            drawn = self._space.sample(stream(seed, Purpose.SAMPLE), n, exclude=known)
        except SamplingError as error:
            self._errors.append(FieldError("sample", str(error)))
            return
        for values in drawn:
            self._take("sample", "", values, "")
