"""Numbers, counts, times and lists in sentences and tables: the one home of each."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from racing.base.plain import printable


def number(value: float | None, digits: int = 4) -> str:
    """A number as text; a dash for None or NaN.

    Examples
    --------
    >>> from racing.base.words import number
    >>> number(-1234.56), number(-1e-7), number(-0.0), number(None)
    ('−1235', '−1e-07', '0', '–')
    """
    if value is None or math.isnan(value):
        return "–"
    size = "∞" if math.isinf(value) else _plain(abs(value), digits)
    return f"−{size}" if value < 0 else size


def value_text(value: object) -> str:
    """A parameter's value: numbers to four digits, – where it is switched off; a minus is a -."""
    if value is None:
        return "–"
    if isinstance(value, bool):
        return "true" if value else "false"
    return _plain(value + 0.0, 4) if isinstance(value, float) else str(value)


def _plain(value: float, digits: int) -> str:
    """So many digits, and all before the point of a number that people can read."""
    many = 10**digits <= abs(value) + 0.5 < 1e9
    return f"{value:.0f}" if many else f"{value:.{digits}g}"


LONGEST = 80
"""Characters of a name; the middle of a longer one is left out."""


def shown(text: str, most: int = LONGEST) -> str:
    """A name or a message fit for a page: printable, and its middle left out if it is long."""
    text = printable(text).replace("\n", " ⏎ ").replace("\t", " ")
    if len(text) <= most:
        return text
    tail = most // 3
    return f"{text[: most - tail - 1]}…{text[-tail:]}"


def refer(thing: object, most: int = LONGEST) -> str:
    """The name of a candidate or an instance, fit for a page."""
    return shown(str(thing), most)


def versus(value: float, threshold: float, digits: int = 3) -> str:
    """A number and what it is held to, with as many digits as tell them apart.

    Examples
    --------
    >>> from racing.base.words import versus
    >>> versus(49.93, 49.91), versus(0.3, 0.1 + 0.2), versus(1.15e-80, 0.05)
    ('49.93 > 49.91', '0.3, equal to the threshold', 'under 0.0001 < 0.05')
    """
    if math.isclose(value, threshold, rel_tol=1e-9):
        return f"{number(value, digits)}, equal to the threshold"
    if 0 <= value < 1e-4 <= threshold <= 1:
        return f"under 0.0001 < {number(threshold, digits)}"
    while number(value, digits) == number(threshold, digits):
        digits += 1
    sign = "<" if value < threshold else ">"
    return f"{number(value, digits)} {sign} {number(threshold, digits)}"


def count(n: int, what: str) -> str:
    """A count with its noun, such as "3 instances"."""
    return f"{n} {what}{'' if n == 1 else 's'}"


def duration(seconds: float) -> str:
    """Seconds as text: 40ms, 0.4s, 12s, 3m 05s, 2h 07m, 3d 04h."""
    if 0 < seconds < 0.1:
        return f"{1000 * seconds:.0f}ms" if seconds >= 0.001 else "<1ms"
    if seconds < 10:
        return f"{seconds:.1f}s"
    whole = round(seconds)
    if whole < 60:
        return f"{whole}s"
    minutes, rest = divmod(whole, 60)
    if minutes < 60:
        return f"{minutes}m {rest:02d}s"
    if minutes < 48 * 60:
        return f"{minutes // 60}h {minutes % 60:02d}m"
    return f"{minutes // 1440}d {minutes % 1440 // 60:02d}h"


def moment(iso: str) -> str:
    """A time in UTC, as logs have it, to the minute; anything else as it is."""
    return f"{iso[:16].replace('T', ' ')} UTC" if iso.endswith("+00:00") else iso


def last_line(message: str, most: int = 200) -> str:
    r"""The last line of a message if it says more than the first one: a program's own last words.

    Examples
    --------
    >>> from racing.base.words import last_line
    >>> last_line("crashed: exit status 2\nloading\nerror: no library")
    'error: no library'
    >>> last_line("crashed: ValueError: none\nTraceback: …\nValueError: none")
    ''
    """
    first, *rest = (line.strip() for line in message.strip().splitlines() or [""])
    last = next((line for line in reversed(rest) if line), "")
    if last in first:
        return ""
    return last if len(last) <= most else f"{last[:most]}…"


def percent(share: float | None, digits: int = 0) -> str:
    """A share of 1 in per cent; 0 % and 100 % only if exact; a dash for None."""
    if share is None:
        return "–"
    least = 10.0**-digits
    if 0 < share < least / 200:
        return f"< {least:g} %"
    if 1 - least / 200 <= share < 1:
        return f"> {100 - least:.{digits}f} %"
    return f"{share:.{digits}%}".replace("%", " %")


def better_on(wins: int, ties: int, losses: int) -> str:
    """How often one of two is better: "better on 17 of 18, worse on 1"; "better on all 24"."""
    many, of = {"better": wins, "equal": ties, "worse": losses}, wins + ties + losses
    (word, first), *rest = ((word, n) for word, n in many.items() if n)
    if not rest:
        return f"{word} on {'all ' * (of > 1)}{of}"
    return ", ".join([f"{word} on {first} of {of}", *(f"{other} on {n}" for other, n in rest)])


def listed(names: Sequence[str], most: int = 5) -> str:
    """Names for a sentence; of many, the first ones."""
    if len(names) > most:
        names = [*names[: most - 1], f"{len(names) - most + 1} others"]
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def amount(unit: str, paid: float) -> str:
    """What was paid, for people: $0.31, 8,120 tokens."""
    if unit == "usd":
        return f"${paid:,.2f}" if paid >= 1 or paid == 0 else f"${paid:.4g}"
    return f"{paid:,.0f} {unit}" if paid >= 100 else f"{paid:.4g} {unit}"


def amounts(paid: Mapping[str, float]) -> list[str]:
    """What was paid of everything, for people; money first."""
    return [amount(unit, paid[unit]) for unit in sorted(paid, key=lambda unit: unit != "usd")]


def busy(refused: int) -> str:
    """How often services were busy; empty for never."""
    return f"services were busy {count(refused, 'time')}" if refused else ""
