// @ts-check
// Breathing: a pace to follow, and the agreement of the heart with it.
import { coherence, coherenceWord } from "../coherence.js";
import { announce, field, h, replace, select, setText, viewHead } from "../dom.js";
import { isStill, preferences } from "../preferences.js";
import * as words from "../words.js";

/** The share of breathing in; breathing out takes longer. */
const INHALE_SHARE = 0.4;
const RATES = [4.5, 5, 5.5, 6, 6.5, 7];
const MINUTES = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10];

/** @param {import("../main.js").Context} context @returns {import("../main.js").View} */
export function breathingView({ store }) {
  const stage = h("div", {});
  const element = h("div", { class: "breathing" },
    viewHead("Breathing", "Slow breathing at an even pace, which the heart rate follows."), stage);
  let strap = -1;
  /** The straps of the form, or null while an exercise runs. @type {string | null} */
  let offered = null;
  /** @type {Element | null} */
  let summary = null;
  /** @type {(() => void) | undefined} */
  let stop;

  /** @param {Element} [done] the summary of an exercise */
  function setUp(done) {
    stop?.();
    stop = undefined;
    summary = done ?? null;
    showForm();
    // The focused button was removed.
    /** @type {HTMLElement | null | undefined} */ (summary?.querySelector("h2"))?.focus();
  }

  function showForm() {
    const readings = store.readings();
    offered = names(readings);
    if (!readings.some((reading) => reading.strap === strap)) strap = readings[0]?.strap ?? -1;
    const rates = RATES.map((rate) => [String(rate), `${words.number(rate, 1)} a minute`]);
    const minutes = MINUTES.map((each) => [String(each), words.counted(each, "minute")]);
    const straps = readings.map((reading) => [String(reading.strap), words.strapName(reading)]);
    replace(stage, summary, h("section", { class: "card set-up" }, h("h2", {}, summary ? "Once more" : "Set the pace"),
      h("div", { class: "fields" },
        field("Breaths", select(rates, String(preferences.get("breathRate")),
          (value) => preferences.set("breathRate", Number(value))), "6 a minute suits most people."),
        field("For", select(minutes, String(preferences.get("breathMinutes")),
          (value) => preferences.set("breathMinutes", Number(value)))),
        straps.length > 1 && field("Strap", select(straps, String(strap), (value) => (strap = Number(value))))),
      readings.length ? null : h("p", { class: "hint" }, "No strap is live: the pace is shown without feedback."),
      h("button", { type: "button", class: "primary", onclick: begin }, "Begin")));
  }

  function begin() {
    offered = null;
    stop = exercise(store, stage, strap, setUp);
  }

  setUp();
  const unsubscribe = store.subscribe((topic) => {
    if (topic === "live" && offered !== null && offered !== names(store.readings())) showForm();
  });
  return { title: "Breathing", element, dispose: () => (unsubscribe(), stop?.()) };
}

function names(readings) {
  return readings.map((reading) => `${reading.strap} ${reading.name}`).join("\n");
}

/** Runs until its time is over or it is ended, then calls `finish` with the summary. Returns a function that stops it without
 * one. */
function exercise(store, stage, strap, finish) {
  const rate = preferences.get("breathRate");
  const lengthMs = preferences.get("breathMinutes") * 60_000;
  const breathMs = 60_000 / rate;
  const begun = performance.now();
  const begunAt = store.now();
  const pacer = isStill() ? stillPacer(breathMs) : movingPacer(breathMs);
  const feedback = feedbackPanel();
  const left = h("p", { class: "time-left" });
  const end = h("button", { type: "button", onclick: () => close() }, "End");
  const panel = h("section", { class: "card exercise", "aria-label": "Exercise" }, pacer.element, left, end);
  replace(stage, panel, feedback.element);
  end.focus({ preventScroll: true });
  panel.scrollIntoView({ block: "start" });
  /** @type {number[]} */
  const shares = [];
  let second = -1;

  const timer = setInterval(() => {
    const elapsed = performance.now() - begun;
    if (elapsed >= lengthMs) return close();
    pacer.show(elapsed % breathMs);
    if (Math.floor(elapsed / 1000) === second) return undefined;
    second = Math.floor(elapsed / 1000);
    setText(left, `${words.elapsed(lengthMs - elapsed).slice(3)} left`);
    follow();
    return undefined;
  }, 100);

  function follow() {
    const reading = store.readings().find((each) => each.strap === strap);
    const result = !reading ? { absence: "no strap is live" }
      : store.isStale(reading) ? { absence: "the strap is stale" }
        : coherence(reading.beats, rate, begunAt, store.now());
    if ("share" in result) shares.push(result.share);
    feedback.show(result);
  }

  function close() {
    const lasted = Math.min(lengthMs, performance.now() - begun);
    clearInterval(timer);
    announce("The exercise is over.");
    finish(summary(lasted, rate, shares));
  }
  return () => clearInterval(timer);
}

// MARK: Pace

/** Creates a circle that grows and shrinks, with the word in it. */
function movingPacer(breathMs) {
  const circle = h("div", { class: "breath-circle" });
  const word = h("p", { class: "breath-word" });
  const element = h("div", { class: "pacer" }, h("div", { class: "breath-bounds" }), circle, word);
  const animation = circle.animate(
    [{ transform: "scale(0.42)", easing: "ease-in-out" },
      { transform: "scale(1)", offset: INHALE_SHARE, easing: "ease-in-out" }, { transform: "scale(0.42)" }],
    { duration: breathMs, iterations: Number.POSITIVE_INFINITY });

  /** @param {number} moment in ms since the breath began */
  function show(moment) {
    // Circle and words have to stay synchronous.
    const shown = Number(animation.currentTime) % breathMs;
    const apart = Math.abs(shown - moment);
    if (Math.min(apart, breathMs - apart) > 120) animation.currentTime = moment;
    setText(word, moment < INHALE_SHARE * breathMs ? "Breathe in" : "Breathe out");
  }
  return { element, show };
}

/** Creates the guide without motion: a word, a count-down, and a bar that steps once a second. */
function stillPacer(breathMs) {
  const word = h("p", { class: "breath-word" });
  const count = h("p", { class: "breath-count" });
  const bar = h("progress", { max: 1, value: 0, "aria-label": "This part of the breath" });
  const element = h("div", { class: "pacer still" }, word, count, bar);

  /** @param {number} moment in ms since the breath began */
  function show(moment) {
    const isIn = moment < INHALE_SHARE * breathMs;
    const part = (isIn ? INHALE_SHARE : 1 - INHALE_SHARE) * breathMs;
    const within = isIn ? moment : moment - INHALE_SHARE * breathMs;
    setText(word, isIn ? "Breathe in" : "Breathe out");
    setText(count, String(Math.max(1, Math.ceil((part - within) / 1000))));
    const step = Math.min(1, (Math.floor(within / 1000) + 1) / Math.ceil(part / 1000));
    if (bar.value !== step) bar.value = step;
  }
  return { element, show };
}

// MARK: Feedback

function feedbackPanel() {
  const value = h("p", { class: "coherence-number" });
  const word = h("p", { class: "coherence-word" });
  const bar = h("meter", { min: 0, max: 1, value: 0, "aria-label": "Coherence" });
  const element = h("section", { class: "card coherence" }, h("h2", {}, "Coherence"), value, bar, word,
    h("p", { class: "hint" }, "How much of the rise and fall of the RR intervals, in the last minute, has the rhythm "
      + "of the breath: 0 is nothing, 1 is all of it."));

  /** @param {{ share: number } | { absence: string }} result */
  function show(result) {
    const known = "share" in result;
    setText(value, known ? words.number(result.share, 2) : words.DASH);
    setText(word, known ? coherenceWord(result.share) : `Not available: ${result.absence}.`);
    bar.value = known ? result.share : 0;
  }
  show({ absence: "it begins with 30 beats" });
  return { element, show };
}

/** @param {number} lasted ms @param {number} rate @param {number[]} shares one per second, if known */
function summary(lasted, rate, shares) {
  const mean = shares.length ? shares.reduce((sum, share) => sum + share, 0) / shares.length : undefined;
  const inStep = shares.filter((share) => share >= 0.6).length;
  const rows = [
    ["Duration", words.duration(lasted)],
    ["Breaths", words.number(Math.floor((lasted / 60_000) * rate))],
    ["Mean coherence", mean === undefined ? "not known" : words.number(mean, 2)],
    ["Highest", mean === undefined ? "not known" : words.number(Math.max(...shares), 2)],
    ["In step", mean === undefined ? "not known" : `${words.percent(inStep / shares.length)} of the time`],
  ];
  return h("section", { class: "card" }, h("h2", { tabindex: "-1" }, "Done"),
    mean !== undefined && h("p", { class: "verdict" }, coherenceWord(mean)),
    h("dl", { class: "summary" }, rows.map(([term, text]) => h("div", {}, h("dt", {}, term), h("dd", {}, text)))));
}
