// Everything that comes out of a run goes into the page as text, never as markup.
function made(name, attributes = {}, ...inside) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) if (value !== null) element.setAttribute(key, value);
  element.append(...inside);
  return element;
}

// Control characters as their pictures, and nothing that turns the direction of what follows.
function visible(text) {
  return text
    .replace(/[\u0000-\u0008\u000b-\u001f]/g, (one) => String.fromCharCode(0x2400 + one.charCodeAt(0)))
    .replace(/[\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, "\ufffd");
}

function slug(name) {
  return name.replace(/ /g, "-");
}

function glyph(letter) {
  const [name, sign] = GLYPHS[letter];
  return [made("span", { class: `glyph ${slug(name)}`, "aria-hidden": "true" }, sign), made("span", { class: "unseen" }, name)];
}

// A text that may be cut: a string as it is, a list of one marked, a number of characters left out.
function pieces(text, file) {
  return (Array.isArray(text) ? text : [text]).map((piece) => {
    if (typeof piece === "number") {
      return made("span", { class: "gap" }, `… ${piece.toLocaleString("en")} characters not shown; whole in ${file} …`);
    }
    return Array.isArray(piece) ? made("mark", {}, visible(piece[0])) : visible(piece);
  });
}

function block(text, file = "attempts.jsonl") {
  return made("div", { class: "text", dir: "auto" }, ...pieces(text, file));
}

function plain(text) {
  if (text === undefined || text === null) return "";
  const words = (Array.isArray(text) ? text : [text]).map((piece) => (typeof piece === "number" ? " … " : String(piece))).join("");
  return visible(words.replace(/\s+/g, " ").trim());
}

function told(value) {
  if (value < 0 || value === null || value === undefined) return "–";
  return value === 0 || value === 1 ? String(value) : value.toFixed(3);
}

function meter(value) {
  const full = made("i");
  full.style.width = `${Math.max(0, value ?? 0) * 100}%`;
  return made("div", { class: "meter", "aria-hidden": "true" }, full);
}

function messages(asked) {
  return asked.map(([role, text]) => made("div", { class: "said-by" }, made("span", {}, visible(role)), block(text)));
}

function half(title, text) {
  const content = text === undefined ? made("p", { class: "note" }, "nothing") : block(text, "scores.jsonl");
  return made("div", {}, made("h4", {}, title), content);
}
