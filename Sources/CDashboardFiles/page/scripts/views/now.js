// @ts-check
// Now: a card for each strap, which shows whether its values are current.
import { announce, emptyState, h, icon, loading, replace, setText, viewHead } from "../dom.js";
import { rrTrace, traceWords } from "../plots.js";
import { preferences } from "../preferences.js";
import { CATEGORIES, stressRing } from "../stress.js";
import * as words from "../words.js";
import { markDialog } from "./edit.js";
import { todayCard } from "./reading.js";

/** @param {import("../main.js").Context} context @returns {import("../main.js").View} */
export function nowView({ store }) {
  const grid = h("div", { class: "straps" });
  const today = todayCard(store);
  const element = h("div", {}, viewHead("Now", "Live values."), grid, today.element);
  /** @type {Map<number, ReturnType<typeof strapCard>>} */
  const cards = new Map();
  let announcedAt = performance.now();
  let emptyShown = "";

  function update() {
    const readings = store.readings();
    if (readings.length) showCards(readings);
    else showEmpty();
    today.element.hidden = !store.isKnown;
    if (store.isKnown) today.update(readings);
    speak(readings);
  }

  function showCards(readings) {
    emptyShown = "";
    const numbers = readings.map((reading) => reading.strap);
    if (numbers.join() !== [...cards.keys()].join()) {
      disposeCards();
      for (const number of numbers) cards.set(number, strapCard(store));
      replace(grid, [...cards.values()].map((card) => card.element));
      grid.classList.toggle("single", numbers.length === 1);
    }
    for (const reading of readings) cards.get(reading.strap)?.show(reading);
  }

  function showEmpty() {
    const search = store.search();
    const kind = store.isKnown ? `none ${search ? words.link(search) : ""}` : store.connection;
    if (kind === emptyShown) return;
    emptyShown = kind;
    disposeCards();
    replace(grid, store.isKnown ? noStrap(search) : kind === "down" ? noStation() : loading("Waiting for the station …"));
  }

  function disposeCards() {
    for (const card of cards.values()) card.dispose();
    cards.clear();
  }

  /** Announces values for screen readers now and then. */
  function speak(readings) {
    const seconds = preferences.get("announceSeconds");
    if (!seconds || performance.now() - announcedAt < seconds * 1000) return;
    announcedAt = performance.now();
    const current = readings.filter((reading) => !store.isStale(reading));
    if (current.length) announce(current.map(spoken).join(" "));
  }

  const unsubscribe = store.subscribe((topic) => topic !== "status" && update());
  // A card measures its canvas, so it is filled after it was inserted.
  queueMicrotask(update);
  return { title: "Now", element, dispose: () => (unsubscribe(), disposeCards()) };
}

/** @param {any} [search] the link of a station that takes any strap */
function noStrap(search) {
  const isBad = search && words.linkTone(search) === "bad";
  const text = isBad ? `The station cannot look for straps: ${words.link(search)}.`
    : search ? "Put a strap on, and pair it. Until then, the station records the first strap that it finds."
      : "Put a strap on, and pair it.";
  return emptyState("No strap yet", text,
    isBad ? h("p", {}, h("a", { class: "button", href: "#/doctor" }, "Check the station")) : null,
    h("p", { class: "full-scope" }, h("a", { class: "button primary", href: "#/pair" }, "Pair a strap")),
    h("p", {}, h("a", { href: "#/welcome" }, "How to begin")));
}

function noStation() {
  return emptyState("The station does not answer",
    "The page keeps trying. Is the station switched on, and is this device in its network?");
}

/** Returns who wears the strap, and that nothing is recorded if that is so. */
function wearer(reading, isStale) {
  if (reading.isAverage) return "Average from advertisements, not recorded";
  const person = reading.person ? `worn by ${reading.person}` : "No person assigned";
  const isStopped = !reading.session && !isStale && reading.heartRate !== undefined;
  return isStopped ? `${person}. Not recorded: stopped from another system` : person;
}

function spoken(reading) {
  const rate = reading.heartRate === undefined ? "no heart rate" : `heart rate ${reading.heartRate}`;
  const stress = reading.stress ? `, stress ${CATEGORIES[reading.stress.category].word.toLowerCase()}` : "";
  return `${words.strapName(reading)}: ${rate}${stress}.`;
}

// MARK: A strap

/** @param {import("../store.js").Store} store */
function strapCard(store) {
  const name = h("h2", {});
  const person = h("p", { class: "person" });
  const link = h("p", { class: "pill" });
  const stale = h("div", { class: "stale-note" }, icon("warning"), h("p", {}));
  const rate = h("span", { class: "rate-number" });
  const rateNote = h("p", { class: "rate-note" });
  const heart = icon("heart", "beating");
  const canvas = h("canvas", { role: "img", "aria-label": "RR intervals" });
  const traceNote = h("figcaption", {});
  const ring = stressRing();
  const hrv = hrvTable();
  const detail = detailList();
  const vitals = vitalList();
  const trace = rrTrace(canvas);
  let session = "";
  const mark = h("button", { type: "button", class: "full-scope", onclick: () => markDialog(session, () => {}) }, "Add a marker");
  const open = h("a", { class: "button" }, "Session so far");
  const toolbar = h("div", { class: "actions" }, open, mark);
  const grid = h("div", { class: "strap-grid" },
      h("section", { class: "rate", "aria-label": "Heart rate" },
        h("p", { class: "rate-value" }, heart, rate, h("span", { class: "unit" }, "bpm")), rateNote),
      h("section", { class: "ring-part", "aria-label": "Stress" }, ring.element),
      h("figure", { class: "trace" }, canvas, traceNote),
      h("section", { class: "hrv", "aria-label": "Heart-rate variability" }, hrv.element,
        detail.element),
      h("section", { class: "vital-part", "aria-label": "Strap and session" }, vitals.element, toolbar));
  const element = h("article", { class: "card strap" },
    h("header", { class: "strap-head" }, h("div", {}, name, person), link), stale, grid);
  /** @type {any} */
  let traced;
  let wasStale = false;
  let staleShown = "";
  let unit = "";

  function show(reading) {
    const isStale = store.isStale(reading);
    setText(name, words.strapName(reading));
    showAverage(reading);
    session = reading.session ?? "";
    setText(person, wearer(reading, isStale));
    toolbar.hidden = !session;
    open.setAttribute("href", `#/history/${session}`);
    showLink(reading);
    showStale(reading, isStale);
    showRate(reading, isStale);
    ring.show(reading.stress, words.sentence(reading.stressAbsence ?? "takes 5 minutes of intervals"));
    hrv.show(reading);
    detail.show(reading);
    vitals.show(reading, store.now());
    if (traced !== reading.beats || wasStale !== isStale || unit !== preferences.get("intervals")) {
      traced = reading.beats;
      unit = preferences.get("intervals");
      trace.show(reading.beats, isStale);
      const text = traceWords(reading.beats);
      setText(traceNote, text);
      canvas.setAttribute("aria-label", text);
    }
    wasStale = isStale;
  }

  function showLink(reading) {
    const silent = store.connection !== "up" || store.isServerSilent();
    const text = silent ? "unknown: no connection to the station" : words.link(reading.link);
    if (link.textContent === text) return;
    const tone = silent ? "bad" : words.linkTone(reading.link);
    replace(link, h("span", { class: `dot ${tone}`, "aria-hidden": "true" }), text);
  }

  function showStale(reading, isStale) {
    element.classList.toggle("stale", isStale);
    stale.hidden = !isStale;
    if (!isStale) return;
    const heard = reading.lastHeard && words.age(store.now() - Date.parse(reading.lastHeard));
    const text = heard ? `Stale: no data from this strap for ${heard}.`
      : "This strap has sent nothing yet.";
    const wantsBond = reading.link.reason === "notAuthorised";
    if (staleShown !== `${wantsBond} ${text}`) {
      staleShown = `${wantsBond} ${text}`;
      replace(stale.querySelector("p"), text, wantsBond ? [" It has to be paired: ",
        h("a", { class: "full-scope", href: "#/pair" }, "pair it")] : null);
    }
    if (!wasStale && heard) announce(`${words.strapName(reading)} is stale. What is shown is old.`, "assertive");
  }

  /** A heart rate from advertisements has neither intervals nor a session. */
  function showAverage(reading) {
    for (const part of [...grid.children].slice(1)) part.hidden = reading.isAverage === true;
  }

  function showRate(reading, isStale) {
    const known = reading.heartRate !== undefined;
    setText(rate, !isStale && known ? String(reading.heartRate) : words.DASH);
    heart.classList.toggle("still", isStale || !known);
    if (known) heart.style.setProperty("--beat", `${60 / Math.max(30, reading.heartRate)}s`);
    const note = isStale ? (known ? `stale; it was ${reading.heartRate} bpm` : "no heart rate")
      : !known ? "no heart rate" : reading.isAverage && reading.contact !== "notDetected" ? "average of some seconds" : reading.contact === "notDetected" ? "without skin contact" : "";
    setText(rateNote, note);
  }

  return { element, show, dispose: () => trace.dispose() };
}

// MARK: Variability

const METRICS = [["rmssd", "RMSSD"], ["sdnn", "SDNN"]];
const SPANS = [["minute", "Last minute", 60], ["fiveMinutes", "Last 5 minutes", 300]];

/** The roles are explicit, because the cells of a narrow card are blocks, which are not a table without them. */
function hrvTable() {
  const cells = {};
  const cell = (key, span) => {
    cells[key] = { value: h("span", { class: "value" }), note: h("span", { class: "why" }) };
    return h("td", { role: "cell", "data-span": span }, cells[key].value, cells[key].note);
  };
  const row = (label, content) =>
    h("tr", { role: "row" }, h("th", { scope: "row", role: "rowheader" }, label), content);
  const heads = SPANS.map(([, text]) => h("th", { scope: "col", role: "columnheader" }, text));
  const element = h("table", { class: "metrics", role: "table" },
    h("thead", { role: "rowgroup" }, h("tr", { role: "row" }, h("td", { role: "cell" }), heads)),
    h("tbody", { role: "rowgroup" },
      METRICS.map(([metric, label]) => row(label, SPANS.map(([span, text]) => cell(`${metric} ${span}`, text)))),
      row("Coverage", SPANS.map(([span, text]) => cell(`covered ${span}`, text)))));

  function show(reading) {
    for (const [span, , seconds] of SPANS) {
      const window = reading[span];
      for (const [metric] of METRICS) {
        const { value, note } = cells[`${metric} ${span}`];
        const known = window?.[metric] !== undefined;
        setText(value, known ? `${words.number(window[metric], 1)} ms` : words.DASH);
        setText(note, known ? "" : words.absence(window, metric, seconds));
      }
      setText(cells[`covered ${span}`].note, window ? covered(window) : words.DASH);
    }
  }
  return { element, show };
}

function covered(window) {
  const artifacts = window.artifactShare > 0 ? `, ${words.number(window.artifactShare * 100, 1)} % artifacts` : "";
  return `${words.percent(window.coverage)}, ${words.counted(window.beats, "beat")}${artifacts}`;
}

/** The metrics of the last five minutes that are not of the time domain; the station computes them every few seconds. */
const DETAILS =
  [["lfhf", "LF/HF", 1, ""], ["dfaAlpha1", "DFA α1", 2, ""], ["respirationRate", "Breathing rate", 1, " /min"]];

function detailList() {
  const cells = DETAILS.map(() => ({ value: h("span", { class: "value" }), note: h("span", { class: "why" }) }));
  const element = h("div", { class: "detail" }, h("p", { class: "hint" }, "Rhythm of the last 5 minutes"),
    h("dl", { class: "vitals" }, DETAILS.map(([, label], index) =>
      h("div", {}, h("dt", {}, label), h("dd", {}, cells[index].value, cells[index].note)))));

  function show(reading) {
    DETAILS.forEach(([metric, , digits, unit], index) => {
      const value = reading.detail?.[metric];
      setText(cells[index].value, value === undefined ? words.DASH : words.number(value, digits) + unit);
      setText(cells[index].note, value === undefined ? reading.detail?.unavailable?.[metric] ?? "not yet" : "");
    });
  }
  return { element, show };
}

// MARK: The strap's state

function vitalList() {
  const rows = {};
  const row = (key, sign, label) => {
    rows[key] = h("dd", {});
    return h("div", {}, h("dt", {}, icon(sign), label), rows[key]);
  };
  const element = h("dl", { class: "vitals" }, row("contact", "person", "Skin contact"),
    row("battery", "battery", "Battery"),
    row("signal", "signal", "Signal"), row("time", "clock", "Session"), row("gaps", "gap", "Gaps"));

  function put(key, text, tone = "") {
    setText(rows[key], text);
    rows[key].className = tone;
  }

  function show(reading, now) {
    put("contact", ...words.contact(reading.contact));
    const battery = reading.batteryPercent;
    put("battery", battery === undefined ? "unknown" : `${battery} %${battery <= 20 ? ", low" : ""}`,
      battery === undefined ? "faint" : battery <= 20 ? "bad" : "");
    put("signal", ...words.signal(reading.signalDBm));
    put("time", reading.start ? words.elapsed(now - Date.parse(reading.start)) : "none", reading.start ? "" : "faint");
    put("gaps", words.number(reading.gaps), reading.gaps ? "notice" : "");
  }
  return { element, show };
}
