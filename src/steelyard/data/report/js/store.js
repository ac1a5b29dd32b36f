// The samples: columns for all of them at once, and the texts of a block when somebody needs them.
const HELD = 24;

function marked(text) {
  return text.filter(Array.isArray).map(([piece]) => piece).join("");
}

class Store {
  static async open() {
    const [columns, words] = await Promise.all([unpacked("columns"), unpacked("words")]);
    return new Store(JSON.parse(columns), JSON.parse(words));
  }

  constructor(columns, words) {
    Object.assign(this, columns);
    this.words = words;
    this.total = columns.outcomes.length;
    this.blocks = Math.ceil(this.total / this.block);
    this.held = new Map();
  }

  key(place) {
    return `${Math.floor(place / this.repeats)}.${place % this.repeats}`;
  }

  place(key) {
    const [problem, repeat] = key.split(".").map(Number);
    const place = problem * this.repeats + repeat;
    return Number.isInteger(place) && repeat < this.repeats && place >= 0 && place < this.total ? place : -1;
  }

  name(place) {
    const id = this.ids?.[place] || String(Math.floor(place / this.repeats));
    return this.repeats > 1 ? `${id} · ${place % this.repeats}` : id;
  }

  category(place) {
    return this.named(place, PICKS.category);
  }

  named(place, [numbers, names]) {
    return this[names][this[numbers][place] - 1] ?? "";
  }

  // The rows of a block: a promise the first time, kept while it is among the last that were used.
  rows(block) {
    const found = this.held.get(block) ?? this.read(block);
    this.held.delete(block);
    this.held.set(block, found);
    if (this.held.size > HELD) this.held.delete(this.held.keys().next().value);
    return found;
  }

  async read(block) {
    const rows = JSON.parse(spelledOut(await unpacked(`rows-${block}`), this.words));
    let asked = [];
    for (const row of rows) {
      asked = row.asked ?? asked; // what was asked is told once a problem
      row.asked = asked;
      for (const side of [row, row.base, row.candidate]) {
        if (side?.read === true) Object.assign(side, { read: marked(side.answer), marked: true });
      }
    }
    return rows;
  }

  async row(place) {
    return (await this.rows(Math.floor(place / this.block)))[place % this.block];
  }
}
