// Charts of several runs: each run has a colour of its own.

const runColour = (t, k) => t.series[k % t.series.length];

/** A point and an interval for each run; hollow where the instances chose the winner. */
CHARTS.gains = ({ rows, runs, held, unit }, view, t) => {
  const ends = rows.flatMap((row) => [row[1], row[2], row[3]]).filter(finite);
  const data = rows.map((row, y) => ({
    value: [row[1], y], symbolSize: 13,
    itemStyle: { color: held[y] ? runColour(t, runs[y]) : t.card, borderColor: runColour(t, runs[y]), borderWidth: 2.5 },
    tip: [["run", row[0]], ["gain", row[1]], ["95 % from", row[2] ?? "too few instances"], ["to", row[3] ?? "–"], ["measured on", row[4]]],
  }));
  const line = (_, api) => {
    const [x1, y] = api.coord([api.value(0), api.value(2)]), [x2] = api.coord([api.value(1), api.value(2)]);
    return { type: "line", shape: { x1, y1: y, x2, y2: y }, style: { stroke: api.visual("color"), lineWidth: 3 } };
  };
  const intervals = rows.map((row, y) => ({ value: [row[2], row[3], y], itemStyle: { color: runColour(t, runs[y]) } })).filter((one) => finite(one.value[0]) && finite(one.value[1]));
  return {
    height: 44 * rows.length + 80, points: pointsOf(data, 1),
    option: {
      ...base(t), grid: { ...base(t).grid, top: 10 },
      xAxis: axis(t, inUnit("gain over the default", unit), { type: "value", ...around([0, ...ends]), axisLabel: { formatter: fmt } }),
      yAxis: axis(t, "", { type: "category", inverse: true, data: rows.map((row) => brief(row[0], 20)), splitLine: { show: false }, axisTick: { show: false } }),
      series: [
        { type: "custom", silent: true, data: intervals, encode: { x: [0, 1], y: 2 }, renderItem: line },
        { type: "scatter", data, z: 4, markLine: { silent: true, symbol: "none", label: { show: false }, lineStyle: { color: t.soft, type: "dashed" }, data: [{ xAxis: 0 }] } },
      ],
    },
  };
};

CHARTS.incumbents = ({ lines, unit }, view, t) => {
  const x = Number(view.choice("by", "Over", [["0", "evaluations"], ["1", "time"]]));
  const series = lines.map(({ run, label, steps, end }) => {
    const data = steps.map((step) => ({ value: [step[x], step[2]], tip: [["run", label], ["since", x ? fmtSeconds(step[1]) : `${step[0]} evaluations`], ["better than the default by", step[2]]] }));
    const last = steps.at(-1), colour = runColour(t, run);
    if (end[x] > last[x]) data.push({ value: [end[x], last[2]], symbol: "none", tip: data.at(-1).tip });
    return { name: label, type: "line", step: "end", data, symbol: "circle", symbolSize: 8, showSymbol: true, lineStyle: { width: 2.5, color: colour }, itemStyle: { color: colour } };
  });
  series[0].markLine = { silent: true, symbol: "none", label: { show: false }, lineStyle: { color: t.soft, type: "dashed" }, data: [{ yAxis: 0 }] };
  return {
    points: series.flatMap((one, k) => pointsOf(one.data, k)),
    option: {
      ...base(t), series, legend: { top: 0, right: 0, textStyle: { color: t.soft } },
      xAxis: axis(t, x ? "time" : "evaluations", { type: "value", min: 0, max: "dataMax", axisLabel: { formatter: x ? fmtSeconds : fmt, showMaxLabel: false } }),
      yAxis: upright(t, inUnit("mean improvement", unit), { type: "value", ...around([0, ...lines.flatMap((one) => one.steps.map((step) => step[2]))]), axisLabel: { formatter: fmt } }),
    },
  };
};

CHARTS.agreement = ({ rows, labels }, view, t) => {
  const series = labels.map((name, k) => ({
    name, type: "bar", itemStyle: { color: runColour(t, k) },
    data: rows.map((row) => ({ value: row[k + 1] == null ? null : 100 * row[k + 1], tip: [["parameter", row[0]], ...labels.map((label, j) => [label, row[j + 1] == null ? "does not differ" : percentOf(row[j + 1])])] })),
  }));
  return {
    height: (10 + 14 * labels.length) * rows.length + 90, marks: rows.length * labels.length, points: pointsOf(series[0].data),
    option: {
      ...base(t), series, legend: { top: 0, textStyle: { color: t.soft } },
      xAxis: axis(t, "share of the differences in place, %", { type: "value", min: 0, max: 100 }),
      yAxis: axis(t, "", { type: "category", inverse: true, data: rows.map((row) => brief(row[0], 20)), splitLine: { show: false }, axisTick: { show: false } }),
    },
  };
};

CHARTS.tried = ({ labels, winners, parameters }, view, t) => {
  const options = parameters.map((one) => [one.name, one.name]);
  const x = view.choice("x", "Across", options), y = view.choice("y", "Up", [...options.slice(1), options[0]]);
  const pick = (name) => parameters.find((one) => one.name === name) ?? parameters[0];
  const [across, up] = [pick(x), pick(y)];
  const [h, v] = [across, up].map((one) => valueAxis(one.points.flat(), one));
  const series = labels.map((name, k) => {
    const other = new Map(up.points[k]);
    const data = across.points[k].filter(([id]) => other.has(id)).map(([id, value]) => ({
      value: [h.place(value, id), v.place(other.get(id), id)], symbolSize: id === winners[k] ? 17 : 7,
      itemStyle: { color: runColour(t, k), opacity: id === winners[k] ? 1 : 0.55, borderColor: id === winners[k] ? t.ink : t.card, borderWidth: id === winners[k] ? 2 : 0.5 },
      tip: [["run", name], ["candidate", `#${id}${id === winners[k] ? ", the winner" : ""}`], [x, value], ...(x === y ? [] : [[y, other.get(id)]])],
    }));
    return { name, type: "scatter", clip: false, itemStyle: { color: runColour(t, k) }, data: data.sort((a, b) => a.symbolSize - b.symbolSize) };
  });
  return {
    height: 400, marks: series.reduce((sum, one) => sum + one.data.length, 0), points: series.flatMap((one, k) => pointsOf(one.data, k)),
    option: {
      ...base(t), series, legend: { top: 0, right: 0, textStyle: { color: t.soft } },
      xAxis: axis(t, brief(x, 40), { ...h.axis, nameGap: across.levels ? 46 : 28 }), yAxis: upright(t, brief(y, 40), { ...v.axis, axisLabel: { ...v.axis.axisLabel, rotate: 0 } }),
      grid: { ...base(t).grid, bottom: across.levels ? 44 : 30 },
    },
  };
};
