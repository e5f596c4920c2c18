// A figure as SVG: axes, marks and a legend; what the pointer and the keyboard reach. Only places are computed here:
// what is drawn comes as data (racing/report/forms.py), and colours are variables of the style sheet.

const ROOM = 8; // pixels between an axis and its names
const REACH = 40; // pixels from an item within which the pointer means it
const TEXT = 12; // pixels of a text
const DASHES = { dashed: "6 4", dotted: "1.5 3" };
const GOLD = [1, 2, 5, 10];
const ruler = document.createElement("canvas").getContext("2d");

const paint = (role) => `var(--${role})`;
const round = (value) => Math.round(value * 10) / 10;

/** The colour of parts of roles on the colour of the paper. */
function mix(parts) {
  let [rest, colour] = [1, paint("card")];
  for (const [role, share] of parts) {
    if (share > 0) colour = `color-mix(in srgb, ${paint(role)} ${round((100 * share) / (1 - rest + share))}%, ${rest === 1 ? "transparent" : colour})`;
    if (share > 0) rest -= share;
  }
  return rest < 0.001 || rest === 1 ? colour : `color-mix(in srgb, ${colour} ${round(100 * (1 - rest))}%, ${paint("card")})`;
}
const shade = (share) => mix([["heat0", 1 - share], ["heat1", share]]);

function widthOf(text, size = TEXT) {
  ruler.font = `${size}px ${getComputedStyle(document.body).fontFamily}`;
  return ruler.measureText(text).width;
}

/** Round numbers between two ends, about so many. */
function ticksOf({ kind, ends: [low, high], whole, levels = [], seconds }, most) {
  if (kind === "category") return levels.map((_, k) => k);
  if (kind === "log") return tens(low, high, most);
  const units = seconds && high > 120 ? [60, 300, 600, 1800, 3600, 7200, 21600, 43200, 86400] : null;
  const raw = (high - low) / Math.max(most, 1), ten = 10 ** Math.floor(Math.log10(raw));
  let step = units?.find((unit) => unit >= raw) ?? GOLD.map((k) => k * ten).find((one) => one >= raw * 0.999);
  if (whole) step = Math.max(1, Math.round(step));
  const first = Math.ceil(low / step - 1e-9), many = Math.floor(high / step + 1e-9) - first + 1;
  return Array.from({ length: Math.max(many, 0) }, (_, k) => Number(((first + k) * step).toPrecision(12)));
}

/** Powers of ten; between few of them also twice and five times these. */
function tens(low, high, most) {
  const [first, last] = [low, high].map((end) => Math.floor(Math.log10(end)));
  const between = (factors, skip = 1) => Array.from({ length: last - first + 1 }, (_, k) => first + k)
    .filter((power) => power % skip === 0).flatMap((power) => factors.map((k) => Number((k * 10 ** power).toPrecision(3))))
    .filter((value) => value >= low * 0.999 && value <= high * 1.001);
  const plain = between([1]);
  if (plain.length < 3) return between([1, 2, 5]);
  return plain.length > most ? between([1], Math.ceil(plain.length / most)) : plain;
}

/** From values to pixels. */
function scaleOf(axis, from, to) {
  const curve = axis.kind === "log" ? (v) => Math.log(Math.max(v, 1e-300)) : (v) => v;
  const [low, high] = axis.ends.map(curve), places = axis.order && new Map(axis.order.map((level, k) => [level, k]));
  const seat = places ? (v) => places.get(Math.round(v)) + (v - Math.round(v)) : (v) => v;
  const share = (v) => (high > low ? (curve(seat(v)) - low) / (high - low) : 0.5);
  return (v) => (v == null ? null : from + (axis.reverse ? 1 - share(v) : share(v)) * (to - from));
}

/** The words of a value on an axis. */
function wordsOf(axis, value) {
  if (axis.kind === "category") return axis.levels[Math.round(value)] ?? "";
  return axis.seconds ? fmtSeconds(value) : fmt(value);
}

/** One plot as SVG of this width, with the choices `kx` and `ky` of its axes. */
class Drawing {
  constructor(plot, width, { kx = 0, ky = 0, table = null } = {}) {
    Object.assign(this, { plot, kx, ky, table, x: { ...plot.x[kx] }, y: { ...plot.y[ky] } });
    this.width = Math.max(width, plot.least ?? 0);
    this.height = plot.height ?? 300;
    this.reach = []; // of each mark: where its items are, and what they are
    this.margins();
    this.marks = svg("g");
    this.over = svg("g", { class: "over" });
    this.node = svg("svg", { class: "figure", width: this.width, height: this.height, viewBox: `0 0 ${this.width} ${this.height}` });
    this.scales();
    for (const [which, axis] of [["x", this.x], ["y", this.y]]) if (axis.kind !== "hidden") this.node.append(this.axis(which, axis));
    this.node.append(this.marks, this.over);
    for (const rule of plot.rules ?? []) this.rule(rule);
    for (const mark of plot.marks) this[mark.form](mark);
    this.starts = this.reach.reduce((sums, one) => [...sums, sums.at(-1) + one.count], [0]);
    this.count = this.starts.at(-1);
  }

  /** Room for names and numbers beside the axes; beside hidden ones for the texts that lie beyond. */
  margins() {
    const { x, y, height } = this;
    const hidden = x.kind === "hidden" && y.kind === "hidden";
    this.left = hidden ? 2 : 14; this.right = hidden ? 2 : 18; this.top = y.name ? 24 : 8; this.bottom = hidden ? 2 : 8;
    if (y.kind !== "hidden") {
      this.labels = ticksOf(y, height / 45).map((value) => brief(wordsOf(y, value), this.width < 480 ? 14 : 24));
      this.left = Math.max(this.left, ROOM + 4 + Math.max(0, ...this.labels.map((text) => widthOf(text))));
    }
    if (x.kind === "category") this.slanted(x);
    if (x.kind !== "hidden") this.bottom += (this.slant || 14) + (x.name ? 20 : 0);
    if (!hidden) return;
    for (let time = 0; time < 3; time += 1) {
      this.scales();
      const beyond = this.plot.marks.filter((mark) => mark.form === "Texts").flatMap((mark) => this.boxes(mark));
      this.left += Math.max(0, ...beyond.map((box) => -box.left)); this.top += Math.max(0, ...beyond.map((box) => -box.top));
      this.right += Math.max(0, ...beyond.map((box) => box.right - this.width));
      this.bottom += Math.max(0, ...beyond.map((box) => box.bottom - this.height));
    }
  }

  /** How high the names of categories below an axis are, if they do not fit beside each other. */
  slanted(x) {
    const names = x.levels.map((name) => brief(name, 16)), room = (this.width - this.left - this.right) / names.length;
    const longest = Math.max(0, ...names.map((name) => widthOf(name)));
    this.slant = room < 3 ? 1 : longest + 6 > room ? Math.min(longest * 0.62 + 12, 80) : 0;
  }

  scales() {
    this.toX = scaleOf(this.x, this.left, this.width - this.right);
    this.toY = scaleOf(this.y, this.height - this.bottom, this.top);
  }

  axis(which, axis) {
    const [left, right, top, bottom] = [this.left, this.width - this.right, this.top, this.height - this.bottom];
    const ticks = ticksOf(axis, which === "x" ? Math.max((right - left) / 75, 2) : (bottom - top) / 45);
    const to = which === "x" ? this.toX : this.toY, seats = ticks.map(to), parts = [];
    const least = axis.kind !== "category" ? 0 : which === "y" ? 13 : this.slant ? 21 : 0; // 12 pixels of a text that is slanted by 35°
    let last = -Infinity;
    for (const [k, at] of [...seats.entries()].sort((a, b) => a[1] - b[1])) {
      if (axis.kind !== "category") parts.push(svg("line", which === "x" ? { x1: at, x2: at, y1: top, y2: bottom, class: "grid" } : { x1: left, x2: right, y1: at, y2: at, class: "grid" }));
      if (at - last < least || (which === "x" && this.slant === 1)) continue;
      const words = wordsOf(axis, ticks[k]), long = which === "x" ? 16 : this.width < 480 ? 14 : 24, half = widthOf(words) / 2;
      if (which === "x" && axis.kind !== "category" && at - half < last) continue;
      last = which === "x" && axis.kind !== "category" ? at + half + ROOM : at;
      const place = which === "y" ? { x: left - ROOM, y: at + 4, class: "end" }
        : this.slant ? { x: at + 3, y: bottom + 14, class: "end", transform: `rotate(-35 ${at + 3} ${bottom + 14})` }
        : { x: Math.min(at, this.width - half - 1), y: bottom + 16, class: "middle" };
      parts.push(this.words(brief(words, long), words, place));
    }
    parts.push(svg("line", which === "x" ? { x1: left, x2: right, y1: bottom, y2: bottom, class: "axis" } : { x1: left, x2: left, y1: top, y2: bottom, class: "axis" }));
    if (axis.name) parts.push(which === "x" ? svg("text", { x: (left + right) / 2, y: this.height - 5, class: "middle name" }, this.fitted(axis.name, right - left)) : svg("text", { x: 2, y: 13, class: "name" }, this.fitted(axis.name, this.width - 8)));
    return svg("g", { class: "scale" }, parts);
  }

  fitted(name, room) {
    let most = name.length;
    while (most > 12 && widthOf(brief(name, most)) > room) most -= 2;
    return brief(name, most);
  }

  /** A text, whole when the pointer rests on it. */
  words(text, whole, how) {
    return svg("text", how, text, text === whole ? [] : svg("title", {}, whole));
  }

  rule({ x, y, label }) {
    const ends = x != null ? { x1: this.toX(x), x2: this.toX(x), y1: this.top, y2: this.height - this.bottom } : { x1: this.left, x2: this.width - this.right, y1: this.toY(y), y2: this.toY(y) };
    this.marks.append(svg("line", { ...ends, class: "rule" }));
    if (label) this.marks.append(svg("text", { x: ends.x1 + 4, y: ends.y1 + 12, class: "soft" }, label));
  }

  /** Values of a mark along an axis, by the choice of the axis. */
  column(columns, k) { return columns[columns.length > 1 ? k : 0]; }
  places(mark) {
    const [x, y] = [this.column(mark.x, this.kx), this.column(mark.y, this.ky)];
    return { x, y, px: x.map(this.toX), py: y.map(this.toY) };
  }

  /** What a reader is told of an item: its row of the table; or its tip, and its place. */
  told(mark, k, x, y) {
    if (mark.rows?.length) return this.table.columns.map((name, at) => [name, this.table.rows[mark.rows[k]][at]]).filter(([name, cell]) => name && cell != null);
    const place = [[this.x, x], [this.y, y]].filter(([axis, value]) => axis.name && value != null);
    return [...(mark.tip ?? []).map(([name, values]) => [name, values[k]]).filter((pair) => pair[1] != null), ...place.map(([axis, value]) => [axis.name, wordsOf(axis, value)])];
  }

  /** Items at points that the pointer and the keyboard reach. */
  reached(mark, { x, y, px, py }, outline) {
    const known = px.map((_, k) => k).filter((k) => px[k] != null && py[k] != null);
    if (!known.length || !(mark.rows?.length || mark.tip?.length)) return;
    this.reach.push({
      count: known.length,
      near: (at, up) => known.reduce((best, k, n) => { const far = Math.hypot(px[k] - at, py[k] - up); return far < best[0] ? [far, n] : best; }, [REACH, -1]),
      item: (n) => { const k = known[n]; return { x: px[k], y: py[k], row: mark.rows?.[k], told: () => this.told(mark, k, x[k], y[k]), outline: () => outline(k) }; },
    });
  }

  Points(mark) {
    const at = this.places(mark), { px, py } = at, radius = mark.size ?? 4, symbol = mark.symbol ?? "circle", groups = new Map();
    px.forEach((_, k) => {
      if (px[k] == null || py[k] == null) return;
      const key = mark.shades ? Math.round(20 * (mark.shades[k] ?? 1)) / 20 : -1;
      groups.set(key, (groups.get(key) ?? "") + symbolAt(symbol, px[k], py[k], radius));
    });
    for (const [key, d] of [...groups].sort((a, b) => b[0] - a[0])) this.marks.append(svg("path", { d, ...inked(symbol, key < 0 ? paint(mark.colour ?? "winner") : shade(key)), opacity: mark.opacity ?? 1 }));
    this.reached(mark, at, (k) => svg("circle", { cx: px[k], cy: py[k], r: radius + 3 }));
  }

  Line(mark) {
    const at = this.places(mark), { px, py } = at, colour = paint(mark.colour ?? "winner"), step = mark.step ?? "";
    if (px.every((x, k) => x == null || py[k] == null)) return; // it has no place in this choice of the axes
    const [floor, ceiling] = ["low", "high"].map((end) => mark[end]?.length && this.column(mark[end], this.ky).map(this.toY));
    if (floor) {
      const closed = px.map((_, k) => k).filter((k) => floor[k] != null && ceiling[k] != null);
      const back = [...closed].reverse(), pick = (values, of) => of.map((k) => values[k]);
      if (closed.length) this.marks.append(svg("path", { d: `${pathOf(pick(px, closed), pick(ceiling, closed), step)}L${pathOf(pick(px, back), pick(floor, back), { after: "before", before: "after" }[step] ?? "").slice(1)}Z`, fill: colour, opacity: 0.15 }));
    }
    if (mark.filled) {
      const base = this.toY(Math.max(0, this.y.ends[0])), known = px.filter((value) => value != null);
      this.marks.append(svg("path", { d: `${pathOf(px, py, step)}V${base}H${known[0]}Z`, fill: colour, opacity: 0.12 }));
    }
    this.marks.append(svg("path", { d: pathOf(px, py, step), fill: "none", stroke: colour, "stroke-width": mark.width ?? 2, "stroke-dasharray": DASHES[mark.dash] ?? "none", opacity: mark.opacity ?? 1, "stroke-linejoin": "round" }));
    if (mark.dots) this.marks.append(svg("path", { d: px.map((_, k) => (px[k] == null || py[k] == null ? "" : symbolAt("circle", px[k], py[k], 3.2))).join(""), class: "dots filled", fill: colour }));
    this.reached(mark, at, (k) => svg("circle", { cx: px[k], cy: py[k], r: 5 }));
  }

  Lines(mark) {
    const px = mark.x[0].map(this.toX), lines = mark.ys.map((ys) => ys.map(this.toY));
    const node = svg("g", { class: "many", opacity: mark.opacity ?? 1 }, lines.map((py, k) => svg("path", { d: pathOf(px, py, ""), fill: "none", stroke: paint(mark.colour ?? "winner"), "stroke-width": mark.width ?? 1, "stroke-dasharray": DASHES[mark.dash] ?? "none", "data-row": mark.rows?.[k] ?? "" })));
    this.marks.append(node);
    if (!mark.rows?.length) return;
    const gap = (at, up) => (py) => Math.min(...px.map((x, n) => (py[n] == null ? Infinity : toSegment(at, up, x, py[n], px[n + 1] ?? x, py[n + 1] ?? py[n]))));
    this.reach.push({
      count: lines.length,
      near: (at, up) => lines.map(gap(at, up)).reduce((best, far, n) => (far < best[0] ? [far, n] : best), [REACH / 2, -1]),
      item: (n) => ({ x: px[0], y: lines[n].find((y) => y != null), row: mark.rows[n], through: px.map((x, k) => [x, lines[n][k]]), told: () => this.told(mark, n), outline: () => svg("path", { d: pathOf(px, lines[n], ""), class: "whole" }) }),
    });
  }

  Intervals(mark) {
    const flat = (mark.along ?? "x") === "x", [along, across] = flat ? [this.toX, this.toY] : [this.toY, this.toX];
    const [kw, kc] = flat ? [this.kx, this.ky] : [this.ky, this.kx];
    const at = this.column(mark.at, kc).map(across), ends = [this.column(mark.low, kw), this.column(mark.high, kw)];
    const edges = flat ? [this.left, this.width - this.right] : [this.height - this.bottom, this.top];
    const inside = (value) => Math.min(Math.max(value, Math.min(...edges)), Math.max(...edges));
    const point = (a, c) => (flat ? `${round(a)} ${round(c)}` : `${round(c)} ${round(a)}`);
    let d = "";
    at.forEach((c, k) => {
      if (c == null) return;
      const [from, to] = ends.map((column, side) => (column[k] == null ? edges[side] : inside(along(column[k]))));
      d += `M${point(from, c)}L${point(to, c)}`;
      ends.forEach((column, side) => { const [a, back] = [[from, to][side], side === (flat ? 0 : 1) ? 5 : -5]; d += column[k] == null ? `M${point(a + back, c - 4)}L${point(a, c)}L${point(a + back, c + 4)}` : `M${point(a, c - 3.5)}L${point(a, c + 3.5)}`; });
    });
    this.marks.append(svg("path", { d, fill: "none", stroke: paint(mark.colour ?? "winner"), "stroke-width": mark.width ?? 2, opacity: mark.opacity ?? 1 }));
  }

  Bars(mark) {
    const [x0, x1, y0, y1] = ["x0", "x1", "y0", "y1"].map((end) => this.column(mark[end], end[0] === "x" ? this.kx : this.ky));
    const boxes = x0.map((_, k) => { const [a, b, c, d] = [this.toX(x0[k]), this.toX(x1[k]), this.toY(y0[k]), this.toY(y1[k])]; return { x: Math.min(a, b), y: Math.min(c, d), width: Math.max(Math.abs(b - a), 0.7), height: Math.abs(d - c) }; });
    this.marks.append(svg("path", { d: boxes.map(boxPath).join(""), class: "bars", fill: paint(mark.colour ?? "winner"), opacity: mark.opacity ?? 1 }));
    if (!mark.rows?.length && !mark.tip?.length) return;
    const inside = (box, at, up) => at >= box.x - 1 && at <= box.x + box.width + 1 && up >= box.y && up <= box.y + box.height;
    this.reach.push({ count: boxes.length, near: (at, up) => { const n = boxes.findIndex((box) => inside(box, at, up)); return [n < 0 ? REACH : 0, n]; },
      item: (n) => ({ x: boxes[n].x + boxes[n].width / 2, y: boxes[n].y, row: mark.rows?.[n], told: () => this.told(mark, n), outline: () => svg("rect", boxes[n]) }) });
  }

  Matrix(mark) {
    const [rows, columns] = [mark.cells.length, this.x.levels.length], wide = Math.abs(this.toX(1) - this.toX(0)) || this.width - this.left - this.right, tall = Math.abs(this.toY(1) - this.toY(0)) || this.height - this.top - this.bottom;
    const box = (r, c) => ({ x: this.toX(c) - wide / 2, y: this.toY(r) - tall / 2, width: wide, height: tall }), paths = new Map();
    const filled = mark.cells.flatMap((cells, r) => cells.flatMap((key, c) => (key == null ? [] : [[r, c, key]])));
    for (const [r, c, key] of filled) paths.set(key, (paths.get(key) ?? "") + boxPath(box(r, c)));
    for (const [key, d] of paths) this.marks.append(svg("path", { d, class: wide > 4 && tall > 4 ? "cells" : "", fill: mix(mark.keys[key].parts), opacity: mark.opacity ?? 1 }));
    if (mark.written) for (const [r, c, key] of filled) this.marks.append(svg("text", { x: this.toX(c), y: this.toY(r) + 4, class: `middle small ${mark.keys[key].parts.reduce((sum, one) => sum + one[1], 0) > 0.6 ? "inverse" : ""}` }, mark.values[r][c]));
    const place = new Map(filled.map(([r, c], n) => [r * columns + c, n])), order = (axis) => axis.order ?? axis.levels.map((_, k) => k);
    const level = (axis, pixel, size, from) => order(axis)[Math.floor((pixel - from) / size)];
    this.reach.push({ count: filled.length,
      near: (at, up) => { const n = place.get(level(this.y, up, tall, this.top) * columns + level(this.x, at, wide, this.left)); return n == null || rows === 0 ? [REACH, -1] : [0, n]; },
      item: (n) => { const [r, c, key] = filled[n]; return { x: this.toX(c), y: this.toY(r), told: () => [[mark.tip[0][0], this.y.levels[r]], [mark.tip[1][0], this.x.levels[c]], ...(mark.values ? [[mark.value ?? "value", mark.values[r][c]]] : []), ["", mark.keys[key].label]].filter(([, value]) => value != null), outline: () => svg("rect", box(r, c)) }; } });
  }

  boxes(mark) {
    const { px, py } = this.places(mark), size = mark.size ?? TEXT, sine = Math.sin(((mark.angle ?? 0) * Math.PI) / 180);
    return mark.texts.map((text, k) => {
      const width = widthOf(text, size), anchor = this.anchor(mark, px[k]), x = px[k] + (mark.dx ?? 0), y = py[k] + (mark.dy ?? 0);
      const left = anchor === "start" ? x : anchor === "end" ? x - width : x - width / 2;
      return { left, right: left + width * (sine ? Math.sqrt(1 - sine * sine) : 1), top: y - size / 2 - Math.max(0, sine * width), bottom: y + size / 2 };
    });
  }

  anchor(mark, px) {
    if (mark.anchor !== "inward") return mark.anchor ?? "start";
    return px > (this.left + this.width - this.right) / 2 ? "end" : "start";
  }

  Texts(mark) {
    const { px, py } = this.places(mark), boxes = this.boxes(mark), taken = [];
    mark.texts.forEach((text, k) => {
      if (px[k] == null || py[k] == null) return;
      const box = boxes[k], anchor = this.anchor(mark, px[k]), dx = (mark.dx ?? 0) * (mark.anchor === "inward" && anchor === "end" ? -1 : 1);
      if (mark.anchor === "inward" && taken.some((one) => one.left < box.right && box.left < one.right && one.top < box.bottom && box.top < one.bottom)) return;
      taken.push(box);
      const [x, y] = [px[k] + dx, py[k] + (mark.dy ?? 0) + (mark.size ?? TEXT) / 3];
      this.marks.append(svg("text", { x, y, class: `${anchor} halo ${mark.bold ? "strong" : ""}`, fill: paint(mark.colour ?? "ink"), "font-size": mark.size ?? TEXT, ...(mark.angle ? { transform: `rotate(${-mark.angle} ${x} ${y})` } : {}) }, text));
    });
  }

  /** The item number n of all marks. */
  item(n) {
    const of = this.starts.findIndex((start, k) => n < this.starts[k + 1] && n >= start);
    return this.reach[of].item(n - this.starts[of]);
  }

  /** The number of the item that the pointer means, −1 if none. */
  near(x, y) {
    return this.reach.reduce((best, one, k) => { const [far, n] = one.near(x, y); return n >= 0 && far < best[0] ? [far, n + this.starts[k]] : best; }, [REACH, -1])[1];
  }

  /** Rows of the table of which an item, or a part of it, lies in a rectangle. */
  rowsIn(left, top, right, bottom) {
    const inside = ([x, y]) => y != null && x >= left && x <= right && y >= top && y <= bottom, found = new Set();
    for (let n = 0; n < this.count; n += 1) {
      const { x, y, row, through } = this.item(n);
      if (row != null && (through ?? [[x, y]]).some(inside)) found.add(row);
    }
    return [...found].sort((a, b) => a - b);
  }
}

const boxPath = ({ x, y, width, height }) => `M${round(x)} ${round(y)}h${round(width)}v${round(height)}h${-round(width)}z`;
const inked = (symbol, colour) => (symbol === "hollow" ? { class: "dots", fill: paint("card"), stroke: colour } : symbol === "tick" ? { class: "dots", stroke: colour } : { class: "dots filled", fill: colour });

/** The path of a symbol at a place. */
function symbolAt(symbol, x, y, r) {
  const at = `${round(x)} ${round(y)}`;
  if (symbol === "tick") return `M${at}m0 ${-r}v${2 * r}`;
  if (symbol === "triangle") return `M${at}m0 ${-r * 1.2}l${r * 1.1} ${r * 2}h${-r * 2.2}z`;
  if (symbol === "diamond") return `M${at}m0 ${-r * 1.3}l${r * 1.3} ${r * 1.3}l${-r * 1.3} ${r * 1.3}l${-r * 1.3} ${-r * 1.3}z`;
  return `M${at}m${-r} 0a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0`;
}

/** The path through places, which null interrupts. */
function pathOf(px, py, step) {
  let [d, last] = ["", null];
  px.forEach((x, k) => {
    const y = py[k];
    if (x == null || y == null) { last = null; return; }
    d += last === null ? `M${round(x)} ${round(y)}` : step === "after" ? `H${round(x)}V${round(y)}` : step === "before" ? `V${round(y)}H${round(x)}` : `L${round(x)} ${round(y)}`;
    last = k;
  });
  return d;
}

/** How far a point is from a part of a line. */
function toSegment(x, y, x1, y1, x2, y2) {
  const [dx, dy] = [x2 - x1, y2 - y1], t = Math.min(Math.max(((x - x1) * dx + (y - y1) * dy) / (dx * dx + dy * dy || 1), 0), 1);
  return Math.hypot(x - x1 - t * dx, y - y1 - t * dy);
}

/** The names of marks with their colours; of a matrix, of its colours. */
function legendOf(plot) {
  const entries = new Map();
  for (const mark of plot.marks) {
    if (mark.name && !entries.has(mark.name)) entries.set(mark.name, swatch(mark));
    if (mark.form !== "Matrix") continue;
    const scale = mark.keys.slice(0, mark.keys.length - (mark.apart ?? 0)), many = scale.length > 8;
    for (const key of many ? mark.keys.slice(scale.length) : mark.keys) entries.set(key.label, box(mix(key.parts)));
    if (many) entries.set(`${scale[0].label} to ${scale.at(-1).label}`, svg("svg", { width: 84, height: 12 }, scale.map((key, k) => svg("rect", { x: (84 * k) / scale.length, y: 1, width: 84 / scale.length + 0.5, height: 10, fill: mix(key.parts) }))));
  }
  return entries.size ? el("ul", { class: "key" }, [...entries].map(([name, node]) => el("li", {}, node, ` ${name}`))) : null;
}

const box = (fill) => svg("svg", { width: 12, height: 12 }, svg("rect", { x: 1, y: 1, width: 10, height: 10, fill }));
function swatch({ form, colour = "winner", symbol = "circle", dash, width = 2, shades }) {
  if (form === "Bars") return box(paint(colour));
  if (form === "Points") return svg("svg", { width: 14, height: 14 }, svg("path", { d: symbolAt(symbol, 7, 7, 4), ...inked(symbol, shades ? shade(0) : paint(colour)) }));
  return svg("svg", { width: 22, height: 12 }, svg("line", { x1: 1, x2: 21, y1: 6, y2: 6, stroke: paint(colour), "stroke-width": Math.max(width, 1.5), "stroke-dasharray": DASHES[dash] ?? "none" }));
}
