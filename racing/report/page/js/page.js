// The page: the summary, the pictures in turn, live updates, dark and print.

function fillHead({ run, summary }) {
  document.title = `${run.name} · racing report`;
  byId("name").textContent = run.name;
  byId("state").replaceChildren(...rich(run.state));
  byId("headline").replaceChildren(...rich(summary.headline));
  byId("summary").replaceChildren(...summary.sentences.map((sentence) => el("p", {}, ...rich(sentence))),
    run.advice ? el("p", { class: "next" }, el("b", {}, "Next: "), ...rich(run.advice)) : "");
  fillProgress(run.progress);
  fillResult(summary);
  byId("figures").replaceChildren(...Object.entries(summary.figures).map(([label, value]) =>
    el("div", {}, el("dt", {}, label), el("dd", {}, value))));
  byId("made").textContent = run.made;
}

const byId = (id) => document.getElementById(id);

function fillPictures(pictures) {
  const shows = (one) => one.figure || one.items.length;
  const shown = pictures.filter((one) => shows(one) || one.table);
  const empty = pictures.filter((one) => !shows(one) && !one.table);
  byId("nothing").replaceChildren(...(empty.length ? [el("h2", {}, "Nothing to show"), el("dl", {}, empty.map((one) => [el("dt", {}, one.title), el("dd", {}, ...rich(one.sentence))]))] : []));
  for (const [id, view] of VIEWS) {
    if (!shown.some((one) => one.id === id)) { view.node.remove(); VIEWS.delete(id); }
  }
  for (const picture of shown) {
    const view = VIEWS.get(picture.id);
    if (view) view.take(picture);
    else {
      VIEWS.set(picture.id, new View(picture));
    }
  }
  const views = shown.map((one) => VIEWS.get(one.id)), nodes = views.map((view) => view.node);
  leaveNoHole(views);
  if (nodes.some((node, k) => byId("pictures").children[k] !== node)) byId("pictures").replaceChildren(...nodes);
  byId("contents").replaceChildren(...shown.map((one) => el("a", { href: `#${one.id}` }, one.title)));
}

/** Cards stand in two columns: the last of an odd number between wide ones becomes wide. */
function leaveNoHole(views) {
  let halves = 0;
  views.forEach((view, k) => {
    halves = view.wide ? 0 : halves + 1;
    const alone = halves % 2 === 1 && (views[k + 1]?.wide ?? true);
    if (view.node.classList.toggle("wide", view.wide || alone) !== view.wasWide && view.drawn) view.draw();
    view.wasWide = view.wide || alone;
  });
}

/** Draw what is seen first, then the others one by one, so that the page answers meanwhile. */
function drawAll() {
  const seen = (view) => view.node.getBoundingClientRect().top < 1.2 * innerHeight;
  const waiting = [...VIEWS.values()].filter((view) => !view.drawn);
  const next = () => {
    const view = waiting.find(seen) ?? waiting[0];
    if (!view) { document.documentElement.dataset.ready = "yes"; return; }
    waiting.splice(waiting.indexOf(view), 1);
    if (!view.drawn) view.draw();
    setTimeout(next, 0);
  };
  next();
}

function redraw() {
  for (const view of VIEWS.values()) if (view.drawn) view.draw();
}

/** Put columns that several figures share where they belong. */
function whole(thing, columns) {
  if (Array.isArray(thing)) return thing.map((one) => whole(one, columns));
  if (thing === null || typeof thing !== "object") return thing;
  if (thing.$ !== undefined) return columns[thing.$];
  return Object.fromEntries(Object.entries(thing).map(([key, value]) => [key, whole(value, columns)]));
}

function take(data) {
  for (const one of data.pictures) one.figure &&= whole(one.figure, data.columns);
  fillHead(data);
  fillPictures(data.pictures);
  drawAll();
}

let printing = false;

function print(on) {
  if (printing === on) return;
  printing = on;
  document.documentElement.classList.toggle("printing", on);
  for (const view of VIEWS.values()) if (!view.drawn) view.draw();
  redraw();
}

const clock = () => new Date().toLocaleTimeString("en-GB");

/** Listen to a run that goes on: each message is the whole page's data. */
function listen() {
  const source = new EventSource(`events${location.search}`);
  const say = (text) => { byId("live").textContent = text; };
  source.onerror = () => say(`the server is gone; this is its last state, of ${clock()}`);
  source.onmessage = (message) => {
    document.documentElement.dataset.told = String(Number(document.documentElement.dataset.told ?? 0) + 1);
    take(JSON.parse(message.data));
    say(`live, updated at ${clock()}`);
  };
}

addEventListener("beforeprint", () => print(true));
addEventListener("afterprint", () => print(false));
matchMedia("print").addEventListener("change", (event) => print(event.matches));
let resizing = 0;
addEventListener("resize", () => { clearTimeout(resizing); resizing = setTimeout(redraw, 150); });
take(JSON.parse(byId("facts").textContent));
if (document.documentElement.dataset.live) listen();
