// What is shown, kept in the address: #filter=wrong&category=Asia&q=paris&sort=-score&sample=12.0
// FILTERS, PICKS and SORTS are those of the kind of page.
const EMPTY = { filter: "", ...Object.fromEntries(Object.keys(PICKS).map((name) => [name, ""])), q: "", sort: "", sample: "" };

function stateOf(hash) {
  const given = new URLSearchParams(hash.replace(/^#/, ""));
  const state = { ...EMPTY };
  for (const name of Object.keys(EMPTY)) state[name] = given.get(name) ?? "";
  if (!Object.hasOwn(FILTERS, state.filter)) state.filter = "";
  if (!Object.hasOwn(SORTS, state.sort.replace(/^-/, ""))) state.sort = "";
  return state;
}

function hashOf(state) {
  const told = new URLSearchParams();
  for (const [name, value] of Object.entries(state)) if (value) told.set(name, value);
  const text = told.toString();
  return text ? `#${text}` : "#samples";
}

// The places that are to be shown, in their order.
function chosen(store, search, state) {
  const tests = [];
  if (state.filter) tests.push(FILTERS[state.filter](store));
  for (const [name, columns] of Object.entries(PICKS)) if (state[name]) tests.push(isNamed(store, columns, state[name]));
  const hits = state.q ? search.matching(state.q) : null;
  if (hits) tests.push((place) => hits[place]);
  const places = [];
  for (let place = 0; place < store.total; place += 1) if (tests.every((test) => test(place))) places.push(place);
  return sorted(store, places, state.sort);
}

// Whether a sample has that name in a column of numbers, of which 0 is none.
function isNamed(store, [numbers, names], name) {
  const wanted = store[names].indexOf(name) + 1;
  return (place) => wanted > 0 && store[numbers][place] === wanted;
}

function hasOutcome(letters) {
  return (store) => (place) => letters.includes(store.outcomes[place]);
}

function sorted(store, places, sort) {
  const falling = sort.startsWith("-");
  const by = SORTS[sort.replace("-", "")]?.(store);
  const sign = falling ? -1 : 1;
  if (by) {
    const keys = new Map(places.map((place) => [place, by(place)]));
    const order = (a, b) => (a < b ? -1 : a > b ? 1 : 0);
    places.sort((a, b) => sign * order(keys.get(a), keys.get(b)) || a - b);
  } else if (falling) places.reverse();
  return places;
}
