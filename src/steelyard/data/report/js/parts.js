// The parts of a score as a tree.
function partList(parts) {
  return made("ul", { class: "parts" }, ...parts.map((part) => {
    if (part.more) return made("li", {}, made("p", {}, `and ${part.more.toLocaleString("en")} more, in scores.jsonl`));
    const line = made("div", { class: "part" }, made("span", {}, visible(part.name)), meter(part.value), made("span", {}, told(part.value)), made("span", { class: "quiet" }, `× ${part.weight}`));
    const item = made("li", {}, line);
    if (part.reason) item.append(made("p", {}, ...pieces(part.reason, "scores.jsonl")));
    if (part.parts) item.append(partList(part.parts));
    return item;
  }));
}
