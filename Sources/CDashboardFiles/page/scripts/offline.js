// @ts-check
// The page without the station: its files by a service worker, and the last values, which are shown as stale.

const KEY = "tachogram-last";
const SAVE_EVERY_MS = 15_000;
/** Older values are not shown. */
const LONGEST_MS = 7 * 86_400_000;
const BEATS = 120;

/** Registers the service worker, where the browser allows it: over trusted TLS, and on this machine. */
export async function registerWorker() {
  if (!("serviceWorker" in navigator)) return;
  try {
    await navigator.serviceWorker.register("/service-worker.js");
    const { active } = await navigator.serviceWorker.ready;
    const files = performance.getEntriesByType("resource").map((entry) => entry.name);
    active?.postMessage({ files: ["/", ...files] });
  } catch {
    // A certificate that is not trusted forbids it; the page works without.
  }
}

/** Stores the readings now and then, and shows those of an earlier visit while the station cannot be reached.
 * @param {import("./store.js").Store} store */
export function keepLastValues(store) {
  let savedAt = performance.now();
  const save = () => {
    savedAt = performance.now();
    // After logging out, the store still has the readings.
    if (store.connection === "loggedOut") return;
    if (store.isKnown) write(store.readings(), store.now());
  };
  store.subscribe((topic) => {
    if (topic === "live" && performance.now() - savedAt > SAVE_EVERY_MS) save();
    if (topic === "connection" && store.connection === "down" && !store.isKnown) store.restore(read());
    if (topic === "connection" && store.connection === "loggedOut") localStorage.removeItem(KEY);
  });
  addEventListener("pagehide", save);
}

function write(readings, time) {
  const last = readings.map((reading) => ({ ...reading, beats: reading.beats.slice(-BEATS) }));
  try {
    localStorage.setItem(KEY, JSON.stringify({ time, readings: last }));
  } catch {
    // Storage may be full or forbidden.
  }
}

/** @returns {import("./store.js").Reading[]} the readings of an earlier visit */
function read() {
  try {
    const { time, readings } = JSON.parse(localStorage.getItem(KEY) ?? "{}");
    return Array.isArray(readings) && Date.now() - time < LONGEST_MS ? readings : [];
  } catch {
    return [];
  }
}
