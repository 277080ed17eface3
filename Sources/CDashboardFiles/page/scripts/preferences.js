// @ts-check
// The preferences of this browser, which are stored only here.

const KEY = "tachogram";

const DEFAULTS = {
  /** auto, light or dark */
  theme: "auto",
  /** Unit of intervals: ms or s. */
  intervals: "ms",
  /** auto, 24 or 12 */
  clock: "auto",
  /** Seconds between two values for screen readers; 0 for none. */
  announceSeconds: 30,
  /** The person of Trends and Settings; "" for no person. */
  person: "",
  /** Breaths a minute, and minutes of an exercise. */
  breathRate: 6,
  breathMinutes: 5,
  /** Minutes of a reading. */
  readingMinutes: 2,
  /** Whether the welcome page was shown. */
  welcomed: false,
};

/** @typedef {typeof DEFAULTS} Values */

/** @type {Values} */
const values = { ...DEFAULTS, ...stored() };

/** @returns {Partial<Values>} */
function stored() {
  try {
    const found = JSON.parse(localStorage.getItem(KEY) ?? "{}");
    return found && typeof found === "object" ? found : {};
  } catch {
    return {};
  }
}

export const preferences = {
  /** @template {keyof Values} K @param {K} key @returns {Values[K]} */
  get(key) {
    return values[key];
  },

  /** @template {keyof Values} K @param {K} key @param {Values[K]} value */
  set(key, value) {
    values[key] = value;
    try {
      localStorage.setItem(KEY, JSON.stringify(values));
    } catch {
      // If storage is full or forbidden, the value applies until the page is closed.
    }
    if (key === "theme") applyTheme();
  },
};

function applyTheme() {
  if (values.theme === "auto") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = values.theme;
  document.dispatchEvent(new Event("themechange"));
}

/** Whether reduced motion is preferred. */
export function isStill() {
  return matchMedia("(prefers-reduced-motion: reduce)").matches;
}
