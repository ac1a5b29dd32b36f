// A match that goes on: the clock runs down, and the page changes with the match.
const ASK_MS = 2000;
const SLOWEST_MS = 30000;

function clockOf(seconds) {
  const whole = Math.max(0, Math.floor(seconds));
  const [hours, minutes, rest] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  const two = (number) => String(number).padStart(2, "0");
  return hours ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`;
}

function startLive() {
  let until = 0; // by the browser's steady clock; how much is left is the server's word
  let wait = ASK_MS;
  const place = () => document.getElementById("live");
  const timer = () => document.querySelector("[data-left]");
  const setLeft = (seconds) => {
    until = performance.now() + seconds * 1000;
  };

  function tick() {
    const shown = timer();
    if (!shown) return;
    const left = Math.max(0, (until - performance.now()) / 1000);
    shown.textContent = clockOf(left);
    shown.classList.toggle("short", left < 30);
    const bar = document.querySelector("progress[data-limit]");
    if (bar) bar.value = Number(bar.dataset.limit) - left;
  }

  async function replace() {
    const answer = await fetch(location.pathname, { headers: { Accept: "text/html" } });
    if (!answer.ok) throw new Error(String(answer.status));
    const fresh = new DOMParser().parseFromString(await answer.text(), "text/html").getElementById("live");
    const before = place().dataset.state;
    place().replaceWith(document.adoptNode(fresh));
    if (timer()) setLeft(Number(timer().dataset.left));
    if (fresh.dataset.state !== before) document.getElementById("news").textContent = told(fresh);
  }

  function told(fresh) {
    const score = fresh.querySelector(".value");
    const words = { active: "The match goes on.", evaluating: "Submitted; it is being scored." };
    return words[fresh.dataset.state] || `The match is over: ${fresh.dataset.state}. Score ${score ? score.textContent : ""}`;
  }

  async function ask() {
    const address = place().dataset.live;
    if (!address) return; // it is over, and nothing will change
    try {
      if (!document.hidden) {
        const answer = await fetch(address);
        if (!answer.ok) throw new Error(String(answer.status));
        const now = await answer.json();
        if (now.state === "active") setLeft(now.seconds_left);
        if (now.tag !== place().dataset.tag) await replace();
      }
      wait = ASK_MS;
    } catch {
      wait = Math.min(wait * 2, SLOWEST_MS); // the server may be on its way back
    }
    setTimeout(ask, wait);
  }

  if (!place() || !place().dataset.live) return;
  if (timer()) setLeft(Number(timer().dataset.left));
  tick();
  setInterval(tick, 250);
  setTimeout(ask, ASK_MS);
}
