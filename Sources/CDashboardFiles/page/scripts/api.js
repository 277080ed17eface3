// @ts-check
// The station's API. All other scripts use this one.

/** A refusal of the station, with its message. */
export class Refused extends Error {
  /** @param {number} status @param {string} text */
  constructor(status, text) {
    super(text);
    this.status = status;
  }
}

/** @type {() => void} */
let loggedOut = () => {};

/** @param {() => void} handler is called when the station requires the token */
export function onLoggedOut(handler) {
  loggedOut = handler;
}

/**
 * @param {string} method @param {string} path @param {unknown} [body] @param {AbortSignal} [signal]
 * @returns {Promise<any>} the answer, or null if there is none
 */
async function ask(method, path, body, signal) {
  const response = await reach(path, {
    method,
    signal: signal ?? AbortSignal.timeout(20_000),
    headers: body === undefined ? {} : { "Content-Type": "application/json" },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  if (!response.ok) await refuse(response, path !== "/login");
  return response.status === 204 ? null : response.json();
}

/** @param {string} path @param {RequestInit} options */
async function reach(path, options) {
  try {
    return await fetch(`/api/v1${path}`, { cache: "no-store", credentials: "same-origin", ...options });
  } catch (error) {
    if (options.signal?.aborted && /** @type {Error} */ (error).name === "AbortError") throw error;
    throw new Error("The station does not answer. Is it running, and is this device in its network?");
  }
}

/** @param {Response} response @param {boolean} asksForToken @returns {Promise<never>} */
async function refuse(response, asksForToken) {
  if (response.status === 401 && asksForToken) loggedOut();
  const answer = await response.json().catch(() => null);
  throw new Refused(response.status, answer?.error ?? `The station answered with status ${response.status}.`);
}

/** @param {Record<string, string | number | undefined>} values empty ones are omitted */
function query(values) {
  const pairs = Object.entries(values).filter(([, value]) => value !== undefined && value !== "");
  // URLSearchParams would encode a blank as a plus sign.
  const text = pairs.map(([key, value]) => `${key}=${encodeURIComponent(String(value))}`).join("&");
  return text && `?${text}`;
}

/** @param {string} id */
const session = (id) => `/sessions/${encodeURIComponent(id)}`;
/** @param {string} id of its session */
const night = (id) => `/nights/${encodeURIComponent(id)}`;

export const api = {
  status: () => ask("GET", "/status"),
  straps: () => ask("GET", "/straps"),
  persons: () => ask("GET", "/persons"),
  formats: () => ask("GET", "/formats"),
  changeStrap: (address, change) => ask("PATCH", `/straps/${encodeURIComponent(address)}`, change),
  forgetStrap: (address) => ask("DELETE", `/straps/${encodeURIComponent(address)}`),
  sessions: (filter) => ask("GET", `/sessions${query(filter)}`),
  session: (id) => ask("GET", session(id)),
  beats: (id, points) => ask("GET", `${session(id)}/beats${query({ points })}`),
  poincare: (id) => ask("GET", `${session(id)}/poincare`),
  windows: (id, length) => ask("GET", `${session(id)}/windows${query({ length })}`),
  stress: (id) => ask("GET", `${session(id)}/stress`),
  exportRangePath: (values) => `/api/v1/export${query(values)}`,
  changeSession: (id, change) => ask("PATCH", session(id), change),
  markers: (id) => ask("GET", `${session(id)}/markers`),
  mark: (id, marker) => ask("POST", `${session(id)}/markers`, marker),
  unmark: (id, marker) => ask("DELETE", `${session(id)}/markers/${encodeURIComponent(marker)}`),
  splitSession: (id, time) => ask("POST", `${session(id)}/split`, { time }, AbortSignal.timeout(120_000)),
  mergeSessions: (id, other) => ask("POST", `${session(id)}/merge`, { session: other }, AbortSignal.timeout(120_000)),
  exportPath: (id, format) => `/api/v1${session(id)}/export${query({ format })}`,
  beginReading: (reading) => ask("POST", "/readings/running", reading),
  runningReading: (id) => ask("GET", `/readings/running/${encodeURIComponent(id)}`),
  cancelReading: (id) => ask("DELETE", `/readings/running/${encodeURIComponent(id)}`),
  nights: (filter) => ask("GET", `/nights${query(filter)}`),
  night: (id) => ask("GET", night(id)),
  beginNight: (id) => ask("POST", "/nights", { session: id }),
  endNight: (id) => ask("POST", `${night(id)}/end`, undefined, AbortSignal.timeout(120_000)),
  forgetNight: (id) => ask("DELETE", night(id)),
  readings: (filter) => ask("GET", `/readings${query(filter)}`),
  deleteReading: (id) => ask("DELETE", `/readings/${encodeURIComponent(id)}`),
  previewDeletion: (selection) => ask("POST", "/deletions/preview", selection),
  deletion: (selection) => ask("POST", "/deletions", selection),
  baseline: (person) => ask("GET", `/baseline${query({ person })}`),
  trends: (person, period, end) => ask("GET", `/trends${query({ person, period, end })}`),
  settings: () => ask("GET", "/settings"),
  changeSettings: (changes) => ask("PATCH", "/settings", changes),
  doctor: () => ask("GET", "/doctor"),
  sync: () => ask("GET", "/sync"),
  snapshots: () => ask("GET", "/snapshots"),
  previewSnapshot: (id) => ask("GET", `/snapshots/${encodeURIComponent(id)}`, undefined, AbortSignal.timeout(300_000)),
  restoreSnapshot: (id) => ask("POST", `/snapshots/${encodeURIComponent(id)}/restore`, undefined, AbortSignal.timeout(300_000)),
  previewReplaced: (id) => ask("GET", `/replaced/${encodeURIComponent(id)}`, undefined, AbortSignal.timeout(300_000)),
  copyReplaced: (id) => ask("POST", `/replaced/${encodeURIComponent(id)}/copy`, undefined, AbortSignal.timeout(1_800_000)),
  diagnosis: () => ask("GET", "/diagnosis"),
  fixDoctor: () => ask("POST", "/doctor/fix"),
  pairing: () => ask("GET", "/pairing"),
  beginPairing: () => ask("POST", "/pairing"),
  choosePairing: (address) => ask("POST", "/pairing/strap", { address }),
  answerPairing: (answer) => ask("POST", "/pairing/answer", answer),
  endPairing: () => ask("DELETE", "/pairing"),
  access: () => ask("GET", "/access"),
  tokens: () => ask("GET", "/tokens"),
  addToken: (name, scope) => ask("POST", "/tokens", { name, scope }),
  revokeToken: (id) => ask("DELETE", `/tokens/${encodeURIComponent(id)}`),
  logIn: (token) => ask("POST", "/login", { token }),
  logInOnce: (code, name) => ask("POST", "/login", { code, name }),
  logOut: () => ask("POST", "/logout"),

  /** Opens the stream of events.
   * @param {string} lastEventID @param {AbortSignal} signal */
  async events(lastEventID, signal) {
    /** @type {Record<string, string>} */
    const headers = { Accept: "text/event-stream" };
    if (lastEventID) headers["Last-Event-ID"] = lastEventID;
    const response = await reach("/events", { signal, headers });
    if (!response.ok || !response.body) return refuse(response, true);
    return response.body;
  },
};
