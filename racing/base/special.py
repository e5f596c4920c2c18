"""Functions of `scipy.special`, which is imported when the first of them is called.

It takes longer to load than NumPy, and most commands do not need it. Import these names from here,
not from SciPy: `from racing.base.special import ndtr`.
"""

from __future__ import annotations

import mmap
import os
from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from scipy.special import *  # noqa: F403
else:

    def __getattr__(name: str) -> Callable[..., Any]:
        """Import a function of `scipy.special`."""
        if name.startswith("__"):
            raise AttributeError(name)

        def call(*args: Any, **options: Any) -> Any:
            return _function(name)(*args, **options)

        call.__name__ = name
        return call


_LIBRARIES, _PER_THREAD = 96 * 2**20, 48 * 2**20
"""Bytes of addresses that SciPy takes, and each thread of its linear algebra (64 at most)."""


@cache
def load_scipy() -> None:
    """Load SciPy, or say what it lacks; call it before anything else of SciPy is imported.

    Its linear algebra (OpenBLAS) asks for memory again and again, for ever, if it gets none.

    Raises
    ------
    MemoryError
        If the process may not have the memory.
    """
    need = _LIBRARIES + _PER_THREAD * min(os.cpu_count() or 1, 64)
    try:
        if os.name == "posix":  # where only what is used counts
            mmap.mmap(-1, need).close()
        from scipy import special  # noqa: F401
    except ModuleNotFoundError:
        raise
    except (OSError, ImportError) as error:
        raise MemoryError(
            f"SciPy cannot be loaded: {error}; it takes {need >> 20} MB of addresses: raise "
            "`ulimit -v`, or use fewer jobs"
        ) from error


@cache
def _function(name: str) -> Callable[..., Any]:
    load_scipy()
    from scipy import special

    function: Callable[..., Any] = getattr(special, name)
    return function
