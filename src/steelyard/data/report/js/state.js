// What is shown, kept in the address: #filter=wrong&category=Asia&q=paris&sort=-score&sample=12.0
const EMPTY = { filter: "", category: "", failure: "", q: "", sort: "", sample: "" };
const FILTERS = { right: "r", wrong: "w", pending: "p", unscored: "u", refused: "" };

function stateOf(hash) {
  const given = new URLSearchParams(hash.replace(/^#/, ""));
  const state = { ...EMPTY };
  for (const name of Object.keys(EMPTY)) state[name] = given.get(name) ?? "";
  if (!(state.filter in FILTERS)) state.filter = "";
  return state;
}

function hashOf(state) {
  const told = new URLSearchParams();
  for (const [name, value] of Object.entries(state)) if (value) told.set(name, value);
  const text = told.toString();
  return text ? `#${text}` : "#samples";
}

const SORTS = {
  sample: () => null,
  category: (store) => (place) => store.category(place),
  outcome: (store) => (place) => "rwpu".indexOf(store.outcomes[place]),
  score: (store) => (place) => store.values[place],
  seconds: (store) => (place) => store.seconds[place],
};

// The places that are to be shown, in their order.
function chosen(store, search, state) {
  const wanted = FILTERS[state.filter] ?? "";
  const category = state.category ? store.category_names.indexOf(state.category) + 1 : -1;
  const failure = state.failure ? store.failure_names.indexOf(state.failure) + 1 : -1;
  const refused = state.filter === "refused" ? store.failure_names.indexOf("refusal") + 1 : -1;
  const hits = state.q ? search.matching(state.q) : null;
  const places = [];
  for (let place = 0; place < store.total; place += 1) {
    if (wanted && store.outcomes[place] !== wanted) continue;
    if (refused >= 0 && (refused === 0 || store.failures[place] !== refused)) continue;
    if (category >= 0 && (category === 0 || store.categories[place] !== category)) continue;
    if (failure >= 0 && (failure === 0 || store.failures[place] !== failure)) continue;
    if (hits && !hits[place]) continue;
    places.push(place);
  }
  return sorted(store, places, state.sort);
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
