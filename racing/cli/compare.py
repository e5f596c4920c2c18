"""Say which algorithms differ: from a table of results, or from the log of a race.

FILE is a CSV with one row per instance (first column: its name) and one column per algorithm; or
with a row per score, and columns for algorithm, instance, score and repetition; or the log of a
race; or what an evaluation of language models writes, sample by sample. With --unpaired it has runs
that nothing pairs: a column of any length per algorithm, or columns for algorithm, score and
problem. With --metric NAME=FILE, given again for each metric, it says which algorithms are good,
which are fast, and which are dominated: the front of finished algorithms.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from racing.analysis.compare.methods import at_terminal
from racing.analysis.compare.options import (
    FIGURES,
    GROUPS,
    OPTIONS,
    PYTHON,
    READING,
    TABLE,
    CompareOption,
    check_design,
    flag_of,
)
from racing.base.errors import InputError, must_be, show
from racing.cli import exits
from racing.cli.console import say, say_json, talk, tell
from racing.cli.options import Option, option

if TYPE_CHECKING:
    from racing.analysis.compare import Comparison, MetricComparison, ResultTable, RunComparison
    from racing.analysis.compare.profiles import Profiles
    from racing.answer.document import Document
    from racing.report.pictures import Picture

EXAMPLES = (
    "racing compare results.csv --maximize --control mine --cd diagram.svg",
    "racing compare runs.csv --unpaired --profiles --cutoff 60",
    "racing compare --metric quality=quality.csv --metric time=time.csv",
)


def _rope(text: str) -> tuple[str, float]:
    """The metric, if one is named, and the difference."""
    name, _, difference = text.rpartition("=")
    try:
        return name.strip(), float(difference)
    except ValueError:
        raise argparse.ArgumentTypeError(f"invalid float value: {difference!r}") from None


def _role(text: str) -> tuple[str, str]:
    role, equals, name = text.partition("=")
    if not equals:
        raise argparse.ArgumentTypeError(
            f"must be ROLE=NAME, such as score=accuracy; got {show(text)}"
        )
    return role, name


def _ways(text: str) -> str | tuple[str, ...]:
    """What to do about missing cells, or two of these."""
    return tuple(text.split(",")) if "," in text else text


_READ: dict[str, Callable[[str], Any]] = {"rope": _rope, "columns": _role, "missing": _ways}


def _arguments() -> Iterator[Option]:
    """The arguments of the command: the table, and the options of a comparison."""
    yield option(
        "file", metavar="FILE", nargs="*",
        help="a CSV, wide or long; the log of a race; or samples: the JSON of Promptfoo, the table "
        "of Inspect, files or a folder of lm-evaluation-harness",
    )  # fmt: skip
    for word, what in (("minimize", "lower scores are better (the default)"),
                       ("maximize", "higher scores are better")):  # fmt: skip
        yield option(
            f"--{word}", dest="direction", action="store_const", const=word, help=what,
            group=TABLE, instead="direction",
        )  # fmt: skip
    for group in GROUPS:
        for name, one in OPTIONS.items():
            if one.group == group and one.flag is not None and name != "direction":
                yield _option(name, one)


def _option(name: str, one: CompareOption) -> Option:
    default = list(one.default) if isinstance(one.default, tuple) else one.default
    how = {"default": [] if name == "rope" else default, **one.parsed}
    form = "form" if how.pop("form", False) else ""
    if form:
        how["action"] = "store_true"
    if one.group == FIGURES and "action" not in how:
        how |= {"action": "append", "metavar": how.get("metavar", "FILE")}
    if name in _READ:
        how["type"] = _READ[name]
    return option(flag_of(name), dest=name, help=one.help, group=one.group, instead=form, **how)


ARGUMENTS = tuple(_arguments())


@at_terminal()
def main(args: argparse.Namespace) -> int:
    """Run the command."""
    from racing.analysis.compare.profiles import profile_blocks
    from racing.answer.tables import write_tables
    from racing.report.figures import draw_picture
    from racing.report.page import compared_data, write_page

    _check(args)
    found, profiles = _compared(args)
    more = () if profiles is None or not args.profiles else profile_blocks(profiles)

    def document(rows: int | None) -> Document:
        return found.document(most_rows=rows, more=more)

    shown = profiles if args.profiles else None
    written = [
        draw_picture(picture if args.footnote else picture.without_note, Path(file))
        for picture, file in _figures(found, profiles, args)
    ]
    if args.tables:
        written += write_tables(document(None), args.tables)
    if args.html:
        name = Path(args.file[0]).name if args.file else ""
        written.append(write_page(Path(args.html), compared_data(found, name=name, profiles=shown)))
    if args.json:
        say_json(found.facts(shown))
    else:
        _print(document(None if args.all_rows else 45), args)
    for file in written:
        talk(f"wrote {file}")
    return exits.OK


def _print(document: Document, args: argparse.Namespace) -> None:
    from racing.answer.markdown import markdown
    from racing.answer.tables import latex

    if args.latex:
        say(latex(document, longtable=args.longtable), end="")
    elif args.markdown:
        say(markdown(document), end="")
    else:
        tell(document)


def _check(args: argparse.Namespace) -> None:
    """Refuse options that need another one, or go with another design only."""
    if not (args.file or args.metric):
        raise InputError(
            "FILE: no table to compare; give one, or one for each metric (--metric NAME=FILE)"
        )
    if args.longtable and not args.latex:
        raise InputError("--longtable: is for --latex; give both")
    several = not args.file
    design = "metrics" if several else "unpaired" if args.unpaired else "paired"
    if len(args.metric) > 1 and not several:
        raise InputError(
            f"--metric: with FILE ({args.file[0]}) it names one score of samples; to compare by "
            "several metrics, leave out FILE and give --metric NAME=FILE for each"
        )
    check_design(vars(args), design)
    for name, value in args.rope:
        if name and not several:
            raise InputError(f"--rope: {name} names a metric; of one table say --rope DIFFERENCE")
        if not name and several:
            raise InputError(f"--rope: is in units of a metric, so name it: --rope NAME={value:g}")
    if args.unpaired and len(args.file) > 1:
        raise InputError("several files: is for a paired table; leave out one of the two")
    if args.solved and args.cutoff is None:
        raise InputError("--solved: needs the time at which runs were stopped (--cutoff TIME)")


def _compared(
    args: argparse.Namespace,
) -> tuple[Comparison | RunComparison | MetricComparison, Profiles | None]:
    """The comparison, and the profiles of its table if something shows them."""
    from racing.analysis.compare import compare, compare_metrics, profiles, read_table

    design = "metrics" if not args.file else "unpaired" if args.unpaired else "paired"
    asked = {name: getattr(args, name) for name, one in PYTHON.items()
             if name not in READING and design in one.designs.split()}  # fmt: skip
    asked["rope"] = args.rope[-1][1] if args.rope else 0.0
    reading: dict[str, Any] = {name: getattr(args, name) for name in ("missing", "layout")}
    if not args.unpaired:
        reading["duplicates"] = args.duplicates
    if not args.file:
        asked["rope"] = dict(args.rope)
        return compare_metrics(_tables(args, reading), **asked), None
    table = read_table(
        args.file, paired=not args.unpaired, direction=args.direction, group=args.group,
        columns=dict(args.columns or ()), metric=next(iter(args.metric), None), **reading,
    )  # fmt: skip
    table = table if args.problem is None else table.only(args.problem)
    found = compare(table, paired=False, **asked) if args.unpaired else compare(table, **asked)
    wanted = args.profiles or args.ecdf or args.solved or args.performance
    return found, profiles(found.table) if wanted else None


def _tables(args: argparse.Namespace, reading: dict[str, Any]) -> dict[str, ResultTable]:
    """The table of each metric; a metric's own direction goes before that of all."""
    from racing.analysis.compare import read_table
    from racing.analysis.compare.read import is_log

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
        found[name] = read_table(file, direction=direction or args.direction, **reading)
    return found


def _parts(given: str) -> tuple[str, Any, Path]:
    """Name, direction and file of NAME=FILE or NAME:maximize=FILE."""
    label, equals, file = given.partition("=")
    name, colon, way = (part.strip() for part in label.partition(":"))
    if not (equals and name and file):
        raise InputError(
            f"--metric must be NAME=FILE, such as time=time.csv; got {show(given)}; to read one "
            "score of samples, name their file too: racing compare FILE --metric NAME"
        )
    if colon and way not in ("minimize", "maximize"):
        raise InputError(
            must_be("--metric", f"{name}:minimize=FILE or {name}:maximize=FILE", given)
        )
    return name, way or None, Path(file)


def _figures(
    found: Any, profiles: Profiles | None, args: argparse.Namespace
) -> Iterator[tuple[Picture, str]]:
    """The figures that were asked for, and their files."""
    from racing.report.pictures import front, ranks, runs

    one = found.only if args.unpaired and (args.cd or args.heatmap or args.pmatrix) else found
    pictures: Sequence[tuple[Callable[[Any], Picture], Any, list[str]]] = (
        (ranks.mean_ranks, one, args.cd),
        (ranks.posteriors, one, args.heatmap),
        (ranks.p_values, one, args.pmatrix),
        (runs.every_run, found, args.strips),
        (runs.distributions, profiles, args.ecdf),
        (runs.solved, profiles, args.solved),
        (runs.performance, profiles, args.performance),
        (front.front_of, found, args.front),
    )
    for picture, of, files in pictures:
        yield from ((picture(of), file) for file in files)
    for a, b, file in args.simplex:
        yield ranks.triangle(found.sample(a, b), a, b, rope=found.choices.rope), file
