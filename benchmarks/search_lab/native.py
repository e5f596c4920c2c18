"""The compiled cost functions in `native/`, built when they are first used.

    gcc -O2 -std=gnu11 -shared -fPIC native/*.c -o targets-<digest>.so -lm

The library is kept in the user's cache (`$XDG_CACHE_HOME` or `~/.cache`, under `racing-search-lab`)
under a name that has a digest of the sources in it, so that changed sources are built anew. `CC`
names another compiler. No `-march`: costs must agree to the last digit from machine to machine.
"""

from __future__ import annotations

import ctypes
import hashlib
import os
import shlex
import subprocess
import tempfile
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

SOURCES = Path(__file__).parent / "native"
FLAGS = ("-O2", "-std=gnu11", "-shared", "-fPIC")

LANDSCAPE = np.dtype(
    [
        (name, "f8")
        for name in ("kind", "parameters", "base", "noise_kind", "noise", "scale_spread", "plateau")
    ]
)
"""`Landscape` of native/targets.h."""

PARAMETER = np.dtype(
    [
        ("numeric", "f8"),
        ("low", "f8"),
        ("high", "f8"),
        ("log", "f8"),
        ("weight", "f8"),
        ("optimum", "f8"),
        ("drift", "f8", 2),
        ("shape", "f8"),
        ("width", "f8"),
        ("linked", "f8"),
        ("shift", "f8", 8),
        ("effect", "f8", 8),
        ("feature_effect", "f8", 8),
        ("partner", "f8"),
        ("coupling", "f8"),
    ]
)
"""`Parameter` of native/targets.h."""


@cache
def library() -> ctypes.CDLL:
    """The library, built if it is not there yet."""
    loaded = ctypes.CDLL(str(build()))
    loaded.costs.restype = None
    loaded.costs.argtypes = [ctypes.c_void_p] * 6 + [ctypes.c_int]
    loaded.test_mean.restype = ctypes.c_double
    loaded.test_mean.argtypes = [ctypes.c_void_p] * 3 + [ctypes.c_int]
    return loaded


def build() -> Path:
    """Compile the sources, unless that was done before; returns the library's path."""
    sources = sorted(SOURCES.glob("*.[ch]"))
    digest = hashlib.sha256(b"".join(source.read_bytes() for source in sources)).hexdigest()[:16]
    cache_home = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    target = cache_home / "racing-search-lab" / f"targets-{digest}.so"
    if not target.exists():
        target.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=target.parent) as folder:
            fresh = Path(folder, target.name)
            code = [str(source) for source in sources if source.suffix == ".c"]
            compiler = shlex.split(os.environ.get("CC", "gcc"))
            subprocess.run([*compiler, *FLAGS, *code, "-o", str(fresh), "-lm"], check=True)
            fresh.replace(target)
    return target


def costs(
    landscape: NDArray[np.void],
    parameters: NDArray[np.void],
    configurations: Floats,
    instances: NDArray[np.int32],
    seeds: Floats,
) -> Floats:
    """(n,) costs of (n, d) configurations, each on an instance and with a seed of its own."""
    x = np.ascontiguousarray(configurations, dtype=np.float64)
    i = np.ascontiguousarray(instances, dtype=np.int32)
    s = np.ascontiguousarray(seeds, dtype=np.float64)
    out = np.empty(len(x))
    library().costs(*(a.ctypes.data for a in (landscape, parameters, x, i, s, out)), len(x))
    return out


def test_mean(
    landscape: NDArray[np.void], parameters: NDArray[np.void], configuration: Floats, n: int
) -> float:
    """The mean cost of a configuration over the first `n` test instances."""
    x = np.ascontiguousarray(configuration, dtype=np.float64)
    mean: float = library().test_mean(*(a.ctypes.data for a in (landscape, parameters, x)), n)
    return mean
