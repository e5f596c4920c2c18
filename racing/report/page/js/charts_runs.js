// Charts of unpaired runs: every run, and shares as step functions.

/** The panel of the problem that is chosen, where there are several. */
function panelOf(panels, view) {
  if (panels.length === 1) return panels[0];
  const which = view.choice("problem", "Problem", panels.map((one, k) => [String(k), one.name]));
  return panels[Number(which)] ?? panels[0];
}

CHARTS.runs = ({ panels }, view, t) => {
  const { rows } = panelOf(panels, view);
  const runs = rows.flatMap((row, y) => row.scores.map((score, k) => ({
    value: [score, y + ((k * 0.6180339887) % 1 - 0.5) * 0.5], tip: [["algorithm", row.name], ["score", score]],
  })));
  const all = rows.flatMap((row) => [...row.scores, row.low, row.high]).filter(finite);
  const low = Math.min(...all), high = Math.max(...all);
  const inside = (value) => (finite(value) ? value : value === "-inf" ? low : high);
  const said = (row) => [["algorithm", row.name], ["runs", row.runs], ["failed", row.failed], ["median", row.median], ["from", row.low], ["to", row.high]];
  const line = (data, width) => ({ type: "line", silent: true, symbol: "none", data, lineStyle: { color: t.ink, width } });
  const bars = rows.flatMap((row, y) => row.low === "inf" ? [] : line([[inside(row.low), y], [inside(row.high), y]], 2.5));
  const medians = rows.map((row, y) => ({ value: [inside(row.median), y], symbolSize: finite(row.median) ? [3, 20] : 0, tip: said(row) }));
  return {
    height: Math.max(120, 34 * rows.length + 60),
    marks: runs.length,
    points: pointsOf(medians, 1),
    option: {
      ...base(t),
      xAxis: axis(t, "score", { type: "value", ...around(all), axisLabel: { formatter: fmt } }),
      yAxis: axis(t, "", {
        type: "value", inverse: true, min: -0.6, max: rows.length - 0.4, interval: 1, splitLine: { show: false }, axisTick: { show: false },
        axisLabel: { show: false },
      }),
      grid: { left: 150, right: 70, top: 8, bottom: 34 },
      series: [
        { type: "scatter", data: runs, symbolSize: 6, itemStyle: { color: t.accent, opacity: 0.45 } },
        { type: "scatter", data: medians, symbol: "rect", itemStyle: { color: t.ink }, z: 4 },
        ...bars,
        ...rows.map((row, y) => labelled(t, y, `${brief(row.name, 18)} (${row.runs})`, low, "left")),
        ...rows.filter((row) => row.failed).map((row) => labelled(t, rows.indexOf(row), `${row.failed} failed`, high, "right")),
      ],
    },
  };
};

/** Words beside a row: the name of an algorithm, or how many of its runs failed. */
function labelled(t, y, words, x, side) {
  const colour = side === "left" ? t.ink : t.fail;
  return {
    type: "scatter", silent: true, symbolSize: 0.1, data: [], tooltip: { show: false },
    markLine: {
      silent: true, symbol: "none", lineStyle: { width: 0 }, data: [{ yAxis: y }],
      label: { formatter: words, position: side === "left" ? "start" : "end", color: colour, fontSize: 12 },
    },
  };
}

CHARTS.steps = ({ x, y, reverse, panels }, view, t) => {
  const panel = panelOf(panels, view);
  const band = (row) => (row.length > 2 ? [["from", row[2]], ["to", row[3]]] : []);
  const series = panel.series.map(({ name, rows, end }, k) => {
    const points = rows.map((row) => ({ value: [row[0], row[1]], tip: [["algorithm", name], [x, row[0]], [y, row[1]], ...band(row)] }));
    const first = rows.length ? [{ value: [rows[0][0], 0], tip: points[0].tip }] : [];
    const last = rows.length && end !== null && end !== rows.at(-1)[0] ? [{ value: [end, rows.at(-1)[1]], tip: points.at(-1).tip }] : [];
    return {
      name, type: "line", step: "end", symbol: "circle", symbolSize: 5, showSymbol: rows.length < 60,
      lineStyle: { width: 2, color: t.series[k % 6], type: ["solid", "dashed", "dotted"][Math.floor(k / 6) % 3] },
      itemStyle: { color: t.series[k % 6] }, data: [...first, ...points, ...last],
    };
  });
  const log = panel.log ? { type: "log" } : { type: "value", scale: true };
  return {
    height: 340,
    marks: series.reduce((sum, one) => sum + one.data.length, 0),
    points: series.flatMap((one, k) => pointsOf(one.data, k)),
    option: {
      ...base(t), series,
      legend: { bottom: 0, textStyle: { color: t.soft } }, grid: { ...base(t).grid, bottom: 62 },
      xAxis: axis(t, x, { ...log, inverse: reverse, min: "dataMin", max: "dataMax", axisLabel: { formatter: fmt } }),
      yAxis: upright(t, y, { type: "value", min: 0, max: 1 }),
    },
  };
};
