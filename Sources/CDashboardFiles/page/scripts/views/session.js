// @ts-check
// One session: its tachogram, heart rate, variability, stress and Poincaré plot, on one axis of time.
import { api } from "../api.js";
import { ChartGroup, rangeOf } from "../charts.js";
import { deletionDialog } from "../dialogs.js";
import { asTable, choice, failure, h, icon, loading, replace, viewHead } from "../dom.js";
import { poincarePlot, poincareWords } from "../plots.js";
import { CATEGORIES, stressChip, stressScale } from "../stress.js";
import * as words from "../words.js";
import { markersCard, namesCard, partsCard } from "./edit.js";
import { states, who } from "./history.js";
import { nightsAmong } from "./nights.js";

const REASONS = { linkDown: "the link was down", lost: "notifications were lost", overlap: "beats overlapped" };
const CLASSES = { ectopic: "ectopic", missed: "missed", extra: "extra", longShort: "long or short" };

/** @param {import("../main.js").Context} context @returns {import("../main.js").View} */
export function sessionView({ path: [id] }) {
  const group = new ChartGroup();
  const body = h("div", {}, loading());
  const element = h("div", {}, h("p", { class: "back" }, h("a", { href: "#/history" }, icon("left"), "History")), body);
  const night = h("div", {});
  /** @type {{ dispose: () => void } | undefined} */
  let poincare;

  async function load() {
    try {
      const session = await api.session(id);
      const [beats, minutes, stress, pairs, { formats }, { markers }] = await Promise.all([api.beats(id, 4000),
        api.windows(id, 60), api.stress(id), api.poincare(id), api.formats(), api.markers(id)]);
      show(session, beats, minutes.windows, stress.stress, pairs, formats, markers);
      linkNight(session);
    } catch (error) {
      replace(body, viewHead("Session"), failure(error, load));
    }
  }

  function show(session, beats, minutes, stress, pairs, formats, markers) {
    const marks = markers.map((marker) => ({ time: Date.parse(marker.time), text: marker.text }));
    poincare?.dispose();
    const times = [Date.parse(session.start), Math.max(Date.parse(session.end), Date.parse(session.start) + 1000)];
    const pairWords = poincareWords(pairs);
    const canvas = h("canvas", { class: "poincare", role: "img", "aria-label": `Poincaré plot. ${pairWords}` });
    const title = `${words.day(session.start)}, ${words.timeOfDay(session.start)}`;
    const lead = h("span", {}, who(session));
    replace(night);
    const note = h("p", { class: "note", hidden: !session.note }, session.note);
    const named = (changed) => {
      replace(lead, who(changed));
      replace(note, changed.note);
      note.hidden = !changed.note;
      Object.assign(session, { person: undefined, label: undefined, note: undefined }, changed);
    };
    const moved = (other) => (other === id ? load() : (location.hash = `#/history/${other}`));
    replace(body, viewHead(title, lead, exportLinks(session, formats)), note, summary(session), night,
      h("section", { class: "card" }, h("div", { class: "card-head" }, h("h2", {}, "Tachogram"), group.buttons()),
        tachogram(group, beats, times, marks),
        h("p", { class: "hint" }, "Drag with a mouse to zoom, double-click for the whole; the buttons do "
          + "the same.")),
      h("div", { class: "two" },
        h("section", { class: "card" }, h("h2", {}, "Heart rate"), heartRate(group, minutes, times, marks)),
        h("section", { class: "card" }, h("h2", {}, "Stress"), stressChart(group, stress, times)),
        variability(group, id, minutes, times),
        h("section", { class: "card" }, h("h2", {}, "Poincaré plot"),
          h("figure", {}, canvas, h("figcaption", {}, pairWords)))),
      markersCard(session, markers, load), namesCard(session, named), partsCard(session, moved),
      gapsAndArtifacts(beats, times[0]), deletion(session));
    poincare = poincarePlot(canvas, pairs);
  }

  /** Links to the night that the session is, if it is one. */
  async function linkNight(session) {
    const nights = await nightsAmong([session]).catch(() => new Set());
    if (nights.has(session.id)) {
      replace(night, h("p", {}, h("a", { class: "button", href: `#/nights/${session.id}` }, icon("nights"), "Open the night")));
    }
  }

  load();
  return { title: "Session", element, dispose: () => (group.dispose(), poincare?.dispose()) };
}

// MARK: In numbers

function exportLinks(session, formats) {
  return h("div", { class: "toolbar full-scope", role: "group", "aria-label": "Export" }, formats.map(({ name, title }) =>
    h("a", { class: "button", href: api.exportPath(session.id, name), download: true }, icon("download"), title)));
}

function summary(session) {
  const item = (term, value) => h("div", {}, h("dt", {}, term), h("dd", {}, value));
  const known = (value, unit, digits) => (value === undefined ? words.DASH : `${words.number(value, digits)} ${unit}`);
  return h("section", { class: "card", "aria-label": "Summary" }, h("dl", { class: "summary" },
    item("Duration", words.duration(Date.parse(session.end) - Date.parse(session.start))),
    item("Beats", words.number(session.beats)), item("Heart rate", known(session.meanHeartRate, "bpm", 1)),
    item("RMSSD", known(session.rmssd, "ms", 1)), item("SDNN", known(session.sdnn, "ms", 1)),
    item("Stress", session.stress === undefined ? words.DASH : stressChip(session.stress))),
  h("p", { class: "session-state" }, states(session)));
}

// MARK: Charts

function tachogram(group, beats, times, marks) {
  const start = Date.parse(beats.start);
  const rows = beats.seconds.map((seconds, index) => {
    const values = beats.marked[index] ? [Number.NaN, beats.rr[index]] : [beats.rr[index], null];
    return [start + seconds * 1000, ...values, null];
  });
  // A row without values breaks the line at a gap.
  for (const gap of beats.gaps) rows.push([start + gap.start * 1000 + 1, Number.NaN, null, null]);
  for (const artifact of beats.artifacts) rows.push([start + artifact.seconds * 1000, null, null, artifact.rr]);
  const thinned = beats.total > beats.rr.length ? `, drawn by ${words.counted(beats.rr.length, "point")}` : "";
  return group.add({
    title: "Tachogram: RR intervals over time",
    summary: `${words.counted(beats.total, "beat")}${thinned}, ${words.counted(beats.gaps.length, "gap")}, `
      + `${words.counted(beats.artifacts.length, "artifact")}.`,
    rows: merged(rows),
    lines: [
      { label: "RR", colour: "accent" },
      { label: "marked", colour: "mark", form: "rings" },
      { label: "artifact", colour: "mark", form: "crosses" },
    ],
    areas: beats.gaps.map((gap) => ({ from: start + gap.start * 1000, to: start + gap.end * 1000, colour: "gap" })),
    // Marked intervals have any value; those outside the range are drawn at the edge.
    range: rangeOf(beats.rr.filter((_, index) => !beats.marked[index]), 100),
    times, marks, format: words.interval, tick: words.intervalTick, when: words.exactTime,
    size: "tall",
  });
}

/** Returns rows in order, with those of one time merged, so that an artifact keeps its place on the line. */
function merged(rows) {
  rows.sort((a, b) => a[0] - b[0]);
  const result = [];
  for (const row of rows) {
    const last = result[result.length - 1];
    if (!last || Math.abs(last[0] - row[0]) >= 1) result.push(row);
    else for (let index = 1; index < row.length; index++) last[index] = row[index] ?? last[index];
  }
  return result;
}

/** Returns rows by time, with a break after more than `longest` without a row. */
function withBreaks(rows, longest) {
  return rows.flatMap((row, index) => {
    const isApart = index > 0 && row[0] - rows[index - 1][0] > longest;
    return isApart ? [[rows[index - 1][0] + 1, ...row.slice(1).map(() => Number.NaN)], row] : [row];
  });
}

function heartRate(group, minutes, times, marks) {
  const rows = minutes.map((window) => [Date.parse(window.end), window.meanHeartRate ?? Number.NaN]);
  const rates = rows.map((row) => row[1]).filter(Number.isFinite);
  if (!rates.length) return h("p", {}, "This session has no complete minute.");
  const [low, high] = [Math.min(...rates), Math.max(...rates)];
  return [group.add({
    title: "Heart rate", summary: `The mean of each minute, from ${words.number(low)} to ${words.number(high)} bpm.`,
    rows: withBreaks(rows, 150_000), lines: [{ label: "heart rate", colour: "heart" }], range: rangeOf(rates, 20),
    times, marks, when: words.exactTime, format: (value) => `${words.number(value, 1)} bpm`,
    tick: (value) => words.number(value),
  }), asTable("Heart rate", ["End of the minute", "Heart rate", "Coverage"], () => minutes.map((window) =>
    [words.exactTime(window.end), words.number(window.meanHeartRate, 1), words.percent(window.coverage)]))];
}

function stressChart(group, stress, times) {
  if (!stress.length) return h("p", {}, "No stress level yet: it takes 5 minutes of intervals.");
  const levels = stress.map((each) => each.level);
  const mean = levels.reduce((sum, level) => sum + level, 0) / levels.length;
  return [group.add({
    title: "Stress", summary: `On average ${words.number(mean)} of 100, at most ${words.number(Math.max(...levels))}.`,
    rows: withBreaks(stress.map((each) => [Date.parse(each.time), each.level]), 150_000),
    lines: [{ label: "stress", colour: "text" }],
    ...stressScale(), times, when: words.exactTime,
  }), asTable("Stress", ["Time", "Level", "Category", "Confidence", "Heart rate"], () => stress.map(
    (each) => [words.timeOfDay(each.time), words.number(each.level, 1), CATEGORIES[each.category].word,
    words.percent(each.confidence), `${words.number(each.heartRate, 1)} bpm`]))];
}

/** Creates the chart of RMSSD and SDNN for windows of a selectable length. */
function variability(group, id, minutes, times) {
  const place = h("div", {});
  let length = "300";
  async function load() {
    const wanted = length;
    replace(place, loading());
    try {
      const windows = wanted === "60" ? minutes : (await api.windows(id, wanted)).windows;
      if (wanted === length) replace(place, windowChart(group, windows, Number(wanted), times));
    } catch (error) {
      replace(place, failure(error, load));
    }
  }
  load();
  return h("section", { class: "card" }, h("div", { class: "card-head" }, h("h2", {}, "Variability"),
    choice("Length of the windows", [["60", "1 min"], ["120", "2 min"], ["300", "5 min"]], length,
      (value) => ((length = value), load()), true)), place);
}

function windowChart(group, windows, length, times) {
  const known = windows.filter((window) => window.rmssd !== undefined || window.sdnn !== undefined);
  if (!known.length) return h("p", {}, `No window of ${length / 60} min in this session has enough intervals.`);
  const cells = (window) => [window.rmssd ?? Number.NaN, window.sdnn ?? Number.NaN];
  return [group.add({
    title: "RMSSD and SDNN", summary: `${words.counted(known.length, "window")} of ${length / 60} min.`,
    rows: withBreaks(windows.map((window) => [Date.parse(window.end), ...cells(window)]),
      Math.max(150_000, length * 600)),
    lines: [{ label: "RMSSD", colour: "accent" }, { label: "SDNN", colour: "second", form: "dashed" }],
    range: rangeOf(known.flatMap(cells), 20), times, when: words.exactTime,
    format: (value) => `${words.number(value, 1)} ms`, tick: (value) => words.number(value), size: "tall",
  }), asTable("Windows", ["End", "RMSSD", "SDNN", "Heart rate", "Coverage", "Artifacts"], () =>
    windows.map((window) => [words.exactTime(window.end), words.number(window.rmssd, 1), words.number(window.sdnn, 1),
      words.number(window.meanHeartRate, 1), words.percent(window.coverage), words.percent(window.artifactShare)]))];
}

// MARK: What is missing, and the end

function gapsAndArtifacts(beats, start) {
  const at = (seconds) => words.exactTime(start + seconds * 1000);
  const gaps = () => beats.gaps.map((gap) =>
    [at(gap.start), `${words.number(gap.end - gap.start, 1)} s`, REASONS[gap.reason]]);
  const artifacts = () => beats.artifacts.map((each) =>
    [at(each.seconds), words.interval(each.rr), CLASSES[each.class]]);
  const gapWords = `${words.counted(beats.gaps.length, "gap")}. Nothing is joined across one.`;
  return h("section", { class: "card" }, h("h2", {}, "Gaps and artifacts"),
    h("p", {}, beats.gaps.length ? gapWords : "No gaps."),
    beats.gaps.length ? asTable("Gaps", ["At", "For", "Because"], gaps) : null,
    h("p", {}, beats.artifacts.length ? `${words.counted(beats.artifacts.length, "artifact")}.` : "No artifacts."),
    beats.artifacts.length ? asTable("Artifacts", ["At", "RR", "Class"], artifacts) : null);
}

function deletion(session) {
  const remove = () => deletionDialog({ session: session.id }, "this session", () => (location.hash = "#/history"));
  const removePart = (category, what) => () =>
    deletionDialog({ session: session.id, category }, what, () => dispatchEvent(new HashChangeEvent("hashchange")));
  return h("section", { class: "card full-scope" }, h("h2", {}, "Delete"),
    h("p", {}, session.isRunning ? "This session is being recorded. It can be deleted when it has ended."
      : "The session with everything in it, or only a part."),
    session.isRunning ? null : h("div", { class: "actions" },
      h("button", { type: "button", class: "danger", onclick: remove }, icon("delete"), "Delete this session"),
      h("button", { type: "button", onclick: removePart("stress", "the stress levels") }, "Only its stress levels"),
      h("button", { type: "button", onclick: removePart("windows", "the HRV windows") }, "Only its HRV windows")));
}
