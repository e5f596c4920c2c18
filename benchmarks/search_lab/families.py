"""The eight families of targets: their spaces, and what a landscape of each is drawn from.

Five are synthetic: S5, S15, H15, S40 and D40, with 5 to 36 parameters, of which H15 and D40 are
hard by noise with heavy tails or instances that differ. Three are real algorithms in small: OPT
(continuous optimisers), SAT (local search for satisfiability) and QAP (quadratic assignment).
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

from benchmarks.search_lab.dimensions import Dimension, category, number

FAMILIES = ("S5", "S15", "H15", "S40", "D40", "OPT", "SAT", "QAP")
SYNTHETIC = FAMILIES[:5]
REAL = FAMILIES[5:]


@dataclass(frozen=True, kw_only=True)
class Family:
    """What the landscapes of a family share.

    Attributes
    ----------
    kind
        Which cost function: 0 synthetic, 1 optimisers, 2 satisfiability, 3 assignment.
    instances
        How many training instances there are.
    tests
        On how many test instances a configuration's true cost is measured.
    default
        The default's values, of a real algorithm.
    base, noise_kind, noise, scale_spread, plateau
        Of a synthetic landscape; see native/targets.h.
    drift
        How much the optima and the effects of categories differ between instances.
    """

    name: str
    dimensions: tuple[Dimension, ...]
    kind: int = 0
    instances: int = 50
    tests: int = 1000
    default: dict[str, float] = field(default_factory=dict)
    base: float = 0.0
    noise_kind: float = 0.0
    noise: float = 0.0
    scale_spread: float = 0.0
    plateau: float = 0.0
    drift: float = 0.0

    def place(self, name: str) -> int:
        """The place of a parameter."""
        return [dimension.name for dimension in self.dimensions].index(name)

    def default_values(self) -> list[float]:
        """The default of a real algorithm; NaN where inactive."""
        return [self.default.get(dimension.name, math.nan) for dimension in self.dimensions]


def _five() -> tuple[Dimension, ...]:
    return (
        category("alg", 3),
        number("a", 0, 1),
        number("b", 1e-3, 10, kind="rl"),
        number("m", 1, 100, "alg", 0, kind="i"),
        number("t", 0, 5, "alg", 1, 2),
    )


def _fifteen() -> tuple[Dimension, ...]:
    return (
        category("alg", 4),
        category("ls", 3),
        number("g1", 0, 1),
        number("g2", 1e-3, 10, kind="rl"),
        number("g3", 1, 200, kind="il"),
        number("g4", -5, 5),
        category("b1", 2),
        number("a0", 0, 1, "alg", 0),
        number("a1", 1, 1000, "alg", 0, kind="il"),
        number("a2", 0, 10, "alg", 1),
        number("a3", 1e-4, 1, "alg", 1, 2, kind="rl"),
        number("a4", 1, 20, "alg", 2, 3, kind="i"),
        number("l1", 0, 1, "ls", 1, 2),
        number("l2", 1, 50, "ls", 2, kind="i"),
        category("l3", 3, "ls", 1, 2),
    )


def _forty() -> tuple[Dimension, ...]:
    found = [category("alg", 5), category("ls", 4), category("init", 3), category("rst", 2)]
    found += [category(f"c{i}", 2 + i % 3) for i in range(6)]
    found += [
        number(f"g{i}", 0, 1) if i % 3 else number(f"g{i}", 1e-3, 10, kind="rl") for i in range(10)
    ]
    found += [number(f"n{i}", 1, 100, kind="il" if i % 2 else "i") for i in range(4)]
    for k in range(5):
        found.append(number(f"a{k}x", 0, 1, "alg", k))
        found.append(number(f"a{k}y", 1e-3, 1, "alg", k, kind="rl"))
    found += [
        number("l1", 0, 1, "ls", 1, 2, 3),
        number("l2", 1, 50, "ls", 2, kind="i"),
        number("l3", 0, 1, "ls", 3),
        number("r1", 1, 1000, "rst", 1, kind="il"),
        number("r2", 0, 1, "rst", 1),
        category("r3", 3, "rst", 1),
    ]
    return tuple(found)


def _optimisers() -> tuple[Dimension, ...]:
    return (
        category("alg", 3),
        category("strat", 5, "alg", 0),
        number("NP", 5, 120, "alg", 0, kind="il"),
        number("Flo", 0, 1.2, "alg", 0),
        number("dith", 0, 1, "alg", 0),
        number("CR", 0, 1, "alg", 0),
        number("jit", 0, 0.5, "alg", 0),
        number("swarm", 3, 100, "alg", 1, kind="il"),
        number("w", 0, 1.2, "alg", 1),
        number("wdec", 0, 1, "alg", 1),
        number("c1", 0, 3, "alg", 1),
        number("c2", 0, 3, "alg", 1),
        category("topo", 3, "alg", 1),
        number("sigma0", 1e-3, 5, "alg", 2, kind="rl"),
        number("up", 0.01, 2, "alg", 2, kind="rl"),
        number("down", 0.001, 0.5, "alg", 2, kind="rl"),
        number("restart", 5, 500, "alg", 2, kind="il"),
        category("corr", 2, "alg", 2),
        number("isp", 0.1, 1),
        category("bnd", 3),
    )


def _satisfiability() -> tuple[Dimension, ...]:
    return (
        category("heur", 5),
        number("p", 0, 1, "heur", 0, 1, 2),
        number("cb", 0.1, 8, "heur", 3),
        number("cm", 0.2, 5, "heur", 3, kind="rl"),
        number("eps", 0.01, 10, "heur", 3, kind="rl"),
        number("tabu", 0, 20, kind="i"),
        number("rest", 20, 4000, kind="il"),
        category("init", 2),
        category("pick", 2),
        number("wp", 0.001, 0.5, "heur", 2, kind="rl"),
        number("cbe", 1.05, 12, "heur", 4, kind="rl"),
    )


def _assignment() -> tuple[Dimension, ...]:
    return (
        category("alg", 3),
        number("T0", 1e-3, 3, "alg", 0, kind="rl"),
        number("Tend", 1e-5, 0.3, "alg", 0, kind="rl"),
        category("sched", 2, "alg", 0),
        number("reheat", 0, 8, "alg", 0, kind="i"),
        number("tenlo", 0.01, 2, "alg", 1, kind="rl"),
        number("tenw", 0, 3, "alg", 1),
        category("aspir", 2, "alg", 1),
        number("samp", 0.02, 1, "alg", 1, kind="rl"),
        number("pert", 0, 1, "alg", 2),
        number("accT", 1e-5, 0.3, "alg", 2, kind="rl"),
        category("first", 2, "alg", 2),
        number("ilsr", 3, 300, "alg", 2, kind="il"),
        category("init", 2),
        category("pol", 2),
    )


def family(name: str) -> Family:
    """A family by its name."""
    return _FAMILIES[name]


_FAMILIES = {
    one.name: one
    for one in (
        Family(
            name="S5",
            dimensions=_five(),
            base=0.3,
            noise_kind=1,
            noise=0.15,
            scale_spread=0.3,
            drift=0.05,
        ),
        Family(
            name="S15",
            dimensions=_fifteen(),
            base=0.5,
            noise_kind=1,
            noise=0.3,
            scale_spread=0.4,
            drift=0.08,
        ),
        Family(
            name="H15",
            dimensions=_fifteen(),
            base=0.5,
            noise_kind=2,
            noise=0.3,
            scale_spread=0.5,
            plateau=0.05,
            drift=0.12,
        ),
        Family(
            name="S40",
            dimensions=_forty(),
            base=1.0,
            noise_kind=1,
            noise=0.2,
            scale_spread=0.3,
            drift=0.05,
        ),
        Family(
            name="D40",
            dimensions=_forty(),
            instances=10,
            base=1.0,
            noise_kind=3,
            noise=0.4,
            scale_spread=0.4,
            drift=0.1,
        ),
        Family(
            name="OPT",
            dimensions=_optimisers(),
            kind=1,
            tests=400,
            default={
                "alg": 0,
                "strat": 1,
                "NP": 75,
                "Flo": 0.5,
                "dith": 0.5,
                "CR": 0.7,
                "jit": 0,
                "isp": 1,
                "bnd": 2,
            },
        ),
        Family(
            name="SAT",
            dimensions=_satisfiability(),
            kind=2,
            tests=600,
            default={"heur": 0, "p": 0.5, "tabu": 0, "rest": 1000, "init": 0, "pick": 0},
        ),
        Family(
            name="QAP",
            dimensions=_assignment(),
            kind=3,
            tests=400,
            default={
                "alg": 1,
                "tenlo": 0.5,
                "tenw": 0.5,
                "aspir": 1,
                "samp": 1,
                "init": 0,
                "pol": 0,
            },
        ),
    )
}
