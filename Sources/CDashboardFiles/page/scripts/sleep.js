// @ts-check
// The presentation of sleep: each stage has a word, a row of the hypnogram and a colour.
import { asTable, h } from "./dom.js";
import { rangeOf } from "./charts.js";
import * as words from "./words.js";

/** The most parts of a night that a hypnogram has. */
const MOST_PARTS = 100;

/** The stages from the top of the hypnogram. Where only sleep or NREM sleep is known, the row is between those that it may be.
 * @type {Record<string, { word: string, row: number }>} */
export const STAGES = {
  wake: { word: "Awake", row: 4 },
  rem: { word: "REM", row: 3 },
  asleep: { word: "Asleep", row: 2.5 },
  light: { word: "Light", row: 2 },
  nrem: { word: "NREM", row: 1.5 },
  deep: { word: "Deep", row: 1 },
};

/** What stages are estimated from, by the beginning of the name of the estimator. */
const SOURCES = [["heart-rate-movement", "heart rate and movement"], ["heart-rate", "heart rate"],
  ["movement", "movement: sleep and wake only"], ["sleepecg", "RR intervals, by a network of SleepECG"],
  ["five-minute-heuristic", "heart rate, by a simple rule for each five minutes"]];

/** @param {string} estimator */
export function sourceWords(estimator) {
  return SOURCES.find(([name]) => estimator.startsWith(name))?.[1] ?? estimator;
}

/** @param {number | undefined} minutes */
export function minutesWords(minutes) {
  return minutes === undefined ? words.DASH : words.duration(minutes * 60_000);
}

/** @param {string} stage */
export function stageWord(stage) {
  return STAGES[stage]?.word ?? "Unknown";
}

/** Returns the time of a night, as in "22:55 to 06:41". */
export function nightTimes(night) {
  return `${words.timeOfDay(night.start)} to ${night.isRunning ? "now" : words.timeOfDay(night.end)}`;
}

// MARK: Numbers

/** A value with its unit, or a dash. */
export function known(value, unit, digits = 0) {
  return value === undefined ? words.DASH : `${words.number(value, digits)} ${unit}`;
}

/** The list of the values that come first. */
export function nightSummary(night) {
  const item = (term, value) => h("div", {}, h("dt", {}, term), h("dd", {}, value));
  return h("dl", { class: "summary" }, item("Asleep", minutesWords(night.timeAsleep)),
    item("Efficiency", known(night.efficiency, "%")), item("Lowest heart rate", known(night.lowestHeartRate, "bpm")),
    item("RMSSD", known(night.rmssd, "ms")), item("Quality", known(night.quality, "of 100")));
}

// MARK: Stages

/** Returns the minutes of each stage that a night has, from the top of the hypnogram; what is unknown comes last. */
function minutesOfStages(night) {
  const minutes = night.stageMinutes ?? {};
  return [...Object.keys(STAGES), "unknown"].filter((stage) => minutes[stage] > 0).map((stage) => ({ stage, minutes: minutes[stage] }));
}

/** Creates a bar of the stages of a night, with their minutes in words. */
export function stageBar(night) {
  const parts = minutesOfStages(night);
  const total = parts.reduce((sum, part) => sum + part.minutes, 0);
  if (!total) return null;
  let x = 0;
  const rects = parts.map((part) => {
    const width = (100 * part.minutes) / total;
    x += width;
    return h("rect", { class: `stage-${part.stage}`, x: x - width, y: 0, width, height: 10 });
  });
  return h("div", { class: "stages" },
    h("svg", { class: "stage-bar", viewBox: "0 0 100 10", preserveAspectRatio: "none", "aria-hidden": "true" }, rects),
    h("ul", { class: "legend", "aria-label": "Stages" }, parts.map((part) =>
      h("li", {}, stageKey(part.stage), `${stageWord(part.stage)} ${minutesWords(part.minutes)}`))));
}

function stageKey(stage) {
  return h("svg", { class: "swatch stage-key", viewBox: "0 0 24 24", "aria-hidden": "true" },
    h("rect", { class: `stage-${stage}`, width: 24, height: 24 }));
}

/** Returns rows for a list of facts: the minutes of each stage, and its share of the time asleep. */
export function stageFacts(night) {
  return minutesOfStages(night).map(({ stage, minutes }) => [stageWord(stage), minutesWords(minutes),
    ["wake", "unknown"].includes(stage) || !night.timeAsleep ? ""
      : `${words.number((100 * minutes) / night.timeAsleep)} % of the time asleep`]);
}

// MARK: Charts of a night

/** Creates the hypnogram. What is unknown is a gap. @param {import("./charts.js").ChartGroup} group */
export function hypnogram(group, detail, times) {
  const all = detail.stages.map((part) => ({ ...part, from: Date.parse(part.start), to: Date.parse(part.end) }));
  const parts = all.length > MOST_PARTS ? thinned(all, times) : all;
  const known = parts.filter((part) => STAGES[part.stage]);
  const rowOf = (part) => STAGES[part.stage]?.row ?? Number.NaN;
  const ticks = Object.keys(STAGES).filter((stage) => all.some((part) => part.stage === stage));
  const word = (row) => Object.values(STAGES).find((stage) => stage.row === row)?.word ?? "";
  const unknown = parts.filter((part) => !STAGES[part.stage]);
  return [group.add({
    title: "Hypnogram: stages over the night",
    summary: `${words.counted(all.length, "part")}${all.length > parts.length ? `, drawn by ${parts.length}` : ""}, `
      + `${unknown.length ? `${words.number(unknown.length)} unknown (shaded)` : "none unknown"}.`,
    // A part has a row at its start and its end, so that the nearest row is of the part.
    rows: parts.flatMap((part) => [[part.from, rowOf(part)], [Math.max(part.from, part.to - 1), rowOf(part)]]),
    lines: [{ label: "Stage:", colour: "text", form: "none" }],
    areas: [
      ...ticks.map((stage) => ({ from: times[0], to: times[1], colour: "line", between: box(STAGES[stage].row, 0.01) })),
      ...unknown.map((part) => ({ from: part.from, to: part.to, colour: "gap", text: "unknown" })),
      ...stepsOf(parts).map(([time, ...rows]) => ({ from: time, to: time, colour: "border", between: rows })),
      ...known.map((part) => ({ from: part.from, to: part.to, colour: `stage-${part.stage}`, between: box(rowOf(part)) })),
    ],
    range: [0.5, 4.5], ticks: ticks.map((stage) => STAGES[stage].row), times, when: words.timeOfDay, format: word, tick: word,
    size: "tall",
  }), asTable("Stages", ["From", "To", "Stage", "For"], () => all.map((part) =>
    [words.exactTime(part.from), words.exactTime(part.to), stageWord(part.stage), words.duration(part.to - part.from)]))];
}

/** Returns the changes from one known stage to the next: the time, and both rows. @returns {[number, number, number][]} */
function stepsOf(parts) {
  return parts.flatMap((part, index) => {
    const [before, after] = [STAGES[parts[index - 1]?.stage], STAGES[part.stage]];
    return before && after && parts[index - 1].to >= part.from ? [[part.from, before.row, after.row]] : [];
  });
}

/** @param {number} row @returns {[number, number]} */
function box(row, half = 0.25) {
  return [row - half, row + half];
}

/** Returns as many parts of the same length as are drawn, each with the stage that most of it has. */
function thinned(parts, [start, end]) {
  const length = (end - start) / MOST_PARTS;
  const slots = Array.from({ length: MOST_PARTS }, (_, index) => {
    const [from, to] = [start + index * length, start + (index + 1) * length];
    /** @type {Record<string, number>} */
    const shares = {};
    for (const part of parts) {
      const share = Math.min(to, part.to) - Math.max(from, part.from);
      if (share > 0) shares[part.stage] = (shares[part.stage] ?? 0) + share;
    }
    const [most] = Object.entries(shares).sort((a, b) => b[1] - a[1]);
    return { from, to, stage: most?.[0] ?? "unknown" };
  });
  /** @type {typeof slots} */
  const joined = [];
  for (const slot of slots) {
    const last = joined[joined.length - 1];
    if (last?.stage === slot.stage) last.to = slot.to;
    else joined.push(slot);
  }
  return joined;
}

/**
 * Creates the chart of a series of a night, or a sentence if nothing of it is known. What is not known is a gap.
 * @param {import("./charts.js").ChartGroup} group
 * @param {{ title: string, unit: string, digits: number, colour: string, least: number, absence: string,
 *   absenceYet?: string }} form with the words for a night that lasts, if they are others */
export function nightChart(group, detail, key, times, form) {
  const values = detail[key];
  const known = values.filter((value) => value !== null);
  if (!known.length) return h("p", {}, (detail.night.isRunning && form.absenceYet) || form.absence);
  const [start, step] = [Date.parse(detail.night.start), detail.step * 1000];
  const text = (value) => `${words.number(value, form.digits)} ${form.unit}`;
  const gaps = gapsOf(values).map(([from, to]) => ({ from: start + from * step, to: start + to * step, colour: "gap" }));
  const [low, high] = [Math.min(...known), Math.max(...known)];
  return [group.add({
    title: form.title,
    summary: `${text(low)} to ${text(high)}, ${gaps.length ? `${words.counted(gaps.length, "gap")} (shaded)` : "no gap"}.`,
    rows: values.map((value, index) => [start + (index + 0.5) * step, value ?? Number.NaN]),
    lines: [{ label: form.title, colour: form.colour }], areas: gaps, range: rangeOf(known, form.least),
    times, when: words.timeOfDay, format: text, tick: (value) => words.number(value),
  }), asTable(form.title, ["From", "To", form.title], () => values.map((value, index) =>
    [words.exactTime(start + index * step), words.exactTime(start + (index + 1) * step), value === null ? "unknown" : text(value)]))];
}

export const MOVEMENT = { title: "Movement", unit: "mg", digits: 1, colour: "second", least: 10,
  absence: "No movement is recorded. The Polar straps that send it are named under Settings.",
  absenceYet: "No movement has been received yet. Polar straps send it that are named under Settings." };

/** Returns the runs of values that are not known: the first place, and the one after the last. */
export function gapsOf(values) {
  /** @type {[number, number][]} */
  const gaps = [];
  values.forEach((value, index) => {
    if (value !== null) return;
    const last = gaps[gaps.length - 1];
    if (last && last[1] === index) last[1] = index + 1;
    else gaps.push([index, index + 1]);
  });
  return gaps;
}
