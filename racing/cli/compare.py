"""Say which algorithms differ: from a table of results, or from the log of a race.

FILE is a CSV with one row per instance (first column: its name) and one column per algorithm; or
with the columns algorithm, instance, score and repetition; or the log of a race.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from racing.cli import exits
from racing.cli.console import say_json, talk

if TYPE_CHECKING:
    from racing.compare import Comparison

HELP = "say which algorithms differ, from a table of results"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What the command takes."""
    parser.add_argument("file", metavar="FILE", help="a CSV, wide or long, or the log of a race")
    _add_table(parser)
    _add_tests(parser)
    _add_bayes(parser)
    _add_output(parser)


def main(args: argparse.Namespace) -> int:
    """Run the command."""
    from racing.compare import compare, read_table
    from racing.errors import InputError

    if args.longtable and not args.latex:
        raise InputError("--longtable: is for --latex; give both")
    table = read_table(
        args.file, direction=args.direction, missing=args.missing, layout=args.layout,
        duplicates=args.duplicates,
    )  # fmt: skip
    found = compare(
        table, control=args.control, alpha=args.alpha, omnibus=args.omnibus, test=args.test,
        correction=args.correction, tie_correction=args.tie_correction, ranked=args.ranks,
        bayes=args.bayes, rope=args.rope, bound=args.bound, s=args.prior_weight,
        repetitions=args.repetitions, rho=args.rho, seed=args.seed, also=args.also,
    )  # fmt: skip
    written = _draw(found, args)
    if args.tables:
        from racing.compare.tables import write_tables

        written += write_tables(found, args.tables)
    if args.html:
        from racing.cli.report import write_page
        from racing.report.page import comparison_data, html

        page = html(comparison_data(found, name=Path(args.file).name))
        written.append(write_page(Path(args.html), page))
    _print(found, args)
    for file in written:
        talk(f"wrote {file}")
    return exits.OK


def _add_table(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("the table")
    way = group.add_mutually_exclusive_group()
    way.add_argument(
        "--minimize", dest="direction", action="store_const", const="minimize",
        help="lower scores are better (the default)",
    )  # fmt: skip
    way.add_argument(
        "--maximize", dest="direction", action="store_const", const="maximize",
        help="higher scores are better",
    )  # fmt: skip
    group.add_argument(
        "--missing", default="refuse", choices=("refuse", "drop-instances", "drop-algorithms"),
        help="what to do about missing cells (default: name them and stop)",
    )  # fmt: skip
    group.add_argument(
        "--duplicates", default="refuse", choices=("refuse", "number"),
        help="what to do about instances of one name (default: name them and stop)",
    )  # fmt: skip
    group.add_argument(
        "--layout", default="auto", choices=("auto", "wide", "long"), help="of a CSV"
    )
    group.add_argument(
        "--ranks", action="store_true", help="the table holds ranks, 1 = best, not scores"
    )


def _add_tests(parser: argparse.ArgumentParser) -> None:
    from racing.compare.choices import ALIASES, ALSO, CORRECTIONS, OMNIBUS, SHORTHANDS, TESTS

    group = parser.add_argument_group("the tests")
    group.add_argument(
        "--control", metavar="NAME", help="compare all others with this one (default: all pairs)"
    )
    group.add_argument("--alpha", type=float, default=0.05, help="level (default: 0.05)")
    group.add_argument(
        "--omnibus", choices=OMNIBUS, metavar="TEST",
        help=f"is there any difference: {', '.join(OMNIBUS)} (default: iman-davenport)",
    )  # fmt: skip
    group.add_argument(
        "--test", choices=(*TESTS, *SHORTHANDS), metavar="TEST",
        help=f"of two algorithms: {', '.join((*TESTS, *SHORTHANDS))} (default: wilcoxon)",
    )  # fmt: skip
    group.add_argument(
        "--correction", choices=(*CORRECTIONS, *ALIASES), metavar="NAME",
        help=f"for several comparisons: {', '.join(CORRECTIONS)} (default: bergmann-hommel or "
        "shaffer for all pairs, holm against a control and for the sign test)",
    )  # fmt: skip
    group.add_argument(
        "--no-tie-correction", dest="tie_correction", action="store_false",
        help="the omnibus test as printed by Demšar, without correction for ties",
    )  # fmt: skip
    group.add_argument(
        "--repetitions", default="average", choices=("average", "correlated-t"),
        help="average them, or use them one by one in a Bayesian correlated t-test per instance",
    )  # fmt: skip
    group.add_argument(
        "--rho", type=float, help="correlation of repetitions, 1/k for k folds (default: 1/number)"
    )
    group.add_argument(
        "--also", nargs="+", default=[], choices=ALSO, metavar="WHAT",
        help=f"what to estimate besides: {', '.join(ALSO)}",
    )  # fmt: skip


def _add_bayes(parser: argparse.ArgumentParser) -> None:
    from racing.compare.choices import BOUNDS, POSTERIORS

    group = parser.add_argument_group("posterior probabilities")
    group.add_argument(
        "--bayes", choices=POSTERIORS, metavar="TEST",
        help=f"{', '.join(POSTERIORS)} (default: signed-rank for two algorithms, else none)",
    )  # fmt: skip
    group.add_argument(
        "--rope", type=float, default=0.0, metavar="DIFFERENCE",
        help="differences up to this are practically equivalent, in units of score (default: 0)",
    )  # fmt: skip
    group.add_argument(
        "--bound", choices=BOUNDS,
        help="what all priors of that weight grant (lower), or some (upper); default: precise, a "
        "prior on no difference",
    )  # fmt: skip
    group.add_argument("--prior-weight", type=float, metavar="S", help="in instances")
    group.add_argument("--seed", type=int, default=1, help="of random draws (default: 1)")


def _add_output(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("the output")
    form = group.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="print the result as one JSON object")
    form.add_argument("--latex", action="store_true", help="print LaTeX tables (booktabs)")
    form.add_argument("--markdown", action="store_true", help="print Markdown")
    group.add_argument(
        "--all-rows", action="store_true",
        help="print every algorithm and comparison, not only the first 45",
    )  # fmt: skip
    group.add_argument(
        "--longtable", action="store_true", help="with --latex: tables that break across pages"
    )
    group.add_argument(
        "--tables", metavar="FOLDER", help="also write the tables in full as CSV files into FOLDER"
    )
    group.add_argument("--html", metavar="FILE", help="also write a page with pictures")
    figures = parser.add_argument_group("figures, PNG, SVG or PDF by the ending of FILE")
    figures.add_argument("--cd", metavar="FILE", help="critical-difference diagram")
    figures.add_argument("--heatmap", metavar="FILE", help="posterior probabilities of all pairs")
    figures.add_argument("--pmatrix", metavar="FILE", help="adjusted p-values of all pairs")
    figures.add_argument(
        "--simplex", nargs=3, metavar=("A", "B", "FILE"),
        help="posterior of A against B over better, practically equivalent and worse",
    )  # fmt: skip


def _print(found: Comparison, args: argparse.Namespace) -> None:
    from racing.compare.latex import latex
    from racing.compare.plain import as_data
    from racing.compare.report import MOST_ROWS, document
    from racing.compare.setting import markdown, text

    if args.json:
        say_json(as_data(found))
        return
    blocks = document(found, most_rows=None if args.all_rows else MOST_ROWS)
    if args.latex:
        print(latex(blocks, longtable=args.longtable), end="")
    else:
        print(markdown(blocks) if args.markdown else text(blocks), end="")


def _draw(found: Comparison, args: argparse.Namespace) -> list[Path]:
    """The figures that were asked for, drawn before anything is printed."""
    drawn = []
    if args.cd:
        from racing.plot.critical_difference import draw_critical_difference

        drawn.append(draw_critical_difference(found, args.cd))
    if args.heatmap:
        from racing.plot.matrices import draw_posteriors

        drawn.append(draw_posteriors(found, args.heatmap))
    if args.pmatrix:
        from racing.plot.matrices import draw_pvalues

        drawn.append(draw_pvalues(found, args.pmatrix))
    if args.simplex:
        from racing.compare import sample
        from racing.plot.simplex import draw_simplex

        first, second, file = args.simplex
        draws = sample(found, first, second)
        drawn.append(draw_simplex(draws, first, second, file, rope=found.choices.rope))
    return drawn
