// The head of the page: the gain as a bar, what the winner changes, and its configuration to be copied.

/** The gain and its interval, drawn. */
function gainBar({ figure, label }) {
  const { node } = new Drawing(figure.plots[0], Math.min(byId("gain").clientWidth || 440, 520));
  node.setAttribute("role", "img");
  node.setAttribute("aria-label", label);
  return el("figure", { class: "gain" }, node, el("figcaption", {}, label));
}

let usedForm = ""; // the one that was chosen, kept while a run goes on

/** The whole configuration in one of its forms, and a button that copies it. */
function useBox(forms, title) {
  const text = el("pre", { tabindex: "0" });
  const said = el("span", { role: "status", class: "note" });
  const buttons = forms.map((form) => el("button", { type: "button", onclick: () => choose(form) }, form.label));
  const choose = (form) => {
    usedForm = form.label;
    text.textContent = form.text;
    said.textContent = "";
    buttons.forEach((button, k) => button.setAttribute("aria-pressed", String(forms[k] === form)));
  };
  const copy = el("button", { type: "button", class: "copy", onclick: async () => { said.textContent = (await copied(text)) ? "copied" : "select the text to copy it"; } }, "Copy");
  choose(forms.find((form) => form.label === usedForm) ?? forms[0]);
  return el("section", { class: "use", "aria-label": title },
    el("h2", {}, title), el("div", { class: "tools" }, buttons, copy, said), text);
}

/** Copy the text of an element; where a browser does not allow it, it is selected at least. */
async function copied(node) {
  getSelection().selectAllChildren(node);
  try {
    await navigator.clipboard.writeText(node.textContent);
    return true;
  } catch {
    try { return document.execCommand("copy"); } catch { return false; }
  }
}

/** How far a run under way is, as a bar, with the time that it is expected to need still. */
function fillProgress(progress) {
  const place = byId("progress");
  place.hidden = !progress;
  if (!progress) return;
  const percent = Math.round(100 * progress.share);
  place.replaceChildren(el("progress", { max: 100, value: percent, "aria-label": "How far the run is" }),
    ` ${percent} % of the evaluations that it is expected to need; about ${fmtSeconds(Math.ceil(progress.seconds))} left`);
}

/** A table in the head of a page; columns of numbers begin with `>`. */
function headTable({ key = "", title, columns, rows, notes = [] }) {
  const how = columns.map((name) => (name.startsWith(">") ? { class: "number" } : {}));
  const cells = (row) => row.map((cell, k) => (k ? el("td", how[k], cell) : el("th", { scope: "row" }, cell)));
  return el("section", { class: `beside ${key}`, "aria-label": title }, el("h2", {}, title),
    el("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": `Table: ${title}` },
      el("table", {}, el("thead", {}, el("tr", {}, columns.map((name, k) => el("th", { scope: "col", ...how[k] }, name.replace(/^>/, ""))))), el("tbody", {}, rows.map((row) => el("tr", {}, cells(row)))))),
    notes.map((note) => el("p", { class: "note" }, note)));
}

function fillResult(summary) {
  const parts = (summary.tables ?? []).map(headTable);
  byId("gain").replaceChildren(...(summary.gain ? [gainBar(summary.gain)] : []));
  if (summary.use?.length) parts.push(useBox(summary.use, summary.use_title));
  byId("result").replaceChildren(...parts);
}
