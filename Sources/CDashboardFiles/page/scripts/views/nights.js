// @ts-check
// Nights: the one that begins or lasts, and those that were.
import { api } from "../api.js";
import { emptyState, failure, h, icon, loading, replace, viewHead } from "../dom.js";
import { preferences } from "../preferences.js";
import { known, minutesWords, nightTimes } from "../sleep.js";
import * as words from "../words.js";
import { tonight } from "./tonight.js";
import { personSelect } from "./trends.js";

const DAY_MS = 86_400_000;
/** The last days of which nights are shown: at first, then more; at the end of all. */
const SPANS = [31, 366, Infinity];

/** @param {import("../main.js").Context} context @returns {import("../main.js").View} */
export function nightsView({ store }) {
  const list = h("ul", { class: "sessions" });
  const more = h("div", { class: "more" });
  const personPlace = h("div", {});
  const now = tonight(store, load);
  const element = h("div", {}, viewHead("Nights", "Start a night before you fall asleep, and end it when you get up."), now.element,
    h("div", { class: "toolbar wide earlier" }, h("h2", {}, "Earlier nights"), personPlace), list, more);
  let span = 0;
  let asked = 0;

  async function load() {
    const question = ++asked;
    if (!list.hasChildNodes()) replace(more, loading());
    try {
      const { nights } = await api.nights({ person: preferences.get("person"), from: since(SPANS[span]) });
      if (question === asked) show(nights.filter((night) => !night.isRunning));
    } catch (error) {
      if (question === asked) replace(more, failure(error, load));
    }
  }

  /** @param {number} days @returns {string | undefined} a time for the API */
  function since(days) {
    return Number.isFinite(days) ? new Date(store.now() - days * DAY_MS).toISOString() : undefined;
  }

  function show(nights) {
    const days = SPANS[span];
    const isWhole = span === SPANS.length - 1;
    replace(list, nights.map(nightItem));
    const older = isWhole ? null : h("button", { type: "button", onclick: () => ((span += 1), load()) }, "Older nights");
    replace(more, nights.length ? older : emptyState("No night yet", isWhole ? "No night of this person is stored."
      : `No night of this person in the last ${days} days.`, older));
  }

  personSelect(() => ((span = 0), load())).then((field) => (replace(personPlace, field), load()), load);
  return { title: "Nights", element, dispose: now.dispose };
}

function nightItem(night) {
  const value = (term, text) => h("span", { class: "pair" }, h("span", { class: "term" }, term), h("span", {}, text));
  return h("li", {}, h("a", { class: "card session", href: `#/nights/${night.session}` },
    h("span", { class: "session-head" }, h("strong", {}, words.day(night.start))), h("span", { class: "session-who" }, nightTimes(night)),
    h("span", { class: "session-values" }, value("Asleep", minutesWords(night.timeAsleep)),
      value("Efficiency", known(night.efficiency, "%")), value("Lowest heart rate", known(night.lowestHeartRate, "bpm")),
      value("RMSSD", known(night.rmssd, "ms"))), icon("right", "go")));
}

// MARK: Marks

/** Returns the identifiers of the sessions that are nights. @param {any[]} sessions the newest first */
export async function nightsAmong(sessions) {
  if (!sessions.length) return new Set();
  const around = { from: shifted(sessions[sessions.length - 1].start, -1000), to: shifted(sessions[0].start, 1000) };
  const persons = [...new Set(sessions.map((session) => session.person))];
  const answers = await Promise.all(persons.map((person) => api.nights({ person, ...around })));
  return new Set(answers.flatMap((answer) => answer.nights.map((night) => night.session)));
}

function shifted(time, ms) {
  return new Date(Date.parse(time) + ms).toISOString();
}
