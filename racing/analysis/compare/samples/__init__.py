"""Tables from files of evaluations of language models, with a score for each sample.

lm_eval.py     samples_*.jsonl of lm-evaluation-harness, one file for each model and task
promptfoo.py   the JSON of `promptfoo eval -o results.json`
inspect_ai.py  the sample table of Inspect, `samples_df(…).to_csv("samples.csv")`
sample.py      what they have in common: a score of a model on an item; samples → sheet

Higher scores are better, unless it is said otherwise. Where there is an error, a score is missing.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from racing.analysis.compare.samples import inspect_ai, lm_eval, promptfoo
from racing.analysis.compare.samples.sample import Sample, groups_of, sheet_of
from racing.base.errors import TableError

__all__ = ["groups_of", "read_samples", "sheet_of"]

_READERS = (lm_eval, promptfoo, inspect_ai)


def read_samples(paths: Sequence[Path], metric: str | None) -> list[Sample] | None:
    """The samples in files of one of these tools; None if no such tool wrote them.

    Parameters
    ----------
    paths
        Files, or folders of lm-evaluation-harness.
    metric
        Which score to read, where there are several.

    Raises
    ------
    TableError
        If they cannot be read: with file and line, what is allowed and how to fix it.
    """
    reader = next((one for one in _READERS if one.knows(paths)), None)
    if reader is None and len(paths) > 1:
        raise TableError(
            "several files are for samples_*.jsonl of lm-evaluation-harness, one for each model "
            f"and task; {paths[0]} is none: give one file"
        )
    return None if reader is None else reader.read(paths, metric=metric)
