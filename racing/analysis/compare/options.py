"""The options of a comparison, once: for `compare`, for `racing compare`, and for their help.

An option is an entry of `Options` (of Python and the command line) or of `CommandLine` (of the
command line alone): its name, its help, its type, and a `CompareOption` with all else. A new option
is a new entry, and what reads it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import wraps
from inspect import Parameter, Signature, cleandoc, signature
from typing import Annotated, Any, TypedDict, TypeVar, get_args, get_type_hints

import numpy as np

from racing.analysis.compare.bayes import BOUNDS
from racing.analysis.compare.methods import ALIASES, CORRECTIONS, SHORTHANDS, option
from racing.analysis.compare.paired import ALSO, PAIRED
from racing.analysis.compare.read import LAYOUTS
from racing.analysis.compare.result_table import Duplicates, Missing
from racing.analysis.compare.unpaired import UNPAIRED
from racing.base.errors import InputError
from racing.base.quantities import Direction
from racing.base.records.docstrings import attributes
from racing.core.failures import OnFailure

Function = TypeVar("Function", bound=Callable[..., Any])
REPETITIONS = ("average", "correlated-t")
TABLE, TESTS, BAYES, OUTPUT = "the table", "the tests", "posterior probabilities", "the output"
FIGURES = "figures, PNG, SVG or PDF by the ending of FILE; each may be given again"
GROUPS = (TABLE, TESTS, BAYES, OUTPUT, FIGURES)
ONE, ALL = "paired unpaired", "paired unpaired metrics"
_KINDS = {"paired": "a paired table", "unpaired": "runs that nothing pairs",
          "metrics": "several metrics", ONE: "a comparison by one metric"}  # fmt: skip
_TESTS = (*PAIRED.tests, *SHORTHANDS)
_BAYES = tuple(name for name in PAIRED.posteriors if name != "correlated-t")
_WORDS = {
    "also": ALSO, "corrections": CORRECTIONS, "omnibus": PAIRED.omnibus, "tests": _TESTS,
    "bayes": _BAYES, "of_runs": UNPAIRED.tests, "omnibus_of_runs": UNPAIRED.omnibus,
    "bayes_of_runs": UNPAIRED.posteriors,
}  # fmt: skip


@dataclass(frozen=True)
class CompareOption:
    """All of an option but its name and type.

    Attributes
    ----------
    group : the heading under which the command line lists it
    default : what nothing given means
    designs : the comparisons that have it
    flag : its name on the command line, without dashes, if it is another one; None if it has none
    parsed : what argparse needs besides
    help : what it means, on the command line and in Python
    """

    group: str
    default: Any
    designs: str
    flag: str | None
    parsed: Mapping[str, Any]
    help: str = ""


def _option(
    group: str, default: Any = None, designs: str = ONE, flag: str | None = "", **parsed: Any
) -> CompareOption:
    return CompareOption(group, default, designs, flag, parsed)


# fmt: off
class Options(TypedDict, total=False):
    """The options of `compare`, with their types.

    Attributes
    ----------
    direction
        whether lower scores are better (minimize, the default) or higher ones; of several metrics
        also by name
    missing
        what to do about missing cells: refuse names them and stops (the default), average
        takes the mean of the repetitions that are there, drop-instances and drop-algorithms leave
        out every row or column that misses one; average,drop-instances does both
    duplicates
        what to do about instances of one name: refuse (the default) or number them
    columns
        which column has which role: algorithm, instance, repetition, score, as in
        score=accuracy; the wide form has instances and repetitions (default: by their names)
    groups
        a label for each instance, where instances come in groups, such as questions about one
        text
    cutoff
        scores are times, and runs were stopped at this one
    on_failure
        what an infinite score counts as: worst (default; of a log as in its run), rate
        (worst only of what fails more often than chance explains), a score such as 60, or one for
        each metric: time=60,quality=0
    ranked
        the table holds ranks, 1 = best, not scores
    control
        compare all others with this one (default: all pairs)
    alpha
        level of all comparisons together (default: 0.05)
    omnibus
        is there any difference: {omnibus}, none (default: iman-davenport); of runs
        {omnibus_of_runs}, none (default: kruskal)
    test
        of two algorithms: {tests} (default: wilcoxon; mcnemar where every score is 0 or 1); of
        runs {of_runs} (default: brunner-munzel)
    correction
        for several comparisons: {corrections} (default: bergmann-hommel or shaffer for all
        pairs, holm against a control, for the sign test and for runs)
    tie_correction
        the omnibus test as printed by Demšar, without correction for ties
    repetitions
        average them, or use them one by one in a Bayesian correlated t-test per instance
    rho
        correlation of repetitions, 1/k for k folds (default: 1/number)
    also
        what to estimate besides: {also}
    bayes
        {bayes}, none (default: signed-rank for two algorithms, else none); of runs
        {bayes_of_runs}, none (default: rank-sum for two algorithms, else kruskal)
    rope
        differences up to this are practically equivalent, in units of score; of runs in units of
        A, such as 0.06; of several metrics in units of the one that is named, such as time=0.1
        (default: 0)
    bound
        what all priors of that weight grant (lower, the default for runs), or some (upper);
        default: precise, a prior on no difference, of runs none
    s
        weight of the prior, in instances or runs (default: 0.5 for signed-rank, 1 for others, 0.25
        for runs)
    seed
        of random draws (default: 1)
    """

    direction: Annotated[Direction | Mapping[str, Direction] | None, _option(TABLE, designs=ALL)]
    missing: Annotated[Missing, _option(TABLE, "refuse", ALL, type="missing", metavar="WHAT")]
    duplicates: Annotated[Duplicates, _option(
        TABLE, "refuse", "paired metrics", choices=("refuse", "number"))]
    columns: Annotated[Mapping[str, str] | None,
                       _option(TABLE, nargs="+", type="named", metavar="ROLE=NAME")]
    groups: Annotated[Sequence[object], _option(TABLE, (), "paired", None)]
    cutoff: Annotated[float | None, _option(TABLE, type=float, metavar="TIME")]
    on_failure: Annotated[OnFailure | Mapping[str, Any] | float | str | None,
                          _option(TABLE, designs=ALL, metavar="POLICY")]
    ranked: Annotated[bool, _option(TABLE, False, "paired", "ranks", action="store_true")]
    control: Annotated[str | None, _option(TESTS, metavar="NAME")]
    alpha: Annotated[float, _option(TESTS, 0.05, ALL, type=float)]
    omnibus: Annotated[str | None, _option(
        TESTS, choices=(*PAIRED.omnibus, *UNPAIRED.omnibus, "none"), metavar="TEST")]
    test: Annotated[str | None,
                    _option(TESTS, choices=(*_TESTS, *UNPAIRED.tests), metavar="TEST")]
    correction: Annotated[str | None,
                          _option(TESTS, choices=(*CORRECTIONS, *ALIASES), metavar="NAME")]
    tie_correction: Annotated[bool, _option(
        TESTS, True, "paired", "no-tie-correction", action="store_false")]
    repetitions: Annotated[str, _option(TESTS, "average", "paired", choices=REPETITIONS)]
    rho: Annotated[float | None, _option(TESTS, designs="paired", type=float)]
    also: Annotated[Sequence[str], _option(
        TESTS, (), "paired", nargs="+", choices=tuple(ALSO), metavar="WHAT")]
    bayes: Annotated[str | None, _option(
        BAYES, choices=(*_BAYES, *UNPAIRED.posteriors, "none"), metavar="TEST")]
    rope: Annotated[float | Mapping[str, float], _option(
        BAYES, 0.0, ALL, type="rope", action="append", metavar="[NAME=]DIFFERENCE")]
    bound: Annotated[str | None, _option(BAYES, choices=tuple(BOUNDS))]
    s: Annotated[float | None, _option(BAYES, flag="prior-weight", type=float, metavar="S")]
    seed: Annotated[int, _option(BAYES, 1, ALL, type=int)]


class CommandLine(TypedDict, total=False):
    """The options of the command line alone.

    Attributes
    ----------
    group
        the column that says which instances belong together, as questions about one text
    metric
        in place of FILE: the table of a metric, given again for each metric, to compare by all
        of them at once. With FILE, NAME: which score to read, if samples have several
    layout
        of a CSV (default: by its header)
    unpaired
        nothing pairs the scores: they are runs, in columns of any lengths or one a line
    problem
        with --unpaired: the runs on this problem only
    json
        print the result as one JSON object
    latex
        print LaTeX tables (booktabs)
    markdown
        print Markdown
    all_rows
        print every algorithm and comparison, not only the first 45
    longtable
        with --latex: tables that break across pages
    tables
        also write the tables in full as CSV files into FOLDER
    html
        also write a page with pictures
    profiles
        also show distributions of scores and performance profiles, and with --cutoff the
        share solved over time, PAR10 and expected running times
    cd
        critical-difference diagram
    heatmap
        posterior probabilities of all pairs
    pmatrix
        adjusted p-values of all pairs
    strips
        with --unpaired: every run, medians and their intervals
    ecdf
        distributions of the scores
    solved
        with --cutoff: the share of runs solved over time
    performance
        performance profiles over several problems
    front
        with --metric NAME=FILE: the front, by the first two metrics
    footnote
        figures without the line below that says how to read them
    simplex
        posterior of A against B over better, practically equivalent and worse
    """

    group: Annotated[str | None, _option(TABLE, designs="paired", metavar="COLUMN")]
    metric: Annotated[list[str], _option(
        TABLE, (), "paired metrics", action="append", metavar="NAME[:maximize]=FILE")]
    layout: Annotated[str, _option(TABLE, "auto", ALL, choices=LAYOUTS)]
    unpaired: Annotated[bool, _option(TABLE, False, action="store_true")]
    problem: Annotated[str | None, _option(TABLE, designs="unpaired", metavar="NAME")]
    json: Annotated[bool, _option(OUTPUT, False, ALL, form=True)]
    latex: Annotated[bool, _option(OUTPUT, False, ALL, form=True)]
    markdown: Annotated[bool, _option(OUTPUT, False, ALL, form=True)]
    all_rows: Annotated[bool, _option(OUTPUT, False, ALL, action="store_true")]
    longtable: Annotated[bool, _option(OUTPUT, False, ALL, action="store_true")]
    tables: Annotated[str | None, _option(OUTPUT, None, ALL, metavar="FOLDER")]
    html: Annotated[str | None, _option(OUTPUT, None, ALL, metavar="FILE")]
    profiles: Annotated[bool, _option(OUTPUT, False, action="store_true")]
    cd: Annotated[list[str], _option(FIGURES, ())]
    heatmap: Annotated[list[str], _option(FIGURES, ())]
    pmatrix: Annotated[list[str], _option(FIGURES, ())]
    strips: Annotated[list[str], _option(FIGURES, (), "unpaired")]
    ecdf: Annotated[list[str], _option(FIGURES, ())]
    solved: Annotated[list[str], _option(FIGURES, ())]
    performance: Annotated[list[str], _option(FIGURES, ())]
    front: Annotated[list[str], _option(FIGURES, (), "metrics")]
    footnote: Annotated[bool, _option(FIGURES, True, ALL, "no-footnote", action="store_false")]
    simplex: Annotated[list[list[str]], _option(
        FIGURES, (), "paired", nargs=3, metavar=("A", "B", "FILE"))]
# fmt: on


def _listed(options: type) -> Mapping[str, CompareOption]:
    """The options of a class by name, with the help that its docstring has."""
    words = {name: ", ".join(names) for name, names in _WORDS.items()}
    texts, hints = attributes(options), get_type_hints(options, include_extras=True)
    return {
        name: replace(get_args(hint)[1], help=texts.get(name, "").format_map(words))
        for name, hint in hints.items()
    }


PYTHON = _listed(Options)
"""The options of `compare`; of `compare_metrics` those of its design."""
READING = ("direction", "missing", "duplicates", "columns", "groups")
"""Those with which a table is read."""
OPTIONS: Mapping[str, CompareOption] = {**PYTHON, **_listed(CommandLine)}
"""Those and the options of the command line alone."""


def flag_of(name: str) -> str:
    """The name of an option on the command line."""
    return "--" + (OPTIONS[name].flag or name.replace("_", "-"))


def takes(*designs: str) -> Callable[[Function], Function]:
    """Give a function the options of these designs: its signature, and the end of its parameters.

    What is no option is refused as by any function.
    """
    hints, own = get_type_hints(Options), {name: one for name, one in PYTHON.items()
                                           if {*designs} & {*one.designs.split()}}  # fmt: skip

    def dressed(function: Function) -> Function:
        first = signature(function, eval_str=True).parameters.values()
        all_ = Signature([one for one in first if one.kind != Parameter.VAR_KEYWORD] + [
            Parameter(name, Parameter.KEYWORD_ONLY, default=one.default, annotation=hints[name])
            for name, one in own.items()
        ])  # fmt: skip

        @wraps(function)
        def called(*given: Any, **options: Any) -> Any:
            try:
                all_.bind(*given, **options)
            except TypeError as error:
                raise TypeError(f"{function.__name__}() {error}") from None
            return function(*given, **options)

        called.__signature__ = all_  # type: ignore[attr-defined]
        said = "\n".join(f"{name} : {one.help}." for name, one in own.items())
        called.__doc__ = cleandoc(function.__doc__ or "").replace(  # indented before Python 3.13
            "\n\nRaises\n", f"\n{said}\n\nRaises\n"
        )
        return called  # type: ignore[return-value]

    return dressed


def check_design(given: Mapping[str, Any], design: str) -> None:
    """Refuse options that a comparison of this design does not have.

    Raises
    ------
    InputError
        If one is given that is not its default.
    """
    for name, value in given.items():
        one = OPTIONS.get(name)
        if one is None or design in one.designs.split():
            continue
        if not len(value) if np.ndim(value) else value == one.default:
            continue
        kind = _KINDS[ONE if design == "metrics" else one.designs.removesuffix(" metrics")]
        fix, python = "leave it out, or compare one table: racing compare FILE", "leave it out"
        if design != "metrics":
            python += f", or say paired={design == 'unpaired'}"
            fix = "leave out one of the two"
        if design == "paired":
            several = "leave out FILE and give --metric NAME=FILE for each"
            fix = "add --unpaired" if one.designs == "unpaired" else several
        raise InputError(f"{option(flag_of(name), name)}: is for {kind}; {option(fix, python)}")
