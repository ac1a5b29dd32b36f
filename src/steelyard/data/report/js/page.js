// The page: what is asked for in the address is what is shown.
class Page {
  constructor(store) {
    this.store = store;
    this.search = new Search(store, () => this.readMore());
    this.table = new Table(store, { open: (place) => this.openSample(place), sort: (name) => this.sort(name) });
    this.panel = new Panel(store, { close: () => this.closeSample(), step: (by) => this.step(by) });
    this.state = stateOf(location.hash);
    this.query = document.getElementById("query");
    document.getElementById("list").replaceChildren(this.table.element);
    this.controls();
    this.listen();
    this.show();
    this.search.begin();
  }

  controls() {
    const group = document.getElementById("outcomes");
    for (const name of ["", ...Object.keys(FILTERS)]) {
      const count = name ? this.count(FILTERS[name](this.store)) : this.store.total;
      if (count || !name) group.append(this.chip(name, count));
    }
    for (const name of Object.keys(PICKS)) this.options(name, this.store[PICKS[name][1]]);
  }

  count(test) {
    let found = 0;
    for (let place = 0; place < this.store.total; place += 1) if (test(place)) found += 1;
    return found;
  }

  chip(name, count) {
    const sign = Object.values(GLYPHS).find(([word]) => word === name)?.[1];
    const signs = sign ? [made("span", { class: `glyph ${slug(name)}`, "aria-hidden": "true" }, sign), " "] : [];
    const button = made("button", { type: "button", "data-filter": name }, ...signs, name || "all", " ", made("span", { class: "quiet" }, count.toLocaleString("en")));
    button.addEventListener("click", () => this.change({ filter: name }));
    return button;
  }

  options(name, words) {
    const select = document.getElementById(name);
    select.append(made("option", { value: "" }, "all"), ...[...words].sort().map((word) => made("option", { value: word }, visible(word).replace(/_/g, " "))));
    select.addEventListener("change", () => this.change({ [name]: select.value }));
    document.getElementById(`${name}-pick`).hidden = words.length < PICKS[name][2];
  }

  listen() {
    let waiting = 0;
    this.query.addEventListener("input", () => {
      clearTimeout(waiting);
      waiting = setTimeout(() => this.change({ q: this.query.value.trim() }), 80);
    });
    addEventListener("hashchange", () => {
      if (location.hash === hashOf(this.state)) return;
      this.state = stateOf(location.hash);
      this.show();
      if (!this.state.sample && location.hash.includes("=")) document.getElementById("samples").scrollIntoView();
    });
    addEventListener("keydown", (event) => this.key(event));
  }

  key(event) {
    const typing = event.target.closest("input, select, textarea");
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Escape") this.escape();
    else if (typing) {
      if (event.target !== this.query || !["ArrowDown", "Enter"].includes(event.key)) return;
      this.table.element.focus();
      this.table.choose(Math.max(0, this.table.at));
    } else if (event.key === "/") this.query.focus();
    else if (!this.move(event)) return;
    event.preventDefault();
  }

  escape() {
    if (this.panel.open) this.closeSample();
    else if (document.activeElement === this.query) {
      this.query.value = "";
      this.change({ q: "" });
    }
  }

  // j and k work anywhere, and Enter where nothing else has the focus, as when the page was just opened; the others where the
  // table or the panel has it.
  move(event) {
    const inside = this.panel.element.contains(event.target);
    const here = event.target === this.table.element || inside;
    const page = Math.max(1, Math.floor(this.table.element.clientHeight / this.table.height) - 2);
    const steps = { j: 1, k: -1, ...(here ? { ArrowDown: 1, ArrowUp: -1 } : {}) };
    const jumps = event.target === this.table.element ? { PageDown: page, PageUp: -page, Home: -Infinity, End: Infinity } : {};
    const by = steps[event.key] ?? jumps[event.key];
    const enters = event.key === "Enter" && [this.table.element, document.body].includes(event.target);
    if (!inside && (by || enters)) this.table.element.focus(); // which brings it into view
    if (by) this.step(by);
    else if (enters) this.table.open(Math.max(0, this.table.at));
    else return false;
    return true;
  }

  step(by) {
    this.table.choose(this.table.at < 0 ? (by > 0 ? 0 : this.table.places.length - 1) : this.table.at + by);
    if (this.panel.open && this.table.places.length) this.change({ sample: this.store.key(this.table.places[this.table.at]) }, false);
  }

  sort(name) {
    const order = this.state.sort === name ? `-${name}` : this.state.sort === `-${name}` ? "" : name;
    this.change({ sort: order });
  }

  openSample(place) {
    const fresh = !this.panel.open;
    this.state = { ...this.state, sample: this.store.key(place) };
    history[fresh ? "pushState" : "replaceState"](null, "", hashOf(this.state));
    this.panel.show(place, true);
  }

  closeSample() {
    this.change({ sample: "" });
    this.table.element.focus({ preventScroll: true });
  }

  change(what, focus = false) {
    this.state = { ...this.state, ...what };
    history.replaceState(null, "", hashOf(this.state));
    this.show(focus);
  }

  show(focus = false) {
    const { state } = this;
    if (document.activeElement !== this.query) this.query.value = state.q;
    for (const name of Object.keys(PICKS)) document.getElementById(name).value = state[name];
    for (const button of document.querySelectorAll("#outcomes button")) button.setAttribute("aria-pressed", button.dataset.filter === state.filter);
    const wanted = JSON.stringify({ ...state, sample: "" });
    if (this.shown !== wanted) this.list(wanted);
    const place = state.sample ? this.store.place(state.sample) : -1;
    if (place < 0) this.panel.hide();
    else if (place !== this.panel.place) {
      const at = this.table.places.indexOf(place);
      if (at >= 0) this.table.choose(at);
      if (!this.panel.open) document.getElementById("samples").scrollIntoView();
      this.panel.show(place, focus);
    }
  }

  list(wanted) {
    const first = this.shown === undefined;
    this.shown = wanted;
    const places = chosen(this.store, this.search, this.state);
    if (!first) this.table.element.scrollTop = 0;
    this.table.show(places, this.state.sort);
    this.tell(places.length);
  }

  tell(count) {
    const read = this.state.q && !this.search.done ? `, searching … ${Math.floor((100 * this.search.lines.length) / this.store.blocks)}%` : "";
    document.getElementById("found").textContent = `${count.toLocaleString("en")} of ${this.store.total.toLocaleString("en")}${read}`;
  }

  // More texts can be searched now: what was found is found again, at most a few times a second.
  readMore() {
    if (!this.state.q || (!this.search.done && performance.now() - (this.told ?? 0) < 250)) return;
    this.told = performance.now();
    const places = chosen(this.store, this.search, this.state);
    this.table.show(places, this.state.sort);
    this.tell(places.length);
  }
}

startTheme();
Store.open().then((store) => {
  new Page(store);
  document.documentElement.dataset.ready = "true";
});
