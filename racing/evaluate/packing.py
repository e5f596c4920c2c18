"""Pickles work for other processes."""

from __future__ import annotations

import pickle
from typing import Any

from racing.base.errors import InputError, named
from racing.core.experiment import Experiment
from racing.evaluate.work import Work

_PLAIN = {str, int, float, bool, type(None)}


def packed(work: Work) -> bytes:
    """The work as bytes for workers; functions without a name are pickled by value.

    Raises
    ------
    InputError
        If it cannot be sent.
    """
    try:
        return as_bytes(work)
    except Exception as error:
        raise InputError(
            f"the target cannot be sent to worker processes ({named(error)}); name it as "
            "file.py:function, keep what cannot be pickled out of it, or use engine in-process"
        ) from error


def experiment_bytes(experiment: Experiment) -> bytes:
    """An experiment as bytes; may raise any error of pickling.

    Plain values need no pickling by value, which takes four times as long.
    """
    values = (experiment.instance.problem, *experiment.candidate.values.values())
    if _PLAIN.issuperset(map(type, values)):
        return pickle.dumps(experiment, pickle.HIGHEST_PROTOCOL)
    return as_bytes(experiment)


def as_bytes(value: Any) -> bytes:
    """Anything as bytes; may raise any error of pickling."""
    import cloudpickle

    return bytes(cloudpickle.dumps(value))
