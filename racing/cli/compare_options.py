"""The options of `racing compare`."""

from __future__ import annotations

import argparse


def add_table(parser: argparse.ArgumentParser) -> None:
    """What the table is like."""
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
        "--group", metavar="COLUMN",
        help="the column that says which instances belong together, as questions about one text",
    )  # fmt: skip
    group.add_argument(
        "--metric", action="append", default=[], metavar="NAME[:maximize]=FILE",
        help="in place of FILE: the table of a metric, given again for each metric, to compare by "
        "all of them at once. With FILE, NAME: which score to read, if samples have several",
    )  # fmt: skip
    group.add_argument(
        "--layout", default="auto", choices=("auto", "wide", "long"), help="of a CSV"
    )
    group.add_argument(
        "--unpaired", action="store_true",
        help="nothing pairs the scores: they are runs, in columns of any lengths or one a line",
    )  # fmt: skip
    group.add_argument(
        "--problem", metavar="NAME", help="with --unpaired: the runs on this problem only"
    )
    group.add_argument(
        "--cutoff", type=float, metavar="TIME",
        help="scores are times, and runs were stopped at this one",
    )  # fmt: skip
    group.add_argument(
        "--on-failure", type=_on_failure, metavar="POLICY",
        help="what an infinite score counts as: worst (default; of a log as in its run), rate "
        "(worst only of what fails more often than chance explains), a score such as 60, or one "
        "for each metric: time=60,quality=0",
    )  # fmt: skip
    group.add_argument(
        "--ranks", action="store_true", help="the table holds ranks, 1 = best, not scores"
    )


def _on_failure(text: str) -> str | dict[str, float | dict[str, float]]:
    """A policy, or a penalty, perhaps for each metric."""
    try:
        if "=" not in text:
            return {"penalty": float(text)}
        parts = (part.rpartition("=") for part in text.split(","))
        return {"penalty": {name.strip(): float(score) for name, _, score in parts}}
    except ValueError:
        return text


def add_tests(parser: argparse.ArgumentParser) -> None:
    """Which tests are made."""
    from racing.analysis.compare import choices as of_tables
    from racing.analysis.compare.choices import ALIASES, ALSO, CORRECTIONS, SHORTHANDS
    from racing.analysis.compare.unpaired import choices as of_runs

    omnibus, tests = (
        tuple(dict.fromkeys((*ours, *theirs)))
        for ours, theirs in (
            (of_tables.OMNIBUS, of_runs.OMNIBUS),
            ((*of_tables.TESTS, *SHORTHANDS), of_runs.TESTS),
        )
    )
    group = parser.add_argument_group("the tests")
    group.add_argument(
        "--control", metavar="NAME", help="compare all others with this one (default: all pairs)"
    )
    group.add_argument("--alpha", type=float, default=0.05, help="level (default: 0.05)")
    group.add_argument(
        "--omnibus", choices=omnibus, metavar="TEST",
        help=f"is there any difference: {', '.join(of_tables.OMNIBUS)} (default: iman-davenport); "
        f"of runs {', '.join(of_runs.OMNIBUS)} (default: kruskal)",
    )  # fmt: skip
    group.add_argument(
        "--test", choices=tests, metavar="TEST",
        help=f"of two algorithms: {', '.join((*of_tables.TESTS, *SHORTHANDS))} (default: "
        "wilcoxon; mcnemar where every score is 0 or 1); of runs "
        f"{', '.join(of_runs.TESTS)} (default: brunner-munzel)",
    )  # fmt: skip
    group.add_argument(
        "--correction", choices=(*CORRECTIONS, *ALIASES), metavar="NAME",
        help=f"for several comparisons: {', '.join(CORRECTIONS)} (default: bergmann-hommel or "
        "shaffer for all pairs, holm against a control, for the sign test and for runs)",
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


def add_bayes(parser: argparse.ArgumentParser) -> None:
    """Which posterior probabilities are found."""
    from racing.analysis.compare.choices import BOUNDS, POSTERIORS
    from racing.analysis.compare.unpaired.choices import POSTERIORS as OF_RUNS

    group = parser.add_argument_group("posterior probabilities")
    group.add_argument(
        "--bayes", choices=tuple(dict.fromkeys((*POSTERIORS, *OF_RUNS))), metavar="TEST",
        help=f"{', '.join(POSTERIORS)} (default: signed-rank for two algorithms, else none); of "
        f"runs {', '.join(OF_RUNS)} (default: rank-sum for two algorithms, else kruskal)",
    )  # fmt: skip
    group.add_argument(
        "--rope", type=_rope, action="append", default=[], metavar="[NAME=]DIFFERENCE",
        help="differences up to this are practically equivalent, in units of score; of runs in "
        "units of A, such as 0.06; of several metrics in units of the one that is named, such as "
        "time=0.1 (default: 0)",
    )  # fmt: skip
    group.add_argument(
        "--bound", choices=BOUNDS,
        help="what all priors of that weight grant (lower, the default for runs), or some "
        "(upper); default: precise, a prior on no difference, of runs none",
    )  # fmt: skip
    group.add_argument("--prior-weight", type=float, metavar="S", help="in instances or runs")
    group.add_argument("--seed", type=int, default=1, help="of random draws (default: 1)")


def _rope(text: str) -> tuple[str, float]:
    """The metric, if one is named, and the difference."""
    name, _, difference = text.rpartition("=")
    try:
        return name.strip(), float(difference)
    except ValueError:
        raise argparse.ArgumentTypeError(f"invalid float value: {difference!r}") from None


def add_output(parser: argparse.ArgumentParser) -> None:
    """What is printed and written."""
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
    group.add_argument(
        "--profiles", action="store_true",
        help="also show distributions of scores and performance profiles, and with --cutoff the "
        "share solved over time, PAR10 and expected running times",
    )  # fmt: skip
    figures = parser.add_argument_group(
        "figures, PNG, SVG or PDF by the ending of FILE; each may be given again"
    )
    for name, what in (
        ("--cd", "critical-difference diagram"),
        ("--heatmap", "posterior probabilities of all pairs"),
        ("--pmatrix", "adjusted p-values of all pairs"),
        ("--strips", "with --unpaired: every run, medians and their intervals"),
        ("--ecdf", "distributions of the scores"),
        ("--solved", "with --cutoff: the share of runs solved over time"),
        ("--performance", "performance profiles over several problems"),
        ("--front", "with --metric NAME=FILE: the front, by the first two metrics"),
    ):
        figures.add_argument(name, action="append", default=[], metavar="FILE", help=what)
    figures.add_argument(
        "--simplex", nargs=3, action="append", default=[], metavar=("A", "B", "FILE"),
        help="posterior of A against B over better, practically equivalent and worse",
    )  # fmt: skip
