"""How anything is said: documents, and their writers.

A command, a page or a notebook does not print. It makes a document of typed facts, and a writer
prints it:

    facts ── a function of `report` or `analysis` ──> document ── writer ──> text
      └──────────────────────────────── as_data ───────────────────────────> JSON

`document` has the parts: `Heading`, `Paragraph`, `Sentences` (each on a line of its own),
`BulletList`, `TextTable`, `Command` (to copy), `Callout` ("Next: …") and `Figure`. A document is
any sequence of these. Its words are plain text, in which `quoted` marks the names:

    said = [
        Sentences((f"{quoted(winner)} is better than {quoted(default)}.",)),
        table("changes", "What it changes", ("parameter", ">value"), rows),
        Callout("Next", "hold it to new instances:"),
        Command("racing test runs/race.sqlite"),
    ]

The writers take any document. They escape all of its text, and no control character passes them:

- `text.text`: for terminals and files; in a terminal, tables keep to the width of the window.
- `markdown.markdown`: pipe tables, names as code.
- `html.html`: for notebooks, without scripts; `html.in_notebook` is how a race or search
  shows itself there.
- `tables.latex`: the tables, for a paper, with their captions; `tables.write_tables`: the same as
  CSV files.

`json.as_data` is not a writer of documents: it makes JSON of the facts themselves. A record becomes
an object by the names of its fields, so each fact has one name, in Python and in JSON.
`json.schema_of` makes the JSON Schema of a record.

What is said of a run is the same for every reader:

- `gain`: the one record of a comparison of two, and `words`, its phrase book;
- `place`: a candidate's place in a standing, in the user's direction;
- `tested`: what unseen problems say of a winner, a front or a team;
- `head` and `run`: the answer of a run, `Answer`: headline, sentences and the gain at its head.

Numbers, counts and times in words are in `racing.base.words`.
"""
