// The page: the story, the pictures in turn, live updates, dark and print.

function fillHead({ run, story }) {
  document.title = `${run.name} · racing report`;
  byId("name").textContent = run.name;
  byId("state").textContent = run.state;
  byId("headline").replaceChildren(...rich(story.headline));
  byId("story").replaceChildren(...story.sentences.map((sentence) => el("p", {}, ...rich(sentence))),
    run.advice ? el("p", { class: "next" }, el("b", {}, "Next: "), ...rich(run.advice)) : "");
  byId("figures").replaceChildren(...Object.entries(story.figures).map(([label, value]) =>
    el("div", {}, el("dt", {}, label), el("dd", {}, value))));
  byId("made").textContent = run.made;
  document.querySelector(".key").hidden = !Object.keys(RUN.data.people.fates).length;
}

const byId = (id) => document.getElementById(id);

function fillPictures(pictures) {
  for (const picture of pictures) {
    const view = VIEWS.get(picture.id);
    if (view) view.take(picture);
    else {
      VIEWS.set(picture.id, new View(picture));
      byId("pictures").append(VIEWS.get(picture.id).node);
    }
  }
  byId("contents").replaceChildren(...pictures.filter((one) => one.chart).map((one) => el("a", { href: `#${one.id}` }, one.title)));
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

function take(data) {
  takeRun(data);
  fillHead(data);
  fillPictures(data.pictures);
  drawAll();
}

function print(on) {
  if (PRINTING === on) return;
  PRINTING = on;
  document.documentElement.classList.toggle("printing", on);
  for (const view of VIEWS.values()) if (!view.drawn) view.draw();
  redraw();
}

/** Listen to a run that goes on: each message is the whole page's data. */
function listen() {
  const source = new EventSource(`events${location.search}`);
  const say = (text) => { byId("live").textContent = text; };
  source.onopen = () => say("live");
  source.onerror = () => say("the server is gone; this is the last state it told");
  source.onmessage = (message) => {
    document.documentElement.dataset.told = String(Number(document.documentElement.dataset.told ?? 0) + 1);
    take(JSON.parse(message.data));
  };
}

addEventListener("beforeprint", () => print(true));
addEventListener("afterprint", () => print(false));
matchMedia("print").addEventListener("change", (event) => print(event.matches));
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", redraw);
let resizing = 0;
addEventListener("resize", () => { clearTimeout(resizing); resizing = setTimeout(redraw, 150); });
take(JSON.parse(byId("facts").textContent));
if (document.documentElement.dataset.live) listen();
