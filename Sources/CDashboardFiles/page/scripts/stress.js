// @ts-check
// The presentation of stress: each category has a colour, an icon, a pattern and a word. Words and limits are those of
// StressCategory.swift, which a test compares.
import { h, icon, replace, setText } from "./dom.js";
import { number, percent } from "./words.js";

/** @type {Record<string, { word: string, from: number }>} */
export const CATEGORIES = {
  relaxed: { word: "Relaxed", from: 0 },
  mild: { word: "Mild", from: 25 },
  moderate: { word: "Moderate", from: 50 },
  high: { word: "High", from: 75 },
};

/** Returns the category of a level. @param {number} level */
export function categoryOf(level) {
  return level < 25 ? "relaxed" : level < 50 ? "mild" : level < 75 ? "moderate" : "high";
}

/** The face of each mood, within 100 × 100 and centred at 50, 50. */
const FACES = {
  sleeping: ["M33 47q5 4 10 0M57 47q5 4 10 0", "M43 62q7 4 14 0", "M66 30h8l-8 8h8M78 19h6l-6 6h6"],
  calm: ["M38 44v3M62 44v3", "M38 60q12 10 24 0", ""],
  concerned: ["M38 45v3M62 45v3", "M40 64h20", "M32 37q6-4 11-1M57 36q6-3 11 1"],
  worried: ["M38 47v3M62 47v3", "M40 67q10-8 20 0", "M31 41l11-6M69 41l-11-6"],
  overwhelmed: ["M33 41l9 5-9 5M67 41l-9 5 9 5", "M37 66q4.3-6 8.7 0t8.6 0 8.7 0", "M73 28q6 8 0 11-6-3 0-11"],
};

/** @param {string} mood */
function face(mood) {
  const lines = FACES[mood] ?? FACES.calm;
  return h("g", { class: "face" }, lines.filter(Boolean).map((d) => h("path", { d })));
}

/** Creates a swatch, an icon and a word. @param {number} level */
export function stressChip(level, category = categoryOf(level)) {
  return h("span", { class: `chip ${category}` }, swatch(category), icon(category), CATEGORIES[category].word,
    h("span", { class: "chip-level" }, number(level)));
}

/** @param {string} category */
export function swatch(category) {
  return h("svg", { class: "swatch", viewBox: "0 0 24 24", "aria-hidden": "true" },
    h("circle", { cx: 12, cy: 12, r: 11, fill: `url(#pattern-${category})` }));
}

const RADIUS = 43;
const AROUND = 2 * Math.PI * RADIUS;

/** The ring with the face and the words beside it. */
export function stressRing() {
  const edge = h("circle", { class: "ring-edge", cx: 50, cy: 50, r: RADIUS });
  const arc = h("circle", { class: "ring-arc", cx: 50, cy: 50, r: RADIUS });
  const inner = h("g", {});
  const ring = h("svg", { class: "ring", viewBox: "0 0 100 100", role: "img" },
    h("circle", { class: "ring-track", cx: 50, cy: 50, r: RADIUS }),
    h("g", { transform: "rotate(-90 50 50)" }, edge, arc), inner);
  const word = h("p", { class: "stress-word" });
  const level = h("p", { class: "stress-level" });
  const mood = h("p", { class: "stress-mood" });
  const confidence = h("p", { class: "stress-note" });
  const element = h("div", { class: "stress" }, ring,
    h("div", { class: "stress-words" }, word, level, mood, confidence));
  let shown = "";
  /** @type {any} */
  let last;

  /** @param {any} stress @param {string} absence the reason why there is none */
  function show(stress, absence) {
    if (last && last.stress === stress && last.absence === absence) return;
    last = { stress, absence };
    const key = stress ? `${stress.category} ${stress.mood}` : "none";
    if (key !== shown) {
      shown = key;
      element.dataset.category = stress?.category ?? "none";
      replace(word, ...(stress ? [icon(stress.category), CATEGORIES[stress.category].word] : ["No stress level"]));
      replace(inner, stress ? face(stress.mood) : h("path", { class: "face-none", d: "M40 50h20" }));
      arc.setAttribute("stroke", stress ? `url(#pattern-${stress.category})` : "none");
    }
    const share = stress ? Math.min(1, Math.max(0.015, stress.level / 100)) : 0;
    const dashes = `${share * AROUND} ${AROUND}`;
    arc.setAttribute("stroke-dasharray", dashes);
    edge.setAttribute("stroke-dasharray", dashes);
    edge.classList.toggle("gone", !stress);
    ring.setAttribute("aria-label", stress
      ? `Stress ${number(stress.level)} of 100, ${CATEGORIES[stress.category].word}, ${stress.mood}`
      : "No stress level");
    setText(level, stress ? `${number(stress.level)} of 100` : "");
    setText(mood, stress ? stress.mood[0].toUpperCase() + stress.mood.slice(1) : "");
    setText(confidence, stress ? `Confidence ${percent(stress.confidence)}` : absence);
  }
  return { element, show };
}

// MARK: In charts

/** The shading of a chart of levels, from below, and its legend. */
export function stressScale() {
  const names = Object.keys(CATEGORIES);
  return {
    areas: names.map((name) => {
      const { from } = CATEGORIES[name];
      return { from, to: from + 25, colour: `tint-${name}`, isLevel: true };
    }),
    /** @type {[number, number]} */
    range: [-2, 102],
    ticks: [0, 25, 50, 75, 100],
    legend: h("ul", { class: "legend", "aria-label": "Categories" }, names.map((name) =>
      h("li", { class: `chip ${name}` }, swatch(name), icon(name), CATEGORIES[name].word))),
    format: (/** @type {number} */ value) => `${number(value)} of 100`,
    tick: (/** @type {number} */ value) => number(value),
  };
}
