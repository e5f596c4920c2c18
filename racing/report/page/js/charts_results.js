// Charts of results: the heat map, pairs, the posterior, parts of the budget, the finalists.

CHARTS.heat = ({ ids, names, instances, rows: cells, unit }, view, t) => {
  const label = (k) => (names ? names[k] : nameOf(ids[k]));
  const fate = (k) => (names ? "survivor" : fateOf(ids[k]));
  const ordered = orderRows(view.choice("rows", "Candidates", [["standing", "by standing"], ["entry", "by entry"], ["name", "by name"]]), cells.length, label, (k) => ids?.[k] ?? k);
  const few = cells.length <= FEW_ROWS || view.choice("many", "Shown", [["few", `the best ${FEW_ROWS}`], ["all", `all ${cells.length}`]]) === "few";
  const rows = few ? ordered.filter((k) => k < FEW_ROWS) : ordered;
  const short = withoutPrefix(instances);
  const columns = orderColumns(view.choice("columns", "Instances", [["met", "as met"], ["score", "by mean score"], ["name", "by name"]]), instances, cells);
  const place = new Map(columns.map((column, x) => [column, x]));
  const data = [];
  rows.forEach((row, y) => {
    const { at, places, scores } = cells[row];
    places.forEach((value, k) => {
      const column = at ? at[k] : k, failed = !finite(scores[k]);
      data.push({ value: [place.get(column), y, failed ? FAILED : value], row, column, score: scores[k], place: value });
    });
  });
  const said = (item) => [["candidate", label(item.row)], ["fate", fate(item.row)], ["instance", instances[item.column]], [inUnit("score", unit), item.score], ["place", `${item.place} % from the best`]];
  view.wanted.push(el("span", { class: "scale" }, "best ", el("i", { class: "from-to" }), " worst ", el("i", { class: "failed-mark" }), " failed"));
  const tall = Math.max(8, Math.min(22, 620 / rows.length));
  return {
    height: Math.min(Math.max(rows.length * tall, 60), 640) + 60,
    marks: data.length,
    points: data.map((item, index) => ({ index, get said() { return said(item); } })),
    option: {
      ...base(t),
      tooltip: { ...base(t).tooltip, formatter: (hit) => tip(said(hit.data)) },
      grid: { left: 12, right: 12, top: 8, bottom: 34, containLabel: true },
      xAxis: axis(t, "instances", { type: "category", data: columns.map((k) => brief(short[k], 14)), splitLine: { show: false }, axisLabel: { show: columns.length <= 12 }, nameGap: columns.length <= 12 ? 28 : 10 }),
      yAxis: axis(t, "", { type: "category", inverse: true, data: rows.map((k) => brief(label(k))), splitLine: { show: false }, axisTick: { show: false }, axisLabel: { fontSize: tall < 11 ? 9 : 11, interval: tall < 11 ? "auto" : 0 } }),
      visualMap: { show: false, type: "piecewise", pieces: [...heatPieces(t), { gte: FAILED, color: t.fail }] },
      series: [{ type: "heatmap", data, progressive: 0, itemStyle: { borderWidth: data.length < 4000 ? 0.5 : 0, borderColor: t.card } }],
    },
  };
};

const FEW_ROWS = 40; // candidates that are shown at first
const FAILED = 1000; // the place of a failure on the colour scale

/** Places from 0 to 100 in twenty shades. */
function heatPieces(t) {
  return Array.from({ length: 20 }, (_, k) => ({ gte: 5 * k, lt: k === 19 ? 101 : 5 * k + 5, color: blend(t.heat0, t.heat1, k / 19) }));
}

/** A colour between two, which are written as #rrggbb. */
function blend(from, to, share) {
  const part = (colour, k) => parseInt(colour.slice(1 + 2 * k, 3 + 2 * k), 16);
  return `rgb(${[0, 1, 2].map((k) => Math.round(part(from, k) + share * (part(to, k) - part(from, k)))).join(",")})`;
}

/** Names without the folders, and the beginning of a name, that all of them share. */
function withoutPrefix(names) {
  if (names.length < 2) return names;
  let shared = names[0].length;
  for (const name of names) {
    while (!name.startsWith(names[0].slice(0, shared))) shared -= 1;
  }
  const cut = Math.max(...["/", "_", "-", " "].map((mark) => names[0].slice(0, shared).lastIndexOf(mark))) + 1;
  return names.map((name) => name.slice(cut) || name);
}

function orderRows(by, many, label, entry) {
  const rows = [...Array(many).keys()];
  if (by === "entry") rows.sort((a, b) => entry(a) - entry(b));
  if (by === "name") rows.sort((a, b) => label(a).localeCompare(label(b), "en", { numeric: true }));
  return rows;
}

function orderColumns(by, instances, cells) {
  const columns = instances.map((_, k) => k);
  if (by === "score") {
    const sums = columns.map(() => [0, 0]);
    for (const { at, scores } of cells) {
      scores.forEach((score, k) => {
        const sum = sums[at ? at[k] : k];
        if (finite(score)) { sum[0] += score; sum[1] += 1; }
      });
    }
    const mean = (k) => sums[k][0] / (sums[k][1] || 1);
    columns.sort((a, b) => mean(a) - mean(b));
  }
  if (by === "name") columns.sort((a, b) => instances[a].localeCompare(instances[b], "en", { numeric: true }));
  return columns;
}

CHARTS.pairs = ({ names, rows, better, unit, runs }, view, t) => {
  const [ahead, behind] = runs ? runs.map((k) => runColour(t, k)) : [t.winner, t.dropped];
  const values = rows.flatMap((row) => [row[1], row[2]]).filter(finite);
  const low = Math.min(...values), high = Math.max(...values);
  const log = low > 0 && high / low > 200;
  const pad = log ? 1.15 : (high - low || Math.abs(high) || 1) * 0.04;
  const [from, to] = log ? [low / pad, high * pad] : [low - pad, high + pad];
  const edge = (value) => (finite(value) ? value : value === "-inf" ? from : to);
  const won = (row) => (better === "above" ? edge(row[2]) > edge(row[1]) : edge(row[2]) < edge(row[1]));
  const data = rows.map((row) => ({
    value: [edge(row[1]), edge(row[2])],
    itemStyle: finite(row[1]) && finite(row[2]) ? { color: row[1] === row[2] ? t.soft : won(row) ? ahead : behind, borderColor: t.soft, borderWidth: won(row) ? 0 : 1 } : { color: t.fail },
    symbol: finite(row[1]) && finite(row[2]) ? "circle" : "triangle",
    tip: [["instance", row[0]], [names[0], row[1]], [names[1], row[2]]],
  }));
  const scale = { type: log ? "log" : "value", min: from, max: to, axisLabel: { formatter: fmt, showMinLabel: false, showMaxLabel: false } };
  return {
    height: 360,
    marks: rows.length,
    points: pointsOf(data),
    option: {
      ...base(t),
      xAxis: axis(t, inUnit(brief(names[0], 40), unit), scale), yAxis: upright(t, inUnit(brief(names[1], 30), unit), { ...scale }),
      series: [
        { type: "scatter", data, symbolSize: rows.length > 300 ? 5 : 9, itemStyle: { opacity: 0.85 } },
        { type: "line", silent: true, symbol: "none", data: [[from, from], [to, to]], lineStyle: { color: t.soft, type: "dashed", width: 1 } },
      ],
    },
  };
};

/** A strip for each finalist: a point for each instance, a bar at the median. */
CHARTS.strips = ({ strips, steps, unit }, view, t) => {
  const which = view.choice("what", "Shown", [["ahead", "better than the middle finalist by"], ["scores", "score"]]);
  const values = strips.flatMap((one) => [...one[which], one.medians[which === "ahead" ? 0 : 1]]).filter(finite);
  const { min, max } = around(which === "ahead" ? [0, ...values] : values.length ? values : [0, 1]);
  const edge = (value) => (finite(value) ? value : min);
  const spread = (k) => (((k * 2654435761) % 1000) / 1000 - 0.5) * 0.55;
  const data = strips.flatMap((one, y) => one[which].map((value, k) => ({
    value: [edge(value), y + spread(steps[k] + 1)], symbol: finite(value) ? "circle" : "triangle", symbolSize: strips.length * steps.length > 600 ? 5 : 7,
    itemStyle: { color: finite(value) ? t[fateOf(one.id)] : t.fail, opacity: 0.75 },
    tip: [["candidate", one.name], ["instance", instanceOf(steps[k])], ["score", one.scores[k]], ["better than the middle by", finite(one.ahead[k]) ? one.ahead[k] : "failed"]],
  })));
  const middles = strips.map((one, y) => [one.medians[which === "ahead" ? 0 : 1], y]).filter((pair) => finite(pair[0]));
  const bar = (_, api) => {
    const [x, y] = api.coord([api.value(0), api.value(1)]), half = 0.36 * Math.abs(api.size([0, 1])[1]);
    return { type: "rect", shape: { x: x - 1.5, y: y - half, width: 3, height: 2 * half }, style: { fill: t.ink } };
  };
  const zero = which === "ahead" ? { silent: true, symbol: "none", label: { show: false }, lineStyle: { color: t.soft, type: "dashed" }, data: [{ xAxis: 0 }] } : undefined;
  return {
    height: 42 * strips.length + 70, marks: data.length, points: pointsOf(data),
    option: {
      ...base(t), grid: { ...base(t).grid, top: 10 },
      xAxis: axis(t, inUnit(which === "ahead" ? "better than the middle finalist by" : "score", unit), { type: "value", min, max, axisLabel: { formatter: fmt } }),
      yAxis: axis(t, "", { type: "value", inverse: true, min: -0.5, max: strips.length - 0.5, splitLine: { show: false }, axisTick: { show: false }, axisLabel: { customValues: strips.map((_, k) => k), formatter: (k) => brief(strips[k]?.name ?? "", 18) } }),
      series: [{ type: "scatter", data, markLine: zero, clip: false }, { type: "custom", silent: true, z: 5, data: middles, renderItem: bar }],
    },
  };
};

CHARTS.density = ({ names, x, lower, upper }, view, t) => {
  const line = (name, y, type) => ({
    name, type: "line", symbol: "none", lineStyle: { width: 2, color: t.winner, type }, itemStyle: { color: t.winner },
    areaStyle: { color: t.winner, opacity: 0.12 },
    data: x.map((value, k) => ({ value: [value, y[k]], tip: [["share of wins", value], ["density", y[k]]] })),
  });
  const series = [["prior for the second", lower, "dashed"], ["prior for the winner", upper, "solid"]].filter(([, y]) => y).map((one) => line(...one));
  series[0].markLine = {
    silent: true, symbol: "none", label: { formatter: "equal", color: t.soft }, lineStyle: { color: t.soft, type: "dashed" }, data: [{ xAxis: 0.5 }],
  };
  return {
    points: pointsOf(series[0].data),
    option: {
      ...base(t), series, legend: { top: 0, textStyle: { color: t.soft }, itemStyle: { opacity: 0 } }, grid: { ...base(t).grid, top: 56 },
      tooltip: { ...base(t).tooltip, trigger: "axis", formatter: (hits) => tip(hits.flatMap((hit, k) => (k ? [[hit.seriesName, hit.data.value[1]]] : [["share of wins", hit.data.value[0]], [hit.seriesName, hit.data.value[1]]]))) },
      xAxis: axis(t, `share of instances that ${brief(names[0], 24)} wins`, { type: "value", min: 0, max: 1 }),
      yAxis: axis(t, "", { type: "value", min: 0, axisLabel: { show: false }, splitLine: { show: false } }),
    },
  };
};

CHARTS.budget = ({ rows, units }, view, t) => {
  const paid = units.map((unit, k) => [unit, 5 + k]);
  const measures = [["evaluations", 2], ["target time", 3], ...paid];
  const totals = measures.map(([, k]) => rows.reduce((sum, row) => sum + row[k], 0) || 1);
  const colours = { winner: t.winner, "other survivors": t.survivor, "dropped later": t.grey0, "dropped at the first opportunity": blend(t.grey0, t.card, 0.6), "not decided": t.waiting };
  const series = rows.map((row) => ({
    name: row[0], type: "bar", stack: "all", barWidth: 38, itemStyle: { color: colours[row[0]], borderColor: t.card, borderWidth: 1 },
    data: measures.map(([name, k], m) => ({
      value: (100 * row[k]) / totals[m],
      tip: [["part", row[0]], ["candidates", row[1]], ["evaluations", row[2]], ["target time", fmtSeconds(row[3])], ["failed", row[4]], ...paid.map(([unit, k]) => [unit, row[k]])],
    })),
  }));
  return {
    height: 226 + 50 * paid.length,
    points: series.flatMap((one, k) => pointsOf(one.data, k)),
    option: {
      ...base(t), series, legend: { bottom: 0, textStyle: { color: t.soft }, itemWidth: 14 }, grid: { left: 12, right: 24, top: 8, bottom: 62, containLabel: true },
      xAxis: axis(t, "", { type: "value", max: 100, axisLabel: { formatter: "{value} %" } }),
      yAxis: axis(t, "", { type: "category", inverse: true, data: measures.map(([name]) => name) }),
    },
  };
};

CHARTS.diagram = ({ low, high, labels, bars, cd }) => {
  const width = 600, left = 150, right = 450, top = 54;
  const x = (rank) => left + ((high - rank) / (high - low || 1)) * (right - left);
  const deep = Math.max(-1, ...bars.map((one) => one.row)) + 1;
  const under = top + 16 + 13 * deep;
  const height = under + 26 * (Math.max(...labels.map((one) => one.row)) + 1) + 16;
  const line = (x1, y1, x2, y2, kind) => svg("line", { x1, y1, x2, y2, class: kind });
  const text = (at, y, words, kind) => svg("text", { x: at, y, class: kind }, words);
  const parts = [line(left, top, right, top, "axis")];
  for (let rank = low; rank <= high; rank += Math.ceil((high - low) / 10) || 1) {
    parts.push(line(x(rank), top - 6, x(rank), top, "axis"), text(x(rank), top - 12, String(rank), "middle soft"));
  }
  if (cd) parts.push(line(left, 18, left + (cd / (high - low || 1)) * (right - left), 18, "axis"), text(left, 12, `critical difference ${fmt(cd)}`, "soft"));
  for (const { ranks, row, whole } of bars) {
    const y = top + 14 + 13 * row;
    parts.push(line(x(Math.max(...ranks)) - 4, y, x(Math.min(...ranks)) + 4, y, whole ? "group" : "thin"));
    if (!whole) parts.push(...ranks.map((rank) => svg("circle", { cx: x(rank), cy: y, r: 3.5, class: "dot" })));
  }
  for (const { name, rank, side, row } of labels) {
    const y = under + 26 * row + 14, out = side === "right" ? right + 14 : left - 14;
    parts.push(svg("polyline", { points: `${x(rank)},${top} ${x(rank)},${y} ${out},${y}`, class: "lead" }));
    parts.push(text(out + (side === "right" ? 6 : -6), y + 4, `${brief(name, 20)}  ${rank.toFixed(2)}`, side === "right" ? "start" : "end"));
  }
  const drawn = svg("svg", { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": labels.map((one) => `${one.name}: mean rank ${one.rank.toFixed(2)}`).join("; "), class: "cd" }, parts);
  return { node: drawn };
};

/** A mark with its interval in each row; an arrow where the interval has no end. */
CHARTS.intervals = ({ label, rows }) => {
  const small = innerWidth < SMALL, width = small ? 340 : 600, left = small ? 110 : 150, right = width - 30, step = 26, top = 10;
  const known = rows.flatMap((row) => row.slice(2, 5)).filter(finite);
  const low = Math.min(0, ...known), high = Math.max(0, ...known), span = high - low || 1;
  const x = (value) => left + ((value - low + 0.04 * span) / (1.08 * span)) * (right - left);
  const bottom = top + step * rows.length, height = bottom + 34;
  const line = (x1, y1, x2, y2, kind) => svg("line", { x1, y1, x2, y2, class: kind });
  const text = (at, y, words, kind) => svg("text", { x: at, y, class: kind }, words);
  const parts = [line(x(0), top, x(0), bottom, "lead"), line(left, bottom, right, bottom, "axis")];
  for (const value of new Set([low, 0, high])) parts.push(text(x(value), bottom + 14, fmt(value), "middle soft"));
  parts.push(text((left + right) / 2, bottom + 30, label, "middle soft"));
  rows.forEach(([name, many, mark, from, to], k) => {
    const y = top + step * (k + 0.5);
    parts.push(text(left - 10, y + 4, `${brief(name, small ? 12 : 18)} (${many})`, "end"));
    if (!finite(mark)) return;
    parts.push(line(finite(from) ? x(from) : left, y, finite(to) ? x(to) : right, y, "thin"));
    if (!finite(from)) parts.push(text(left, y + 4, "◂", "middle soft"));
    if (!finite(to)) parts.push(text(right, y + 4, "▸", "middle soft"));
    parts.push(svg("circle", { cx: x(mark), cy: y, r: 4, class: "dot" }));
  });
  const said = rows.map((row) => `${row[0]}: ${finite(row[2]) ? fmt(row[2]) : "–"}`).join("; ");
  return { node: svg("svg", { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": said, class: "cd" }, parts) };
};

/** Sentences, one below the other. */
CHARTS.words = ({ items }) => ({ node: el("ul", {}, items.map((one) => el("li", {}, ...rich(one)))) });
