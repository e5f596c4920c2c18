// Colours come from the style sheet, so that light, dark and print need no second list.

let PRINTING = false;

function theme() {
  const style = getComputedStyle(document.documentElement);
  const colour = (name) => style.getPropertyValue(`--${name}`).trim();
  const names = ["ink", "soft", "faint", "line", "card", "winner", "survivor", "dropped", "waiting",
    "fail", "accent", "heat0", "heat1", "grey0", "grey1"];
  const found = Object.fromEntries(names.map((name) => [name, colour(name)]));
  found.font = style.getPropertyValue("--font").trim();
  found.reasons = [found.dropped, colour("c2"), colour("c3"), found.ink, found.soft, found.grey0];
  found.series = [1, 2, 3, 4, 5, 6].map((k) => colour(`c${k}`));
  return found;
}

/** What all charts share. */
function base(t) {
  return {
    animation: false,
    textStyle: { fontFamily: t.font, fontSize: 12, color: t.ink },
    grid: { left: 12, right: 22, top: 34, bottom: 30, containLabel: true },
    tooltip: {
      confine: true, backgroundColor: t.card, borderColor: t.line,
      textStyle: { color: t.ink, fontSize: 12 }, formatter: (hit) => tip(hit.data?.tip ?? hit.tip ?? []),
    },
  };
}

/** An axis in the colours of the page. */
function axis(t, name, more = {}) {
  const { axisLabel, ...rest } = more;
  return {
    name, nameLocation: "middle", nameGap: 28, nameTextStyle: { color: t.soft },
    axisLine: { onZero: false, lineStyle: { color: t.line } }, axisTick: { lineStyle: { color: t.line } },
    axisLabel: { color: t.soft, hideOverlap: true, ...axisLabel },
    splitLine: { lineStyle: { color: t.faint } }, ...rest,
  };
}

/** A vertical axis: its name stands above it, where nothing cuts it off. */
const upright = (t, name, more = {}) => axis(t, name, {
  nameLocation: more.inverse ? "start" : "end", nameTextStyle: { color: t.soft, align: "left", padding: [0, 0, 0, -30] }, ...more, nameGap: 10,
});

/** The text beside the pointer: pairs of a label and a value. */
function tip(pairs) {
  return el("dl", { class: "tip" }, pairs.map(([label, value]) => [el("dt", {}, label), el("dd", {}, fmt(value))]));
}
