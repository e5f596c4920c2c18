"""Draw the race at the top of the README, for light and for dark pages.

    python docs/home/race.py

The race is that of the tutorial (docs/first-tuning/race.csv). It drops clasp's default after ten
formulas; `default.csv` has the default's conflicts on all thirty, from `matrix.csv` of

    racing run configs/clasp.yaml --set candidates.sample=1 --set rule=none --budget 60 \\
        --log runs/default.sqlite
    racing export runs/default.sqlite
"""

from __future__ import annotations

import csv
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

HERE = Path(__file__).resolve().parent
RACE = HERE.parent / "first-tuning" / "race.csv"
WINNER = "#8"

WIDTH, HEIGHT = 760, 400
LEFT, RIGHT, TOP, BOTTOM = 72, 620, 24, 346
LOWEST, HIGHEST = 0.68, 2.2  # conflicts over those of the default
TICKS = (0.75, 1.0, 1.25, 1.5, 2.0)


@dataclass(frozen=True, kw_only=True)
class Theme:
    """The colours of a picture."""

    text: str
    grid: str
    dropped: str
    late: str
    winner: str


THEMES = {
    "light": Theme(
        text="#57606a", grid="#d8dee4", dropped="#c4ccd4", late="#7d8894", winner="#0969da"
    ),
    "dark": Theme(
        text="#9ba5b0", grid="#30363d", dropped="#454d57", late="#828d99", winner="#58a6ff"
    ),
}
LABEL = (
    "Line chart: conflicts of 41 configurations of clasp compared with its default, formula by "
    "formula. Most lines end at the tenth formula; three reach the thirtieth, 18 % or so below it."
)


def table(path: Path) -> tuple[list[str], NDArray[np.float64]]:
    """(names of the candidates, costs of shape (instances, candidates)); NaN = not evaluated."""
    with path.open(encoding="utf-8", newline="") as file:
        header, *rows = csv.reader(file)
    return header[1:], np.array([[float(cell or "nan") for cell in row[1:]] for row in rows])


def ratios() -> dict[str, NDArray[np.float64]]:
    """Candidate → its conflicts on the first 1, 2, … formulas over those of the default."""
    names, costs = table(RACE)
    _, default = table(HERE / "default.csv")
    shares = np.cumsum(costs, axis=0) / np.cumsum(default, axis=0)
    return {name: share[~np.isnan(share)] for name, share in zip(names, shares.T, strict=True)}


def draw(lines: dict[str, NDArray[np.float64]], theme: Theme) -> str:
    """The picture as SVG: a line for each candidate, and a dot where it leaves."""
    last = max(map(len, lines.values()))
    order = sorted(lines, key=lambda name: (name == WINNER, len(lines[name])))
    parts = [
        _grid(last, theme),
        *(_line(name, lines[name], last, theme) for name in order if name != "default"),
        _labels(lines, last, theme),
    ]
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img"\n'
        f'  aria-label="{LABEL}"\n'
        f'  font-family="system-ui, sans-serif" font-size="17" fill="{theme.text}">\n'
        + "".join(parts)
        + "</svg>\n"
    )


def _x(instance: int, last: int) -> float:
    return LEFT + (RIGHT - LEFT) * (instance - 1) / (last - 1)


def _y(ratio: float) -> float:
    share = np.log(ratio / LOWEST) / np.log(HIGHEST / LOWEST)
    return float(BOTTOM - (BOTTOM - TOP) * share)


def _text(x: float, y: float, words: str, anchor: str = "middle", more: str = "") -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}"{more}>{words}</text>\n'


def _grid(last: int, theme: Theme) -> str:
    out = ""
    for ratio in TICKS:
        dash = ' stroke-dasharray="5 4"' if ratio == 1 else ""
        colour = theme.late if ratio == 1 else theme.grid
        y = _y(ratio)
        out += f'<path d="M{LEFT} {y:.1f}H{RIGHT}" stroke="{colour}"{dash}/>\n'
        out += _text(
            LEFT - 8,
            y + 4,
            f"{100 * ratio - 100:+.0f} %".replace("-", "−").replace("+0", "0"),
            "end",
        )
    for instance in (1, *range(5, last + 1, 5)):
        out += _text(_x(instance, last), BOTTOM + 20, str(instance))
    return out + _text((LEFT + RIGHT) / 2, HEIGHT - 6, "formulas")


def _line(name: str, ratio: NDArray[np.float64], last: int, theme: Theme) -> str:
    colour, width = theme.dropped, 1.2
    if len(ratio) > min(10, last):
        colour, width = theme.late, 1.5
    if name == WINNER:
        colour, width = theme.winner, 3
    points = [(_x(i, last), _y(min(r, HIGHEST))) for i, r in enumerate(ratio, 1)]
    path = "L".join(f"{x:.1f} {y:.1f}" for x, y in points)
    x, y = points[-1]
    return (
        f'<path d="M{path}" fill="none" stroke="{colour}" stroke-width="{width}"/>\n'
        f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{width + 1.8:.1f}" fill="{colour}"/>\n'
    )


def _labels(lines: dict[str, NDArray[np.float64]], last: int, theme: Theme) -> str:
    at = 10
    leave = sum(len(ratio) == at for ratio in lines.values())
    gain = 1 - lines[WINNER][-1]
    y = _y(lines[WINNER][-1])
    bold = f' font-weight="600" fill="{theme.winner}"'
    return (
        _text(RIGHT + 10, _y(1) + 4, "the default", "start")
        + _text(RIGHT + 10, y, f"winner {WINNER}:", "start", bold)
        + _text(RIGHT + 10, y + 21, f"{100 * gain:.0f} % fewer", "start", bold)
        + _text(
            _x(at, last) + 14,
            _y(1.78),
            f"{leave} of {len(lines)} leave after {at} formulas",
            "start",
        )
        + _text(LEFT, TOP - 8, "conflicts so far, compared with clasp’s default", "start")
    )


def main() -> None:
    """Write race-light.svg and race-dark.svg beside this file."""
    lines = ratios()
    for name, theme in THEMES.items():
        (HERE / f"race-{name}.svg").write_text(draw(lines, theme), encoding="utf-8")


if __name__ == "__main__":
    main()
