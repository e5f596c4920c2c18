"""Draw the pictures of the how-to guides, from what their own blocks of code do.

    python docs/howto/draw.py [PAGE...]
    python docs/howto/draw.py prompts LOG

Without pages, every one is drawn but `prompts`, which needs the log of the run that the page tells
of. The pictures of report.md are taken in a browser by report/pictures.py. Needs the extras `plot`,
`sklearn` and `optuna`.
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

import racing
from racing.analysis.compare import compare, read_table
from racing.cli import main as cli
from racing.log import Log, MemoryLog, header_of
from racing.log.recorder import Recorder
from racing.report import history, read_history
from racing.report.figures import draw, save
from racing.report.forms import Axis, Bars, Figure, Plot
from racing.report.history import History
from racing.report.pictures import Picture, pictures
from racing.report.pictures.ranks import mean_ranks
from racing.report.pictures.team import team_pictures
from tests.docs.blocks import Reader, blocks

HERE = Path(__file__).resolve().parent
EXAMPLES = HERE.parents[1] / "examples" / "compare"
PROBLEM = "clustered-01"


def picture(told: History, id: str) -> Any:
    """One picture of a run as a figure."""
    return drawn(next(one for one in pictures(told) if one.id == id))


def drawn(one: Picture) -> Any:
    """A picture as a figure."""
    assert one.figure is not None
    return draw(one.figure)


@contextmanager
def left_by(page: str) -> Iterator[Path]:
    """The folder with what all blocks of a page leave, once they are run."""
    with tempfile.TemporaryDirectory() as folder:
        reader = Reader(Path(folder))
        reader.read(HERE / f"{page}.md")
        assert not reader.failed, reader.failed
        yield Path(folder)


def after(page: str, log: str, id: str) -> Any:
    """Run all blocks of a page, and draw the log that they leave."""
    with left_by(page) as folder:
        return picture(read_history(folder / log), id)


def names_of(page: str, number: int = 0) -> dict[str, Any]:
    """What a ```python block of a page defines, once it is run here."""
    text = (HERE / f"{page}.md").read_text(encoding="utf-8")
    block = [one for one in blocks(text) if one.language == "python"][number]
    names: dict[str, Any] = {}
    exec(compile(block.text, f"{page}.md", "exec"), names)
    return names


def bars(counts: Sequence[int], winner: int, of: str, *, at_end: Sequence[int] = ()) -> Any:
    """How many evaluations each candidate got, the winner first, by fate."""
    order = sorted(range(len(counts)), key=lambda k: (k != winner, -counts[k]))
    kinds = ["winner" if k == winner else "survivor" if k in at_end else "dropped" for k in order]
    marks = []
    for kind in dict.fromkeys(kinds):
        at = [place for place, one in enumerate(kinds) if one == kind]
        heights = tuple(float(counts[order[place]]) for place in at)
        marks.append(
            Bars(x0=tuple(k - 0.4 for k in at), x1=tuple(k + 0.4 for k in at), y1=heights,
                 y0=(0.0,) * len(at), colour=kind, name=kind)
        )  # fmt: skip
    plot = Plot(
        x=(Axis(name=f"{of}, by evaluations", whole=True),),
        y=(Axis(name="instances", whole=True),), marks=tuple(marks), height=260,
    )  # fmt: skip
    return draw(Figure(plots=(plot,)))


def of_view(view: Any, of: str) -> Any:
    """The same of a race or search."""
    ran = (~np.isnan(view.results.costs)).sum(axis=0).tolist()
    columns = {id: k for k, id in enumerate(view.results.candidates)}
    alive = [columns[one.id] for one in view.survivors if one.id in columns]
    return bars(ran, columns[view.winner.id], of, at_end=alive)


def told(race: racing.Race, cost: Callable[..., float]) -> Log:
    """The log of a race that is driven by a function."""
    log = MemoryLog(header_of(race))
    recorder = Recorder(race, log)
    while not race.done:
        for one in recorder.ask():
            values, instance = one.candidate.values, one.instance
            recorder.tell(one.outcome(cost(values, instance.problem, instance.seed)))
    recorder.finish(elapsed=0.0)
    return log


def embed() -> Any:
    """The first race of the page."""
    return picture(history(names_of("embed")["found"].log), "effects")


def own_loop() -> Any:
    """The first race of the page."""
    return of_view(names_of("own-loop")["race"], "candidates")


def sklearn() -> Any:
    """The search of the page: folds that were fitted."""
    return of_view(names_of("sklearn")["search"].race_, "candidates")


def optuna() -> Any:
    """The study of the page: instances of each trial before it was pruned."""
    study = names_of("optuna")["study"]
    counts = [len(trial.intermediate_values) for trial in study.trials]
    done = [trial.number for trial in study.trials if trial.state.name == "COMPLETE"]
    return bars(counts, study.best_trial.number, "trials", at_end=done)


def compare_page() -> Any:
    """The table of the page."""
    path = EXAMPLES / "demsar_2006_table6.csv"
    return drawn(mean_ranks(compare(read_table(path, direction="maximize"))))


def which_test() -> Any:
    """Unpaired runs of the examples."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "runs.svg")
        runs = str(EXAMPLES / "hgs_runs.csv")
        drawn = cli(["compare", runs, "--unpaired", "--problem", PROBLEM, "--strips", str(file)])
        assert drawn == 0
        return file.read_bytes()


def metrics() -> Any:
    """The front of the page: all candidates by the means of both metrics."""
    return picture(history(names_of("metrics", 1)["found"].log), "front")


def portfolio() -> Any:
    """The team of three of the page, on each instance of its race."""
    with left_by("portfolio") as folder:
        team = racing.portfolio(folder / "runs" / "race.sqlite", size=3)
        return drawn(team_pictures(team)[0])


def cluster() -> Any:
    """A small run on four workers of this machine."""

    def wait(values: Any, instance: int, seed: int) -> float:
        time.sleep(0.02 + (instance % 5) / 50)
        return abs(values["x"] - 0.3) + seed % 7 / 100

    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder, "race.sqlite")
        candidates = [{"x": x / 10} for x in range(11)]
        racing.minimize(wait, candidates, range(30), rule="sign", jobs=4, log=log)
        return picture(read_history(log), "workers")


def running_times() -> Any:
    """Made-up times of a solver with a cutoff of 60 s, penalised tenfold."""

    def solve(values: Any, instance: int, seed: int) -> float:
        rng = np.random.default_rng(instance)
        hard = float(rng.lognormal(2.0, 1.2)) * float(np.exp(rng.normal(0, 0.5) * values["x"]))
        taken = hard * (1 + 4 * abs(values["x"] - 0.3))
        return taken if taken < 60 else 600.0

    space = [{"x": 1.0}, *({"x": x / 10} for x in range(10))]
    race = racing.Race(space, range(60), rule="none", objective="mean")
    return picture(history(told(race, solve)), "against-default")


PAGES: dict[str, Callable[[], Any]] = {
    "cluster": cluster,
    "compare": compare_page,
    "embed": embed,
    "explain": lambda: after("explain", "runs/race.sqlite", "importance"),
    "function": lambda: after("function", "runs/race.sqlite", "map"),
    "logging": lambda: after("logging", "demo.sqlite", "ranks"),
    "metrics": metrics,
    "optuna": optuna,
    "own-loop": own_loop,
    "portfolio": portfolio,
    "program": lambda: after("program", "runs/race.sqlite", "map"),
    "running-times": running_times,
    "sklearn": sklearn,
    "which-test": which_test,
}


def main(words: list[str]) -> int:
    """Write a file for each page."""
    if words[:1] == ["prompts"]:
        found = picture(read_history(Path(words[1])), "best-so-far")
        print(save(found, HERE / "pictures" / "prompts.svg"))
        return 0
    for page in words or PAGES:
        found, file = PAGES[page](), HERE / "pictures" / f"{page}.svg"
        print(file.write_bytes(found) if isinstance(found, bytes) else save(found, file))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
