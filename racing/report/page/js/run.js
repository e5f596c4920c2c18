// What is known of candidates and instances, by id and by step.

const RUN = { data: null, fates: new Map() };

function takeRun(data) {
  RUN.data = data;
  RUN.fates = new Map();
  for (const [fate, ids] of Object.entries(data.people?.fates ?? {})) {
    for (const id of ids) RUN.fates.set(id, fate);
  }
}

const nameOf = (id) => RUN.data.people?.names[id] ?? `#${id}`;
const fateOf = (id) => RUN.fates.get(id) ?? "dropped";
const instanceOf = (step) => RUN.data.instances?.[step] ?? `instance ${step + 1}`;
const FATES = ["winner", "survivor", "dropped", "waiting"];
