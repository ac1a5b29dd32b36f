// Search over all texts: each block is read once, in idle time, and kept as one long line in lower case.
class Search {
  constructor(store, changed) {
    this.store = store;
    this.changed = changed; // told when more has been read
    this.lines = [];
    this.starts = [];
    this.reading = null;
  }

  get done() {
    return this.lines.length >= this.store.blocks;
  }

  begin() {
    this.reading ??= this.readAll();
    return this.reading;
  }

  async readAll() {
    while (!this.done) {
      await idle();
      await this.readNext(this.lines.length);
      this.changed();
    }
    document.documentElement.dataset.searchable = "true";
  }

  async readNext(block) {
    const rows = await this.store.read(block);
    const starts = new Uint32Array(rows.length + 1);
    const texts = [];
    let at = 0;
    rows.forEach((row, number) => {
      const place = block * this.store.block + number;
      const text = `${this.store.key(place)}\n${this.store.name(place)}\n${this.store.category(place)}\n${allText(row)}\u0000`.toLowerCase();
      starts[number] = at;
      at += text.length;
      texts.push(text);
    });
    starts[rows.length] = at;
    this.lines.push(texts.join(""));
    this.starts.push(starts);
  }

  // Which samples have the words somewhere; of what has not been read yet, none.
  matching(query) {
    const found = new Uint8Array(this.store.total);
    const wanted = query.toLowerCase();
    this.lines.forEach((line, block) => {
      const starts = this.starts[block];
      let row = 0;
      for (let at = line.indexOf(wanted); at >= 0; at = line.indexOf(wanted, starts[row + 1])) {
        while (starts[row + 1] <= at) row += 1;
        found[block * this.store.block + row] = 1;
        if (row + 1 >= starts.length - 1) break;
      }
    });
    return found;
  }
}

function idle() {
  return new Promise((go) => (window.requestIdleCallback ? requestIdleCallback(go, { timeout: 60 }) : setTimeout(go, 4)));
}

// Every string in a row, wherever it stands.
function allText(value) {
  if (typeof value === "string") return value;
  if (value === null || typeof value !== "object") return "";
  return Object.values(value).map(allText).join("\n");
}
