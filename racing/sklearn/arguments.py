"""What is raced, from grids, distributions or a space; the metric or the metrics that decide."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from sklearn.model_selection import ParameterGrid, ParameterSampler

from racing.base.errors import InputError, did_you_mean, must_be, show
from racing.core.aims import Front
from racing.core.candidate import Candidate
from racing.core.goal import Goal
from racing.core.metric import Metric
from racing.scenario.formats import from_config_space
from racing.sklearn._compat import scorers_by_name
from racing.space import Space
from racing.space.objects import Objects
from racing.space.parameter import Parameter, Value

N_ITER = 30
"""The default number of candidates from distributions that are not searched."""

FITS_PER_FOLD = 19
"""The default budget of a search. Chosen with `benchmarks.sklearn_peers`."""

KNEE = "knee"
"""The `refit` that races the front of all metrics and chooses the best compromise."""

Params = dict[str, Any]

_KINDS = (Mapping, Parameter)
"""What makes a dictionary a space."""


def searched(
    param_space: Any, objects: Objects, *, drawn: bool = False
) -> Space | Mapping[str, Any] | None:
    """The space to be searched, with the names of its objects; None for candidates.

    A dictionary is a space if one of its values is a parameter, as in `racing.minimize`, or a
    distribution that has an interval, unless candidates are to be `drawn` from it.

    Raises
    ------
    InputError
        If choices have no names, or the same.
    """
    if type(param_space).__module__.partition(".")[0] == "ConfigSpace":
        return from_config_space(param_space)
    if isinstance(param_space, Space) or not isinstance(param_space, Mapping):
        return param_space if isinstance(param_space, Space) else None
    space = any(isinstance(one, _KINDS) for one in param_space.values())
    if not space and (drawn or not _has_distribution(param_space)):
        return None
    try:
        return objects.parameters(
            {name: one if isinstance(one, _KINDS) or hasattr(one, "rvs")
             else {"categorical": list(one)} for name, one in param_space.items()}
        )  # fmt: skip
    except InputError:
        if space:
            raise
        return None  # another distribution, or a choice without a name: candidates are drawn


def listed(param_space: Any, n_iter: int | None, random_state: Any) -> list[Params]:
    """The settings of all candidates.

    Parameters
    ----------
    param_space
        A dictionary from names to lists or distributions, or a list of such.
    n_iter
        The number to draw. None: the whole grid, or 30 with a distribution.

    Raises
    ------
    InputError
        If it is something else, or empty.
    """
    spaces = [param_space] if isinstance(param_space, Mapping) else param_space
    if not isinstance(spaces, Sequence) or not all(isinstance(one, Mapping) for one in spaces):
        allowed = (
            "a dictionary from parameters to lists or distributions, a list of such, or a "
            "space: racing.space.Space, or a dictionary of parameters such as {'real': [0, 1]}"
        )
        raise InputError(must_be("param_space", allowed, param_space))
    if not spaces:
        raise InputError("param_space is an empty list; give at least one grid")
    if n_iter is None and not any(map(_has_distribution, spaces)):
        return [dict(one) for one in ParameterGrid(list(spaces))]
    many = N_ITER if n_iter is None else n_iter
    sampler = ParameterSampler(list(spaces), many, random_state=random_state)
    return [dict(one) for one in sampler]


class Listed(Objects):
    """The settings that stand behind the values of listed candidates.

    Attributes
    ----------
    candidates
        With ids from 1; objects among their values are text, which tells the candidates apart.
    """

    def __init__(self, settings: Sequence[Params]) -> None:
        super().__init__()
        self._settings: dict[str, Params] = {}
        self.candidates: list[Candidate] = []
        for number, params in enumerate(settings, start=1):
            values = {name: _plain(value) for name, value in params.items()}
            if repr(values) in self._settings:
                values |= {
                    name: f"{value} ({number})"
                    for name, value in values.items()
                    if isinstance(value, str) and not isinstance(params[name], str)
                }
            self._settings.setdefault(repr(values), params)
            self.candidates.append(Candidate(number, values))

    def behind(self, values: Mapping[str, Value]) -> Params:
        """The settings of a candidate."""
        return dict(self._settings[repr(dict(values))])


def _has_distribution(space: Mapping[str, Any]) -> bool:
    return any(hasattr(value, "rvs") for value in space.values())


def _plain(value: Any) -> Value:
    """A value in the form for logs and reports."""
    if hasattr(value, "item") and getattr(value, "ndim", 1) == 0:
        value = value.item()
    if isinstance(value, bool | int | float | str):
        return value
    return f"{value!r:.200}"


# --- metrics ------------------------------------------------------------------------------------


def knee_goal(search: Any, scorers: Any) -> Goal | None:
    """The front of all metrics, where `refit` is `"knee"` and no metric has that name; else None.

    Raises
    ------
    InputError
        If `scoring` does not name two metrics or more, or `race_metric` is given too.
    """
    names = scorers_by_name(scorers)
    if not isinstance(search.refit, str) or search.refit != KNEE:
        return None
    if callable(search.scoring) or not isinstance(names, Mapping) or len(names) < 2:
        raise InputError(
            "refit='knee' races the front of several metrics, which scoring must name: a list of "
            "names, or a dictionary from names to scorers, of two or more"
        )
    if KNEE in names:
        return None
    if search.race_metric is not None:
        raise InputError(
            f"race_metric is {search.race_metric!r}, but refit='knee' races all metrics; leave "
            "one of them out"
        )
    metrics = {str(name): Metric(direction="maximize") for name in names}
    return Goal(metrics, Front(front=tuple(metrics)))


def deciding_metric(search: Any, scorers: Any) -> str | None:
    """The name of the metric that decides; None if `scoring` gives a single score.

    It is `race_metric`, or else that of `refit`. The metrics of a callable are known only after the
    first fit.

    Raises
    ------
    InputError
        If there are several metrics and none is named, or the name is unknown.
    """
    named: str | None = search.race_metric
    if named is None and isinstance(search.refit, str):
        named = search.refit
    if callable(search.scoring):
        return named
    names = scorers_by_name(scorers)
    if not isinstance(names, Mapping):
        if search.race_metric is not None:
            raise InputError(
                f"race_metric is {search.race_metric!r}, but scoring has a single metric; leave it "
                "out, or give several in scoring"
            )
        return None
    if named is None:
        raise InputError(
            f"scoring has the metrics {', '.join(names)}; say which of them decides the race: "
            f"race_metric={next(iter(names))!r}, say"
        )
    if named not in names:
        raise InputError(f"race_metric is {show(named)}{did_you_mean(str(named), list(names))}")
    return str(named)
