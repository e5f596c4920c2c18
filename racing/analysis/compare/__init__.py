"""Which algorithms differ? From a finished table of results to tests, groups and words.

result_table, complete, arrays             a table of scores, checked, from arrays
table_files, cells                         the same from CSV files and logs
choices                                    which tests are run
omnibus, pairwise, sizes, posterior        the tests by name, over racing.stats
groups, notes                              what follows from them
verdicts, comparison, paired, procedure    all of it as data; `compare` makes it
unpaired                                   the same for unpaired runs
metrics                                    several metrics at once; `compare_metrics` makes it
profiles                                   shares of runs done over time, and within a factor
samples                                    tables from evaluations of language models
estimates                                  contrasts, worths, standardized differences
words, posterior_words, caveats, reasons   sentences
rows, report, json_data, tables            a document, plain data, CSV files
blocks, marks, setting, latex              what a document is made of, and how it is set
"""

from __future__ import annotations

from racing.analysis.compare.arrays import as_table
from racing.analysis.compare.comparison import Comparison
from racing.analysis.compare.metrics.comparison import MetricComparison
from racing.analysis.compare.metrics.procedure import compare_metrics
from racing.analysis.compare.posterior import sample
from racing.analysis.compare.procedure import compare
from racing.analysis.compare.result_table import ResultTable
from racing.analysis.compare.table_files import read_table
from racing.analysis.compare.unpaired.arrays import as_runs
from racing.analysis.compare.unpaired.comparison import ProblemComparison, RunComparison
from racing.analysis.compare.unpaired.files import read_runs
from racing.analysis.compare.unpaired.table import RunTable
from racing.analysis.compare.verdicts import Effects, Family, Note, Omnibus, Posterior

__all__ = [
    "Comparison",
    "Effects",
    "Family",
    "MetricComparison",
    "Note",
    "Omnibus",
    "Posterior",
    "ProblemComparison",
    "ResultTable",
    "RunComparison",
    "RunTable",
    "as_runs",
    "as_table",
    "compare",
    "compare_metrics",
    "read_runs",
    "read_table",
    "sample",
]
