// A table that is sorted by its heads and filtered by a word or by a brush.

const PAGE = 100;

class Table {
  constructor(table, label) {
    this.table = table;
    this.order = null; // [column, sign]
    this.word = "";
    this.only = null; // row numbers that a brush left
    this.all = false;
    this.count = el("span", { class: "note", "aria-live": "polite" });
    this.body = el("tbody");
    const search = el("input", {
      type: "search", placeholder: "filter", "aria-label": `Filter ${label}`,
      oninput: (event) => { this.word = event.target.value.toLowerCase(); this.fill(); },
    });
    this.more = el("button", { type: "button", onclick: () => { this.all = true; this.fill(); } }, "show all rows");
    const numbers = table.columns.map((_, k) => table.rows.some((row) => typeof row[k] === "number"));
    this.heads = table.columns.map((name, k) => el("th", { scope: "col", ...(numbers[k] ? { class: "number" } : {}) },
      el("button", { type: "button", onclick: () => this.sort(k) }, name || "\u00a0")));
    this.node = el("div", { class: "data" },
      el("div", { class: "tools" }, search, this.count),
      el("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": `Table: ${label}` },
        el("table", {}, el("thead", {}, el("tr", {}, this.heads)), this.body)),
      this.more, table.note ? el("p", { class: "note" }, ...rich(table.note)) : null);
    this.fill();
  }

  sort(column) {
    const sign = this.order?.[0] === column ? -this.order[1] : 1;
    this.order = [column, sign];
    this.heads.forEach((head, k) => head.setAttribute("aria-sort",
      k !== column ? "none" : sign > 0 ? "ascending" : "descending"));
    this.fill();
  }

  /** Row numbers in the order shown. */
  rows() {
    const { rows } = this.table;
    let kept = this.only ?? rows.map((_, k) => k);
    if (this.word) kept = kept.filter((k) => rows[k].some((cell) => fmt(cell).toLowerCase().includes(this.word)));
    if (!this.order) return kept;
    const [column, sign] = this.order;
    return [...kept].sort((a, b) => sign * compareCells(rows[a][column], rows[b][column]) || a - b);
  }

  fill() {
    const kept = this.rows();
    const shown = this.all ? kept : kept.slice(0, PAGE);
    this.body.replaceChildren(...shown.map((k) => el("tr", {}, this.table.rows[k].map((cell) =>
      el("td", typeof cell === "number" ? { class: "number" } : {}, fmt(cell))))));
    this.count.textContent = `${kept.length} of ${this.table.rows.length} rows`;
    this.more.hidden = shown.length === kept.length;
    this.listener?.(kept);
  }
}

function compareCells(a, b) {
  const [x, y] = [a, b].map((cell) => (cell === "inf" ? Infinity : cell === "-inf" ? -Infinity : cell));
  if (x == null || y == null) return (x == null) - (y == null);
  if (typeof x === "number" && typeof y === "number") return x - y;
  return String(x).localeCompare(String(y), "en", { numeric: true });
}
