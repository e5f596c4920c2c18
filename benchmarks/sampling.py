"""What a random configuration costs, here and in ConfigSpace, and whether both draw the same.

    python -m benchmarks.sampling [--n 10000] [--rounds 5] [--alone]

Three spaces: `flat` has 20 parameters, `conditional` 50 of which about 18 are active, `forbidden`
two numbers with a < b, so that half of all draws are refused. Times are processor time for n
configurations as plain mappings, the least of some rounds; rounds alternate. "drawn" is without
turning them into mappings, which ConfigSpace does on demand. "agreement" compares
the marginal distribution of every parameter over its active draws, by the two-sample
Kolmogorov–Smirnov test or the chi-square test: the least p value times the number of parameters.
Integers on a logarithmic scale are left out of it: here i has the share of [i, i + 1), as in irace,
there that of [i − ½, i + ½]. `--alone` leaves ConfigSpace out, and need not have it installed.
"""

from __future__ import annotations

import argparse
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from scipy import stats

from racing.base.errors import require
from racing.space import Boolean, Categorical, Integer, Ordinal, Parameter, Real, Space

ALGORITHMS = ("ils", "aco", "ga", "sa")


def flat() -> Space:
    """20 parameters of every kind that both know."""
    parameters: dict[str, Parameter] = {}
    for i in range(5):
        parameters[f"x{i}"] = Real(0.01, 5, log=i % 2 == 0)
        parameters[f"n{i}"] = Integer(1, 100, log=i % 2 == 0)
        parameters[f"c{i}"] = Categorical(list("abcde"))
        parameters[f"o{i}"] = Ordinal(["low", "mid", "high"])
    return Space(parameters)


def conditional() -> Space:
    """50 parameters, in three levels of conditions."""
    parameters: dict[str, Parameter] = {"algorithm": Categorical(ALGORITHMS)}
    for name in ALGORITHMS:
        parameters[f"{name}_restart"] = Boolean(when=f"algorithm == {name}")
        for i in range(5):
            log = i % 2 == 0
            parameters[f"{name}_x{i}"] = Real(0.01, 5, log=log, when=f"algorithm == {name}")
            parameters[f"{name}_n{i}"] = Integer(1, 100, log=log, when=f"{name}_restart")
    for i in range(5):
        parameters[f"g{i}"] = Real(0, 1)
    return Space(parameters)


def forbidden() -> Space:
    """Two numbers, one below the other."""
    return Space({"a": Real(0, 1, default=0.2), "b": Real(0, 1, default=0.8)}, forbidden=["a >= b"])


SPACES: dict[str, Callable[[], Space]] = {
    "flat": flat, "conditional": conditional, "forbidden": forbidden,
}  # fmt: skip


def translated(space: Space, seed: int) -> Any:
    """The same space in ConfigSpace."""
    library = require("ConfigSpace", extra="peers", purpose="the comparison")
    other = library.ConfigurationSpace(seed=seed)
    for name, parameter in space.items():
        other.add(_parameter(library, name, parameter))
    for name, parameter in space.items():
        if parameter.when is not None:
            parent, _, value = str(parameter.when).partition(" == ")
            other.add(library.EqualsCondition(other[name], other[parent], value or True))
    if space.forbidden:
        other.add(library.ForbiddenGreaterThanEqualsRelation(other["a"], other["b"]))
    return other


def _parameter(library: Any, name: str, parameter: Parameter) -> Any:
    if parameter.levels is not None:
        return library.Categorical(name, list(parameter.levels), ordered=parameter.ordered)
    number: Any = parameter
    kind = library.Integer if isinstance(parameter, Integer) else library.Float
    return kind(name, (number.low, number.high), log=number.log, default=number.default)


def seconds(work: Callable[[], object]) -> float:
    """Processor time of a call."""
    start = time.process_time()
    work()
    return time.process_time() - start


def agreement(space: Space, ours: Sequence[Mapping[str, Any]], theirs: Sequence[Any]) -> float:
    """The least p value of the marginals, times their number; at most 1."""
    found = []
    for name, parameter in space.items():
        if isinstance(parameter, Integer) and parameter.log:
            continue
        a, b = ([values[name] for values in drawn if name in values] for drawn in (ours, theirs))
        found.append(_p_value(parameter, a, b))
    return min(1.0, min(found) * len(found))


def _p_value(parameter: Parameter, a: list[Any], b: list[Any]) -> float:
    if parameter.levels is None:
        return float(stats.ks_2samp(np.array(a, float), np.array(b, float)).pvalue)
    counts = [[Counter(drawn)[level] for level in parameter.levels] for drawn in (a, b)]
    return float(stats.chi2_contingency(np.array(counts)).pvalue)


def measure(name: str, n: int, rounds: int) -> tuple[list[float], float]:
    """Milliseconds per 1000 as mappings and drawn, ours and theirs; and the agreement."""
    space = SPACES[name]()
    other = translated(space, 1)
    rng = np.random.default_rng(1)
    work: list[Callable[[], object]] = [
        lambda: space.sample(rng, n),
        lambda: [dict(each) for each in other.sample_configuration(n)],
        lambda: _drawn(space, rng, n),
        lambda: other.sample_configuration(n),
    ]
    times = [[seconds(each) for each in work] for _ in range(rounds)]
    best = 1e6 / n * np.min(times, axis=0)
    theirs = [dict(each) for each in other.sample_configuration(n)]
    return best.tolist(), agreement(space, space.sample(rng, n), theirs)


def _drawn(space: Space, rng: np.random.Generator, n: int) -> object:
    """At least `n` allowed rows on the unit scale."""
    units = space.encoding.draw(rng, n)
    kept = [units[space.encoding.allowed(units)]]
    while sum(map(len, kept)) < n:
        units = space.encoding.draw(rng, n)
        kept.append(units[space.encoding.allowed(units)])
    return np.vstack(kept)


def print_alone(n: int, rounds: int) -> None:
    """Milliseconds for n configurations, as mappings and drawn."""
    print(f"ms for {n} configurations\nspace        as mappings    drawn")
    for name in SPACES:
        space, rng = SPACES[name](), np.random.default_rng(1)
        times = [
            [seconds(lambda: space.sample(rng, n)), seconds(lambda: _drawn(space, rng, n))]  # noqa: B023
            for _ in range(rounds)
        ]
        mappings, drawn = 1000 * np.min(times, axis=0)
        print(f"{name:12s} {mappings:11.1f} {drawn:8.1f}")


def main() -> None:
    """Print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--n", type=int, default=10_000)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--alone", action="store_true", help="without ConfigSpace")
    args = parser.parse_args()
    if args.alone:
        print_alone(args.n, args.rounds)
        return
    print(f"ms per 1000 configurations, n = {args.n}")
    print("             as mappings                  drawn")
    print("space        racing ConfigSpace  ratio   racing ConfigSpace  ratio   agreement")
    for name in SPACES:
        (a, b, c, d), fit = measure(name, args.n, args.rounds)
        print(
            f"{name:12s} {a:6.2f} {b:11.2f} {b / a:6.1f} "
            f"{c:8.2f} {d:11.2f} {d / c:6.1f} {fit:11.2f}"
        )


if __name__ == "__main__":
    main()
