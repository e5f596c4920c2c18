"""One HTML file from a page's data: everything is inside, and no text of a run can become code.

The security policy allows the script and the style sheet of this very file by their hashes,
and nothing else: no request, no inline handler, no `eval`. Data are JSON in a block that is not
executed, with every `<` escaped, and the script makes text nodes of them.
"""

from __future__ import annotations

import hashlib
import os
from base64 import b64encode
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from string import Template
from typing import Any

from racing.base.errors import InputError
from racing.base.markup import escaped
from racing.base.plain import json_text

_HERE = Path(__file__).parent
_SCRIPTS = ("dom", "figure", "table", "view", "head", "page")


def html(data: Mapping[str, Any], *, live: bool = False) -> str:
    """The page of some data.

    Parameters
    ----------
    data
        What `racing.report.page.data` makes of a run.
    live
        Whether the page asks the server that it comes from for news.
    """
    run, summary = data["run"], data["summary"]
    sentences = "".join(f"<p>{escaped(text)}</p>" for text in summary["sentences"])
    return Template(_text("page.html")).substitute(
        live=' data-live="yes"' if live else "", policy=policy(live=live),
        title=escaped(f"{run['name']} · racing report"), name=escaped(run["name"]),
        state=escaped(run["state"]), headline=escaped(summary["headline"]), summary=sentences,
        made=escaped(run["made"]), style=_text("page.css"), facts=embedded(data), script=script(),
    )  # fmt: skip


def write_page(path: Path, data: Mapping[str, Any]) -> Path:
    """Write the page of some data, whole or not at all.

    Raises
    ------
    InputError
        If it cannot be written.
    """
    draft = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        draft.write_text(html(data), encoding="utf-8", errors="backslashreplace")
        draft.replace(path)
    except OSError as error:
        draft.unlink(missing_ok=True)
        raise InputError(f"{path}: cannot be written: {error.strerror}") from error
    return path


def embedded(data: Mapping[str, Any]) -> str:
    """Data as JSON that no HTML parser takes for markup."""
    text = json_text(dict(data), indent=None)
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


@cache
def script() -> str:
    """Our own script."""
    parts = "\n".join(_text(f"js/{name}.js") for name in _SCRIPTS)
    return f'(() => {{\n"use strict";\n{parts}}})();'


def policy(*, live: bool) -> str:
    """The content security policy of a page."""
    connect = " connect-src 'self';" if live else ""
    style = f"'{_hash(_text('page.css'))}'"
    return (
        f"default-src 'none'; script-src '{_hash(script())}'; style-src {style};{connect} "
        "base-uri 'none'; form-action 'none'"
    )


@cache
def _hash(text: str) -> str:
    return f"sha256-{b64encode(hashlib.sha256(text.encode()).digest()).decode()}"


@cache
def _text(name: str) -> str:
    return (_HERE / name).read_text(encoding="utf-8")
