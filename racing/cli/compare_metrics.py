"""`racing compare --metric NAME=FILE --metric NAME=FILE`: by several metrics at once."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from racing.base.errors import InputError, show

if TYPE_CHECKING:
    from racing.analysis.compare import MetricComparison, ResultTable
    from racing.answer.document import Document
    from racing.base.quantities import Direction

_WAYS: dict[str, Direction] = {"minimize": "minimize", "maximize": "maximize"}
_ONE_METRIC: dict[str, object] = {
    "group": None, "unpaired": False, "problem": None, "cutoff": None, "ranks": False,
    "control": None, "omnibus": None, "test": None, "correction": None, "tie_correction": True,
    "repetitions": "average", "rho": None, "also": [], "bayes": None, "bound": None,
    "prior_weight": None, "profiles": False, "cd": [], "heatmap": [], "pmatrix": [],
    "strips": [], "ecdf": [], "solved": [], "performance": [], "simplex": [],
}  # fmt: skip
"""Options of a comparison by one metric, and what they are if not given."""


@dataclass(frozen=True, kw_only=True)
class Said:
    """What a comparison says, once asked: a document of so many rows, data, and a page."""

    document: Callable[[int | None], Document]
    data: Callable[[], object]
    page: Callable[[], dict[str, object]]
    figures: list[Path]


def said(args: argparse.Namespace) -> Said:
    """What a comparison by the metrics that `--metric` names says."""
    from racing.analysis.compare import compare_metrics
    from racing.analysis.compare.metrics.json_data import metric_data
    from racing.analysis.compare.metrics.report import document
    from racing.base.words import listed
    from racing.report.page import metric_comparison_data

    _check(args)
    found = compare_metrics(
        _tables(args), alpha=args.alpha, rope=_ropes(args), seed=args.seed,
        on_failure=args.on_failure or "worst",
    )  # fmt: skip
    return Said(
        document=lambda rows: document(found, most_rows=rows),
        data=lambda: metric_data(found),
        page=lambda: metric_comparison_data(found, name=listed([*found.metrics])),
        figures=_figures(found, args),
    )


def _figures(found: MetricComparison, args: argparse.Namespace) -> list[Path]:
    if not args.front:
        return []
    from racing.report.figures import draw_picture
    from racing.report.pictures.front import front_of

    return [draw_picture(front_of(found), file) for file in args.front]


def _check(args: argparse.Namespace) -> None:
    for name, absent in _ONE_METRIC.items():
        if getattr(args, name) != absent:
            option = "no-tie-correction" if name == "tie_correction" else name.replace("_", "-")
            raise InputError(
                f"--{option}: is for a comparison by one metric; leave it out, or compare one "
                "table: racing compare FILE"
            )


def _tables(args: argparse.Namespace) -> dict[str, ResultTable]:
    """The table of each metric; a metric's own direction goes before that of all."""
    from racing.analysis.compare import read_table
    from racing.analysis.compare.table_files import is_log

    found: dict[str, ResultTable] = {}
    for given in args.metric:
        name, direction, file = _parts(given)
        if name in found:
            raise InputError(f"--metric: {show(name)} is given twice; name each metric once")
        if is_log(file):
            raise InputError(
                f"--metric: {file} is the log of a race; write its tables with `racing export "
                f"{file}`, and give {name}=FOLDER/matrix-{name}.csv"
            )
        found[name] = read_table(
            file, direction=direction or args.direction, missing=args.missing, layout=args.layout,
            duplicates=args.duplicates,
        )  # fmt: skip
    return found


def _parts(given: str) -> tuple[str, Direction | None, Path]:
    """Name, direction and file of NAME=FILE or NAME:maximize=FILE."""
    label, equals, file = given.partition("=")
    name, colon, way = (part.strip() for part in label.partition(":"))
    if not (equals and name and file):
        raise InputError(
            f"--metric: expected NAME=FILE, such as time=time.csv, got {show(given)}; to read one "
            "score of samples, name their file too: racing compare FILE --metric NAME"
        )
    if colon and way not in _WAYS:
        raise InputError(
            f"--metric: expected {name}:minimize=FILE or {name}:maximize=FILE, got {show(given)}"
        )
    return name, _WAYS.get(way), Path(file)


def _ropes(args: argparse.Namespace) -> dict[str, float]:
    for name, value in args.rope:
        if not name:
            raise InputError(f"--rope: is in units of a metric, so name it: --rope NAME={value:g}")
    return dict(args.rope)
