"""The data of a search as text."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from racing.base.words import percent
from racing.cli.console import count, number, say, table

if TYPE_CHECKING:
    from racing.report.data import Data

_ORIGINS = {
    "given": "given",
    "sobol": "spread over the space",
    "enumerated": "enumerated",
    "model": "near an elite",
    "uniform": "at random",
}
_PHASES = {
    "initial": "comparing the initial configurations",
    "running": "racing challengers against the elites",
    "finish": "racing the elites against each other",
    "probe": "checking whether all instances rank configurations alike",
    "team": "running the team where it has not run yet",
    "confirmation": "confirming the winner",
    "plain": "racing all configurations",
    "estimation": "measuring how long an evaluation takes",
    "iteration": "racing new configurations against the elites",
    "selection": "racing the elites of all iterations",
}


def say_search(data: Data) -> None:
    """Print the state of the search, and the counts of its configurations."""
    search = data["search"]
    say(f"{_tried(search)}.")
    if not data["finished"]:
        phase = _PHASES[search["phase"]]
        say(f"Now {phase}; {percent(search['progress'])} of the budget for searching spent.")
    for note in search["notes"]:
        say(f"Note: {note}.")


def say_changes(changes: Data | None) -> None:
    """Print the parameters in which the winner differs from the default."""
    if changes is None:
        return
    baseline, winner = changes["baseline"], changes["winner"]
    table(
        f"What {winner} changes",
        ("parameter", f">{baseline}", f">{winner}"),
        (
            (name, _value(pair["from"]), _value(pair["to"]))
            for name, pair in changes["parameters"].items()
        ),
    )


def _value(value: object) -> str:
    if value is None:
        return "–"
    return number(value, 6) if isinstance(value, float) else str(value)


def _tried(search: dict[str, Any]) -> str:
    tried = search["tried"]
    how = ", ".join(f"{n} {_ORIGINS.get(name, name)}" for name, n in tried.items())
    scheme = f"window {search['window']}"
    if search["iterations"] is not None:
        scheme = count(search["iterations"], "iteration")
    return f"{count(sum(tried.values()), 'configuration')} tried ({how}); {scheme}"
