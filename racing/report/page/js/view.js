// One picture in the page: its chart, its controls, its table, and the keyboard.

const CHARTS = {};
const VIEWS = new Map();
const SMALL = 600; // pixels of a page on which parallel axes are left out
const MANY = 1500; // marks beyond which a chart is drawn on a canvas

class View {
  constructor(picture) {
    this.state = {};
    this.chart = null;
    this.at = -1;
    this.title = el("h2", { id: `${picture.id}-title` });
    this.sentence = el("p", { class: "sentence", id: `${picture.id}-sentence` });
    this.controls = el("div", { class: "controls" });
    this.box = el("div", { class: `chart ${picture.chart}` });
    this.said = el("p", { class: "said", role: "status" });
    this.reading = el("p");
    this.help = el("details", { class: "help" }, el("summary", {}, "How to read it"), this.reading);
    this.behind = el("details", { class: "behind" }, el("summary", {}, "The numbers"));
    this.behind.addEventListener("toggle", () => this.fillTable());
    this.node = el("section", { id: picture.id, class: "picture", "aria-labelledby": `${picture.id}-title` },
      this.title, this.sentence, this.controls, this.box, this.said, this.help, this.behind);
    this.box.addEventListener("keydown", (event) => this.key(event));
    this.take(picture);
  }

  /** Take a picture, at first or when the run went on. */
  take(picture) {
    this.picture = picture;
    this.title.textContent = picture.title;
    this.sentence.replaceChildren(...rich(picture.sentence));
    this.reading.replaceChildren(...rich(picture.reading));
    this.help.hidden = !picture.reading;
    this.behind.hidden = !picture.table;
    this.node.classList.toggle("empty", !picture.chart);
    this.wide = WIDE.has(picture.chart);
    const small = picture.chart === "parallel" && innerWidth < SMALL; // axes side by side need room: the table has all
    this.box.hidden = !picture.chart || small;
    this.box.className = `chart ${picture.chart}`;
    this.table = null;
    if ((picture.chart === "parallel" || !picture.chart) && !this.met) this.behind.open = this.met = true;
    if (this.behind.open) this.fillTable(true);
    if (this.drawn) this.draw();
  }

  fillTable(anew = false) {
    if (!this.picture.table || (this.table && !anew) || !(this.behind.open || anew)) return;
    const word = this.table?.word ?? "";
    const { same } = this.picture.table;
    const table = same ? RUN.data.pictures.find((one) => one.id === same).table : this.picture.table;
    this.table = new Table(table, this.picture.title);
    this.table.word = word;
    if (this.picture.chart === "parallel") this.table.listener = (rows) => this.show?.(rows);
    this.behind.querySelector(".data")?.remove();
    this.behind.append(this.table.node);
  }

  /** A choice above the chart; its value is kept when the run goes on. */
  choice(key, label, options) {
    this.state[key] ??= options[0][0];
    const select = el("select", { onchange: (event) => { this.state[key] = event.target.value; this.draw(); } },
      options.map(([value, text]) => el("option", { value }, text)));
    select.value = this.state[key];
    this.wanted.push(el("label", {}, `${label} `, select));
    return this.state[key];
  }

  draw() {
    this.drawn = true;
    if (!this.picture.chart || this.box.hidden) return;
    this.wanted = [];
    const focused = this.controls.contains(document.activeElement);
    const made = CHARTS[this.picture.chart](this.picture.data, this, theme());
    this.controls.replaceChildren(...this.wanted);
    if (focused) this.controls.querySelector("select")?.focus();
    this.made = made;
    if (made.node) { this.box.replaceChildren(made.node); this.box.tabIndex = 0; }
    else this.plot(made);
    this.at = -1;
  }

  plot({ option, height = 300, marks = 0, events = {} }) {
    const renderer = marks > MANY ? "canvas" : "svg";
    this.box.style.height = `${height}px`;
    this.box.tabIndex = 0;
    this.box.setAttribute("role", "img");
    this.box.setAttribute("aria-label", `${this.picture.title}. ${this.picture.sentence} Arrow keys go through the points.`);
    if (this.chart && this.renderer !== renderer) this.drop();
    const width = this.box.clientWidth || 640;
    if (!this.chart) {
      this.chart = echarts.init(this.box, null, { renderer, width, height });
      this.renderer = renderer;
    } else this.chart.resize({ width, height });
    this.chart.setOption(option, { notMerge: true });
    for (const [name, act] of Object.entries(events)) {
      this.chart.off(name);
      this.chart.on(name, act);
    }
  }

  drop() {
    this.chart?.dispose();
    this.chart = null;
  }

  /** Arrow keys go from point to point; each is shown and said. */
  key(event) {
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    const points = this.made?.points;
    if (event.key === "Escape") this.chart?.dispatchAction({ type: "hideTip" });
    if (!step || !points?.length) return;
    event.preventDefault();
    this.at = (this.at + step + points.length) % points.length;
    const { series = 0, index, said } = points[this.at];
    this.said.textContent = said.map(([label, value]) => `${label}: ${fmt(value)}`).join(", ");
    this.chart.dispatchAction({ type: "downplay" });
    this.chart.dispatchAction({ type: "highlight", seriesIndex: series, dataIndex: index });
    if (this.made.tips !== false) this.chart.dispatchAction({ type: "showTip", seriesIndex: series, dataIndex: index });
  }
}

/** Points for the keyboard from data items that have a `tip`. */
const pointsOf = (data, series = 0) => data.map((item, index) => ({ series, index, said: item.tip }));
const WIDE = new Set(["heat", "parallel", "timeline", "family", "failures"]);
