// @ts-check
// The overlay for video streams. The station writes the options into the body, each of a closed list, a number or a colour;
// values arrive as server-sent events.

/** The age in ms at which values are stale. Straps send each second, and staleness is shown within 5 s. */
const STALE_AFTER = 4800;
/** The time without any message after which the connection is opened again. The station sends at least each 2 s. */
const DEAD_AFTER = 8000;
const HEART = "M12 21C5 15 2 11.5 2 7.8A5.3 5.3 0 0 1 12 5.4a5.3 5.3 0 0 1 10 2.4C22 11.5 19 15 12 21z";
const DASH = "\u2013";

const options = document.body.dataset;
const fields = (options.fields ?? "heartRate").split(" ");
const main = /** @type {HTMLElement} */ (document.querySelector("main"));

document.documentElement.style.fontSize = `${options.size ?? 64}px`;
document.documentElement.style.setProperty("--colour", options.colour ?? "white");
document.documentElement.style.setProperty("--background", options.background ?? "transparent");
document.documentElement.style.setProperty("--backdrop", options.backdrop ?? "transparent");

/** @param {string} kind @param {string} name @param {string} [text] */
function element(kind, name, text = "") {
  const made = document.createElement(kind);
  made.className = name;
  made.textContent = text;
  return made;
}

/** @param {string} name @param {string} box @param {string} path */
function drawing(name, box, path) {
  const space = "http://www.w3.org/2000/svg";
  const svg = document.createElementNS(space, "svg");
  svg.setAttribute("class", name);
  svg.setAttribute("viewBox", box);
  svg.setAttribute("preserveAspectRatio", "none");
  svg.setAttribute("aria-hidden", "true");
  const line = document.createElementNS(space, "path");
  line.setAttribute("d", path);
  svg.append(line);
  return svg;
}

/** A line with a label, a number and a unit. Returns the function that shows a value.
 * @param {string} label @param {string} unit */
function row(label, unit) {
  const number = element("span", "number", DASH);
  const line = element("div", "value");
  line.append(element("span", "label", label), number, element("span", "unit", unit));
  main.append(line);
  return (/** @type {number | undefined} */ value) => {
    number.textContent = value === undefined ? DASH : String(Math.round(value));
  };
}

function rate() {
  const number = element("span", "number", DASH);
  const line = element("div", "rate");
  line.append(drawing("heart", "0 0 24 24", HEART), number, element("span", "unit", "bpm"));
  main.append(line);
  return (/** @type {number | undefined} */ value) => {
    number.textContent = value === undefined ? DASH : String(value);
    if (value) main.style.setProperty("--period", `${(60 / value).toFixed(2)}s`);
  };
}

function trace() {
  const svg = drawing("trace", "0 0 100 30", "");
  main.append(svg);
  return (/** @type {(number | null)[] | undefined} */ beats) => svg.firstElementChild?.setAttribute("d", path(beats ?? []));
}

/** The heart rate of each beat as a path that is interrupted at gaps. @param {(number | null)[]} beats */
export function path(beats) {
  const rates = beats.map((rr) => (rr ? 60_000 / rr : null));
  const known = rates.filter((each) => each !== null);
  const [low, high] = [Math.min(...known), Math.max(...known)];
  const middle = (low + high) / 2;
  const half = Math.max(5, (high - low) / 2);
  const step = 100 / Math.max(1, rates.length - 1);
  let isDrawing = false;
  return rates.map((each, index) => {
    const command = each === null ? "" : `${isDrawing ? "L" : "M"}${(index * step).toFixed(1)} ${(15 - (13 * (each - middle)) / half).toFixed(1)}`;
    isDrawing = each !== null;
    return command;
  }).join("");
}

function text() {
  const line = element("div", "name");
  main.append(line);
  return (/** @type {string | undefined} */ value) => { line.textContent = value ?? ""; };
}

/** @type {Record<string, () => (state: any) => void>} */
const kinds = {
  heartRate: () => { const show = rate(); return (state) => show(state.heartRate); },
  rmssd: () => { const show = row("RMSSD", "ms"); return (state) => show(state.rmssd); },
  sdnn: () => { const show = row("SDNN", "ms"); return (state) => show(state.sdnn); },
  stress: () => { const show = row("Stress", "/ 100"); return (state) => show(state.stress?.level); },
  battery: () => { const show = row("Battery", "%"); return (state) => show(state.batteryPercent); },
  name: () => { const show = text(); return (state) => show(state.name); },
  trace: () => { const show = trace(); return (state) => show(state.trace); },
};
const views = fields.filter((field) => field in kinds).map((field) => ({ field, show: kinds[field]() }));
const note = element("div", "note");
note.setAttribute("role", "status");
main.append(note);

/** What was received last. @type {any} */
let state = {};
/** When the strap sent it, on the clock of the page. */
let heardAt = -Infinity;
let messageAt = performance.now();
let isRefused = false;
/** What is on the screen. */
let shown = "";

function render() {
  const now = performance.now();
  const isStale = !state.isCurrent || now - heardAt >= STALE_AFTER;
  const isLost = now - messageAt >= STALE_AFTER;
  const words = isRefused ? "Access refused" : isLost ? "Station not reachable" : "No current data";
  const next = JSON.stringify([state, isStale, isStale && words]);
  if (next === shown) return;
  shown = next;
  main.classList.toggle("stale", isStale);
  // What does not change within seconds stays.
  const kept = isStale ? { name: state.name, batteryPercent: state.batteryPercent } : state;
  for (const view of views) view.show(kept);
  note.textContent = isStale ? words : "";
}

function address() {
  const query = new URLSearchParams(location.search);
  const kept = [["fields", fields.join(",")]];
  for (const name of ["token", "strap", "person"]) {
    const value = query.get(name);
    if (value !== null) kept.push([name, value]);
  }
  return `/overlay/events?${kept.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join("&")}`;
}

let attempt = 0;
/** @type {EventSource | undefined} */
let source;
/** @type {number | undefined} */
let waiting;

function connect() {
  clearTimeout(waiting);
  source?.close();
  messageAt = Math.max(messageAt, performance.now() - STALE_AFTER);
  const opened = (source = new EventSource(address()));
  const begun = performance.now();
  opened.onmessage = (event) => {
    const now = performance.now();
    state = JSON.parse(event.data);
    if (state.age !== undefined) heardAt = now - state.age;
    messageAt = now;
    attempt = 0;
    isRefused = false;
    render();
  };
  opened.onerror = () => {
    opened.close();
    if (opened === source) again();
  };
  // A connection that is dead without an error.
  const dead = setInterval(() => {
    if (opened !== source) clearInterval(dead);
    else if (performance.now() - Math.max(messageAt, begun) >= DEAD_AFTER) connect();
  }, 1000);
}

function again() {
  source = undefined;
  clearTimeout(waiting);
  waiting = setTimeout(connect, Math.min(10_000, 500 * 2 ** attempt++) * (1 - Math.random() / 4));
  // An event stream does not say why it was refused.
  if (attempt > 1) {
    fetch(address(), { method: "HEAD" }).then((answer) => { isRefused = answer.status === 401 || answer.status === 403; }, () => {});
  }
}

render();
setInterval(render, 200);
connect();
