// Elements from text only: nothing of a run is ever parsed as HTML.

/** An element with attributes and children; strings become text. */
function el(name, attributes = {}, ...children) {
  const node = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith("on")) node.addEventListener(key.slice(2), value);
    else if (value === true) node.setAttribute(key, "");
    else if (value !== false && value != null) node.setAttribute(key, value);
  }
  node.append(...children.flat(Infinity).filter((child) => child != null));
  return node;
}

/** An SVG element with attributes and children. */
function svg(name, attributes = {}, ...children) {
  const node = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  node.append(...children.flat(Infinity));
  return node;
}

/** Text in which `such parts` are code; an --option stays on one line. */
function rich(text) {
  const whole = (part) => part.split(/(--[a-z][a-z-]*)/).map((word, k) => (k % 2 ? el("span", { class: "word" }, word) : word));
  return String(text).split("`").map((part, k) => (k % 2 ? el("code", {}, whole(part)) : whole(part))).flat();
}

/** A number for people; null is nothing, an infinity is a failure. */
function fmt(value) {
  if (value == null) return "–";
  if (value === "inf" || value === "-inf") return "failed";
  if (typeof value !== "number") return String(value);
  if (Number.isInteger(value) && Math.abs(value) < 1e6) return String(value).replace("-", "−");
  return Number(value.toPrecision(4)).toString().replace("-", "−");
}

/** Seconds for people. */
function fmtSeconds(s) {
  if (s < 60) return `${fmt(s)} s`;
  const minutes = Math.floor(s / 60);
  const and = (rest, unit) => (rest ? ` ${rest} ${unit}` : "");
  if (minutes < 60) return `${minutes} min${and(Math.floor(s % 60), "s")}`;
  return `${Math.floor(minutes / 60)} h${and(minutes % 60, "min")}`;
}

/** A text that fits on an axis. */
function brief(text, most = 18) {
  text = String(text);
  return text.length <= most ? text : `${text.slice(0, most - 6)}…${text.slice(-5)}`;
}


const finite = (value) => typeof value === "number";
