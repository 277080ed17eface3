// @ts-check
// Trends: a day, a week, a month or a year, with the usual range and readiness.
import { api } from "../api.js";
import { ChartGroup, rangeOf } from "../charts.js";
import {
  asTable, choice, emptyState, facts, failure, field, h, icon, loading, replace, select, viewHead,
} from "../dom.js";
import { preferences } from "../preferences.js";
import { stressScale } from "../stress.js";
import * as words from "../words.js";
import { nightTrends } from "./sleeptrends.js";

const PERIODS = [["day", "Day"], ["week", "Week"], ["month", "Month"], ["year", "Year"]];
const DAY_MS = 86_400_000;

/** @returns {import("../main.js").View} */
export function trendsView() {
  const body = h("div", {}, loading());
  const readiness = h("div", {}, loading());
  const title = h("p", { class: "period", "aria-live": "polite" });
  const personPlace = h("div", {});
  const later = step("right", "Later", 1);
  const now = h("button", { type: "button", onclick: () => ((end = ""), load()) }, "Today");
  const element = h("div", {}, viewHead("Trends", "Changes over days, and your baseline."),
    h("div", { class: "toolbar wide" },
      choice("Period", PERIODS, "week", (value) => ((period = value), load()), true), personPlace,
      h("div", { class: "stepper" }, step("left", "Earlier", -1), title, later, now)),
    body, readiness);
  let period = "week";
  /** The last day; empty for today. */
  let end = "";
  /** The number of days of the shown period. */
  let days = 7;
  let group = new ChartGroup();
  let asked = 0;

  function step(sign, label, direction) {
    return h("button", { type: "button", class: "square", "aria-label": label, title: label,
      onclick: () => move(direction) }, icon(sign));
  }

  function move(direction) {
    const from = end ? new Date(`${end}T12:00:00`) : new Date();
    const moved = new Date(from.getTime() + direction * days * DAY_MS);
    end = moved.getTime() >= Date.now() - DAY_MS / 2 ? "" : dayText(moved);
    load();
  }

  async function load() {
    const question = ++asked;
    later.disabled = end === "";
    now.hidden = end === "";
    try {
      const person = preferences.get("person");
      const trends = await api.trends(person, period, end);
      const nights = period === "day" ? { nights: [] } : await api.nights({ person, from: trends.start, to: trends.end });
      if (question === asked) show(trends, nights);
    } catch (error) {
      if (question === asked) replace(body, failure(error, load));
    }
  }

  function show(trends, nights) {
    days = Math.max(1, Math.round((Date.parse(trends.end) - Date.parse(trends.start)) / DAY_MS));
    title.textContent = periodWords(trends);
    group.dispose();
    group = new ChartGroup();
    replace(body, trends.points.length ? charts(group, trends)
      : emptyState("Nothing in this time", "No session of this person has been recorded, or none was long enough."),
    nightTrends(group, nights, [Date.parse(trends.start), Date.parse(trends.end)]));
  }

  async function loadReadiness() {
    try {
      replace(readiness, baselineCards(await api.baseline(preferences.get("person"))));
    } catch (error) {
      replace(readiness, failure(error, loadReadiness));
    }
  }

  async function loadAll() {
    load();
    loadReadiness();
  }

  personSelect(loadAll).then((field) => (replace(personPlace, field), loadAll()), loadAll);
  return { title: "Trends", element, dispose: () => group.dispose() };
}

/** Creates the choice of the person, which this browser stores. @param {() => void} change */
export async function personSelect(change) {
  const { persons } = await api.persons();
  if (!persons.includes(preferences.get("person"))) preferences.set("person", persons[0] ?? "");
  const options = [...persons.map((name) => [name, name]), ["", words.personName("")]];
  return field("Person", select(options, preferences.get("person"), (value) => {
    preferences.set("person", value);
    change();
  }));
}

/** Returns a day of this browser's clock, for the API. @param {Date} date */
function dayText(date) {
  const two = (value) => String(value).padStart(2, "0");
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

function periodWords(trends) {
  // The end may be the first moment after the period.
  const last = Date.parse(trends.end) - 1;
  if (trends.period === "day") return words.day(last);
  const isOneYear = words.year(trends.start) === words.year(last);
  const first = isOneYear ? words.shortDay(trends.start) : words.dayOfYear(trends.start);
  return `${first} to ${words.dayOfYear(last)}`;
}

// MARK: Charts

function charts(group, trends) {
  const length = trends.period === "day" ? DAY_MS / 24 : DAY_MS;
  const times = [Date.parse(trends.start), Date.parse(trends.end)];
  const when = trends.period === "day" ? (time) => hourWords(time - length / 2) : words.day;
  const shared = { times, when };
  const rows = (...keys) => withBreaks(trends.points, length, keys);
  const usual = trends.usual ?? {};
  const bpm = { format: (value) => `${words.number(value, 1)} bpm`, tick: (value) => words.number(value) };
  const ms = { format: (value) => `${words.number(value, 1)} ms`, tick: (value) => words.number(value) };
  const card = (title, chart) => h("section", { class: "card" }, h("h2", {}, title),
    group.add({ title, ...shared, ...chart }));
  const metric = (key, label) => card(label, {
    ...ms, summary: usualWords(usual[key], "ms"), rows: rows(key), lines: [{ label, colour: "accent" }],
    areas: band(usual[key]), range: rangeWith(trends.points, [key], usual[key]),
  });
  return [
    h("div", { class: "two" },
      card("Heart rate", {
        ...bpm, summary: usualWords(usual.meanHeartRate, "bpm"), rows: rows("meanHeartRate", "lowestHeartRate"),
        lines: [{ label: "mean", colour: "heart" }, { label: "lowest 5 minutes", colour: "second", form: "dashed" }],
        areas: band(usual.meanHeartRate),
        range: rangeWith(trends.points, ["meanHeartRate", "lowestHeartRate"], usual.meanHeartRate),
      }),
      metric("rmssd", "RMSSD"), metric("sdnn", "SDNN"),
      card("Stress", {
        ...stressScale(), summary: "The mean level, and the highest.",
        rows: rows("stress", "highestStress"),
        lines: [{ label: "mean", colour: "text" }, { label: "highest", colour: "second", form: "dashed" }],
      })),
    h("section", { class: "card", "aria-label": "All values" }, table(trends, when, length)),
  ];
}

/** Returns points in the middle of their hour or day, with breaks where there is no data. */
function withBreaks(points, length, keys) {
  return points.flatMap((point, index) => {
    const time = Date.parse(point.start) + length / 2;
    const row = [time, ...keys.map((key) => point[key] ?? Number.NaN)];
    // A day of 25 hours is not a break.
    const isApart = index > 0 && Date.parse(point.start) - Date.parse(points[index - 1].start) > 1.5 * length;
    return isApart ? [[time - length, ...keys.map(() => Number.NaN)], row] : [row];
  });
}

function band(usual) {
  return usual ? [{ from: usual.low, to: usual.high, colour: "band", isLevel: true }] : [];
}

function rangeWith(points, keys, usual) {
  return rangeOf([...points.flatMap((point) => keys.map((key) => point[key])), usual?.low, usual?.high], 10);
}

function usualWords(usual, unit) {
  return usual ? `Baseline range, shaded: ${words.number(usual.low, 1)} to ${words.number(usual.high, 1)} ${unit}, `
    + `in the middle ${words.number(usual.middle, 1)}.`
    : "Not enough data for your usual range yet: it takes 30 five-minute windows.";
}

function hourWords(time) {
  return `${words.timeOfDay(time)} to ${words.timeOfDay(time + DAY_MS / 24)}`;
}

function table(trends, when, length) {
  const first = trends.period === "day" ? "Hour" : "Day";
  const heads = [first, "Minutes", "Heart rate", "Lowest", "RMSSD", "SDNN", "Stress", "Highest"];
  return asTable("All values", heads, () => trends.points.map((point) => [
    when(Date.parse(point.start) + length / 2), words.number(point.minutes), words.number(point.meanHeartRate, 1),
    words.number(point.lowestHeartRate, 1), words.number(point.rmssd, 1), words.number(point.sdnn, 1),
    words.number(point.stress), words.number(point.highestStress)]));
}

// MARK: What is usual

const METRICS = [["rmssd", "RMSSD", "ms", 1], ["sdnn", "SDNN", "ms", 1], ["lnRMSSD", "ln RMSSD", "", 3],
  ["meanHeartRate", "Heart rate", "bpm", 1]];
const LEVELS = {
  below: ["Below the normal range", "The mean of the last 7 mornings is below the normal range of the last 60 days."],
  within: ["Within the normal range",
    "The mean of the last 7 mornings is within the normal range of the last 60 days."],
  above: ["Above the normal range", "The mean of the last 7 mornings is above the normal range of the last 60 days."],
};

function baselineCards(report) {
  return h("div", { class: "two" }, readinessCard(report.readiness), usualCard(report));
}

function readinessCard(readiness) {
  const [title, text] = LEVELS[readiness.level] ?? ["Not known yet", ""];
  const range = readiness.normalLnRMSSD;
  const rows = [];
  if (readiness.weekLnRMSSD !== undefined) {
    const variation = readiness.weekVariationPercent;
    rows.push(["7 days", `ln RMSSD ${words.number(readiness.weekLnRMSSD, 3)}`
      + (variation === undefined ? "" : `, varying by ${words.number(variation, 1)} %`)
      + `, of ${words.counted(readiness.weekMornings, "morning")}`]);
  }
  if (range) {
    rows.push(["60 days", `normal is ${words.number(range.lower, 3)} to ${words.number(range.upper, 3)}, `
      + `of ${words.counted(readiness.mornings, "morning")}`]);
  }
  return h("section", { class: "card readiness" }, h("h2", {}, "Readiness"), h("p", { class: "verdict" }, title),
    range && readiness.weekLnRMSSD !== undefined ? gauge(readiness.weekLnRMSSD, range) : null,
    text && h("p", {}, text), readiness.unavailable.map((reason) => h("p", {}, words.sentence(reason))),
    facts(rows), h("p", { class: "hint" }, "A comparison with yourself and no advice: above is not better than within. "
      + "A morning counts with a reading between 03:00 and 12:00."));
}

/** Compares the week with the normal range. */
function gauge(value, { lower, upper }) {
  const half = Math.max(upper - lower, Math.abs(value - (lower + upper) / 2) * 2) * 0.75 || 1;
  const place = (each) => 100 * Math.min(1, Math.max(0, (each - (lower + upper) / 2 + half) / (2 * half)));
  return h("svg", { class: "gauge", viewBox: "0 0 100 10", preserveAspectRatio: "none", "aria-hidden": "true" },
    h("rect", { class: "gauge-track", x: 0, y: 3.5, width: 100, height: 3, rx: 1 }),
    h("rect", { class: "gauge-normal", x: place(lower), y: 2, width: place(upper) - place(lower), height: 6, rx: 1 }),
    h("rect", { class: "gauge-value", x: place(value) - 0.4, y: 0, width: 0.8, height: 10 }));
}

function usualCard(report) {
  const { metrics, restingHeartRate, unavailable, windows, days } = report.baseline;
  const rows = METRICS.filter(([key]) => metrics[key]).map(([key, label, unit, digits]) => {
    const metric = metrics[key];
    if (metric.median === undefined) return [label, words.sentence(metric.unavailable)];
    return [label, `${words.number(metric.median, digits)} ${unit}`,
      `half of all ${words.number(metric.lowerQuartile, digits)} to ${words.number(metric.upperQuartile, digits)}`];
  });
  rows.push(["Resting heart rate", restingHeartRate === undefined ? words.sentence(unavailable.restingHeartRate)
    : `${words.number(restingHeartRate, 1)} bpm`]);
  return h("section", { class: "card" }, h("h2", {}, "Baseline"),
    h("p", {}, `From ${words.counted(windows, "window")} of 5 minutes in ${days} days, for `
      + `${report.person ?? "sessions without a person"}.`), facts(rows), stressBaseline(report.stress));
}

/** Creates the card of the baseline for stress. */
function stressBaseline(stress) {
  const baseline = stress.sdnn ?? Object.values(stress)[0];
  if (!baseline) return null;
  const values = `${words.number(baseline.hrv, 1)} ms and ${words.number(baseline.restingHeartRate, 1)} bpm`;
  return h("p", { class: "hint" }, baseline.personal
    ? `Stress is measured against ${values}, the baseline of ${words.counted(baseline.samples, "measurement")}.`
    : `Stress is measured against ${values}, the default; it becomes personal with 30 measurements, `
      + `and there are ${words.number(baseline.samples)}.`);
}
