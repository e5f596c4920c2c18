"""Which algorithms differ? From a finished table of results to tests, groups and words.

    read ──> table ──> design ──> tests ──> groups ──> document, facts

read, sheets, samples, arrays      files, evaluations of language models, arrays and frames
result_table, failures             a table of scores, checked; what failures count as
paired, bayes, unpaired            the designs: which tests suit them, over racing.stats
corrections, estimates             what both share
choices, options                   what is asked for: the defaults, and the list of options
verdicts, comparison, groups       the records of what is found
procedure                          `compare` makes them
notes, words, report, facts        caveats, sentences, a document, what `--json` prints
reports                            what a comparison can be made into
front, front_report                several metrics at once; `compare_metrics` makes it
profiles                           shares of runs done over time, and within a factor

A test is one record in `paired` or `unpaired`: its name, noun and source, the function that runs
it, why it is taken, and its traits, from which its caveats and its place among others follow.
"""

from __future__ import annotations

from racing.analysis.compare.arrays import as_table
from racing.analysis.compare.comparison import ComparedPair, Comparison, RunComparison
from racing.analysis.compare.failures import counted, stopped_at
from racing.analysis.compare.front import MetricComparison, compare_metrics
from racing.analysis.compare.procedure import compare
from racing.analysis.compare.profiles import profiles
from racing.analysis.compare.read import read_table
from racing.analysis.compare.result_table import ResultTable
from racing.analysis.compare.verdicts import Effects, Family, Note, Omnibus, Posterior

__all__ = [
    "ComparedPair",
    "Comparison",
    "Effects",
    "Family",
    "MetricComparison",
    "Note",
    "Omnibus",
    "Posterior",
    "ResultTable",
    "RunComparison",
    "as_table",
    "compare",
    "compare_metrics",
    "counted",
    "profiles",
    "read_table",
    "stopped_at",
]
