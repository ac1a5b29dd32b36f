// The table of samples: only the rows that can be seen are in the page.
const MARGIN = 6;

class Table {
  constructor(store, on) {
    this.store = store;
    this.on = on; // {open(place), sort(name)}
    this.places = [];
    this.at = -1; // the row that the keys move
    this.columns = columnsOf(store);
    this.space = made("div", { class: "space", role: "rowgroup" });
    this.element = made("div", { class: "table", role: "grid", tabindex: "0", "aria-labelledby": "samples-title", "aria-colcount": this.columns.length });
    this.element.append(made("div", { role: "rowgroup", class: "heads" }, this.head()), this.space);
    this.element.addEventListener("scroll", () => this.drawSoon(), { passive: true });
    this.space.addEventListener("click", (event) => {
      const row = event.target.closest(".body");
      if (row) this.open(Number(row.dataset.at));
    });
    new ResizeObserver(() => this.drawSoon()).observe(this.element);
  }

  head() {
    const cells = this.columns.map(([name, word, unseen], number) => {
      const cell = made("div", { role: "columnheader", class: `c-${name}`, "aria-colindex": number + 1 });
      if (!(name in SORTS)) {
        cell.append(word);
        return cell;
      }
      cell.setAttribute("aria-sort", "none");
      const button = made("button", { type: "button" }, unseen ? made("span", { class: "unseen" }, unseen) : word);
      button.addEventListener("click", () => this.on.sort(name));
      cell.append(button);
      return cell;
    });
    this.header = made("div", { class: this.lineClass("head"), role: "row", "aria-rowindex": "1" }, ...cells);
    return this.header;
  }

  lineClass(kind) {
    return `line ${kind} ${lineKind(this.store)}`.trim();
  }

  show(places, sort) {
    const kept = this.places[this.at];
    this.places = places;
    this.at = places.indexOf(kept);
    this.element.setAttribute("aria-rowcount", places.length + 1);
    this.columns.forEach(([name], number) => {
      const cell = this.header.children[number];
      if (!cell.hasAttribute("aria-sort")) return;
      const order = sort === name ? "ascending" : sort === `-${name}` ? "descending" : "none";
      cell.setAttribute("aria-sort", order);
    });
    this.draw();
  }

  get height() {
    return parseFloat(getComputedStyle(this.element).getPropertyValue("--row")) || 42;
  }

  drawSoon() {
    this.frame ??= requestAnimationFrame(() => {
      this.frame = null;
      this.draw();
    });
  }

  draw() {
    const { height } = this;
    this.space.style.height = `${Math.max(this.places.length, 1) * height}px`;
    const first = Math.max(0, Math.floor(this.element.scrollTop / height) - MARGIN);
    const last = Math.min(this.places.length, first + Math.ceil(this.element.clientHeight / height) + 2 * MARGIN);
    const rows = [];
    for (let at = first; at < last; at += 1) rows.push(this.row(at, height));
    if (!rows.length) rows.push(made("div", { role: "row", class: "none" }, made("span", { role: "gridcell" }, "No sample matches.")));
    this.space.replaceChildren(...rows);
    this.pointAt();
  }

  row(at, height) {
    const place = this.places[at];
    const cells = Object.fromEntries(this.columns.map(([name], number) => [name, made("div", { role: "gridcell", class: `c-${name}`, "aria-colindex": number + 1 })]));
    const row = made("div", {
      class: this.lineClass("body") + (at === this.at ? " chosen" : ""), role: "row", id: `row-${place}`,
      "data-at": at, "aria-rowindex": at + 2, "aria-selected": at === this.at ? "true" : "false",
    }, ...Object.values(cells));
    row.style.transform = `translateY(${at * height}px)`;
    cells.outcome.append(...glyph(this.store.outcomes[place]));
    cells.sample.append(visible(this.store.name(place)));
    cells.category?.append(visible(this.store.category(place)));
    fillNumbers(this.store, place, cells);
    this.store.row(place).then((texts) => fillTexts(texts, cells));
    return row;
  }

  pointAt() {
    const row = this.at >= 0 ? document.getElementById(`row-${this.places[this.at]}`) : null;
    if (row) this.element.setAttribute("aria-activedescendant", row.id);
    else this.element.removeAttribute("aria-activedescendant");
  }

  // Make a row the one that keys act on, and bring it into view.
  choose(at) {
    if (!this.places.length) return;
    this.at = Math.max(0, Math.min(this.places.length - 1, at));
    const { height } = this;
    const top = this.at * height;
    const room = this.element.clientHeight - this.header.offsetHeight;
    const above = this.element.scrollTop - top;
    const below = top + height - this.element.scrollTop - room;
    if (Math.max(above, below) > 2 * height) this.element.scrollTop = top - room / 2; // from afar: into the middle
    else if (above > 0) this.element.scrollTop = top;
    else if (below > 0) this.element.scrollTop += below;
    this.draw();
  }

  open(at) {
    this.choose(at);
    if (this.places.length) this.on.open(this.places[this.at]);
  }
}
