"""Spaces that cannot be used, as a file writes them; docs/bad-input.md has what is said."""

from __future__ import annotations

from tests.scenario.bad_scenarios import Case, scenario


def space(text: str, *, forbidden: str | None = None, known: str | None = None) -> Case:
    """A scenario with this space, and what stands beside it."""
    parts = {"space": text, "forbidden": forbidden, "known": known}
    shown = "<br>".join(f"`{key}: {part}`" for key, part in parts.items() if part is not None)
    given = {key: part for key, part in parts.items() if part is not None}
    return Case(shown, scenario(**given))


TWO = "{a: {real: [0, 1]}, n: {integer: [1, 9]}}"
KIND = "{k: {categorical: [ils, aco]}, a: {real: [0, 1], when: %s}}"

CASES = [
    # the shape of a parameter
    space("5"),
    space("{a: 5}"),
    space("{a: [0, 1]}"),
    space("{a: [ils, aco, ga, sa]}"),
    space("{a: {}}"),
    space("{a: {default: 1}}"),
    space("{a: {type: float, low: 0, high: 1}}"),
    space("{a: {real: 5}}"),
    space("{a: {real: [0]}}"),
    space("{a: {real: [x y, 1]}}"),
    space("{a: {real: [true, 1]}}"),
    space("{a: {real: [1, 1]}}"),
    space("{a: {real: [0, 1], lgo: true}}"),
    space("{a: {real: [0, 1], log: 1}}"),
    space("{a: {real: [1, 2], log: true, logit: true}}"),
    space("{a: {real: [1, 2], logit: true}}"),
    space("{a: {real: [0, 1], digits: 1.5}}"),
    space("{a: {real: [0, 1], digits: 99}}"),
    space("{a: {real: [0, 1], step: 0}}"),
    space("{a: {real: [0, 1], step: 0.1, digits: 2}}"),
    space("{a: {real: [0, 1], switch: 5}}"),
    space("{a: {integer: [1, 9], step: 0.5}}"),
    space("{a: {integer: [1, 9], logit: true}}"),
    space("{a: {integer: [1, 9], default: 2.5}}"),
    space("{a: {ordinal: [low, mid, low]}}"),
    space("{a: {ordinal: low}}"),
    space("{a: {ordinal: [low, mid], default: high}}"),
    space("{a: {categorical: [[x]]}}"),
    space("{a: {categorical: [null, x]}}"),
    space("{a: {categorical: [2020-01-01, 2021-01-01], default: 2022-01-01}}"),
    space("{a: {real: [−1, 1]}}"),
    space("{a: {boolean: true}}"),
    space("{a: {boolean: [true, true]}}"),
    space("{a: {boolean: [false, true], default: 1}}"),
    space("{a: {flag: false}}"),
    space('{a: {flag: ""}}'),
    space("{a: {flag: --fast, switch: --slow}}"),
    space("{name: {real: [0, 1]}}"),
    # conditions
    space("{a: {real: [0, 1], when: 5}}"),
    space('{a: {real: [0, 1], when: ""}}'),
    space(KIND % "k =="),
    space(KIND % "k == ils and"),
    space(KIND % "(k == ils"),
    space(KIND % "k = ils"),
    space(KIND % "k is ils"),
    space(KIND % "k == ils AND k == aco"),
    space(KIND % "q == ils"),
    space(KIND % "k == als"),
    space(KIND % "k > 3"),
    space(KIND % "k"),
    space(KIND % "a > 0.5"),
    space(KIND % "k == ils and k == aco"),
    space("{a: {real: [0, 1], when: b > 0}, b: {real: [0, 1], when: a > 0}}"),
    # domains that depend on others
    space('{n: {integer: [1, 9]}, m: {integer: [1, "2 * q"]}}'),
    space('{n: {integer: [1, 9]}, m: {integer: [20, "2 * n"]}}'),
    space('{n: {integer: [1, "m"]}, m: {integer: [1, "n"]}}'),
    space('{k: {categorical: [x, y]}, m: {real: [0, "k + 1"]}}'),
    space('{n: {integer: [1, 9]}, m: {integer: [1, "n +"]}}'),
    # forbidden combinations, known configurations
    space(TWO, forbidden="a > 0.5"),
    space(TWO, forbidden="[5]"),
    space(TWO, forbidden="[a > 0.5, b > 1]"),
    space(TWO, forbidden="[a >]"),
    space(TWO, forbidden="[n]"),
    space(TWO, forbidden="[n > 0]"),
    space(TWO, forbidden="[a > 0.5 or]"),
    space(TWO, forbidden="[__import__('os')]"),
    space("{a: {real: [0, 1], default: 0.7}}", forbidden="[a > 0.5]"),
    space(TWO, known="{a: 1}"),
    space(TWO, known="[5]"),
    space(TWO, known="[{a: 2, n: 1}]"),
    space(TWO, known="[{a: 0.5}]"),
    space(TWO, known="[{a: 0.5, n: 1, z: 3}]"),
    space(TWO, forbidden="[n > 5]", known="[{a: 0.5, n: 7}]"),
    Case(
        "`forbidden` without a space",
        scenario(space=None, candidates="[{a: 1}]", forbidden="[a > 1]"),
    ),
    Case(
        "an error in a condition on a line of its own",
        scenario(
            space=None,
            candidates="{sample: 2}",
            forbidden="\n  - a > 0.5\n  - 'a > 0.5 and q'",
        )
        + "space:\n  a: {real: [0, 1]}\n  b:\n    real: [0, 1]\n    when: a > 0.5 andd a < 1\n",
    ),
]  # fmt: skip
