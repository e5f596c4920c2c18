"""Links of a page to files that are not pages: shown as the path, since the site has no such file.

Pages are also read in the repository, where such a link works.
"""

from __future__ import annotations

import os
import re
from pathlib import Path

from pygments.lexers.special import TextLexer
from sphinx.application import Sphinx

_OUTSIDE = re.compile(r"\[([^\]]+)\]\((\.\./[^)#\s]+)(?:#[^)]*)?\)")


def setup(app: Sphinx) -> dict[str, bool]:
    """Register with Sphinx; ```layers blocks are plain text."""
    app.add_lexer("layers", TextLexer)
    app.connect("source-read", _rewrite)
    return {"parallel_read_safe": True}


def _rewrite(app: Sphinx, page: str, source: list[str]) -> None:
    folder = Path(app.srcdir, page).parent

    def shown(link: re.Match[str]) -> str:
        target = Path(os.path.normpath(folder / link[2]))
        if target.is_relative_to(app.srcdir):
            return link[0]
        return f"{link[1]} (`{target.relative_to(Path(app.srcdir).parent)}`)"

    source[0] = _OUTSIDE.sub(shown, source[0])
