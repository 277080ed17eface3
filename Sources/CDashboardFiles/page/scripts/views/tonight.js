// @ts-check
// Tonight: starts a night, shows the one that lasts, and ends it. Without one, it shows the last night.
import { api } from "../api.js";
import { ChartGroup } from "../charts.js";
import { confirmDialog } from "../dialogs.js";
import { announce, failure, field, h, icon, loading, replace, select, setText } from "../dom.js";
import { MOVEMENT, nightChart, nightSummary, stageBar, stageWord } from "../sleep.js";
import * as words from "../words.js";

const POLL_MS = 30_000;
/** A night that lasts is in a session that began at most so long ago. */
const LONGEST_MS = 7 * 86_400_000;
/** The time after its end in which a night is the last night. */
const LAST_MS = 36 * 3_600_000;

/** @param {import("../store.js").Store} store @param {() => void} changed is called when a night was started or ended */
export function tonight(store, changed) {
  const notice = h("div", {});
  const running = h("div", { class: "two" });
  const start = startCard(store, began);
  const last = h("div", { class: "two" });
  const element = h("div", { class: "stack" }, loading());
  /** @type {Map<string, ReturnType<typeof runningCard>>} */
  const cards = new Map();
  let isLoaded = false;
  let isDisposed = false;

  async function load() {
    try {
      const nights = await latestNights(store);
      if (isDisposed) return;
      if (!isLoaded) replace(element, notice, running, start.element, last);
      isLoaded = true;
      replace(notice);
      show(nights);
    } catch (error) {
      if (!isLoaded) replace(element, notice);
      replace(notice, failure(error, load));
    }
  }

  function show(nights) {
    const lasting = nights.filter((night) => night.isRunning);
    for (const [session, card] of cards) {
      if (lasting.some((night) => night.session === session)) continue;
      card.dispose();
      card.element.remove();
      cards.delete(session);
    }
    for (const night of lasting) {
      let card = cards.get(night.session);
      if (!card) {
        card = runningCard(night, store, ended);
        cards.set(night.session, card);
        running.append(card.element);
      }
      card.load();
    }
    running.hidden = !lasting.length;
    last.hidden = lasting.length > 0;
    if (!lasting.length) replace(last, lastNights(nights, store).map(lastCard));
    update();
  }

  function update() {
    start.update(new Set(cards.keys()));
    for (const card of cards.values()) card.update();
  }

  async function began() {
    announce("The night has begun.");
    changed();
    await load();
    running.querySelector("h2")?.focus();
  }

  async function ended() {
    changed();
    await load();
    last.querySelector("a")?.focus();
  }

  const timer = setInterval(load, POLL_MS);
  const unsubscribe = store.subscribe((topic) => isLoaded && topic !== "status" && update());
  load();
  return {
    element,
    dispose() {
      isDisposed = true;
      clearInterval(timer);
      unsubscribe();
      for (const card of cards.values()) card.dispose();
    },
  };
}

/** Returns the nights of the last days of everybody. */
async function latestNights(store) {
  const { persons } = await api.persons();
  const from = new Date(store.now() - LONGEST_MS).toISOString();
  const answers = await Promise.all([...persons, undefined].map((person) => api.nights({ person, from })));
  return answers.flatMap((answer) => answer.nights);
}

// MARK: Start

/** The form that starts a night with one of the straps that are worn, or the reason why none can be started. */
function startCard(store, began) {
  const place = h("div", { class: "stack full-scope" });
  const element = h("section", { class: "card" }, h("h2", {}, "Tonight"), place,
    h("p", { class: "read-scope" }, "This browser can only read: it cannot start a night."));
  let session = "";
  /** @type {string | null} */
  let shown = null;

  /** @param {Set<string>} lasting the sessions that are nights already */
  function update(lasting) {
    const isUp = store.isKnown && store.connection === "up" && !store.isServerSilent();
    const worn = store.readings().filter((reading) => reading.session && !store.isStale(reading));
    const free = worn.filter((reading) => !lasting.has(reading.session));
    element.hidden = !free.length && lasting.size > 0;
    const key = JSON.stringify([isUp, free.map((reading) => [reading.session, nameOf(reading)])]);
    if (key === shown) return;
    shown = key;
    if (!isUp) replace(place, loading("Waiting for the station …"));
    else replace(place, free.length ? form(free) : absence());
  }

  function form(free) {
    if (!free.some((reading) => reading.session === session)) session = free[0].session;
    const straps = free.map((reading) => [reading.session, nameOf(reading)]);
    const notice = h("div", {});
    const begin = h("button", { type: "button", class: "primary" }, icon("nights"), "Start the night");
    begin.addEventListener("click", async () => {
      begin.disabled = true;
      try {
        await api.beginNight(session);
        began();
      } catch (error) {
        replace(notice, failure(error));
      }
      begin.disabled = false;
    });
    return [h("p", {}, "Start the night when you switch the light off. The station then records until you end it."),
      straps.length > 1 ? h("div", { class: "fields" }, field("Strap", select(straps, session, (value) => (session = value))))
        : h("p", {}, "Strap: ", h("strong", {}, straps[0][1])),
      notice, h("div", { class: "actions" }, begin)];
  }
  return { element, update };
}

function nameOf(reading) {
  return [words.strapName(reading), reading.person, reading.contact === "notDetected" && "no skin contact"].filter(Boolean).join(", ");
}

function absence() {
  return [h("p", {}, "No strap is worn. Put the strap on, and wait until its heart rate is shown; then a night can be started."),
    h("p", {}, h("a", { href: "#/now" }, "Now"))];
}

// MARK: A night that lasts

/** @param {() => void} ended */
function runningCard(night, store, ended) {
  const group = new ChartGroup();
  const since = h("p", {});
  const stage = h("p", {});
  const rate = h("span", { class: "rate-number" });
  const rateNote = h("p", { class: "rate-note", role: "status" });
  const movement = h("div", {}, loading());
  const who = h("p", { class: "person" });
  const end = h("button", { type: "button", class: "full-scope", onclick: () => confirmDialog({
    title: "End the night?", action: "End the night", done: "The night has ended.",
    text: "The station estimates its stages. A night that has ended cannot be continued.",
    run: () => api.endNight(night.session),
  }, ended) }, "End the night");
  const element = h("section", { class: "card night" },
    h("h2", { tabindex: "-1" }, "This night"), who, since, stage,
    h("div", { class: "rate", role: "group", "aria-label": "Heart rate" },
      h("p", { class: "rate-value" }, icon("heart"), rate, h("span", { class: "unit" }, "bpm")), rateNote),
    h("h3", {}, "Movement"), movement,
    h("div", { class: "actions" }, h("a", { class: "button", href: `#/nights/${night.session}` }, "Open"), end));

  /** Shows what is known at once. */
  function update() {
    const reading = store.readings().find((each) => each.session === night.session);
    const isLive = reading && !store.isStale(reading);
    setText(who, [night.person ?? reading?.person, reading && words.strapName(reading)].filter(Boolean).join(" · "));
    setText(since, `Since ${words.timeOfDay(night.start)}, for ${words.duration(store.now() - Date.parse(night.start))}.`);
    setText(stage, isLive && reading.sleepStage ? `Stage: ${stageWord(reading.sleepStage).toLowerCase()}, an estimate.` : "");
    setText(rate, isLive && reading.heartRate !== undefined ? String(reading.heartRate) : words.DASH);
    setText(rateNote, !isLive ? "The strap is not heard." : reading.contact === "notDetected" ? "The strap has no skin contact." : "");
  }

  /** Loads the movement so far. */
  async function load() {
    try {
      const detail = await api.night(night.session);
      const from = Date.parse(night.start);
      const isOpen = Boolean(movement.querySelector("details[open]"));
      replace(movement, nightChart(group, detail, "movement", [from, Math.max(from + 60_000, store.now())], MOVEMENT));
      if (isOpen) movement.querySelector("details").open = true;
    } catch (error) {
      replace(movement, failure(error));
    }
  }
  return { element, update, load, dispose: () => group.dispose() };
}

// MARK: The last night

/** Returns the last night of each person, if it ended not long ago. */
function lastNights(nights, store) {
  /** @type {Map<string | undefined, any>} */
  const latest = new Map();
  for (const night of nights) {
    const before = latest.get(night.person);
    if (!before || Date.parse(night.end) > Date.parse(before.end)) latest.set(night.person, night);
  }
  return [...latest.values()].filter((night) => store.now() - Date.parse(night.end) < LAST_MS);
}

function lastCard(night) {
  return h("section", { class: "card" }, h("h2", {}, "Last night"),
    h("p", { class: "person" }, [night.person, words.dayAndTime(night.start)].filter(Boolean).join(" · ")),
    nightSummary(night), stageBar(night),
    h("div", { class: "actions" }, h("a", { class: "button", href: `#/nights/${night.session}` }, "Open the night")));
}
