"""The figures of `racing compare`, drawn before anything is printed."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from racing.analysis.compare import Comparison, RunComparison
    from racing.analysis.compare.profiles.data import Profiles
    from racing.analysis.compare.verdicts import Verdicts


def draw(
    found: Comparison | RunComparison, profiles: Profiles | None, args: argparse.Namespace
) -> list[Path]:
    """The files of the figures that were asked for."""
    from racing.analysis.compare import Comparison, RunComparison

    drawn: list[Path] = []
    if args.cd or args.heatmap or args.pmatrix:
        drawn += _of_pairs(found if isinstance(found, Comparison) else found.only, args)
    if args.simplex and isinstance(found, Comparison):
        drawn += _simplex(found, args)
    if args.strips and isinstance(found, RunComparison):
        from racing.report.figures.runs import draw_strips

        drawn += [draw_strips(found, file) for file in args.strips]
    if profiles is not None:
        drawn += _of_profiles(profiles, args)
    return drawn


def _of_pairs(found: Verdicts, args: argparse.Namespace) -> list[Path]:
    from racing.report.figures.critical_difference import draw_critical_difference
    from racing.report.figures.pair_matrices import draw_posteriors, draw_pvalues

    return [
        *(draw_critical_difference(found, file) for file in args.cd),
        *(draw_posteriors(found, file) for file in args.heatmap),
        *(draw_pvalues(found, file) for file in args.pmatrix),
    ]


def _simplex(found: Comparison, args: argparse.Namespace) -> list[Path]:
    from racing.analysis.compare import sample
    from racing.report.figures.simplex import draw_simplex

    return [
        draw_simplex(sample(found, a, b), a, b, file, rope=found.choices.rope)
        for a, b, file in args.simplex
    ]


def _of_profiles(profiles: Profiles, args: argparse.Namespace) -> list[Path]:
    from racing.report.figures.runs import draw_steps
    from racing.report.pictures.profiles import distributions, performance, solved

    return [
        draw_steps(picture(profiles), file)
        for picture, files in (
            (distributions, args.ecdf), (solved, args.solved), (performance, args.performance)
        )
        for file in files
    ]  # fmt: skip
