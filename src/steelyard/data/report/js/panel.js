// The panel beside the table; what is in it is told by the kind of page.
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
    this.element.replaceChildren(this.top(place), panelInside(this.store, place, row));
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
}
