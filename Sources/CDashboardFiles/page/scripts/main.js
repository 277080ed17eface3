// @ts-check
// Starts the page: the store, the stream, the views and their addresses, and the bar of the station.
import { api, onLoggedOut } from "./api.js";
import { announce, byId, h, icon, linked, replace, setText } from "./dom.js";
import { connect } from "./events.js";
import { keepLastValues, registerWorker } from "./offline.js";
import { preferences } from "./preferences.js";
import { Store } from "./store.js";
import { alerts as alertsOf, deviceName, stationState, timeOfDay } from "./words.js";
import { breathingView } from "./views/breathing.js";
import { compareView } from "./views/compare.js";
import { doctorView } from "./views/doctor.js";
import { syncView } from "./views/sync.js";
import { historyView } from "./views/history.js";
import { nightView } from "./views/night.js";
import { nightsView } from "./views/nights.js";
import { nowView } from "./views/now.js";
import { pairingView } from "./views/pairing.js";
import { readingView } from "./views/reading.js";
import { restoreView } from "./views/restore.js";
import { sessionView } from "./views/session.js";
import { settingsView } from "./views/settings.js";
import { trendsView } from "./views/trends.js";
import { loginView, welcomeView } from "./views/welcome.js";

/**
 * @typedef {object} Context the arguments of a view
 * @property {Store} store
 * @property {string[]} path the parts of the address after the name of the view
 * @typedef {object} View
 * @property {string} title
 * @property {HTMLElement} element
 * @property {() => void} [dispose] called when it is left
 */

/** @type {Record<string, (context: Context) => View>} */
const VIEWS = {
  now: nowView,
  history: (context) => (context.path.length ? sessionView(context) : historyView(context)),
  nights: (context) => (context.path.length ? nightView(context) : nightsView(context)),
  trends: trendsView,
  breathing: breathingView,
  settings: settingsView,
  compare: compareView,
  reading: readingView,
  restore: restoreView,
  pair: pairingView,
  doctor: doctorView,
  sync: syncView,
  welcome: welcomeView,
};

/** The beginning of an address with a login code, which is removed from the address at once. */
const LOGIN = "#login=";

const store = new Store();
const stream = connect(store);
/** @type {View | undefined} */
let shown;

// MARK: Views

/** @param {unknown} [loginError] why the code of the address was refused */
function show(loginError) {
  const [name, ...path] = location.hash.replace(/^#\/?/, "").split("/").filter(Boolean).map(decodeURIComponent);
  if (!name) {
    location.replace(preferences.get("welcomed") ? "#/now" : "#/welcome");
    return;
  }
  const isLoggedOut = store.connection === "loggedOut";
  const make = isLoggedOut ? () => loginView(returnFromLogin, loginError) : VIEWS[name] ?? nowView;
  const isFirst = !shown;
  shown?.dispose?.();
  shown = make({ store, path });
  document.title = `${shown.title} · Tachogram`;
  replace(byId("view"), shown.element);
  for (const link of document.querySelectorAll(".views a")) {
    if (link.getAttribute("href") === `#/${name}`) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  if (isFirst) return;
  scrollTo(0, 0);
  /** @type {HTMLElement | null} */ (shown.element.querySelector("h1"))?.focus({ preventScroll: true });
}

function returnFromLogin() {
  store.setConnection("connecting");
  start();
  show();
}

function leave() {
  if (store.connection === "loggedOut") return;
  stream.stop();
  store.setConnection("loggedOut");
  show();
}

onLoggedOut(leave);
store.onLeave = leave;

function start() {
  stream.start();
  refreshStatus();
  refreshAccess();
}

/** Marks the page of a browser that can only read, which hides what it cannot do. */
async function refreshAccess() {
  try {
    document.documentElement.dataset.scope = (await api.access()).scope;
  } catch {
    // The station refuses what the token does not allow.
  }
}

/** Logs in with the code of the address, if it has one. @returns {Promise<unknown>} the error, or null */
async function logInOnce() {
  if (!location.hash.startsWith(LOGIN)) return null;
  const code = decodeURIComponent(location.hash.slice(LOGIN.length));
  history.replaceState(null, "", location.pathname);
  try {
    await api.logInOnce(code, deviceName(navigator.userAgent));
    return null;
  } catch (error) {
    // A code that was scanned twice is not an error in a browser that is logged in.
    return api.access().then(() => null, () => error);
  }
}

async function refreshStatus() {
  try {
    store.applyStatus(await api.status());
  } catch {
    // The stream reports that the station is not reachable; the status follows when it is.
  }
}

// MARK: The bar of the station

/** @type {string} */
let barShown = "";

function connectionWords() {
  if (store.connection === "loggedOut") return ["bad", "Not logged in"];
  if (store.connection === "connecting") return ["notice", "Connecting"];
  if (store.connection === "down") return ["bad", "No connection, trying again"];
  if (store.isServerSilent()) return ["bad", "Station not reachable"];
  return store.isKnown ? stationState(store.status, store.readings()) : ["good", "Connected"];
}

function showBar() {
  const [tone, words] = connectionWords();
  if (barShown === words) return;
  const wasGood = barShown.startsWith("Connected");
  barShown = words;
  replace(byId("station"), h("span", { class: `dot ${tone}`, "aria-hidden": "true" }), words);
  if (wasGood && tone === "bad") announce(`${words}. The values shown are old.`, "assertive");
}

/** @type {Set<string>} */
const announced = new Set();

function showAlerts() {
  const alerts = alertsOf(store.status);
  replace(byId("alerts"), alerts.map((alert) => h("div", { class: "alert" }, icon("warning"),
    h("p", {}, h("strong", {}, ...linked(alert.text)),
      alert.since && h("span", { class: "since" }, ` since ${timeOfDay(alert.since)}`)))));
  const current = new Set(alerts.map((alert) => `${alert.kind} ${alert.since} ${alert.text}`));
  const fresh = alerts.filter((alert) => !announced.has(`${alert.kind} ${alert.since} ${alert.text}`));
  announced.clear();
  current.forEach((key) => announced.add(key));
  if (fresh.length) announce(fresh.map((alert) => alert.text).join(" "), "assertive");
}

store.subscribe((topic) => {
  if (topic === "status") showAlerts();
  if (topic !== "live") showBar();
  if (topic === "connection" && store.connection === "up") refreshStatus();
});

// MARK: The window

addEventListener("hashchange", () => (location.hash.startsWith(LOGIN) ? begin() : show()));
addEventListener("online", () => stream.hurry());
document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && stream.hurry());
addEventListener("pagehide", () => stream.stop());
addEventListener("pageshow", (event) => event.persisted && start());
document.querySelector(".skip")?.addEventListener("click", (event) => {
  // The address contains the view, and is not changed.
  event.preventDefault();
  byId("main").focus();
});

async function begin() {
  const error = await logInOnce();
  if (error) {
    store.setConnection("loggedOut");
    show(error);
  } else {
    returnFromLogin();
  }
}

setText(byId("station"), "Connecting");
keepLastValues(store);
begin();
if (document.readyState === "complete") registerWorker();
else addEventListener("load", registerWorker);
