// @ts-check
// Two sessions side by side: their numbers, and their heart rate and RMSSD from the start of each.
import { api } from "../api.js";
import { ChartGroup, rangeOf } from "../charts.js";
import { failure, h, icon, loading, replace, viewHead } from "../dom.js";
import * as words from "../words.js";
import { who } from "./history.js";

/** The values that are compared: key, name, unit, digits. */
const VALUES = [["meanHeartRate", "Heart rate", "bpm", 1], ["rmssd", "RMSSD", "ms", 1], ["sdnn", "SDNN", "ms", 1],
  ["stress", "Stress", "", 0]];

/** @param {import("../main.js").Context} context @returns {import("../main.js").View} */
export function compareView({ path: [first, second] }) {
  const group = new ChartGroup();
  const body = h("div", { class: "stack" }, loading());
  const element = h("div", {},
    h("p", { class: "back" }, h("a", { href: `#/history/${first}` }, icon("left"), "Session")), body);

  async function load() {
    try {
      const [one, other] = await Promise.all([first, second].map(async (id) => {
        const [session, minutes, windows] = await Promise.all([api.session(id), api.windows(id, 60), api.windows(id, 300)]);
        return { session, minutes: minutes.windows, windows: windows.windows };
      }));
      show(one, other);
    } catch (error) {
      replace(body, viewHead("Compare"), failure(error, load));
    }
  }

  function show(one, other) {
    replace(body, viewHead("Compare", "Two sessions, each from its start."),
      h("section", { class: "card" }, table(one.session, other.session)),
      h("section", { class: "card" }, h("h2", {}, "Heart rate"),
        chart(group, "Heart rate", [one, other].map((each) => points(each.session, each.minutes, "meanHeartRate")), "bpm")),
      h("section", { class: "card" }, h("h2", {}, "RMSSD of 5 minutes"),
        chart(group, "RMSSD", [one, other].map((each) => points(each.session, each.windows, "rmssd")), "ms")));
  }

  load();
  return { title: "Compare", element, dispose: () => group.dispose() };
}

function table(one, other) {
  const heads = [one, other].map((session) => h("th", { scope: "col" },
    h("a", { href: `#/history/${session.id}` }, words.dayAndTime(session.start)), h("span", { class: "why" }, who(session))));
  const row = (name, texts, difference) => h("tr", {}, h("th", { scope: "row" }, name), texts.map((text) => h("td", {}, text)),
    h("td", {}, difference));
  const length = (session) => Date.parse(session.end) - Date.parse(session.start);
  const plain = (key) => [one, other].map((session) => words.number(session[key]));
  return h("div", { class: "scroller", tabindex: "0", role: "region", "aria-label": "Values" }, h("table", { class: "compared" },
    h("caption", { class: "unseen" }, "The values of both sessions"),
    h("thead", {}, h("tr", {}, h("td", {}), heads, h("th", { scope: "col" }, "Difference"))),
    h("tbody", {}, VALUES.map(([key, name, unit, digits]) => {
      const known = [one, other].every((session) => session[key] !== undefined);
      const text = (value) => (value === undefined ? words.DASH : `${words.number(value, Number(digits))} ${unit}`);
      const change = known ? other[key] - one[key] : undefined;
      return row(name, [text(one[key]), text(other[key])], change === undefined ? words.DASH : signed(change, unit, digits));
    }), row("Duration", [one, other].map((each) => words.duration(length(each))), ""),
    row("Beats", plain("beats"), ""), row("Gaps", plain("gaps"), ""))));
}

function signed(change, unit, digits) {
  const text = words.number(Math.abs(change), Number(digits));
  return `${change < 0 ? "−" : "+"}${text} ${unit}`;
}

/** Returns the values of windows by their seconds since the start of the session. */
function points(session, windows, key) {
  const start = Date.parse(session.start);
  return windows.filter((window) => window[key] !== undefined)
    .map((window) => [Date.parse(window.end) - start, window[key]]);
}

function chart(group, title, series, unit) {
  const values = series.flat().map((point) => point[1]);
  if (!values.length) return h("p", {}, "Neither session has enough intervals.");
  const rows = series.flatMap((points, index) => points.map(([at, value]) =>
    [at, index === 0 ? value : null, index === 1 ? value : null])).sort((a, b) => a[0] - b[0]);
  return group.add({
    title, summary: `${words.counted(series[0].length, "value")} of the first, ${words.counted(series[1].length, "value")} `
      + "of the second session.",
    rows, lines: [{ label: "first", colour: "accent" }, { label: "second", colour: "second", form: "dashed" }],
    range: rangeOf(values, 20), times: [0, Math.max(...rows.map((row) => row[0]), 1000)],
    when: (time) => words.elapsed(time), axis: (time) => words.elapsed(time),
    format: (value) => `${words.number(value, 1)} ${unit}`, tick: (value) => words.number(value), size: "tall",
  });
}
