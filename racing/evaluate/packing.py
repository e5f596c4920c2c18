"""Work as bytes, to be sent to other processes."""

from __future__ import annotations

from racing.errors import InputError
from racing.evaluate.work import Work, named


def packed(work: Work) -> bytes:
    """The work as it is sent to workers; functions without a name travel by value.

    Raises
    ------
    InputError
        If it cannot be sent.
    """
    from joblib.externals.loky.backend.reduction import dumps

    try:
        return bytes(dumps(work))
    except Exception as error:
        raise InputError(
            f"the target cannot be sent to worker processes ({named(error)}); name it as "
            "file.py:function, keep what cannot be pickled out of it, or use engine in-process"
        ) from error
