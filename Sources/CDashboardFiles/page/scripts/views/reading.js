// @ts-check
// A reading: HRV measured for some minutes, with a countdown, a check of the quality, and a comparison with other mornings.
import { api } from "../api.js";
import { announce, emptyState, facts, failure, field, h, loading, replace, select, setText, viewHead } from "../dom.js";
import { preferences } from "../preferences.js";
import * as words from "../words.js";

const POLL_MS = 1000;
const VERDICTS = { below: "Below your usual range", within: "Within your usual range", above: "Above your usual range" };

/** @param {import("../main.js").Context} context @returns {import("../main.js").View} */
export function readingView({ store, path: [kind] }) {
  const isMorning = kind === "morning";
  const stage = h("div", { class: "stack" });
  const element = h("div", {}, viewHead(isMorning ? "Morning reading" : "Measure now", isMorning
    ? "Your variability after waking up, compared with your other mornings."
    : "Your variability in the next minutes."), stage);
  /** @type {(() => void) | undefined} */
  let stop;
  let session = "";
  /** The straps of the form, or null while a reading runs. @type {string | null} */
  let offered = null;

  function showForm() {
    const readings = store.readings().filter((reading) => reading.session && !store.isStale(reading));
    offered = JSON.stringify(readings.map((reading) => [reading.session, reading.name]));
    if (!readings.length) {
      replace(stage, emptyState("No strap is live", "Put the strap on, and wait until its heart rate is shown.",
        h("p", {}, h("a", { href: "#/now" }, "Now"))));
      return;
    }
    if (!readings.some((reading) => reading.session === session)) session = readings[0].session;
    const minutes = [1, 2, 3, 4, 5].map((each) => [String(each), words.counted(each, "minute")]);
    const straps = readings.map((reading) => [reading.session, [words.strapName(reading), reading.person].filter(Boolean).join(", ")]);
    const notice = h("div", {});
    const begin = h("button", { type: "button", class: "primary" }, "Begin");
    begin.addEventListener("click", async () => {
      begin.disabled = true;
      try {
        run(await api.beginReading({ session, kind: isMorning ? "morning" : "spot",
          seconds: preferences.get("readingMinutes") * 60 }));
      } catch (error) {
        begin.disabled = false;
        replace(notice, failure(error));
      }
    });
    replace(stage, h("section", { class: "card set-up" }, h("h2", {}, "Prepare"),
      h("p", {}, isMorning ? "Soon after waking up, before coffee and before the news: sit or lie down, always in the same way, "
        + "breathe freely, and do not move or speak." : "Sit or lie down, breathe freely, and do not move or speak."),
      h("div", { class: "fields" },
        field("For", select(minutes, String(preferences.get("readingMinutes")),
          (value) => preferences.set("readingMinutes", Number(value)))),
        straps.length > 1 && field("Strap", select(straps, session, (value) => (session = value)))),
      notice, begin));
  }

  /** Follows a measurement until it has ended. */
  function run(reading) {
    offered = null;
    const left = h("p", { class: "time-left countdown", role: "timer" });
    const rate = h("p", { class: "rate-value" });
    const quality = h("p", { role: "status" });
    const notice = h("div", {});
    const cancel = h("button", { type: "button" }, "Cancel");
    cancel.addEventListener("click", async () => {
      stop?.();
      await api.cancelReading(reading.id).catch(() => {
        // It has ended meanwhile.
      });
      showForm();
    });
    replace(stage, h("section", { class: "card exercise", "aria-label": "Measurement" }, left, rate, quality, notice, cancel));
    cancel.focus({ preventScroll: true });
    announce("The measurement begins.");
    let isAsking = false;
    const timer = setInterval(async () => {
      if (isAsking) return;
      isAsking = true;
      try {
        const state = await api.runningReading(reading.id);
        replace(notice);
        if (state.phase === "measuring") show(state);
        else end(state);
      } catch (error) {
        replace(notice, failure(error));
      }
      isAsking = false;
    }, POLL_MS);
    stop = () => clearInterval(timer);

    function show(state) {
      setText(left, state.secondsLeft > 0 ? `${words.elapsed(state.secondsLeft * 1000).slice(3)} left` : "The result is being computed …");
      const live = store.readings().find((each) => each.session === state.session);
      const isLive = live && !store.isStale(live);
      setText(rate, isLive && live.heartRate !== undefined ? `${live.heartRate} bpm` : words.DASH);
      setText(quality, !isLive ? "The strap is not heard. Stay near the station." : live.contact === "notDetected"
        ? "The strap has no skin contact." : live.minute?.artifactShare > 0.05
          ? "There are many artifacts. Keep still, and moisten the electrodes." : "The signal is good.");
    }

    function end(state) {
      stop?.();
      const again = h("button", { type: "button", onclick: showForm }, "Measure again");
      const isGood = state.phase === "done";
      announce(isGood ? `The reading is stored. RMSSD ${words.number(state.reading.rmssd, 0)} ms.` : "The reading was not stored.");
      const heading = h("h2", { tabindex: "-1" }, isGood ? "Result" : "Not stored");
      replace(stage, h("section", { class: "card" }, heading,
        state.problem ? h("p", { role: "alert" }, state.problem) : null,
        state.morning ? comparison(state.morning) : null,
        state.reading ? facts(resultRows(state.reading)) : null,
        h("div", { class: "actions" }, again, h("a", { class: "button", href: "#/now" }, "Now"))),
      isMorning ? mornings(state.person) : null);
      heading.focus();
    }
  }

  showForm();
  const unsubscribe = store.subscribe((topic) => {
    if (topic !== "live" || offered === null) return;
    const readings = store.readings().filter((reading) => reading.session && !store.isStale(reading));
    if (offered !== JSON.stringify(readings.map((reading) => [reading.session, reading.name]))) showForm();
  });
  return { title: isMorning ? "Morning reading" : "Measure now", element, dispose: () => (unsubscribe(), stop?.()) };
}

/** Returns the rows of a result. A reading of a minute has seldom as much as a minute of intervals, which SDNN needs.
 * @param {any} reading */
export function resultRows(reading) {
  const why = () => words.sentence(words.absence(reading, "sdnn", reading.seconds))
    + (reading.seconds < 120 ? " Measure for 2 minutes or longer to get it." : "");
  return [
    ["RMSSD", `${words.number(reading.rmssd, 1)} ms`, reading.lnRMSSD === undefined ? "" : `ln ${words.number(reading.lnRMSSD, 2)}`],
    ["Heart rate", `${words.number(reading.meanHeartRate, 1)} bpm`],
    reading.sdnn === undefined ? ["SDNN", words.DASH, why()] : ["SDNN", `${words.number(reading.sdnn, 1)} ms`],
    ["Quality", `${words.percent(reading.coverage)} covered`, `${words.number(reading.artifactShare * 100, 1)} % artifacts`],
  ];
}

/** Describes the place of a morning among the others. */
export function comparison(morning) {
  if (!morning.verdict) {
    return h("p", {}, `Your usual range is known after ${words.counted(morning.needed, "other morning")}; `
      + `there ${morning.mornings === 1 ? "is" : "are"} ${morning.mornings} so far.`);
  }
  return h("p", {}, h("strong", {}, VERDICTS[morning.verdict]),
    ` of ${words.number(morning.usual.low, 0)} to ${words.number(morning.usual.high, 0)} ms, from `
    + `${words.counted(morning.mornings, "morning")}.`);
}

/** The list of earlier mornings. */
function mornings(person) {
  const place = h("div", {}, loading());
  async function load() {
    try {
      const { readings } = await api.readings({ person, kind: "morning", limit: 14 });
      replace(place, readings.length ? h("ul", { class: "markers" }, readings.map(item)) : h("p", {}, "No other mornings yet."));
    } catch (error) {
      replace(place, failure(error, load));
    }
  }
  const item = (reading) => h("li", {},
    h("span", {}, `${words.dayAndTime(reading.start)}: `, h("strong", {}, `${words.number(reading.rmssd, 1)} ms`),
      `, ${words.number(reading.meanHeartRate, 0)} bpm`),
    h("button", { type: "button", class: "full-scope", onclick: async (event) => {
      event.currentTarget.disabled = true;
      try {
        await api.deleteReading(reading.id);
        announce("The reading is deleted.");
      } finally {
        load();
      }
    } }, "Delete"));
  load();
  return h("section", { class: "card" }, h("h2", {}, "Mornings"), place);
}

/** The card of Now: today's morning reading and the week's RMSSD. @param {import("../store.js").Store} store */
export function todayCard(store) {
  const result = h("div", {});
  const trend = h("p", { class: "hint" });
  const name = h("p", { class: "person" });
  const buttons = h("div", { class: "actions full-scope" },
    h("a", { class: "button", href: "#/reading/morning" }, "Morning reading"),
    h("a", { class: "button", href: "#/reading/spot" }, "Measure now"));
  const element = h("section", { class: "card today" }, h("h2", {}, "Today"), name, result, trend, buttons);
  /** @type {string | null | undefined} */
  let shown = null;

  async function load(person) {
    const of = { person };
    try {
      const [{ readings, morning }, week] = await Promise.all(
        [api.readings({ ...of, kind: "morning", limit: 1 }), api.trends(person, "week")]);
      const last = readings[0];
      const isToday = last && words.day(last.start) === words.day(store.now());
      replace(result, isToday ? [h("p", {}, "Morning RMSSD ", h("strong", {}, `${words.number(last.rmssd, 0)} ms`)),
        comparison(morning)] : h("p", {}, "No morning reading yet today."));
      setText(trend, weekWords(week.points));
    } catch (error) {
      replace(result, failure(error, () => load(person)));
    }
  }

  /** Shows the person of the first live strap, or the person of this browser. */
  function update(readings) {
    const person = readings.find((reading) => reading.person)?.person ?? (preferences.get("person") || undefined);
    if (person === shown) return;
    shown = person;
    setText(name, person ?? "");
    load(person);
  }
  return { element, update };
}

/** Compares the mean RMSSD of today with that of the days before. */
function weekWords(points) {
  const known = points.filter((point) => point.rmssd !== undefined);
  if (!known.length) return "No HRV this week yet.";
  const mean = known.reduce((sum, point) => sum + point.rmssd, 0) / known.length;
  const text = `This week: RMSSD ${words.number(mean, 0)} ms on average of ${words.counted(known.length, "day")}`;
  if (known.length < 3) return `${text}.`;
  const half = Math.floor(known.length / 2);
  const part = (some) => some.reduce((sum, point) => sum + point.rmssd, 0) / some.length;
  const change = part(known.slice(-half)) - part(known.slice(0, half));
  const way = Math.abs(change) < mean * 0.05 ? "steady" : change > 0 ? "rising" : "falling";
  return `${text}, ${way}.`;
}
