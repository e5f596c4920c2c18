"""Makes data fit for JSON, and text safe for terminals and spreadsheets."""

from __future__ import annotations

import json
import math
import os
import re
import shutil
import sys
import unicodedata
from contextlib import suppress
from typing import Any, TextIO

_UNPRINTABLE = re.compile(
    "[\0-\b\v-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069"
    "\ud800-\udfff\ufffe\uffff]"
)
"""Control characters except tab and line feed, direction marks, lone surrogates, and what XML
does not allow."""
_FORMULA = ("=", "+", "-", "@", "\t", "\r")  # how text begins that a spreadsheet would compute
_WORD = re.compile(r"[^\s`]*`[^`]*`\S*|\S+")  # a command between marks is one word
_INTERVAL = re.compile(r"(\S+) \[(\S+), (\S+)\]")


def printable(text: str) -> str:
    """Text without control characters: they are written as escapes, `\\x1b` for example.

    Names, values and messages come from files and from targets. Sent to a terminal as they are,
    they could move its cursor, change its title or hide what is printed.
    """
    return text if text.isascii() and text.isprintable() else _UNPRINTABLE.sub(_escape, text)


def harmless(text: str) -> str:
    """Text that no spreadsheet computes: what begins like a formula gets an apostrophe.

    A number stays as it is, and so does one with an interval: `-0.1 [-0.3, 0.2]`.
    """
    interval = _INTERVAL.fullmatch(text)
    numbers = interval.groups() if interval else (text,)
    safe = not text.startswith(_FORMULA) or all(map(_is_number, numbers))
    return text if safe else f"'{text}"


def _is_number(text: str) -> bool:
    try:
        float(text.replace("∞", "inf"))
    except ValueError:
        return False
    return True


def say(text: str = "", *, end: str = "\n") -> None:
    """Write a part of the result to stdout."""
    print(printable(text), end=end)


def talk(text: str = "") -> None:
    """Write a message to stderr, not the result; ignore a closed stream."""
    try:
        print(fitted(printable(text), sys.stderr), file=sys.stderr, flush=True)
    except OSError:
        drop(sys.stderr)
    except ValueError:  # it is closed
        pass


def fitted(text: str, stream: TextIO) -> str:
    """Text whose lines fit on a terminal; as it is where the stream goes to a file."""
    if not stream.isatty():
        return text
    room = shutil.get_terminal_size().columns
    return "\n".join(one for line in text.split("\n") for one in wrapped(line, room))


def wrapped(text: str, room: int, indent: str = "") -> list[str]:
    """A line in lines of so many columns, later ones with an indent; no word is broken."""
    if columns(text) <= room:
        return [text]
    margin = text[: len(text) - len(text.lstrip())]
    lines = [margin]
    for word in _WORD.findall(text):
        joined = f"{lines[-1]}{' ' * bool(lines[-1].strip())}{word}"
        if lines[-1].strip() and columns(joined) > room:
            lines.append(f"{margin}{indent}{word}")
        else:
            lines[-1] = joined
    return lines


def narrowest(text: str) -> int:
    """The fewest columns that `wrapped` can keep to: the longest word after the first blanks."""
    blanks = len(text) - len(text.lstrip())
    return blanks + max(map(columns, _WORD.findall(text)), default=0)


def columns(text: str) -> int:
    """The columns of a terminal that a text takes: Chinese signs take two, accents none."""
    if text.isascii():
        return len(text)
    return sum(
        0 if unicodedata.combining(sign) else 1 + (unicodedata.east_asian_width(sign) in "WF")
        for sign in text
    )


def drop(stream: TextIO) -> None:
    """Discard the buffer of a broken stream, so that it is not written at exit."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def path_error(path: object) -> str | None:
    """Why a log cannot have this path, if it cannot: it and the files beside it need a name."""
    try:
        whole = os.fsencode(str(path))
    except UnicodeEncodeError:
        return f"{str(path)[:60]!r} holds half a character (a surrogate), which no file name can"
    if len(os.path.basename(whole)) > 240 or len(whole) > 4000:
        return (
            f"the name of a log has at most 240 bytes, and its path 4000; {str(path)[:60]!r}… has "
            f"{len(os.path.basename(whole))} and {len(whole)}"
        )
    return None


def known(number: float | None) -> float | None:
    """A number of an array as a field of a record: NaN (no number) becomes None.

    Records are compared, and NaN does not equal itself.
    """
    return None if number is None or math.isnan(number) else float(number)


def jsonable(data: Any) -> Any:
    """Data that JSON can hold: an infinity is the text `inf` or `-inf`, NaN is null."""
    if isinstance(data, dict):
        return {str(key): jsonable(value) for key, value in data.items()}
    if isinstance(data, list | tuple):
        return [jsonable(value) for value in data]
    if isinstance(data, float):
        if math.isfinite(data):
            return data + 0.0  # no -0.0
        return None if math.isnan(data) else ("inf" if data > 0 else "-inf")
    return data


def json_text(data: Any, *, indent: int | None = 2) -> str:
    """Data as JSON, by the rules of `jsonable`, without control characters."""
    try:  # most data is fit already, and a check takes longer than writing it
        text = json.dumps(data, indent=indent, ensure_ascii=False, allow_nan=False)
    except (TypeError, ValueError):
        text = ""
    if not text or "-0.0" in text:
        text = json.dumps(jsonable(data), indent=indent, ensure_ascii=False)
    return _UNPRINTABLE.sub(_json_escape, text)


def _escape(match: re.Match[str]) -> str:
    code = ord(match[0])
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"


def _json_escape(match: re.Match[str]) -> str:
    return f"\\u{ord(match[0]):04x}"
