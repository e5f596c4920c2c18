// Charts of configurations: parallel coordinates, effects, sampling, the family tree, failures.

CHARTS.parallel = ({ axes, ids }, view, t) => {
  const isDefault = (k) => ids[k] === RUN.data.people.default;
  const { rows } = view.picture.table;
  const scales = axes.map((one) => scaleOf(one, rows));
  const line = (k) => {
    const fate = rows[k][1];
    return {
      k, value: [rows[k][2] ?? 1, ...axes.map((one, a) => rows[k][one.column] ?? scales[a].off)],
      lineStyle: { color: isDefault(k) ? t.ink : t[fate], type: isDefault(k) ? "dashed" : "solid", width: fate === "winner" ? 3.5 : fate === "survivor" || isDefault(k) ? 2 : 1, opacity: fate === "dropped" && !isDefault(k) ? 0.35 : 0.9 },
    };
  };
  const order = (kept) => [...kept].sort((a, b) => isDefault(a) - isDefault(b) || FATES.indexOf(rows[b][1]) - FATES.indexOf(rows[a][1]) || b - a);
  let shown = order(rows.map((_, k) => k));
  view.show = (kept) => {
    if (view.brushing || !view.chart) return;
    shown = order(kept);
    view.chart.setOption({ series: [{ data: shown.map(line) }] });
  };
  const select = () => {
    const series = view.chart.getModel().getSeriesByIndex(0);
    const active = series.getRawIndicesByActiveState("active");
    const brushed = active.length < shown.length;
    if (!view.table) view.fillTable(true);
    view.behind.open = true;
    view.brushing = true;
    view.table.only = brushed ? active.map((k) => shown[k]).sort((a, b) => a - b) : null;
    view.table.fill();
    view.brushing = false;
  };
  const own = (name, dim, more) => ({
    dim, name: brief(name, 14), nameTextStyle: { color: t.ink, fontSize: 11 }, axisLabel: { color: t.ink, fontSize: 10, textBorderColor: t.card, textBorderWidth: 3, formatter: (value) => brief(fmt(value), axes.length > 8 ? 10 : 14) },
    axisLine: { lineStyle: { color: t.soft } }, axisTick: { lineStyle: { color: t.line } }, nameRotate: axes.length > 6 ? 18 : 0, ...more,
    ...(more.axisLabel ? { axisLabel: { ...more.axisLabel, color: t.ink, textBorderColor: t.card, textBorderWidth: 3 } } : {}),
  });
  return {
    height: 420,
    marks: rows.length * axes.length > 4000 ? 10_000 : 0,
    tips: false, // the library has none for these lines
    events: { axisareaselected: select },
    points: [...shown].reverse().map((k) => ({ index: shown.indexOf(k), said: [["candidate", rows[k][0]], ["fate", rows[k][1]], ["place", rows[k][2]], ...axes.map((one) => [one.name, rows[k][one.column]])] })),
    option: {
      ...base(t), tooltip: { show: false },
      parallel: { left: 50, right: 70, top: axes.length > 6 ? 60 : 40, bottom: 24, axisExpandable: false, parallelAxisDefault: { areaSelectStyle: { width: 22, borderColor: t.accent, color: t.accent, opacity: 0.25 } } },
      parallelAxis: [
        own("mean place", 0, { type: "value", min: 0, max: 1, inverse: true, nameLocation: "start", axisLabel: { margin: -8, align: "right", fontSize: 10 } }),
        ...axes.map((one, k) => own(one.name, k + 1, scales[k].axis)),
      ],
      series: [{ type: "parallel", data: shown.map(line), inactiveOpacity: 0.04, activeOpacity: 1, progressive: 0, smooth: 0.05 }],
    },
  };
};

/** An axis of the parallel coordinates; where a parameter is not active, its line runs along `off`. */
function scaleOf({ levels, ends, column, log }, rows) {
  const cells = rows.map((row) => row[column]);
  const missing = cells.includes(null);
  if (levels) return { off: OFF, axis: { type: "category", data: missing ? [OFF, ...levels] : levels } };
  const values = cells.filter(finite);
  const [low, high] = ends;
  if (log) return logScale(low, high, missing);
  const whole = values.every(Number.isInteger) ? { minInterval: 1 } : {};
  if (!missing) return { off: low, axis: { type: "value", min: low, max: high, ...whole } };
  const off = low - 0.15 * (high - low || 1);
  return { off, axis: { type: "value", min: off, max: high, axisLabel: { color: "inherit", fontSize: 10, formatter: (value) => (value < low ? (value === off ? OFF : "") : brief(fmt(value), 10)) } } };
}

/** The same with a logarithm. */
function logScale(low, high, missing) {
  const off = missing ? low * (low / high) ** 0.15 : low;
  const tens = tensIn(low, high);
  const said = (value) => (value < low ? OFF : brief(fmt(value), 10));
  const labels = { color: "inherit", fontSize: 10, customValues: missing ? [off, ...tens] : tens, formatter: said };
  return { off, axis: { type: "log", min: off, max: high, axisLabel: labels, axisTick: { customValues: tens } } };
}

/** Powers of ten to be written at a logarithmic axis, seven at most; its ends where there are fewer than two. */
function tensIn(low, high) {
  const first = Math.ceil(Math.log10(low) - 1e-9), last = Math.floor(Math.log10(high) + 1e-9);
  const step = Math.ceil((last - first + 1) / 7);
  const tens = Array.from({ length: Math.max(last - first + 1, 0) }, (_, k) => 10 ** (first + k)).filter((_, k) => k % step === 0);
  return tens.length > 1 ? tens : [...new Set([low, ...tens, high])];
}

const OFF = "not active";

/** The axis of a parameter, and where a value lies on it: categories are spread a little. */
function valueAxis(points, { levels, ends, log }) {
  if (!levels) {
    const [low, high] = ends;
    const whole = points.every((point) => Number.isInteger(point[1])) ? { minInterval: 1 } : {};
    if (!log) return { place: (value) => value, axis: { type: "value", min: low, max: high, ...whole } };
    const pad = (high / low) ** 0.02, tens = tensIn(low, high);
    return { place: (value) => value, axis: { type: "log", min: low / pad, max: high * pad, axisLabel: { customValues: tens, formatter: fmt }, axisTick: { customValues: tens } } };
  }
  const spread = (id) => (((id * 2654435761) % 1000) / 1000 - 0.5) * 0.5;
  return {
    place: (value, id) => levels.indexOf(value) + spread(id),
    axis: {
      type: "value", min: -0.5, max: levels.length - 0.5, interval: 1, splitLine: { show: false },
      axisLabel: { formatter: (k) => (Number.isInteger(k) ? brief(levels[k] ?? "", 16) : ""), customValues: levels.map((_, k) => k), interval: 0, hideOverlap: true, rotate: levels.length > 5 ? 20 : 0 },
      axisTick: { customValues: levels.map((_, k) => k) },
    },
  };
}

/** Points of a parameter: its own, or those that the table of configurations has. */
function pointsOfParameter(one, make) {
  if (one.points) return one.points;
  const { data, table } = RUN.data.pictures.find((picture) => picture.id === "configurations");
  const column = data.columns[one.name];
  return table.rows.map((row, k) => make(data.ids[k], row[column], row, data.numbers[k])).filter((point) => point[1] != null);
}

CHARTS.effects = ({ parameters }, view, t) => {
  const which = view.choice("parameter", "Parameter", parameters.map((one) => [one.name, `${one.name} (${Math.round(100 * one.association)} %)`]));
  const one = parameters.find((parameter) => parameter.name === which) ?? parameters[0];
  const points = pointsOfParameter(one, (id, value, row) => [id, value, row[2], Number(row[4] > 0)]).filter((point) => point[2] != null);
  const where = valueAxis(points, one);
  const data = [...points].sort((a, b) => FATES.indexOf(fateOf(b[0])) - FATES.indexOf(fateOf(a[0]))).map(([id, value, place, failed]) => ({
    value: [where.place(value, id), place], symbol: failed ? "triangle" : "circle", symbolSize: fateOf(id) === "winner" ? 15 : 8,
    itemStyle: { color: failed ? t.fail : t[fateOf(id)], borderColor: t.card, borderWidth: 1, opacity: 0.85 },
    tip: [["candidate", nameOf(id)], ["fate", fateOf(id)], [one.name, value], ["mean place", place], ...(failed ? [["failed", "at least once"]] : [])],
  }));
  return {
    height: 340, marks: data.length, points: pointsOf(data),
    option: {
      ...base(t), series: [{ type: "scatter", data }],
      xAxis: axis(t, brief(one.name, 40), { ...where.axis, nameGap: one.levels ? 46 : 28 }), yAxis: upright(t, "mean place (top is best)", { type: "value", min: 0, max: 1, inverse: true }),
      grid: { ...base(t).grid, bottom: one.levels ? 44 : 30 },
    },
  };
};

/** Each parameter's share of the variance: alone, with its spread over the trees, and with others. */
CHARTS.importance = ({ rows }, view, t) => {
  const names = rows.map((row) => row[0]);
  const said = ([name, alone, spread, total, local]) => [["parameter", name], ["alone", percentOf(alone)], ["± over trees", percentOf(spread)], ["with interactions", percentOf(total)], ["near the winner", local == null ? "–" : percentOf(local)]];
  const bars = (k, name, colour) => ({
    name, type: "bar", barWidth: 14, barGap: "-100%", itemStyle: { color: colour },
    data: rows.map((row) => ({ value: 100 * row[k], tip: said(row) })),
  });
  const whisker = (_, api) => {
    const [from, y] = api.coord([api.value(0), api.value(2)]), [to] = api.coord([api.value(1), api.value(2)]);
    const line = (x1, y1, x2, y2) => ({ type: "line", shape: { x1, y1, x2, y2 }, style: { stroke: t.ink, lineWidth: 1.5 } });
    return { type: "group", children: [line(from, y, to, y), line(from, y - 4, from, y + 4), line(to, y - 4, to, y + 4)] };
  };
  return {
    height: 26 * rows.length + 90, marks: 3 * rows.length, points: pointsOf(rows.map((row) => ({ tip: said(row) })), 1),
    option: {
      ...base(t), legend: { top: 0, textStyle: { color: t.soft } },
      xAxis: axis(t, "share of the variance, %", { type: "value", min: 0, max: 100 }),
      yAxis: axis(t, "", { type: "category", inverse: true, data: names.map((name) => brief(name, 20)), splitLine: { show: false }, axisTick: { show: false } }),
      series: [
        bars(3, "with interactions", t.line), bars(1, "alone", t.grey0),
        { type: "custom", silent: true, z: 5, data: rows.map(([, alone, spread], k) => [100 * Math.max(alone - spread, 0), 100 * Math.min(alone + spread, 1), k]), encode: { x: [0, 1], y: 2 }, renderItem: whisker },
      ],
    },
  };
};

const percentOf = (share) => `${fmt(Number((100 * share).toPrecision(3)))} %`;

/** Configurations at their values of two parameters, dark where the mean place is good. */
CHARTS.map = ({ parameters }, view, t) => {
  const options = parameters.map((one) => [one.name, one.name]);
  const x = view.choice("x", "Across", options), y = view.choice("y", "Up", [...options.slice(1), options[0]]);
  const pick = (name) => parameters.find((one) => one.name === name) ?? parameters[0];
  const points = (one) => pointsOfParameter(one, (id, value, row) => [id, value, row[2]]);
  const across = points(pick(x)), up = new Map(points(pick(y)).map((point) => [point[0], point]));
  const both = across.filter(([id]) => up.has(id));
  const [h, v] = [valueAxis(across, pick(x)), valueAxis([...up.values()], pick(y))];
  const first = RUN.data.people.default;
  const rank = (id) => (fateOf(id) === "winner" ? 2 : id === first ? 1 : 0);
  const data = [...both].sort((a, b) => rank(a[0]) - rank(b[0]) || (b[2] ?? 1) - (a[2] ?? 1)).map(([id, value, place]) => ({
    value: [h.place(value, id), v.place(up.get(id)[1], id)], symbol: id === first ? "diamond" : "circle", symbolSize: [9, 15, 17][rank(id)],
    itemStyle: { color: blend(t.heat0, t.heat1, place ?? 1), borderColor: rank(id) === 2 ? t.winner : rank(id) ? t.ink : t.soft, borderWidth: rank(id) === 2 ? 3.5 : rank(id) ? 2 : 0.5 },
    tip: [["candidate", nameOf(id)], ["fate", fateOf(id)], [x, value], ...(x === y ? [] : [[y, up.get(id)[1]]]), ["mean place", place]],
  }));
  view.wanted.push(el("span", { class: "scale" }, "best ", el("i", { class: "from-to" }), " worst"));
  return {
    height: 380, marks: data.length, points: pointsOf(data),
    option: {
      ...base(t), series: [{ type: "scatter", data, clip: false }],
      xAxis: axis(t, brief(x, 40), { ...h.axis, nameGap: pick(x).levels ? 46 : 28 }), yAxis: upright(t, brief(y, 40), { ...v.axis, axisLabel: { ...v.axis.axisLabel, rotate: 0 } }),
      grid: { ...base(t).grid, bottom: pick(x).levels ? 44 : 30 },
    },
  };
};

/** Whether values are drawn on a logarithmic axis: the largest is more than 50 times the least. */
const logarithmic = (values) => Math.min(...values) > 0 && Math.max(...values) > 50 * Math.min(...values);

const NAMED = 12; // algorithms up to which all have their names beside them, or all on the front

/** Candidates of a race; or finished algorithms, of which `knee` is given, and who failed more often. */
CHARTS.front = ({ metrics, points, knee }, view, t) => {
  const compared = knee !== undefined;
  const options = metrics.map(({ name }, k) => [String(k), name]);
  const two = metrics.length === 2;
  const [h, v] = two ? [1, 0] : [Number(view.choice("x", "Across", [...options.slice(1), options[0]])), Number(view.choice("y", "Up", options))];
  const first = RUN.data.people.default;
  const rank = (id) => (id === knee || fateOf(id) === "winner" ? 2 : id === first ? 1 : 0);
  const sized = (id, halves) => [halves ? 10 : 6, 14, 15][rank(id)];
  const standing = (id, halves, failed) => [["algorithm", nameOf(id)], ["on the front", id === knee ? "yes, the best compromise" : halves ? "yes" : "no"], ...(failed ? [["failed", failed]] : [])];
  const middle = (k) => { const all = points.map((one) => one[1][k]), [low, high] = [Math.min(...all), Math.max(...all)]; return logarithmic(all) ? Math.sqrt(low * high) : (low + high) / 2; };
  const inwards = (means) => (means[h] > middle(h) ? "left" : "right"); // so that no name is cut off
  // before the front what is on it, else behind. More metrics than two make no steps, and names would
  // lie on each other: only the knee has one
  const besides = (id, means, halves) => ((!two && id !== knee) || points.filter((one) => one[2] || !halves).length > NAMED ? undefined : {
    show: true, position: inwards(means), color: halves ? t.ink : t.soft, formatter: brief(nameOf(id), 18),
    offset: [0, Boolean(halves) === (metrics[v].direction === "minimize") ? 9 : -9],
  });
  const data = [...points].sort((a, b) => Boolean(a[2]) - Boolean(b[2]) || rank(a[0]) - rank(b[0])).map(([id, means, halves, failed]) => ({
    value: [means[h], means[v]], symbol: failed ? "triangle" : id === first ? "diamond" : "circle", symbolSize: failed ? 9 : sized(id, halves),
    itemStyle: { color: halves ? (rank(id) === 2 ? t.winner : t.survivor) : failed ? t.fail : t.dropped, opacity: halves || compared || id === first ? 1 : 0.55, borderColor: rank(id) === 1 ? t.ink : t.card, borderWidth: rank(id) === 1 ? 2 : 1 },
    label: compared ? besides(id, means, halves) : rank(id) ? { show: true, position: inwards(means), color: t.ink, formatter: brief(nameOf(id), 24) } : undefined,
    tip: [...(compared ? standing(id, halves, failed) : [["candidate", nameOf(id)], ["fate", fateOf(id)]]), ...metrics.map(({ name }, k) => [name, halves && halves[k] != null ? `${fmt(means[k])} ± ${fmt(halves[k])}` : means[k]])],
  }));
  const front = points.filter(([, , halves]) => halves).sort((a, b) => a[1][h] - b[1][h]);
  const bars = front.flatMap(([, means, halves]) => [h, v].map((k, way) => (halves[k] == null ? null : [means[h], means[v], halves[k], way])).filter(Boolean));
  const whisker = (_, api) => {
    const [x, y, half, way] = [0, 1, 2, 3].map((k) => api.value(k));
    const floor = (value, k) => (scale(k).type === "log" ? Math.max(value, scale(k).min) : value);
    const [from, to] = [-half, half].map((d) => api.coord(way ? [x, floor(y + d, v)] : [floor(x + d, h), y]));
    return { type: "line", shape: { x1: from[0], y1: from[1], x2: to[0], y2: to[1] }, style: { stroke: t.survivor, lineWidth: 1, opacity: 0.6 } };
  };
  const steps = { type: "line", silent: true, symbol: "none", step: metrics[h].direction === "minimize" ? "end" : "start", data: front.map(([, means]) => [means[h], means[v]]), lineStyle: { color: t.survivor, width: 1.5 }, z: 2 };
  const scale = (k) => {
    const means = points.map((point) => point[1][k]);
    if (logarithmic(means)) return { type: "log", min: Math.min(...means) / 1.3, max: Math.max(...means) * 1.3 };
    return { type: "value", ...around(points.flatMap(([, m, halves]) => [m[k], ...(halves?.[k] == null ? [] : [m[k] - halves[k], m[k] + halves[k]])])) };
  };
  const named = ({ name, direction }) => `${brief(name, 30)}, ${direction === "minimize" ? "lower" : "higher"} is better`;
  return {
    height: 380, marks: data.length, points: pointsOf(data),
    option: {
      ...base(t), series: [...(two ? [steps] : []), { type: "custom", silent: true, z: 3, data: bars, renderItem: whisker }, { type: "scatter", data, z: 4, clip: false }],
      xAxis: axis(t, named(metrics[h]), { ...scale(h), axisLabel: { formatter: fmt } }), yAxis: upright(t, named(metrics[v]), { ...scale(v), axisLabel: { formatter: fmt } }),
    },
  };
};

CHARTS.sampling = ({ parameters }, view, t) => {
  const which = view.choice("parameter", "Parameter", parameters.map((one) => [one.name, one.name]));
  const one = parameters.find((parameter) => parameter.name === which) ?? parameters[0];
  const points = pointsOfParameter(one, (id, value, _, number) => [number, value, id]).map(([number, value, id]) => [id, value, number]).sort((a, b) => a[2] - b[2]);
  const where = valueAxis(points, one);
  const data = points.map(([id, value, number]) => ({
    value: [number, where.place(value, id)], symbolSize: fateOf(id) === "dropped" ? 6 : 12,
    itemStyle: { color: t[fateOf(id)], opacity: fateOf(id) === "dropped" ? 0.6 : 1, borderColor: t.card, borderWidth: 1 },
    tip: [["candidate", nameOf(id)], ["entered as", number], [one.name, value], ["fate", fateOf(id)]],
  }));
  return {
    height: 340, marks: data.length, points: pointsOf(data),
    option: { ...base(t), series: [{ type: "scatter", data }], xAxis: axis(t, "order of entry", { type: "value", min: 0 }), yAxis: axis(t, "", { ...where.axis, axisLabel: { ...where.axis.axisLabel, rotate: 0 } }) },
  };
};

CHARTS.family = ({ rows }, view, t) => {
  const byId = new Map(rows.map((row) => [row[1], row]));
  const colour = (row) => t[fateOf(row[1])];
  const data = rows.map((row) => ({
    value: [row[0], row[3]], symbolSize: row[4] ? 12 : 6, itemStyle: { color: row[4] ? t.winner : colour(row), opacity: row[4] ? 1 : 0.7, borderColor: t.card, borderWidth: 1 },
    tip: [["candidate", nameOf(row[1])], ["entered as", row[0]], ["derived from", row[2] == null ? "–" : nameOf(row[2])], ["generation", row[3]], ["fate", fateOf(row[1])]],
  }));
  const edges = rows.filter((row) => byId.has(row[2])).map((row) => [row[0], row[3], byId.get(row[2])[0], byId.get(row[2])[3], row[4]]);
  const edge = (_, api) => {
    const [x1, y1] = api.coord([api.value(2), api.value(3)]), [x2, y2] = api.coord([api.value(0), api.value(1)]);
    const line = Boolean(api.value(4)), middle = (y1 + y2) / 2;
    return { type: "bezierCurve", shape: { x1, y1, x2, y2, cpx1: x1, cpy1: middle, cpx2: x2, cpy2: middle }, style: { fill: null, stroke: line ? t.winner : t.dropped, lineWidth: line ? 3 : 0.8, opacity: line ? 1 : 0.35 } };
  };
  return {
    height: 340, marks: 2 * rows.length, points: pointsOf(data, 1),
    option: {
      ...base(t), xAxis: axis(t, "order of entry", { type: "value", min: 0 }), yAxis: upright(t, "generation", { type: "value", minInterval: 1, inverse: true }),
      series: [{ type: "custom", silent: true, data: edges, encode: { x: [0, 2], y: [1, 3] }, renderItem: edge, z: 1 }, { type: "scatter", data, z: 3 }],
    },
  };
};

CHARTS.failures = ({ kinds }) => {
  const most = Math.max(...kinds.map((kind) => kind.count));
  return {
    node: el("ul", { class: "kinds" }, kinds.map((kind) => {
      const bar = el("span", { class: "bar" });
      bar.style.width = `${Math.max((100 * kind.count) / most, 1)}%`;
      return el("li", {}, el("div", { class: "kind" }, el("b", {}, `${kind.count} ×`), ` ${kind.status} · `, el("span", { class: "first", dir: "auto" }, kind.first)), bar,
        el("details", {}, el("summary", {}, `end of the latest message (${kind.where})`), el("pre", { tabindex: "0" }, kind.end || "(no message)")));
    })),
  };
};
