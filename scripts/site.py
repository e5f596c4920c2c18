"""Check the built site: links and their fragments lead somewhere, no markup is left in text.

python -m scripts.site build/docs
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

LEAK = re.compile(
    r"!! processed|^\s*::\s*$|^\s*\.\. \w|:(?:py:)?(?:class|func|obj|meth|ref):|`` |"
    r"TypeAliasForwardRef| object at 0x|`|\]\([\w./-]+\.(?:md|html|svg|png)"
)
"""What a reader of the text must not see: directives, roles, names of Python's own machinery."""

_SILENT = ("pre", "code", "script", "style", "svg")


class Page(HTMLParser):
    """The links, the anchors and the text of a page; text in code is left out."""

    def __init__(self) -> None:
        super().__init__()
        self.links: list[str] = []
        self.anchors: set[str] = set()
        self.text: list[str] = []
        self._silent = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note what the tag links to, and its id."""
        self._silent += tag in _SILENT
        for name, value in attrs:
            if name in ("href", "src") and value:
                self.links.append(value)
            elif name == "id" and value:
                self.anchors.add(value)

    def handle_endtag(self, tag: str) -> None:
        """Text counts again after code."""
        self._silent -= tag in _SILENT

    def handle_data(self, data: str) -> None:
        """Note the text."""
        if not self._silent:
            self.text.append(data)


@cache
def read(path: Path) -> Page:
    """The page in a file."""
    page = Page()
    page.feed(path.read_text(encoding="utf-8"))
    return page


def dead(path: Path) -> Iterator[str]:
    """Links of a page within the site that lead nowhere."""
    for link in read(path).links:
        parts = urlsplit(link)
        if parts.scheme or parts.netloc:
            continue
        target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
        if not target.exists():
            yield f"{link}: there is no such page"
        elif target.suffix == ".html" and unquote(parts.fragment) not in read(target).anchors | {
            ""
        }:
            yield f"{link}: the page has no such place"


def _has(target: Path, fragment: str) -> bool:
    return target.suffix != ".html" or fragment in read(target).anchors


def leaks(path: Path) -> Iterator[str]:
    """Lines of a page in which markup is left."""
    for line in "".join(read(path).text).splitlines():
        if LEAK.search(line):
            yield f"markup is left: {line.strip()}"


def problems(folder: Path) -> list[str]:
    """What is wrong with a site, one line each."""
    pages = [path.resolve() for path in sorted(folder.rglob("*.html"))]
    if not pages:
        return [f"{folder}: there is no site; run make docs"]
    return [
        f"{path.relative_to(folder.resolve())}: {problem}"
        for path in pages
        for check in (dead, leaks)
        for problem in check(path)
    ]


if __name__ == "__main__":
    found = problems(Path(sys.argv[1]))
    print("\n".join(found))
    sys.exit(bool(found))
