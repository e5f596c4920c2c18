"""Records in CSV files, written as they come, so that what was done is there if it is stopped."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator
from dataclasses import asdict, fields
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

    Row = TypeVar("Row", bound=DataclassInstance)
else:
    Row = TypeVar("Row")

# A dataclass whose module postpones annotations tells its types by name.
_KINDS = {"str": str, "int": int, "float": float, "bool": "True".__eq__}


def save(rows: Iterable[Row], kind: type[Row], file: Path) -> Iterator[Row]:
    """Pass records on, each added to a CSV file as it comes; what the file has is kept."""
    file.parent.mkdir(parents=True, exist_ok=True)
    anew = not file.exists()
    with file.open("a", newline="") as out:
        writer = csv.DictWriter(out, [one.name for one in fields(kind)], lineterminator="\n")
        if anew:
            writer.writeheader()
        for one in rows:
            writer.writerow(
                {k: f"{v:.6g}" if isinstance(v, float) else v for k, v in asdict(one).items()}
            )
            out.flush()
            yield one


def load(kind: type[Row], file: Path) -> list[Row]:
    """Return the records of a file."""
    types = {one.name: _KINDS[str(one.type)] for one in fields(kind)}
    with file.open(newline="") as lines:
        return [kind(**{k: types[k](v) for k, v in row.items()}) for row in csv.DictReader(lines)]
