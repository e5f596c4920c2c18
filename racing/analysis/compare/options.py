"""The options of a comparison, once: for `compare`, for `racing compare`, and for their help.

An option is an entry of `Options` (of Python and the command line) or of `_TERMINAL` (of the
command line alone): its name, its type, and a `CompareOption` with all else. A new option is a new
entry, and what reads it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from inspect import Parameter, Signature
from typing import Annotated, Any, TypedDict, get_args, get_type_hints

from racing.analysis.compare.bayes import BOUNDS
from racing.analysis.compare.corrections import ALIASES, CORRECTIONS, SHORTHANDS
from racing.analysis.compare.estimates import ALSO
from racing.analysis.compare.paired import PAIRED
from racing.analysis.compare.read import LAYOUTS
from racing.analysis.compare.result_table import Missing
from racing.analysis.compare.unpaired import UNPAIRED
from racing.base.errors import InputError
from racing.base.quantities import Direction
from racing.core.failures import OnFailure

REPETITIONS = ("average", "correlated-t")
TABLE, TESTS, BAYES, OUTPUT = "the table", "the tests", "posterior probabilities", "the output"
FIGURES = "figures, PNG, SVG or PDF by the ending of FILE; each may be given again"
GROUPS = (TABLE, TESTS, BAYES, OUTPUT, FIGURES)
ONE, ALL = "paired unpaired", "paired unpaired metrics"
_KINDS = {"paired": "a paired table", "unpaired": "runs that nothing pairs",
          "metrics": "several metrics", ONE: "a comparison by one metric"}  # fmt: skip
_TESTS = (*PAIRED.tests, *SHORTHANDS, *UNPAIRED.tests)
_OMNIBUS = (*PAIRED.omnibus, *UNPAIRED.omnibus, "none")
_BAYES = tuple(name for name in PAIRED.posteriors if name != "correlated-t")


@dataclass(frozen=True, kw_only=True)
class CompareOption:
    """All of an option but its name and type.

    Attributes
    ----------
    help : what it means, on the command line and in Python
    group : the heading under which the command line lists it
    default : what nothing given means
    designs : the comparisons that have it
    flag : its name on the command line, without dashes, if it is another one; None if it has none
    parsed : what argparse needs besides
    """

    help: str
    group: str
    default: Any
    designs: str
    flag: str | None
    parsed: Mapping[str, Any]


def _option(
    help: str, group: str, default: Any = None, designs: str = ONE, flag: str | None = "",
    **parsed: Any,
) -> CompareOption:  # fmt: skip
    return CompareOption(
        help=help, group=group, default=default, designs=designs, flag=flag, parsed=parsed
    )


# fmt: off
class Options(TypedDict, total=False):
    """The options of `compare`, with their types."""

    direction: Annotated[
        Direction | None,
        _option("whether lower scores are better (minimize, the default) or higher ones", TABLE,
                designs=ALL)]
    missing: Annotated[
        Missing,
        _option("what to do about missing cells: refuse names them and stops (the default), "
                "average takes the mean of the repetitions that are there, drop-instances and "
                "drop-algorithms leave out every row or column that misses one; "
                "average,drop-instances does both", TABLE, "refuse", ALL, type="missing",
                metavar="WHAT")]
    columns: Annotated[
        Mapping[str, str] | None,
        _option("which column has which role in the long form: algorithm, instance, repetition, "
                "score, as in score=accuracy (default: by their names)", TABLE, nargs="+",
                type="named", metavar="ROLE=NAME")]
    groups: Annotated[
        Sequence[object],
        _option("a label for each instance, where instances come in groups, such as questions "
                "about one text", TABLE, (), "paired", None)]
    cutoff: Annotated[
        float | None,
        _option("scores are times, and runs were stopped at this one", TABLE, type=float,
                metavar="TIME")]
    on_failure: Annotated[
        OnFailure | Mapping[str, Any] | str | None,
        _option("what an infinite score counts as: worst (default; of a log as in its run), rate "
                "(worst only of what fails more often than chance explains), a score such as 60, "
                "or one for each metric: time=60,quality=0", TABLE, designs=ALL, type="on_failure",
                metavar="POLICY")]
    ranked: Annotated[
        bool,
        _option("the table holds ranks, 1 = best, not scores", TABLE, False, "paired", "ranks",
                action="store_true")]
    control: Annotated[
        str | None,
        _option("compare all others with this one (default: all pairs)", TESTS, metavar="NAME")]
    alpha: Annotated[
        float,
        _option("level of all comparisons together (default: 0.05)", TESTS, 0.05, ALL, type=float)]
    omnibus: Annotated[
        str | None,
        _option(f"is there any difference: {', '.join(PAIRED.omnibus)}, none (default: "
                f"iman-davenport); of runs {', '.join(UNPAIRED.omnibus)}, none (default: kruskal)",
                TESTS, choices=_OMNIBUS, metavar="TEST")]
    test: Annotated[
        str | None,
        _option(f"of two algorithms: {', '.join((*PAIRED.tests, *SHORTHANDS))} (default: wilcoxon; "
                "mcnemar where every score is 0 or 1); of runs "
                f"{', '.join(UNPAIRED.tests)} (default: brunner-munzel)", TESTS, choices=_TESTS,
                metavar="TEST")]
    correction: Annotated[
        str | None,
        _option(f"for several comparisons: {', '.join(CORRECTIONS)} (default: bergmann-hommel or "
                "shaffer for all pairs, holm against a control, for the sign test and for runs)",
                TESTS, choices=(*CORRECTIONS, *ALIASES), metavar="NAME")]
    tie_correction: Annotated[
        bool,
        _option("the omnibus test as printed by Demšar, without correction for ties", TESTS, True,
                "paired", "no-tie-correction", action="store_false")]
    repetitions: Annotated[
        str,
        _option("average them, or use them one by one in a Bayesian correlated t-test per instance",
                TESTS, "average", "paired", choices=REPETITIONS)]
    rho: Annotated[
        float | None,
        _option("correlation of repetitions, 1/k for k folds (default: 1/number)", TESTS,
                designs="paired", type=float)]
    also: Annotated[
        Sequence[str],
        _option(f"what to estimate besides: {', '.join(ALSO)}", TESTS, (), "paired", nargs="+",
                choices=tuple(ALSO), metavar="WHAT")]
    bayes: Annotated[
        str | None,
        _option(f"{', '.join(_BAYES)}, none (default: signed-rank for two algorithms, else none); "
                f"of runs {', '.join(UNPAIRED.posteriors)}, none (default: rank-sum for two "
                "algorithms, else kruskal)", BAYES,
                choices=(*_BAYES, *UNPAIRED.posteriors, "none"), metavar="TEST")]
    rope: Annotated[
        float,
        _option("differences up to this are practically equivalent, in units of score; of runs in "
                "units of A, such as 0.06; of several metrics in units of the one that is named, "
                "such as time=0.1 (default: 0)", BAYES, 0.0, ALL, type="rope", action="append",
                metavar="[NAME=]DIFFERENCE")]
    bound: Annotated[
        str | None,
        _option("what all priors of that weight grant (lower, the default for runs), or some "
                "(upper); default: precise, a prior on no difference, of runs none", BAYES,
                choices=tuple(BOUNDS))]
    s: Annotated[
        float | None,
        _option("weight of the prior, in instances or runs (default: 0.5 for signed-rank, 1 for "
                "others, 0.25 for runs)", BAYES, flag="prior-weight", type=float, metavar="S")]
    seed: Annotated[int, _option("of random draws (default: 1)", BAYES, 1, ALL, type=int)]


_TERMINAL = {
    "duplicates": _option("what to do about instances of one name: refuse (the default) or number "
                          "them", TABLE, "refuse", "paired metrics", choices=("refuse", "number")),
    "group": _option("the column that says which instances belong together, as questions about "
                     "one text", TABLE, designs="paired", metavar="COLUMN"),
    "metric": _option("in place of FILE: the table of a metric, given again for each metric, to "
                      "compare by all of them at once. With FILE, NAME: which score to read, if "
                      "samples have several", TABLE, (), "paired metrics", action="append",
                      metavar="NAME[:maximize]=FILE"),
    "layout": _option("of a CSV (default: by its header)", TABLE, "auto", ALL, choices=LAYOUTS),
    "unpaired": _option("nothing pairs the scores: they are runs, in columns of any lengths or one "
                        "a line", TABLE, False, action="store_true"),
    "problem": _option("with --unpaired: the runs on this problem only", TABLE, designs="unpaired",
                       metavar="NAME"),
    "json": _option("print the result as one JSON object", OUTPUT, False, ALL, form=True),
    "latex": _option("print LaTeX tables (booktabs)", OUTPUT, False, ALL, form=True),
    "markdown": _option("print Markdown", OUTPUT, False, ALL, form=True),
    "all_rows": _option("print every algorithm and comparison, not only the first 45", OUTPUT,
                        False, ALL, action="store_true"),
    "longtable": _option("with --latex: tables that break across pages", OUTPUT, False, ALL,
                         action="store_true"),
    "tables": _option("also write the tables in full as CSV files into FOLDER", OUTPUT, None, ALL,
                      metavar="FOLDER"),
    "html": _option("also write a page with pictures", OUTPUT, None, ALL, metavar="FILE"),
    "profiles": _option("also show distributions of scores and performance profiles, and with "
                        "--cutoff the share solved over time, PAR10 and expected running times",
                        OUTPUT, False, action="store_true"),
    "cd": _option("critical-difference diagram", FIGURES, ()),
    "heatmap": _option("posterior probabilities of all pairs", FIGURES, ()),
    "pmatrix": _option("adjusted p-values of all pairs", FIGURES, ()),
    "strips": _option("with --unpaired: every run, medians and their intervals", FIGURES, (),
                      "unpaired"),
    "ecdf": _option("distributions of the scores", FIGURES, ()),
    "solved": _option("with --cutoff: the share of runs solved over time", FIGURES, ()),
    "performance": _option("performance profiles over several problems", FIGURES, ()),
    "front": _option("with --metric NAME=FILE: the front, by the first two metrics", FIGURES, (),
                     "metrics"),
    "footnote": _option("figures without the line below that says how to read them", FIGURES, True,
                        ALL, "no-footnote", action="store_false"),
    "simplex": _option("posterior of A against B over better, practically equivalent and worse",
                       FIGURES, (), "paired", nargs=3, metavar=("A", "B", "FILE")),
}
# fmt: on
_TYPED = get_type_hints(Options, include_extras=True)
PYTHON: Mapping[str, CompareOption] = {name: get_args(of)[1] for name, of in _TYPED.items()}
"""The options of `compare`."""
OPTIONS: Mapping[str, CompareOption] = {**PYTHON, **_TERMINAL}
"""Those and the options of the command line alone."""


def flag_of(name: str) -> str:
    """The name of an option on the command line."""
    return "--" + (OPTIONS[name].flag or name.replace("_", "-"))


def signature() -> Signature:
    """The signature of `compare`."""
    kind, hints = Parameter.KEYWORD_ONLY, get_type_hints(Options)
    data = Parameter("data", Parameter.POSITIONAL_OR_KEYWORD, annotation=Any)
    paired = Parameter("paired", kind, default=True, annotation=bool)
    return Signature(
        [data, paired, *(Parameter(name, kind, default=one.default, annotation=hints[name])
                         for name, one in PYTHON.items())]
    )  # fmt: skip


def documentation() -> str:
    """The options of `compare` as the end of a docstring's parameters."""
    return "\n".join(f"{name} : {one.help}." for name, one in PYTHON.items())


def check_design(given: Mapping[str, Any], design: str, *, terminal: bool = False) -> None:
    """Refuse options that a comparison of this design does not have.

    Raises
    ------
    InputError
        If one is given that is not its default.
    """
    for name, value in given.items():
        one = OPTIONS.get(name)
        if one is None or design in one.designs.split() or value in (one.default, []):
            continue
        kind = _KINDS.get(one.designs.removesuffix(" metrics"), one.designs)
        fix = {
            "paired": "add --unpaired"
            if one.designs == "unpaired"
            else "leave out FILE and give --metric NAME=FILE for each",
            "unpaired": "leave out one of the two",
            "metrics": "leave it out, or compare one table: racing compare FILE",
        }[design]
        kind = _KINDS[ONE] if design == "metrics" else kind
        python = "leave it out, or paired=False (--unpaired)"
        word = flag_of(name) if terminal else name
        raise InputError(f"{word}: is for {kind}; {fix if terminal else python}")
