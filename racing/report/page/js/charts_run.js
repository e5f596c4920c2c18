// Charts over the course of a run: survivors, differences, departures, workers.

CHARTS.survivors = ({ columns, rows, searching }, view, t) => {
  const by = view.choice("by", "Over", ["instances", "evaluations", "seconds"].map((name) => [name, name === "seconds" ? "time" : name]));
  const x = columns.indexOf(by);
  const line = (y, name, colour, area) => ({
    name, type: "line", step: "end", symbol: "circle", symbolSize: 5, showSymbol: rows.length < 60,
    lineStyle: { width: 2.5, color: colour }, itemStyle: { color: colour },
    areaStyle: area ? { color: colour, opacity: 0.12 } : undefined,
    data: rows.map((row) => ({ value: [row[x], row[y]], tip: [[name, row[y]], ["instances", row[0]], ["evaluations", row[1]], ["time", fmtSeconds(row[2])]] })),
  });
  const series = [line(3, columns[3], t.survivor, !searching)];
  if (searching) series.unshift(line(4, "configurations tried", t.soft, true));
  return {
    points: pointsOf(series[0].data),
    marks: rows.length,
    option: {
      ...base(t), series,
      legend: searching ? { top: 0, right: 0, textStyle: { color: t.soft } } : undefined,
      xAxis: axis(t, by === "seconds" ? "time" : by, { type: "value", min: 0, max: "dataMax", ...(by === "seconds" ? { axisLabel: { formatter: fmtSeconds } } : { minInterval: 1 }) }),
      yAxis: upright(t, searching ? "configurations" : "candidates left", { type: "value", min: 0, minInterval: 1 }),
    },
  };
};

CHARTS.incumbent = ({ rows, end, default: against, unit, measure }, view, t) => {
  const x = Number(view.choice("by", "Over", [["0", "evaluations"], ["1", "time"]]));
  const known = rows.filter((row) => finite(row[4]));
  const data = known.map((row) => ({ value: [row[x], row[4]], tip: [["candidate", row[2]], ["since", x ? fmtSeconds(row[1]) : `${row[0]} evaluations`], [measure ?? `better than ${against} by`, row[4]], ...(measure ? [] : [["mean score", row[3]]]), ["instances", row[5]]] }));
  const last = known.at(-1);
  const line = last && end[x] > last[x] ? [...data, { value: [end[x], last[4]], symbol: "none", tip: data.at(-1).tip }] : data;
  return {
    points: pointsOf(data),
    option: {
      ...base(t),
      xAxis: axis(t, x ? "time" : "evaluations", { type: "value", min: 0, max: "dataMax", axisLabel: { formatter: x ? fmtSeconds : fmt, showMaxLabel: false } }),
      yAxis: upright(t, measure ?? inUnit(`mean improvement over ${brief(against, 20)}`, unit), { type: "value", ...around([0, ...known.map((row) => row[4])]), axisLabel: { formatter: fmt } }),
      series: [{
        type: "line", step: "end", data: line, symbol: "circle", symbolSize: 8, showSymbol: true, lineStyle: { width: 2.5, color: t.winner }, itemStyle: { color: t.winner },
        markLine: { silent: true, symbol: "none", label: { show: false }, lineStyle: { color: t.soft, type: "dashed" }, data: [{ yAxis: 0 }] },
      }],
    },
  };
};

CHARTS.band = ({ series, unit }, view, t) => {
  const which = Number(view.choice("which", "Improvement", series.map((one, k) => [String(k), one.label])));
  const rows = (series[which] ?? series[0]).rows.filter((row) => finite(row[1]));
  const closed = rows.filter((row) => finite(row[2]) && finite(row[3]));
  const band = [...closed.map((row) => [row[0], row[3]]), ...closed.map((row) => [row[0], row[2]]).reverse()];
  const data = rows.map((row) => ({ value: [row[0], row[1]], tip: [["instances", row[0]], ["improvement", row[1]], ["95 % from", finite(row[2]) ? row[2] : "–"], ["to", finite(row[3]) ? row[3] : "–"]] }));
  const all = [...rows.map((row) => row[1]), ...closed.flatMap((row) => [row[2], row[3]]), 0];
  return {
    points: pointsOf(data, 1),
    option: {
      ...base(t),
      xAxis: axis(t, "instances", { type: "value", min: rows.length > 1 ? rows[0][0] : 0, max: rows.at(-1)?.[0] ?? 1, minInterval: 1 }),
      yAxis: upright(t, inUnit("improvement", unit), { type: "value", ...around(all), axisLabel: { formatter: fmt } }),
      series: [
        {
          type: "custom", silent: true, clip: true, z: 1, data: band.length ? [band[0]] : [],
          renderItem: (_, api) => ({ type: "polygon", shape: { points: band.map((point) => api.coord(point)) }, style: { fill: t.winner, opacity: 0.18 } }),
        },
        {
          type: "line", data, symbolSize: 5, showSymbol: rows.length < 60, z: 3, lineStyle: { width: 2.5, color: t.winner }, itemStyle: { color: t.winner },
          markLine: { silent: true, symbol: "none", label: { show: false }, lineStyle: { color: t.soft, type: "dashed" }, data: [{ yAxis: 0 }] },
        },
      ],
    },
  };
};

/** Round ends of an axis around some values. */
function around(values) {
  const low = Math.min(...values), high = Math.max(...values), span = high - low || Math.abs(high) || 1;
  const unit = 10 ** Math.floor(Math.log10(span / 4));
  const step = [1, 2, 5, 10].map((k) => k * unit).find((one) => span / one <= 6) ?? 10 * unit;
  return { min: Number((Math.floor(low / step) * step).toPrecision(12)), max: Number((Math.ceil(high / step) * step).toPrecision(12)), interval: step };
}

CHARTS.dropped = ({ dots, reasons }, view, t) => {
  const heights = new Map();
  const series = reasons.map((name, k) => ({
    name, type: "scatter", symbolSize: dots.length > 150 ? 5 : 9, itemStyle: { color: t.reasons[k % 6], opacity: 0.9 }, data: [],
  }));
  for (const [after, id, against, reason, measure, value, threshold] of dots) {
    const y = (heights.get(after) ?? 0) + 1;
    heights.set(after, y);
    series[reasons.indexOf(reason)].data.push({
      value: [after, y],
      tip: [["candidate", nameOf(id)], ["after", `${after} instances`], ["because", reason], ["against", nameOf(against)], [measure, value], ["held to", threshold]],
    });
  }
  return {
    points: series.flatMap((one, k) => pointsOf(one.data, k)),
    marks: dots.length,
    option: {
      ...base(t), series, legend: { top: 0, right: 0, textStyle: { color: t.soft } },
      xAxis: axis(t, "instances judged by", { type: "value", min: 0, minInterval: 1 }),
      yAxis: upright(t, "candidates", { type: "value", min: 0, minInterval: 1 }),
    },
  };
};

CHARTS.timeline = ({ workers, span, bars, busy }, view, t) => {
  const tall = bars.length ? Math.min(18 * workers.length + 20, 520) : 0;
  const data = bars.map(([worker, start, seconds, id, step, failed]) => ({
    value: [worker, start, start + seconds, failed],
    tip: [["worker", workers[worker]], ["candidate", nameOf(id)], ["instance", instanceOf(step)], ["start", fmtSeconds(start)], ["took", fmtSeconds(seconds)], ...(failed ? [["ended", "failed"]] : [])],
    itemStyle: { color: failed ? t.fail : t[fateOf(id)] },
  }));
  const width = span / busy.length;
  const share = busy.map((value, k) => ({ value: [(k + 0.5) * width, Math.round(100 * value)], tip: [["at", fmtSeconds((k + 0.5) * width)], ["busy", `${Math.round(100 * value)} %`]] }));
  const seconds = { type: "value", min: 0, max: span, axisLabel: { formatter: fmtSeconds } };
  const left = 90;
  return {
    height: tall + 190,
    marks: bars.length,
    points: bars.length ? pointsOf(data) : pointsOf(share, 1),
    option: {
      ...base(t),
      grid: [{ left, right: 24, top: 10, height: tall }, { left, right: 24, top: tall + 44, height: 90 }],
      xAxis: [axis(t, "", { ...seconds, gridIndex: 0, axisLabel: { show: false }, show: bars.length > 0 }), axis(t, "time", { ...seconds, gridIndex: 1 })],
      yAxis: [
        axis(t, "", { type: "category", data: workers.map((name) => brief(name, 12)), gridIndex: 0, inverse: true, show: bars.length > 0, splitLine: { show: false } }),
        upright(t, "busy %", { type: "value", min: 0, max: 100, gridIndex: 1, splitNumber: 2 }),
      ],
      series: [
        { type: "custom", data, encode: { x: [1, 2], y: 0 }, clip: true, renderItem: bar },
        { type: "line", xAxisIndex: 1, yAxisIndex: 1, step: "middle", symbol: "none", data: share, areaStyle: { opacity: 0.15, color: t.soft }, lineStyle: { color: t.soft, width: 1.5 }, itemStyle: { color: t.soft } },
      ],
    },
  };
};

function bar(_, api) {
  const [left, y] = api.coord([api.value(1), api.value(0)]);
  const [right] = api.coord([api.value(2), api.value(0)]);
  const height = Math.max(api.size([0, 1])[1] * 0.72, 2);
  return { type: "rect", shape: { x: left, y: y - height / 2, width: Math.max(right - left - 0.5, 0.7), height }, style: { fill: api.visual("color") } };
}
