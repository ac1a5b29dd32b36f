// What the page of a run shows of its samples: how they are told apart, the columns of the table, and the panel.
const GLYPHS = { r: ["right", "✓"], w: ["wrong", "✕"], p: ["pending", "◔"], u: ["unscored", "○"] };
// The columns that a list of names picks from: numbers, names, and how many names make a choice.
const PICKS = { category: ["categories", "category_names", 1], failure: ["failures", "failure_names", 1] };
const FILTERS = {
  right: hasOutcome("r"), wrong: hasOutcome("w"), pending: hasOutcome("p"), unscored: hasOutcome("u"),
  refused: (store) => isNamed(store, PICKS.failure, "refusal"),
};
const SORTS = {
  sample: () => null,
  category: (store) => (place) => store.category(place),
  outcome: (store) => (place) => "rwpu".indexOf(store.outcomes[place]),
  score: (store) => (place) => store.values[place],
  seconds: (store) => (place) => store.seconds[place],
};
const COLUMNS = [
  ["outcome", "", "Outcome"], ["sample", "Sample"], ["category", "Category"], ["answer", "Answer"],
  ["read", "Read"], ["target", "Target"], ["seconds", "Seconds"], ["score", "Score"],
];

function columnsOf(store) {
  return COLUMNS.filter(([name]) => name !== "seconds" || store.seconds);
}

function lineKind(store) {
  return store.seconds ? "timed" : "";
}

function fillNumbers(store, place, cells) {
  cells.score.append(meter(store.values[place]), made("span", {}, told(store.values[place])));
  cells.seconds?.append(told(store.seconds[place]));
}

function fillTexts(row, cells) {
  cells.answer.append(plain(row.answer ?? row.error ?? "no answer").slice(0, 240));
  cells.read.append(plain(row.read).slice(0, 80));
  cells.target.append(plain(row.target).slice(0, 80));
}

// One sample: what was asked, what came back, what was read out of it, and why it scored what it did.
function panelInside(store, place, row) {
  const inside = made("div", { class: "inside" }, verdict(store, place, row));
  const add = (title, ...content) => inside.append(made("h4", {}, title), ...content);
  if (row.reason) inside.append(made("p", { class: "reason" }, ...pieces(row.reason, "scores.jsonl")));
  if (row.error) add("Error", block(row.error));
  if (row.asked.length) add("Asked", ...messages(row.asked));
  if (row.answer !== undefined) add(row.cut_off ? "Answer (ended at the token limit)" : "Answer", block(row.answer));
  const halves = [half("Target", row.target)];
  if (row.read !== undefined || !(row.parts || row.judge)) halves.unshift(half("Read", row.read));
  inside.append(made("div", { class: "pair" }, ...halves));
  if (row.parts) add("Parts", partList(row.parts));
  if (row.judge) add("The judge’s reply", ...row.judge.map((text) => block(text, "judge.jsonl")));
  if (row.reasoning) add("Reasoning, not scored", block(row.reasoning));
  return inside;
}

function verdict(store, place, row) {
  const failure = store.named(place, PICKS.failure).replace(/_/g, " ");
  const facts = [GLYPHS[store.outcomes[place]][0], store.category(place), failure, `sample ${store.key(place)}`];
  if (row.input >= 0) facts.push(`${row.input.toLocaleString("en")} tokens in`);
  if (store.tokens[place] >= 0) facts.push(`${store.tokens[place].toLocaleString("en")} out`);
  if (store.seconds?.[place] >= 0) facts.push(`${store.seconds[place]} s`);
  return made("div", { class: "verdict" }, made("b", {}, told(store.values[place])), ...facts.filter(Boolean).map((fact) => made("span", {}, visible(fact))));
}
