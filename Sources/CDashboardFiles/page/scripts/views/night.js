// @ts-check
// One night: its stages, heart rate, RMSSD and movement on one axis of time, and its numbers.
import { api } from "../api.js";
import { ChartGroup } from "../charts.js";
import { confirmDialog } from "../dialogs.js";
import { facts, failure, h, icon, loading, replace, viewHead } from "../dom.js";
import {
  MOVEMENT, hypnogram, known, minutesWords, nightChart, nightSummary, nightTimes, sourceWords, stageBar, stageFacts,
} from "../sleep.js";
import * as words from "../words.js";

const HEART_RATE = { title: "Heart rate", unit: "bpm", digits: 1, colour: "heart", least: 10,
  absence: "This night has no complete minute of heartbeats." };
const RMSSD = { title: "RMSSD", unit: "ms", digits: 1, colour: "accent", least: 10,
  absence: "No five minutes of this night have enough intervals." };

/** @param {import("../main.js").Context} context @returns {import("../main.js").View} */
export function nightView({ path: [id] }) {
  const group = new ChartGroup();
  const body = h("div", {}, loading());
  const element = h("div", {}, h("p", { class: "back" }, h("a", { href: "#/nights" }, icon("left"), "Nights")), body);

  async function load() {
    try {
      show(await api.night(id));
    } catch (error) {
      replace(body, viewHead("Night"), failure(error, load));
    }
  }

  function show(detail) {
    const { night } = detail;
    const start = Date.parse(night.start);
    const length = detail.step * 1000 * Math.max(detail.heartRate.length, detail.movement.length);
    /** @type {[number, number]} */
    const times = [start, Math.max(night.end ? Date.parse(night.end) : start, start + length, start + 1000)];
    const card = (title, key, form) => h("section", { class: "card" }, h("h2", {}, title), nightChart(group, detail, key, times, form));
    replace(body,
      viewHead(words.day(night.start), [nightTimes(night), night.person].filter(Boolean).join(" · "),
        h("a", { class: "button", href: `#/history/${night.session}` }, "Session")),
      summary(night),
      h("section", { class: "card" }, h("div", { class: "card-head" }, h("h2", {}, "Stages"), group.buttons()),
        stages(group, detail, times)),
      h("div", { class: "two" }, card("Heart rate", "heartRate", HEART_RATE), card("RMSSD", "rmssd", RMSSD),
        card("Movement", "movement", MOVEMENT), stageCard(night), numberCards(detail)),
      forgetting(night));
  }

  load();
  return { title: "Night", element, dispose: () => group.dispose() };
}

function stages(group, { night, ...detail }, times) {
  if (night.isRunning) return h("p", {}, "The stages are estimated when the night has ended.");
  if (!detail.stages.some((part) => part.stage !== "unknown")) {
    return h("p", {}, "No stages: there is too little heart rate and movement in this night to estimate them.");
  }
  return [...hypnogram(group, { night, ...detail }, times), stageBar(night),
    h("p", { class: "hint" }, "Stages are experimental estimates from "
      + `${sourceWords(night.estimator ?? "unknown data")}; they can be wrong, and they are no diagnosis.`)];
}

// MARK: In numbers

function summary(night) {
  return h("section", { class: "card", "aria-label": "Summary" }, nightSummary(night),
    night.isRunning && h("p", { class: "session-state" }, h("span", { class: "tag good" }, "being recorded")));
}

function numberCards({ night, qualityFormula }) {
  const card = (title, rows, ...more) => h("section", { class: "card" }, h("h2", {}, title), facts(rows), ...more);
  return [card("Sleep", [
    ["Time in bed", minutesWords(night.timeInBed)],
    ["Asleep", minutesWords(night.timeAsleep)],
    ["Fell asleep after", minutesWords(night.sleepLatency)],
    ["Awake after falling asleep", minutesWords(night.wakeAfterSleepOnset), "until waking up for the last time"],
    ["Efficiency", known(night.efficiency, "%", 1), "of the time in bed asleep"],
    ["Awakenings", words.number(night.awakenings)],
    ["Restlessness", known(night.restlessness, "%", 1), "of the time from falling asleep to waking up, with movement"],
  ]), card("Heart and quality", [
    ["Lowest heart rate", known(night.lowestHeartRate, "bpm", 1)],
    ["Mean heart rate", known(night.meanHeartRate, "bpm", 1)],
    ["RMSSD", known(night.rmssd, "ms", 1)],
    ["Quality", known(night.quality, "of 100")],
  ], h("details", { class: "as-table" }, h("summary", {}, "How the quality is computed"), h("p", {}, qualityFormula)))];
}

function stageCard(night) {
  const rows = stageFacts(night);
  return h("section", { class: "card" }, h("h2", {}, "Time in each stage"),
    rows.length ? facts(rows) : h("p", {}, "Not known."),
    night.estimator && h("p", { class: "hint" }, `Estimated by ${night.estimator}.`));
}

// MARK: No night

function forgetting(night) {
  const forget = () => confirmDialog({
    title: "Not a night?", action: "Not a night", done: "The session is an ordinary one.",
    text: "The session becomes an ordinary one, without stages. Its beats and its movement are kept.",
    run: () => api.forgetNight(night.session),
  }, () => (location.hash = "#/nights"));
  return h("section", { class: "card full-scope" }, h("h2", {}, "Not a night"),
    h("p", {}, "If this was no sleep, the session can be an ordinary one again. Nothing that was recorded is deleted."),
    h("div", { class: "actions" }, h("button", { type: "button", class: "danger", onclick: forget }, "Not a night")));
}
