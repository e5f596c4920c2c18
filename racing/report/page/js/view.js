// One picture in the page: its drawing, its choices, its table, the pointer and the keyboard.

const VIEWS = new Map();
const STEP = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };

class View {
  constructor(picture) {
    this.state = {};
    this.at = -1;
    this.title = el("h2", { id: `${picture.id}-title` });
    this.sentence = el("p", { class: "sentence" });
    this.controls = el("div", { class: "controls" });
    this.legend = el("div");
    this.box = el("div", { class: "chart", tabindex: "0" });
    this.tip = el("dl", { class: "tip", hidden: true });
    this.said = el("p", { class: "said", role: "status" });
    this.reading = el("p");
    this.help = el("details", { class: "help" }, el("summary", {}, "How to read it"), this.reading);
    this.behind = el("details", { class: "behind" }, el("summary", {}, "The numbers"));
    this.behind.addEventListener("toggle", () => this.fillTable());
    this.node = el("section", { id: picture.id, class: "picture", "aria-labelledby": `${picture.id}-title` },
      this.title, this.sentence, this.controls, this.legend, this.box, this.said, this.help, this.behind);
    this.box.addEventListener("keydown", (event) => this.key(event));
    this.box.addEventListener("pointermove", (event) => this.point(event));
    this.box.addEventListener("pointerleave", () => this.show(-1));
    this.box.addEventListener("pointerdown", (event) => { this.from = this.place(event); });
    this.box.addEventListener("pointerup", (event) => this.select(event));
    this.take(picture);
  }

  /** Take a picture, at first or when the run went on. */
  take(picture) {
    this.picture = picture;
    const { figure, items } = picture;
    this.title.textContent = picture.title;
    this.sentence.replaceChildren(...rich(picture.sentence));
    this.reading.replaceChildren(...rich(picture.reading));
    this.help.hidden = !picture.reading;
    this.behind.hidden = !picture.table;
    this.node.classList.toggle("empty", !figure && !items.length);
    this.wide = !figure || Boolean(figure.wide);
    this.box.hidden = !figure;
    this.list?.remove();
    this.list = items.length ? listOf(items) : null;
    if (this.list) this.box.after(this.list);
    this.table = null;
    if (!figure && !this.met) this.behind.open = this.met = true;
    if (this.behind.open) this.fillTable(true);
    if (this.drawn) this.draw();
  }

  fillTable(anew = false) {
    if (!this.picture.table || (this.table && !anew) || !(this.behind.open || anew)) return;
    const word = this.table?.word ?? "";
    this.table = new Table(this.picture.table, this.picture.title);
    this.table.word = word;
    this.table.listener = (rows) => this.fade(rows);
    this.behind.querySelector(".data")?.remove();
    this.behind.append(this.table.node);
  }

  /** A choice above the drawing; it is kept when the run goes on. Returns its number. */
  choice(key, label, names) {
    if (names.length < 2) return 0;
    const chosen = Math.max(names.indexOf(this.state[key]), 0);
    const select = el("select", { onchange: (event) => { this.state[key] = event.target.value; this.draw(); } },
      names.map((name) => el("option", { value: name }, brief(name, 40))));
    select.value = names[chosen];
    this.wanted.push(el("label", {}, `${label} `, select));
    return chosen;
  }

  /** The plot that is chosen, with the choices of its axes. */
  chosen() {
    const { plots, choose } = this.picture.figure;
    const plot = plots[this.choice("plot", choose, plots.map((one) => one.name ?? ""))];
    const { across = "Across", up = "Up" } = plot;
    const kx = this.choice("x", across, plot.x.map((one) => one.name)), ky = this.choice("y", up, plot.y.map((one) => one.name));
    const ordered = (axes, k, label) => axes.map((axis, at) => {
      if (at !== k || !axis.orders) return axis;
      return { ...axis, order: axis.orders[this.choice(label, label, axis.orders.map((one) => one.name))].levels };
    });
    return [{ ...plot, x: ordered(plot.x, kx, "Columns"), y: ordered(plot.y, ky, "Rows") }, { kx, ky }];
  }

  draw() {
    this.drawn = true;
    if (!this.picture.figure) return;
    const focused = this.controls.contains(document.activeElement);
    this.wanted = [];
    const [plot, choices] = this.chosen();
    this.controls.replaceChildren(...this.wanted);
    if (focused) this.controls.querySelector("select")?.focus();
    this.drawing = new Drawing(plot, this.box.clientWidth || 640, { ...choices, table: this.picture.table });
    this.drawing.node.setAttribute("aria-hidden", "true");
    this.legend.replaceChildren(...[legendOf(plot)].filter(Boolean));
    this.box.replaceChildren(this.drawing.node, this.tip);
    if (!this.opened && plot.x[choices.kx].reverse) this.box.scrollLeft = this.box.scrollWidth; // where the best are
    this.opened = true;
    this.box.setAttribute("role", "img");
    this.box.setAttribute("aria-label", `${this.picture.title}. ${this.picture.sentence}${this.drawing.count ? " Arrow keys go through what is drawn." : ""}`);
    this.at = -1;
    this.show(-1);
  }

  /** Where the pointer is in the drawing. */
  place(event) {
    const box = this.drawing.node.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  }

  point(event) {
    if (!this.drawing) return;
    const [x, y] = this.place(event);
    if (!this.from || !event.buttons) { this.from = null; this.show(this.drawing.near(x, y)); return; }
    const [left, top, right, bottom] = this.range(x, y);
    this.drawing.over.replaceChildren(svg("rect", { x: left, y: top, width: right - left, height: bottom - top, class: "brush" }));
    this.tip.hidden = true;
  }

  range(x, y) {
    const [a, b] = this.from;
    return [Math.min(a, x) - 6, Math.min(b, y), Math.max(a, x) + 6, Math.max(b, y)];
  }

  /** A rectangle was drawn: the table has what lies in it; a click has all of them back. */
  select(event) {
    if (!this.from || !this.drawing.reach.some((one) => one.item(0).row != null)) return;
    const [x, y] = this.place(event), drawn = Math.hypot(x - this.from[0], y - this.from[1]) > 6;
    if (!drawn && !this.table?.only) return;
    if (!this.table) this.fillTable(true);
    this.behind.open = this.behind.open || drawn;
    this.table.only = drawn ? this.drawing.rowsIn(...this.range(x, y)) : null;
    this.table.fill();
    this.from = null;
    if (!drawn) this.show(-1);
  }

  /** Fade the lines that the table does not show. */
  fade(rows) {
    const kept = new Set(rows.map(String));
    for (const line of this.drawing?.node.querySelectorAll(".many path") ?? []) line.classList.toggle("faded", line.dataset.row !== "" && !kept.has(line.dataset.row));
  }

  /** Point to an item: its outline, and what is told of it; −1 to none. */
  show(n) {
    if (n < 0) { this.tip.hidden = true; this.drawing.over.replaceChildren(); return []; }
    const { x, y, told, outline } = this.drawing.item(n), pairs = told();
    this.drawing.over.replaceChildren(outline());
    this.tip.replaceChildren(...pairs.flatMap(([label, value]) => [el("dt", {}, label), el("dd", {}, fmt(value))]));
    this.tip.hidden = false;
    const [wide, tall] = [this.tip.offsetWidth, this.tip.offsetHeight], room = this.box.clientWidth + this.box.scrollLeft;
    this.tip.style.left = `${Math.max(0, x + 14 + wide > room ? x - wide - 14 : x + 14)}px`;
    this.tip.style.top = `${Math.min(Math.max(0, y - tall / 2), Math.max(0, this.drawing.height - tall))}px`;
    return pairs;
  }

  /** Arrow keys go from item to item; each is shown and said. */
  key(event) {
    if (event.key === "Escape") this.show(-1);
    if (!STEP[event.key] || !this.drawing?.count) return;
    event.preventDefault();
    const { count } = this.drawing;
    this.at = (this.at < 0 && STEP[event.key] < 0 ? count - 1 : this.at + STEP[event.key] + count) % count;
    this.said.textContent = this.show(this.at).map(([label, value]) => (label ? `${label}: ${fmt(value)}` : fmt(value))).join(", ");
  }
}

/** Texts below each other; of some more can be unfolded. */
function listOf(items) {
  return el("ul", { class: "items" }, items.map(({ text, about, more }) => el("li", {}, el("span", { dir: "auto" }, ...rich(text)),
    more ? el("details", {}, el("summary", {}, about), el("pre", { tabindex: "0" }, more)) : null)));
}
