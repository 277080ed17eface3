// @ts-check
// History: the sessions, the newest first.
import { api } from "../api.js";
import { actions, openDialog } from "../dialogs.js";
import { emptyState, failure, field, fill, h, icon, loading, replace, select, viewHead } from "../dom.js";
import { stressChip } from "../stress.js";
import * as words from "../words.js";
import { nightsAmong } from "./nights.js";

const PAGE = 20;

/** @returns {import("../main.js").View} */
export function historyView() {
  const filter = h("div", { class: "toolbar" });
  const list = h("ul", { class: "sessions" });
  const more = h("div", { class: "more" });
  const element = h("div", {}, viewHead("History", "Every session that this station keeps.", filter), list, more);
  let person = "";
  let day = "";

  async function load(cursor) {
    if (!cursor) list.replaceChildren();
    replace(more, loading());
    try {
      show(await api.sessions({ person, to: endOf(day), limit: PAGE, cursor }), Boolean(cursor));
    } catch (error) {
      replace(more, failure(error, () => load(cursor)));
    }
  }

  function show(page, isFollowing) {
    let heading = list.lastElementChild?.getAttribute("data-day") ?? "";
    for (const session of page.sessions) {
      const date = words.day(session.start);
      if (date !== heading) fill(list, h("li", { class: "day", "data-day": date }, h("h2", {}, date)));
      heading = date;
      fill(list, sessionItem(session, date));
    }
    markNights(page.sessions);
    more.replaceChildren();
    if (page.next) fill(more, h("button", { type: "button", onclick: () => load(page.next) }, "Older sessions"));
    else if (!isFollowing && !page.sessions.length) fill(more, nothing(person || day));
  }

  /** Marks the sessions that are nights, when it is known which are. */
  async function markNights(sessions) {
    const nights = await nightsAmong(sessions).catch(() => new Set());
    for (const id of nights) list.querySelector(`[data-session="${CSS.escape(id)}"] .session-state`)?.prepend(nightTag());
  }

  async function filters() {
    const { persons } = await api.persons();
    const date = h("input", { type: "date", value: day });
    date.addEventListener("change", () => ((day = date.value), load()));
    if (persons.length) {
      const all = [["", "Everybody"], ...persons.map((name) => [name, name])];
      fill(filter, field("Person", select(all, person, (value) => ((person = value), load()))));
    }
    fill(filter, field("Up to", date), h("button", { type: "button", class: "full-scope",
      onclick: () => exportDialog(persons) }, icon("download"), "Export"));
  }

  load();
  filters().catch(() => {
    // The list shows the error.
  });
  return { title: "History", element };
}

/** Lets the user choose what is exported in one file. */
async function exportDialog(persons) {
  const { formats } = await api.formats();
  openDialog("Export sessions", (close) => {
    const today = new Date(Date.now() - new Date().getTimezoneOffset() * 60_000).toISOString().slice(0, 10);
    const from = h("input", { type: "date", required: true, value: `${today.slice(0, 8)}01` });
    const to = h("input", { type: "date", required: true, value: today });
    let person = "";
    let format = formats[0].name;
    const form = h("form", { class: "fields column" },
      h("p", {}, "The sessions that began in this time, in one ZIP file with a table of them."),
      field("From", from), field("To", to),
      persons.length ? field("Person", select([["", "Everybody"], ...persons.map((name) => [name, name])], person,
        (value) => (person = value))) : null,
      field("Format", select(formats.map((each) => [each.name, each.title]), format, (value) => (format = value))),
      actions(close, h("button", { type: "submit", class: "primary" }, "Export")));
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      const start = new Date(`${from.value}T00:00:00`).toISOString();
      h("a", { href: api.exportRangePath({ format, person, from: start, to: endOf(to.value) }), download: "" }).click();
      close();
    });
    return [form];
  });
}

/** Returns the end of a day of this browser's clock, for the API. @param {string} day */
function endOf(day) {
  return day ? new Date(`${day}T23:59:59.999`).toISOString() : undefined;
}

function nothing(isFiltered) {
  return isFiltered ? emptyState("No session", "No value for this person and day.")
    : emptyState("No session yet", "Put a strap on. A session starts automatically, and ends when the strap is taken off.",
      h("p", {}, h("a", { href: "#/welcome" }, "How to begin")));
}

/** @param {string} date of its heading */
function sessionItem(session, date) {
  const length = Date.parse(session.end) - Date.parse(session.start);
  const end = words.day(session.end) === date ? words.timeOfDay(session.end) : words.dayAndTime(session.end);
  const title = `${words.timeOfDay(session.start)} to ${session.isRunning ? "now" : end}`;
  return h("li", { "data-day": date, "data-session": session.id }, h("a", { class: "card session", href: `#/history/${session.id}` },
    h("span", { class: "session-head" }, h("strong", {}, title), h("span", {}, words.duration(length))),
    h("span", { class: "session-who" }, who(session)),
    h("span", { class: "session-values" },
      value("Heart rate", session.meanHeartRate, "bpm", 0), value("RMSSD", session.rmssd, "ms", 1),
      value("SDNN", session.sdnn, "ms", 1),
      h("span", { class: "pair" }, h("span", { class: "term" }, "Stress"),
        session.stress === undefined ? words.DASH : stressChip(session.stress))),
    h("span", { class: "session-state" }, states(session)), icon("right", "go")));
}

function nightTag() {
  return h("span", { class: "tag" }, icon("nights"), "night");
}

export function who(session) {
  return [session.person, session.name || session.strap, session.label].filter(Boolean).join(" · ");
}

function value(term, amount, unit, digits) {
  return h("span", { class: "pair" }, h("span", { class: "term" }, term),
    h("span", {}, amount === undefined ? words.DASH : `${words.number(amount, digits)} ${unit}`));
}

export function states(session) {
  const found = [];
  if (session.isRunning) found.push(h("span", { class: "tag good" }, "being recorded"));
  else if (!session.isComplete) found.push(h("span", { class: "tag" }, "ended without order"));
  if (session.madeFrom) found.push(h("span", { class: "tag" }, `imported from ${session.madeFrom}`));
  else if (session.origin === "replay") found.push(h("span", { class: "tag" }, "played from a capture"));
  if (session.gaps) found.push(h("span", { class: "tag" }, words.counted(session.gaps, "gap")));
  return found;
}
