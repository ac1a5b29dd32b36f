// What the page of a comparison shows: samples with two answers, the columns of the table, and the panel.
const GLYPHS = { l: ["lost", "▼"], g: ["gained", "▲"], r: ["both right", "✓"], w: ["both wrong", "✕"], u: ["no score", "○"] };
// The columns that a list of names picks from: numbers, names, and how many names make a choice.
const PICKS = { category: ["categories", "category_names", 1], result: ["results", "result_names", 2] };
const FILTERS = {
  flipped: hasOutcome("lg"), lost: hasOutcome("l"), gained: hasOutcome("g"),
  "both right": hasOutcome("r"), "both wrong": hasOutcome("w"), "no score": hasOutcome("u"),
};
const SORTS = {
  sample: () => null,
  category: (store) => (place) => store.category(place),
  result: (store) => (place) => store.results[place],
  outcome: (store) => (place) => "lgwru".indexOf(store.outcomes[place]),
  difference: (store) => (place) => difference(store, place) ?? -2,
};
const COLUMNS = [
  ["outcome", "", "Outcome"], ["sample", "Sample"], ["result", "Comparison"], ["category", "Category"], ["base", "Base"],
  ["candidate", "Candidate"], ["target", "Target"], ["difference", "Score"],
];

function difference(store, place) {
  const [one, other] = [store.base_values[place], store.candidate_values[place]];
  return one < 0 || other < 0 ? null : other - one;
}

function columnsOf(store) {
  return COLUMNS.filter(([name]) => (name !== "result" || store.result_names.length > 1) && (name !== "category" || store.category_names.length));
}

function lineKind(store) {
  return `two${store.result_names.length > 1 ? " several" : ""}${store.category_names.length ? "" : " plainly"}`;
}

function fillNumbers(store, place, cells) {
  cells.result?.append(visible(store.named(place, PICKS.result)));
  cells.difference.append(told(store.base_values[place]), made("span", { class: "quiet" }, " → "), told(store.candidate_values[place]));
}

function fillTexts(row, cells) {
  for (const name of ["base", "candidate"]) cells[name].append(plain(gist(row[name])).slice(0, 240));
  cells.target.append(plain(row.target).slice(0, 80));
}

// An answer in a line: what was read out of it says most, then the answer itself.
function gist(side) {
  return side.read ?? side.answer ?? side.error ?? "no answer";
}

// One sample: what both were asked, and the two answers side by side.
function panelInside(store, place, row) {
  const inside = made("div", { class: "inside" }, verdict(store, place));
  const add = (title, ...content) => inside.append(made("h4", {}, title), ...content);
  if (row.asked.length) add("Asked", ...messages(row.asked));
  if (row.candidate.asked) add("Asked of the candidate", ...messages(row.candidate.asked));
  if (row.target !== undefined) add("Target", block(row.target, "scores.jsonl"));
  const models = store.models[store.results[place] - 1] ?? ["base", "candidate"];
  inside.append(made("div", { class: "sides" }, answered("Base", models[0], store.base_values[place], row.base), answered("Candidate", models[1], store.candidate_values[place], row.candidate)));
  return inside;
}

function verdict(store, place) {
  const facts = [GLYPHS[store.outcomes[place]][0], store.result_names.length > 1 ? store.named(place, PICKS.result) : "", store.category(place)];
  const values = made("b", {}, `${told(store.base_values[place])} → ${told(store.candidate_values[place])}`);
  return made("div", { class: "verdict" }, values, ...facts.filter(Boolean).map((fact) => made("span", {}, visible(fact))));
}

function answered(title, model, value, side) {
  const name = made("h4", {}, `${title} `, made("span", { class: "who" }, visible(model)));
  const found = made("section", { class: `side ${title.toLowerCase()}` }, name);
  found.append(made("p", { class: "scored" }, made("b", {}, told(value)), side.reason ? " " : "", ...(side.reason ? pieces(side.reason, "scores.jsonl") : [])));
  if (side.error) found.append(block(side.error));
  if (side.answer !== undefined) found.append(block(side.answer));
  else if (!side.error) found.append(made("p", { class: "note" }, "no answer"));
  if (side.cut_off) found.append(made("p", { class: "note" }, "It ended at the token limit."));
  if (side.read !== undefined && !side.marked) found.append(made("p", { class: "read" }, "read: ", made("code", {}, plain(side.read))));
  const more = [["Parts", side.parts && partList(side.parts)], ["Reasoning, not scored", side.reasoning && block(side.reasoning)]];
  for (const text of side.judge ?? []) more.unshift(["The judge’s reply", block(text, "judge.jsonl")]);
  for (const [word, content] of more) if (content) found.append(made("details", {}, made("summary", {}, word), content));
  return found;
}
