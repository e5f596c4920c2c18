// Charts of results: the heat map, pairs, the posterior, parts of the budget, the finalists.

CHARTS.heat = ({ ids, names, instances, rows: cells }, view, t) => {
  const label = (k) => (names ? names[k] : nameOf(ids[k]));
  const fate = (k) => (names ? "survivor" : fateOf(ids[k]));
  const rows = orderRows(view.choice("rows", "Candidates", [["standing", "by standing"], ["entry", "by entry"], ["name", "by name"]]), cells.length, label, (k) => ids?.[k] ?? k);
  const columns = orderColumns(view.choice("columns", "Instances", [["met", "as met"], ["score", "by mean score"], ["name", "by name"]]), instances, cells);
  const place = new Map(columns.map((column, x) => [column, x]));
  const data = [];
  rows.forEach((row, y) => {
    const { at, places, scores } = cells[row];
    places.forEach((value, k) => {
      const column = at ? at[k] : k, failed = !finite(scores[k]);
      data.push({ value: [place.get(column), y, failed ? 400 : value + (fate(row) === "dropped" ? 200 : 0)], row, column, score: scores[k], place: value });
    });
  });
  const said = (item) => [["candidate", label(item.row)], ["fate", fate(item.row)], ["instance", instances[item.column]], ["score", item.score], ["place", `${item.place} % from the best`]];
  const tall = Math.max(8, Math.min(22, 620 / rows.length));
  return {
    height: Math.min(Math.max(rows.length * tall, 60), 640) + 60,
    marks: data.length,
    points: data.map((item, index) => ({ index, get said() { return said(item); } })),
    option: {
      ...base(t),
      tooltip: { ...base(t).tooltip, formatter: (hit) => tip(said(hit.data)) },
      grid: { left: 12, right: 12, top: 8, bottom: 34, containLabel: true },
      xAxis: axis(t, "instances", { type: "category", data: columns.map((k) => brief(instances[k], 14)), splitLine: { show: false }, axisLabel: { show: columns.length <= 12 }, nameGap: columns.length <= 12 ? 28 : 10 }),
      yAxis: axis(t, "", { type: "category", inverse: true, data: rows.map((k) => brief(label(k))), splitLine: { show: false }, axisTick: { show: false }, axisLabel: { fontSize: tall < 11 ? 9 : 11, interval: tall < 11 ? "auto" : 0 } }),
      visualMap: { show: false, min: 0, max: 400, inRange: { color: [t.heat0, t.heat1, t.grey0, t.grey1, t.fail] } },
      series: [{ type: "heatmap", data, progressive: 0, itemStyle: { borderWidth: data.length < 4000 ? 0.5 : 0, borderColor: t.card } }],
    },
  };
};

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

CHARTS.pairs = ({ names, rows, better }, view, t) => {
  const values = rows.flatMap((row) => [row[1], row[2]]).filter(finite);
  const low = Math.min(...values), high = Math.max(...values);
  const log = low > 0 && high / low > 200;
  const pad = log ? 1.15 : (high - low || Math.abs(high) || 1) * 0.04;
  const [from, to] = log ? [low / pad, high * pad] : [low - pad, high + pad];
  const edge = (value) => (finite(value) ? value : value === "-inf" ? from : to);
  const won = (row) => (better === "above" ? edge(row[2]) > edge(row[1]) : edge(row[2]) < edge(row[1]));
  const data = rows.map((row) => ({
    value: [edge(row[1]), edge(row[2])],
    itemStyle: { color: row[1] === row[2] ? t.soft : won(row) ? t.winner : t.fail },
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
      xAxis: axis(t, brief(names[0], 40), scale), yAxis: upright(t, brief(names[1], 30), { ...scale }),
      series: [
        { type: "scatter", data, symbolSize: rows.length > 300 ? 5 : 9, itemStyle: { opacity: 0.85 } },
        { type: "line", silent: true, symbol: "none", data: [[from, from], [to, to]], lineStyle: { color: t.soft, type: "dashed", width: 1 } },
      ],
    },
  };
};

CHARTS.density = ({ names, x, lower, upper }, view, t) => {
  const line = (name, y, colour) => ({
    name, type: "line", symbol: "none", lineStyle: { width: 2, color: colour }, itemStyle: { color: colour },
    areaStyle: { color: colour, opacity: 0.15 },
    data: x.map((value, k) => ({ value: [value, y[k]], tip: [["share of wins", value], ["density", y[k]]] })),
  });
  const series = [line("prior for the second", lower, t.accent), line("prior for the winner", upper, t.accent2)];
  series[0].markLine = {
    silent: true, symbol: "none", label: { formatter: "equal", color: t.soft }, lineStyle: { color: t.soft, type: "dashed" }, data: [{ xAxis: 0.5 }],
  };
  return {
    points: pointsOf(series[0].data),
    option: {
      ...base(t), series, legend: { top: 0, textStyle: { color: t.soft } }, grid: { ...base(t).grid, top: 56 },
      tooltip: { ...base(t).tooltip, trigger: "axis", formatter: (hits) => tip(hits.flatMap((hit, k) => (k ? [[hit.seriesName, hit.data.value[1]]] : [["share of wins", hit.data.value[0]], [hit.seriesName, hit.data.value[1]]]))) },
      xAxis: axis(t, `share of instances that ${brief(names[0], 24)} wins`, { type: "value", min: 0, max: 1 }),
      yAxis: axis(t, "", { type: "value", min: 0, axisLabel: { show: false }, splitLine: { show: false } }),
    },
  };
};

CHARTS.budget = ({ rows }, view, t) => {
  const measures = [["evaluations", 2], ["target time", 3]];
  const totals = measures.map(([, k]) => rows.reduce((sum, row) => sum + row[k], 0) || 1);
  const colours = { winner: t.winner, "other survivors": t.survivor, "dropped later": t.grey0, "dropped at the first opportunity": t.dropped, "not decided": t.waiting };
  const series = rows.map((row) => ({
    name: row[0], type: "bar", stack: "all", barWidth: 38, itemStyle: { color: colours[row[0]], borderColor: t.card, borderWidth: 1 },
    data: measures.map(([name, k], m) => ({
      value: (100 * row[k]) / totals[m],
      tip: [["part", row[0]], ["candidates", row[1]], ["evaluations", row[2]], ["target time", fmtSeconds(row[3])], ["failed", row[4]]],
    })),
  }));
  return {
    height: 250,
    points: series.flatMap((one, k) => pointsOf(one.data, k)),
    option: {
      ...base(t), series, legend: { bottom: 0, textStyle: { color: t.soft }, itemWidth: 14 }, grid: { left: 12, right: 24, top: 8, bottom: 84, containLabel: true },
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
