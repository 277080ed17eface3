// @ts-check
// Trends of nights: time asleep, efficiency, lowest heart rate, and how regular they are.
import { rangeOf } from "../charts.js";
import { asTable, facts, h } from "../dom.js";
import { known, minutesWords } from "../sleep.js";
import * as words from "../words.js";

const DAY_MS = 86_400_000;
/** The nights that the regularity needs. */
const FEWEST = 5;

/** Creates the charts of the nights of a period; none for one night.
 * @param {import("../charts.js").ChartGroup} group @param {{ nights: any[], regularity?: number }} answer
 * @param {[number, number]} times */
export function nightTrends(group, answer, times) {
  const nights = answer.nights.filter((night) => night.timeAsleep !== undefined).reverse();
  if (!nights.length) return [];
  const shared = { times, when: words.day };
  const card = (title, chart) => h("section", { class: "card" }, h("h2", {}, title), group.add({ title, ...shared, ...chart }));
  const values = (...keys) => nights.flatMap((night) => keys.map((key) => night[key]));
  const bpm = (value) => `${words.number(value, 1)} bpm`;
  const percent = (value) => `${words.number(value, 1)} %`;
  const tick = (value) => words.number(value);
  return [
    h("div", { class: "two" },
      card("Nights", {
        summary: meanWords(nights, "timeAsleep", "asleep", minutesWords),
        rows: rows(nights, "timeAsleep", "timeInBed").map(([time, ...minutes]) => [time, ...minutes.map((each) => each / 60)]),
        lines: [{ label: "asleep", colour: "accent" }, { label: "in bed", colour: "second", form: "dashed" }],
        range: rangeOf(values("timeAsleep", "timeInBed").map((minutes) => minutes / 60), 2),
        format: (hours) => minutesWords(hours * 60), tick: (hours) => `${words.number(hours, 1)} h`,
      }),
      card("Sleep efficiency", {
        summary: meanWords(nights, "efficiency", "of the time in bed asleep", percent), rows: rows(nights, "efficiency"),
        lines: [{ label: "efficiency", colour: "accent" }], range: rangeOf(values("efficiency"), 20), format: percent, tick,
      }),
      card("Lowest heart rate of the night", {
        summary: meanWords(nights, "lowestHeartRate", "as the lowest", bpm), rows: rows(nights, "lowestHeartRate"),
        lines: [{ label: "lowest", colour: "heart" }], range: rangeOf(values("lowestHeartRate"), 10), format: bpm, tick,
      }),
      regularityCard(answer)),
    h("section", { class: "card", "aria-label": "All nights" }, table(nights)),
  ];
}

/** Returns nights at their start, with breaks where there is none. */
function rows(nights, ...keys) {
  return nights.flatMap((night, index) => {
    const time = Date.parse(night.start);
    const row = [time, ...keys.map((key) => night[key] ?? Number.NaN)];
    const isApart = index > 0 && time - Date.parse(nights[index - 1].start) > 1.5 * DAY_MS;
    return isApart ? [[time - 1, ...keys.map(() => Number.NaN)], row] : [row];
  });
}

function meanWords(nights, key, what, format) {
  const of = nights.map((night) => night[key]).filter((value) => value !== undefined);
  if (!of.length) return "Not known.";
  return `On average ${format(of.reduce((sum, value) => sum + value, 0) / of.length)} ${what}, `
    + `of ${words.counted(of.length, "night")}.`;
}

function regularityCard({ nights, regularity }) {
  return h("section", { class: "card" }, h("h2", {}, "Regularity"),
    regularity === undefined ? h("p", {}, `Not enough data yet: ${nights.length} of ${FEWEST} nights in this time.`)
      : h("p", { class: "verdict" }, known(regularity, "of 100")),
    facts([["Nights", words.number(nights.length)]]),
    h("p", { class: "hint" }, "The sleep regularity index: how often you are asleep or awake as 24 hours before, from −100 to 100. "
      + "100 is the same each day, and 0 is as by chance."));
}

function table(nights) {
  return asTable("All nights", ["Night", "In bed", "Asleep", "Efficiency", "Awakenings", "Lowest heart rate", "RMSSD", "Quality"],
    () => nights.map((night) => [words.day(night.start), minutesWords(night.timeInBed), minutesWords(night.timeAsleep),
      words.number(night.efficiency, 1), words.number(night.awakenings), words.number(night.lowestHeartRate, 1),
      words.number(night.rmssd, 1), words.number(night.quality)]));
}
