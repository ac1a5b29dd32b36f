// One sample: what was asked, what came back, what was read out of it, and why it scored what it did.
class Panel {
  constructor(store, on) {
    this.store = store;
    this.on = on; // {close(), step(by)}
    this.element = document.getElementById("panel");
    this.element.addEventListener("cancel", (event) => {
      event.preventDefault();
      this.on.close();
    });
    this.narrow = matchMedia("(max-width: 60rem)");
    this.place = -1;
  }

  get open() {
    return this.element.open;
  }

  async show(place, focus) {
    this.place = place;
    const row = await this.store.row(place);
    if (this.place !== place) return; // another one was asked for meanwhile
    this.element.replaceChildren(this.top(place), this.inside(place, row));
    this.element.scrollTop = 0;
    if (!this.open) {
      if (this.narrow.matches) this.element.showModal();
      else this.element.show();
    }
    this.settle();
    if (focus) this.title.focus({ preventScroll: true });
  }

  // A long text scrolls in its own frame, to what was read out of it.
  settle() {
    for (const text of this.element.querySelectorAll(".text")) {
      if (text.scrollHeight <= text.clientHeight) continue;
      text.tabIndex = 0;
      const mark = text.querySelector("mark");
      if (mark) text.scrollTop = mark.offsetTop - text.clientHeight / 2;
    }
  }

  hide() {
    this.place = -1;
    if (this.open) this.element.close();
  }

  top(place) {
    this.title = made("h3", { id: "panel-title", tabindex: "-1" }, ...glyph(this.store.outcomes[place]), ` ${visible(this.store.name(place))}`);
    const buttons = [["↑", "Previous sample", () => this.on.step(-1)], ["↓", "Next sample", () => this.on.step(1)], ["✕", "Close", () => this.on.close()]];
    return made("header", {}, this.title, ...buttons.map(([sign, label, act]) => {
      const button = made("button", { type: "button", class: "plain", "aria-label": label }, sign);
      button.addEventListener("click", act);
      return button;
    }));
  }

  inside(place, row) {
    const inside = made("div", { class: "inside" }, this.verdict(place, row));
    const add = (title, ...content) => inside.append(made("h4", {}, title), ...content);
    if (row.reason) inside.append(made("p", { class: "reason" }, ...pieces(row.reason, "scores.jsonl")));
    if (row.error) add("Error", block(row.error));
    if (row.asked.length) add("Asked", ...row.asked.map(([role, text]) => made("div", { class: "said-by" }, made("span", {}, role), block(text))));
    if (row.answer !== undefined) add(row.cut_off ? "Answer (ended at the token limit)" : "Answer", block(row.answer));
    const halves = [this.half("Target", row.target)];
    if (row.read !== undefined || !(row.parts || row.judge)) halves.unshift(this.half("Read", row.read));
    inside.append(made("div", { class: "pair" }, ...halves));
    if (row.parts) add("Parts", partList(row.parts));
    if (row.judge) add("The judge’s reply", ...row.judge.map((text) => block(text, "judge.jsonl")));
    if (row.reasoning) add("Reasoning, not scored", block(row.reasoning));
    return inside;
  }

  half(title, text) {
    const content = text === undefined ? made("p", { class: "note" }, "nothing") : block(text, "scores.jsonl");
    return made("div", {}, made("h4", {}, title), content);
  }

  verdict(place, row) {
    const { store } = this;
    const facts = [GLYPHS[store.outcomes[place]][0], store.category(place), store.failure(place).replace(/_/g, " "), `sample ${store.key(place)}`];
    if (row.input >= 0) facts.push(`${row.input.toLocaleString("en")} tokens in`);
    if (store.tokens[place] >= 0) facts.push(`${store.tokens[place].toLocaleString("en")} out`);
    if (store.seconds?.[place] >= 0) facts.push(`${store.seconds[place]} s`);
    return made("div", { class: "verdict" }, made("b", {}, told(store.values[place])), ...facts.filter(Boolean).map((fact) => made("span", {}, visible(fact))));
  }
}

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
