"""Documents as HTML, for notebooks: all text is escaped, names are code."""

from __future__ import annotations

from importlib import import_module

from racing.answer import document as doc
from racing.answer.document import Document, Part, TextTable, spelled
from racing.base.markup import Html, escaped, table

_SMALL = (
    "display:inline-block;vertical-align:top;margin:0 1em 0 0;width:400px;max-width:100%;"
    "font-size:smaller"
)


def html(document: Document) -> str:
    """HTML without scripts; the best of a column is bold."""
    return "".join(map(_part, document))


def _part(part: Part) -> str:
    match part:
        case doc.Heading(words):
            # not <h2>, which would be an entry in the notebook's table of contents
            return f"<p><strong>{words_html(words)}</strong></p>"
        case doc.Paragraph(words):
            return f"<p>{words_html(words)}</p>"
        case doc.Sentences(lines):
            return f"<p>{'<br>'.join(map(words_html, lines))}</p>"
        case doc.BulletList(items):
            return f"<ul>{''.join(f'<li>{words_html(item)}</li>' for item in items)}</ul>"
        case doc.Command(words):
            return f"<pre><code>{escaped(words)}</code></pre>"
        case doc.Callout(label, words):
            return f"<p><strong>{escaped(label)}:</strong> {words_html(words)}</p>"
        case doc.Figure(caption, svg):
            said = f"<figcaption>{words_html(caption)}</figcaption>"
            return f'<figure style="{_SMALL}">{svg}{said}</figure>'
        case doc.TextTable():
            return _table(part)


def _table(part: TextTable) -> str:
    rows = [list(map(Html, row)) for row in part.spelled(words_html, "<strong>{}</strong>")]
    heads = [_head(column) for column in part.columns]
    caption = Html(words_html(part.title or part.caption))
    notes = "".join(f"<p>{words_html(note)}</p>" for note in part.notes)
    return table(caption, heads, rows, most=len(part.rows)) + notes


def _head(column: str) -> Html:
    mark = ">" if column.startswith(">") else ""
    return Html(mark + words_html(column.removeprefix(">")))


def words_html(words: str) -> str:
    """Words as HTML: names as code, everything else escaped."""
    return spelled(words, lambda name: f"<code>{escaped(name)}</code>", escaped)


def in_notebook(view: object, words: str, *beside: object) -> str:
    """HTML of a race or search; `words` say what it is, a `Beside` what is known beside it.

    `racing.report` draws it, which stands above all that can be drawn. So this is the one module
    that asks for a higher one by its name, at the moment of drawing.
    """
    drawn: str = import_module("racing.report.notebook").in_notebook(view, words, *beside)
    return drawn
