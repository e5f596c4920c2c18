"""Several parameters → one option of clasp, for spaces that tune each part of it by itself.

clasp takes `--restarts=x,100,1.5`. A space has `restarts: geometric` with a base and a factor of
its own, which are parameters only where restarts are geometric.
"""

from __future__ import annotations

from collections.abc import Sequence

_RESTARTS = {
    "luby": ("L", "restart-base"),
    "geometric": ("x", "restart-base", "restart-factor"),
    "dynamic": ("D", "restart-window", "restart-ratio"),
}
_HEURISTICS = {"Vsids": "vsids-decay", "Vmtf": "vmtf-move", "Berkmin": "berkmin-max"}


def assemble(options: Sequence[str]) -> list[str]:
    """Options of clasp; a part such as `--restart-base=64` becomes a value of its option.

    What is no part, and has none, is passed on as it is.
    """
    given = dict(option.removeprefix("--").partition("=")[::2] for option in options)
    made = {**_restarts(given), **_heuristic(given), **_deletion(given), **_counter(given)}
    parts = {name for names in _PARTS.values() for name in names}
    kept = [
        option for option in options if _name(option) not in made and _name(option) not in parts
    ]
    return [*kept, *(f"--{name}={value}" for name, value in made.items())]


_PARTS = {
    "restarts": ("restart-base", "restart-factor", "restart-window", "restart-ratio"),
    "heuristic": tuple(_HEURISTICS.values()),
    "deletion": ("del-fraction", "del-score"),
    "counter-restarts": ("counter-rate", "counter-bump"),
}


def _name(option: str) -> str:
    return option.removeprefix("--").partition("=")[0]


def _restarts(given: dict[str, str]) -> dict[str, str]:
    if given.get("restarts") not in _RESTARTS:
        return {}
    letter, *parts = _RESTARTS[given["restarts"]]
    return {"restarts": ",".join([letter, *(given[part] for part in parts)])}


def _heuristic(given: dict[str, str]) -> dict[str, str]:
    name = given.get("heuristic", "")
    part = _HEURISTICS.get(name, "")
    return {"heuristic": f"{name},{given[part]}"} if part in given else {}


def _deletion(given: dict[str, str]) -> dict[str, str]:
    if "del-fraction" not in given:
        return {}
    score = [given["del-score"]] if "del-score" in given else []
    return {"deletion": ",".join([given["deletion"], given["del-fraction"], *score])}


def _counter(given: dict[str, str]) -> dict[str, str]:
    if "counter-rate" not in given:
        return {}
    return {"counter-restarts": f"{given['counter-rate']},{given['counter-bump']}"}
