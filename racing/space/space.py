"""The space: named parameters, and the configurations that they allow."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, fields
from functools import cached_property

import numpy as np

from racing.base.errors import InputError, SpaceError, must_be, placed, show
from racing.space import counting, nearby, sampling
from racing.space.checks import space_errors
from racing.space.configurations import Reading, key
from racing.space.encoding import Encoding, Units
from racing.space.parameter import Clause, Configuration, Parameter, Value, Values, name_error
from racing.space.structure import PlacedError, Structure, make_structure

MOST = 10_000  # parameters, forbidden clauses, known configurations; bounds the time of checks


@dataclass(frozen=True)
class Space(Mapping[str, Parameter]):
    """An ordered mapping from names to parameters, with constraints on their combinations.

    A configuration is a mapping from parameter to value with exactly the active parameters.

    Attributes
    ----------
    parameters
        Name → `Real`, `Integer`, `Categorical`, … A name starts with a letter, a digit, `_` or `@`
        and continues with letters, digits, `_`, `.`, `-`, `:` and `@`; `name` and `values` are
        reserved, and a number is not a name.
    forbidden
        Clauses such as `min_pert > max_pert`; a configuration for which one holds is forbidden.
    known
        Known good configurations; missing values take their defaults.

    Raises
    ------
    SpaceError
        With every error and its place: an unknown name, types that do not fit, parameters that
        depend on each other in a circle, a condition that is never true, a domain that can be
        empty, a default or known configuration that is not allowed.

    Examples
    --------
    >>> from racing.space import Categorical, Integer, Space
    >>> space = Space(
    ...     {
    ...         "algorithm": Categorical(("ils", "aco"), default="ils"),
    ...         "ants": Integer(5, 100, default=20, when="algorithm == aco"),
    ...     }
    ... )
    >>> space.default()
    {'algorithm': 'ils'}
    >>> space.complete({"algorithm": "aco"})
    {'algorithm': 'aco', 'ants': 20}
    """

    parameters: Mapping[str, Parameter]
    _: KW_ONLY
    forbidden: Sequence[Clause] = ()
    known: Sequence[Configuration] = ()

    def __post_init__(self) -> None:
        if isinstance(self.forbidden, str) or not isinstance(self.forbidden, Sequence):
            raise InputError(must_be("forbidden", "a list of clauses", self.forbidden))
        if not isinstance(self.known, Sequence) or isinstance(self.known, str):
            raise InputError(must_be("known", "a list of configurations", self.known))
        self._check_parameters()
        object.__setattr__(self, "parameters", dict(self.parameters))
        object.__setattr__(self, "forbidden", tuple(self.forbidden))
        structure, errors = make_structure(self.parameters, self.forbidden)
        if errors:
            raise SpaceError(errors)
        self.__dict__["structure"] = structure
        if errors := list(space_errors(self)):
            raise SpaceError(errors)
        object.__setattr__(self, "known", self._read_known())

    def _check_parameters(self) -> None:
        if not isinstance(self.parameters, Mapping) or not self.parameters:
            raise InputError("a space must have one parameter or more: {name: parameter}")
        for what in ("parameters", "forbidden", "known"):
            if (count := len(getattr(self, what))) > MOST:
                message = f"must have at most {MOST} items; got {count}"
                raise SpaceError([PlacedError((what,), message)])
        if errors := [error for name in self.parameters if (error := name_error(name))]:
            raise InputError("\n".join(errors))
        for name, parameter in self.parameters.items():
            if not isinstance(parameter, Parameter):
                raise InputError(must_be(f"parameter {name!r}", "Real, Integer, …", parameter))

    def _read_known(self) -> tuple[Values, ...]:
        found, errors = [], list[PlacedError]()
        for i, values in enumerate(self.known):
            if not isinstance(values, Mapping):
                errors.append(PlacedError(("known", i), f"must be a mapping; got {show(values)}"))
                continue
            reading = Reading(self, values)
            errors += [PlacedError(("known", i, name), message) for name, message in reading.errors]
            found.append(reading.values)
        if errors:
            raise SpaceError(errors)
        return tuple(found)

    def __getitem__(self, name: str) -> Parameter:
        return self.parameters[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.parameters)

    def __len__(self) -> int:
        return len(self.parameters)

    def __hash__(self) -> int:
        return hash((tuple(self.parameters.items()), tuple(self.forbidden)))

    def __getstate__(self) -> dict[str, object]:
        return {each.name: getattr(self, each.name) for each in fields(self)} | {
            "structure": self.structure
        }

    def __setstate__(self, state: dict[str, object]) -> None:
        self.__dict__.update(state)

    @cached_property
    def structure(self) -> Structure:
        """The resolved expressions, and the order of dependency."""
        return make_structure(self.parameters, self.forbidden)[0]

    @cached_property
    def encoding(self) -> Encoding:
        """The unit scale, for samplers and models."""
        return Encoding(self.parameters, self.structure)

    @cached_property
    def size(self) -> float:
        """The number of configurations; inf with a real parameter.

        An upper bound if parameters that others depend on have more than a million combinations;
        else exact.
        """
        return counting.size(self)

    def default(self) -> Values:
        """The configuration of all defaults.

        Raises
        ------
        InputError
            If an active parameter has none.
        """
        if missing := self.without_default():
            raise InputError(f"no default for {', '.join(missing)}; give each parameter one")
        return self.complete({})

    def without_default(self) -> tuple[str, ...]:
        """The active parameters without a default."""
        reading = Reading(self, {})
        return tuple(name for name, _ in reading.errors if self[name].default is None)

    def complete(self, values: Mapping[str, Value], *, lenient: bool = False) -> Values:
        """The configuration in the space's order and types, defaults filled in.

        Parameters
        ----------
        values
            Parameter → value.
        lenient
            Whether values of inactive parameters are left out without an error.

        Raises
        ------
        InputError
            Naming every value that is missing, unknown, inactive or outside its domain, and each
            forbidden clause that holds.
        """
        reading = Reading(self, values, lenient=lenient)
        if reading.errors:
            raise InputError("; ".join(placed(*error) for error in reading.errors))
        return reading.values

    def defaults(self, values: Mapping[str, object]) -> Values:
        """The defaults of the active parameters that `values` lacks."""
        found = Reading(self, values, lenient=True).values
        return {name: value for name, value in found.items() if name not in values}

    def check(self, values: Mapping[str, Value]) -> None:
        """Refuse a configuration that is incomplete or outside the space.

        Raises
        ------
        InputError
            Naming every value that is missing, unknown, inactive or outside its domain, and each
            forbidden clause that holds.
        """
        if errors := [placed(*error) for error in self.errors(values)]:
            raise InputError("; ".join(errors))

    def errors(self, values: Mapping[str, object]) -> Iterator[tuple[str, str]]:
        """(parameter, message) for every error that `check` would raise."""
        yield from Reading(self, values, strict=True).errors

    def sample(
        self, rng: np.random.Generator, n: int, *, exclude: Iterable[Configuration] = ()
    ) -> list[Values]:
        """`n` distinct random configurations, or all if the space has fewer.

        Every active parameter is uniform on its scale and current domain, given its parents;
        forbidden combinations are drawn again.

        Parameters
        ----------
        rng
            Where the draws come from.
        n
            How many.
        exclude
            Complete configurations that are not wanted again.

        Raises
        ------
        SamplingError
            If almost no random configuration is allowed; names the clause that refuses most.
        """
        return sampling.sample(self, rng, n, exclude=exclude)

    def initial(
        self, rng: np.random.Generator, n: int, *, exclude: Iterable[Configuration] = ()
    ) -> list[Values]:
        """As `sample`, but evenly spread: points of a scrambled Sobol sequence.

        Raises
        ------
        SamplingError
            If almost no point is allowed.
        """
        return sampling.initial(self, rng, n, exclude=exclude)

    def enumerate(self, most: int = 100_000) -> list[Values]:
        """All configurations; the first parameters change slowest.

        Raises
        ------
        InputError
            If there are more than `most`.
        """
        return self.encoding.plain(counting.enumerated(self, most)[0])

    def encode(self, configurations: Sequence[Configuration]) -> Units:
        """Configurations → array of shape (n, d) on the unit scale; see `Encoding.encode`."""
        return self.encoding.encode(configurations)

    def decode(self, units: Units) -> list[Values]:
        """Array of shape (n, d) → configurations; see `Encoding.decode`."""
        return self.encoding.decode(units)

    def distance(self, one: Configuration, other: Configuration) -> float:
        """The mean difference over the parameters active in either, from 0 to 1.

        Numbers and ordinals differ by their distance on the unit scale, categories by 0 or 1; a
        parameter active in one only differs by 1 (Gower, Biometrics 27, 1971).
        """
        return nearby.distance(self, one, other)

    def neighbours(
        self, values: Configuration, rng: np.random.Generator, *, draws: int = 4, sd: float = 0.2
    ) -> list[Values]:
        """Allowed configurations that differ in one parameter, and in those that it activates.

        A category takes each other level, an ordinal its two neighbours, a number `draws` values
        from a normal distribution around its place with standard deviation `sd` on the unit scale.
        Newly active parameters are drawn uniformly.
        """
        return nearby.neighbours(self, values, rng, draws=draws, sd=sd)

    def key(self, values: Configuration) -> tuple[object, ...]:
        """A key that is equal exactly for equal configurations."""
        return key(self, values)
