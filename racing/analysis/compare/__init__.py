"""Which algorithms differ? From a finished table of results to tests, groups and words.

    read ──> table ──> study ──> tests ──> groups ──> document, facts

read, sheets, samples, arrays      files, evaluations of language models, arrays and frames
result_table                       a table of scores, checked; what failures count as
verdicts                           records of a study (table, design, choices) and of what is found
paired, unpaired, bayes, methods   the designs: which tests suit them, over racing.stats
options, choices                   what can be asked for, and what is taken
comparison, groups                 `compare` runs the tests of a study: a comparison
notes, words, report, facts        caveats, sentences, documents and forms, what `--json` prints
front                              several metrics at once; `compare_metrics` makes it
profiles                           shares of runs done over time, and within a factor

A test is a function in `paired` or `unpaired`, and a row of `methods.csv`: its noun and source, why
it is taken, and its traits, from which its caveats and its place among others follow.
`sentences.toml` has the sentences of reports and of refusals, into which facts are put.
"""

from __future__ import annotations

from racing.analysis.compare.arrays import as_table
from racing.analysis.compare.comparison import ComparedPair, Comparison, RunComparison, compare
from racing.analysis.compare.front import MetricComparison, compare_metrics
from racing.analysis.compare.profiles import profiles
from racing.analysis.compare.read import read_table
from racing.analysis.compare.result_table import ResultTable, counted, stopped_at
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
