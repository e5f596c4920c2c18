"""The figures of `racing compare`, drawn before anything is printed."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from racing.analysis.compare import Comparison, RunComparison
    from racing.analysis.compare.profiles.data import Profiles
    from racing.analysis.compare.verdicts import Verdicts
    from racing.report.pictures import Picture


def draw(
    found: Comparison | RunComparison, profiles: Profiles | None, args: argparse.Namespace
) -> list[Path]:
    """The files of the figures that were asked for."""
    from racing.analysis.compare import Comparison, RunComparison
    from racing.report.figures import draw_picture

    asked: list[tuple[Picture, Path]] = []
    if args.cd or args.heatmap or args.pmatrix:
        asked += _of_pairs(found if isinstance(found, Comparison) else found.only, args)
    if args.simplex and isinstance(found, Comparison):
        asked += _triangles(found, args)
    if args.strips and isinstance(found, RunComparison):
        from racing.report.pictures.runs import every_run

        asked += [(every_run(found), file) for file in args.strips]
    if profiles is not None:
        asked += _of_profiles(profiles, args)
    return [draw_picture(picture, file) for picture, file in asked]


def _of_pairs(found: Verdicts, args: argparse.Namespace) -> list[tuple[Picture, Path]]:
    from racing.report.pictures.ranks import mean_ranks, p_values, posteriors

    return [
        (picture(found), file)
        for picture, files in (
            (mean_ranks, args.cd), (posteriors, args.heatmap), (p_values, args.pmatrix)
        )
        for file in files
    ]  # fmt: skip


def _triangles(found: Comparison, args: argparse.Namespace) -> list[tuple[Picture, Path]]:
    from racing.analysis.compare import sample
    from racing.report.pictures.ranks import triangle

    return [
        (triangle(sample(found, a, b), a, b, rope=found.choices.rope), file)
        for a, b, file in args.simplex
    ]


def _of_profiles(profiles: Profiles, args: argparse.Namespace) -> list[tuple[Picture, Path]]:
    from racing.report.pictures.runs import distributions, performance, solved

    return [
        (picture(profiles), file)
        for picture, files in (
            (distributions, args.ecdf), (solved, args.solved), (performance, args.performance)
        )
        for file in files
    ]  # fmt: skip
