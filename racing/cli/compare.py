"""Say which algorithms differ: from a table of results, or from the log of a race.

FILE is a CSV with one row per instance (first column: its name) and one column per algorithm; or
with the columns algorithm, instance, score and repetition; or the log of a race; or what an
evaluation of language models writes, sample by sample. With --unpaired it has runs that nothing
pairs: a column of any length per algorithm, or the columns algorithm, score and problem.
With --metric NAME=FILE, given again for each metric, it says which algorithms are good, which are
fast, and which are dominated: the front of finished algorithms.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from racing.cli import compare_metrics, exits
from racing.cli.compare_metrics import Said
from racing.cli.compare_options import add_bayes, add_output, add_table, add_tests
from racing.cli.console import say, say_json, talk, tell

if TYPE_CHECKING:
    from racing.analysis.compare import Comparison, ResultTable, RunComparison, RunTable
    from racing.analysis.compare.profiles.data import Profiles
    from racing.analysis.compare.profiles.stopped import Table
    from racing.answer.document import Document

EXAMPLES = (
    "racing compare results.csv --maximize --control mine --cd diagram.svg",
    "racing compare runs.csv --unpaired --profiles --cutoff 60",
    "racing compare --metric quality=quality.csv --metric time=time.csv",
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument(
        "file", metavar="FILE", nargs="*",
        help="a CSV, wide or long; the log of a race; or samples: the JSON of Promptfoo, the table "
        "of Inspect, files or a folder of lm-evaluation-harness",
    )  # fmt: skip
    add_table(parser)
    add_tests(parser)
    add_bayes(parser)
    add_output(parser)


def main(args: argparse.Namespace) -> int:
    """Run the command."""
    from racing.analysis.compare.report import MOST_ROWS
    from racing.answer.tables import write_tables

    _check_output(args)
    said = compare_metrics.said(args) if args.metric and not args.file else _said(args)
    written = [*said.figures]
    if args.tables:
        written += write_tables(said.document(None), args.tables)
    if args.html:
        from racing.report.page import write_page

        written.append(write_page(Path(args.html), said.page()))
    if args.json:
        say_json(said.data())
    else:
        _print(said.document(None if args.all_rows else MOST_ROWS), args)
    for file in written:
        talk(f"wrote {file}")
    return exits.OK


def _print(document: Document, args: argparse.Namespace) -> None:
    from racing.answer.latex import latex
    from racing.answer.markdown import markdown

    if args.latex:
        say(latex(document, longtable=args.longtable), end="")
    elif args.markdown:
        say(markdown(document), end="")
    else:
        tell(document)


def _said(args: argparse.Namespace) -> Said:
    """What a comparison by one metric says."""
    from racing.cli.compare_figures import draw

    _check(args)
    table = _table(args)
    found = _compared(table, args)
    wanted = args.profiles or args.ecdf or args.solved or args.performance
    profiles = _profiles(table) if wanted else None
    shown = profiles if args.profiles else None
    return Said(
        document=lambda rows: _document(found, shown, rows),
        data=lambda: _data(found, shown),
        page=lambda: _page(found, shown, Path(args.file[0]).name),
        figures=draw(found, profiles, args),
    )


def _check_output(args: argparse.Namespace) -> None:
    from racing.base.errors import InputError

    if not (args.file or args.metric):
        raise InputError(
            "FILE: no table to compare; give one, or one for each metric (--metric NAME=FILE)"
        )
    if args.longtable and not args.latex:
        raise InputError("--longtable: is for --latex; give both")


def _check(args: argparse.Namespace) -> None:
    """Refuse options that need another one, or go with one kind of table only."""
    from racing.base.errors import InputError

    if len(args.metric) > 1:
        raise InputError(
            f"--metric: with FILE ({args.file[0]}) it names one score of samples; to compare by "
            "several metrics, leave out FILE and give --metric NAME=FILE for each"
        )
    for name, _ in args.rope:
        if name:
            raise InputError(f"--rope: {name} names a metric; of one table say --rope DIFFERENCE")
    paired_only = {
        "--group": args.group, "--metric": args.metric, "--duplicates": args.duplicates != "refuse",
        "--simplex": args.simplex, "--ranks": args.ranks, "--also": args.also,
        "--rho": args.rho is not None, "--repetitions": args.repetitions != "average",
        "--no-tie-correction": not args.tie_correction,
        "several files": len(args.file) > 1,
    }  # fmt: skip
    runs_only = {"--problem": args.problem, "--strips": args.strips}
    for option, given in (paired_only if args.unpaired else runs_only).items():
        if given:
            fix = "leave out one of the two" if args.unpaired else "add --unpaired"
            kind = "a paired table" if args.unpaired else "runs that nothing pairs"
            raise InputError(f"{option}: is for {kind}; {fix}")
    if args.front:
        raise InputError(
            "--front: is for several metrics; leave out FILE and give --metric NAME=FILE for each"
        )
    if args.solved and args.cutoff is None:
        raise InputError("--solved: needs the time at which runs were stopped (--cutoff TIME)")


def _table(args: argparse.Namespace) -> ResultTable | RunTable:
    from racing.analysis.compare import read_runs, read_table
    from racing.analysis.compare.profiles.stopped import counted, stopped_at

    def meant(table: Table) -> Table:
        table = table if args.cutoff is None else stopped_at(table, args.cutoff)
        return table if args.on_failure is None else counted(table, args.on_failure)

    if args.unpaired:
        runs = read_runs(
            args.file[0], direction=args.direction, missing=args.missing, layout=args.layout
        )
        runs = runs if args.problem is None else runs.only(args.problem)
        return meant(runs)
    table = read_table(
        args.file, direction=args.direction, missing=args.missing, layout=args.layout,
        duplicates=args.duplicates, group=args.group, metric=next(iter(args.metric), None),
    )  # fmt: skip
    return meant(table)


def _compared(
    table: ResultTable | RunTable, args: argparse.Namespace
) -> Comparison | RunComparison:
    from racing.analysis.compare import compare

    common = {
        "control": args.control, "alpha": args.alpha, "omnibus": args.omnibus, "test": args.test,
        "correction": args.correction, "bayes": args.bayes, "bound": args.bound,
        "rope": args.rope[-1][1] if args.rope else 0.0, "s": args.prior_weight, "seed": args.seed,
    }  # fmt: skip
    if args.unpaired:
        return compare(table, paired=False, **common)
    return compare(
        table, tie_correction=args.tie_correction, ranked=args.ranks,
        repetitions=args.repetitions, rho=args.rho, also=args.also, **common,
    )  # fmt: skip


def _profiles(table: ResultTable | RunTable) -> Profiles:
    from racing.analysis.compare import ResultTable
    from racing.analysis.compare.profiles.data import profiles
    from racing.analysis.compare.profiles.stopped import as_runs_by_instance

    return profiles(as_runs_by_instance(table) if isinstance(table, ResultTable) else table)


def _document(
    found: Comparison | RunComparison, profiles: Profiles | None, rows: int | None
) -> Document:
    """The report, with the profiles before what is to be kept in mind."""
    from racing.analysis.compare import Comparison, report
    from racing.analysis.compare.profiles.blocks import profile_blocks
    from racing.analysis.compare.unpaired import report as unpaired_report
    from racing.answer.document import Heading

    blocks = (
        report.document(found, most_rows=rows)
        if isinstance(found, Comparison)
        else unpaired_report.document(found, most_rows=rows)
    )
    at = blocks.index(Heading("To keep in mind"))
    more = () if profiles is None else profile_blocks(profiles)
    return [*blocks[:at], *more, *blocks[at:]]


def _page(
    found: Comparison | RunComparison, profiles: Profiles | None, name: str
) -> dict[str, object]:
    from racing.analysis.compare import Comparison
    from racing.report.page import comparison_data, run_comparison_data

    if isinstance(found, Comparison):
        return comparison_data(found, name=name, profiles=profiles)
    return run_comparison_data(found, name=name, profiles=profiles)


def _data(found: Comparison | RunComparison, profiles: Profiles | None) -> dict[str, object]:
    from racing.analysis.compare import Comparison
    from racing.analysis.compare.json_data import as_data
    from racing.analysis.compare.profiles.json_data import profile_data
    from racing.analysis.compare.unpaired.json_data import run_data

    data = as_data(found) if isinstance(found, Comparison) else run_data(found)
    return data if profiles is None else {**data, "profiles": profile_data(profiles)}
