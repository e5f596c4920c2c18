"""Times such as `1h30m`, amounts of memory such as `2GiB`, and rates such as `50/s`."""

from __future__ import annotations

import re

TIME = {"d": 86400.0, "h": 3600.0, "m": 60.0, "s": 1.0, "ms": 0.001}
MEMORY = {
    "B": 1,
    "kB": 10**3, "MB": 10**6, "GB": 10**9, "TB": 10**12,
    "KiB": 2**10, "MiB": 2**20, "GiB": 2**30, "TiB": 2**40,
}  # fmt: skip

RATE = {"s": 1.0, "min": 60.0, "h": 3600.0}

_LONG = {
    name: unit
    for unit, names in {
        "d": "day days", "h": "hour hours hr hrs", "m": "minute minutes min mins",
        "s": "second seconds sec secs", "ms": "millisecond milliseconds msec",
    }.items()
    for name in names.split()
}  # fmt: skip

_NUMBER = r"(?:\d{1,15}(?:\.\d{1,15})?)"
_TIMES = "".join(rf"(?:({_NUMBER}) ?{unit} ?)?" for unit in TIME)
_TIME = re.compile(_TIMES)
_MEMORY = re.compile(rf"({_NUMBER}) ?({'|'.join(MEMORY)})")
_RATE = re.compile(rf"({_NUMBER}) ?/ ?({'|'.join(RATE)})")
TIME_PATTERN = "^(?=.)" + "".join(rf"({_NUMBER} ?{unit} ?)?" for unit in TIME) + "$"
MEMORY_PATTERN = rf"^{_NUMBER} ?({'|'.join(MEMORY)})$"

RATE_PATTERN = rf"^{_NUMBER} ?/ ?({'|'.join(RATE)})$"


def seconds(text: str) -> float | None:
    """The seconds of a time such as `90s`, `1h30m` or `1.5 h`; None if it is not one.

    Units go from large to small, each once: d, h, m, s, ms.
    """
    match = _TIME.fullmatch(text.strip())
    if not match or not text.strip():
        return None
    return sum(float(n) * size for n, size in zip(match.groups(), TIME.values(), strict=True) if n)


def meant(text: str) -> str | None:
    """A time or an amount of memory in words or other letters, as it is read here; or None.

    Examples
    --------
    >>> from racing.base.units import meant
    >>> meant("1 hour"), meant("30 min"), meant("2gb"), meant("512M")
    ('1h', '30m', '2GB', '512MB')
    """
    if seconds(text) is not None or amount(text) is not None:
        return None
    short = re.sub(r"[A-Za-z]+", lambda word: _LONG.get(word[0].lower(), word[0]), text)
    short = short.replace(" ", "")
    if seconds(short) is not None:
        return short
    found = re.fullmatch(rf"({_NUMBER})([kmgt]i?)b?", short, re.IGNORECASE)
    like = f"{found[2]}b".lower() if found else ""
    return next((f"{found[1]}{unit}" for unit in MEMORY if found and unit.lower() == like), None)


def amount(text: str) -> int | None:
    """The bytes of an amount of memory such as `512MiB`; None if it is not one."""
    match = _MEMORY.fullmatch(text.strip())
    return round(float(match[1]) * MEMORY[match[2]]) if match else None


def per_second(text: str) -> float | None:
    """The rate per second of a text such as `50/s` or `3000/min`; None if it is not one."""
    match = _RATE.fullmatch(text.strip())
    return float(match[1]) / RATE[match[2]] if match else None


def memory_text(size: int) -> str:
    """An amount of memory with the largest binary unit that divides it."""
    units = [unit for unit in ("TiB", "GiB", "MiB", "KiB", "B") if size % MEMORY[unit] == 0]
    return f"{size // MEMORY[units[0]]}{units[0]}"


PERCENT_PATTERN = r"^[1-9][0-9]{0,2} ?%$"


def percent(text: str) -> int | None:
    """The whole number of a text such as 25%, from 1 to 999; None for other text."""
    return int(text.rstrip("% ")) if re.fullmatch(PERCENT_PATTERN, text) else None
