// @ts-check
// The words and numbers of the page, which are those of the terminal.
import { preferences } from "./preferences.js";

export const DASH = "–";

// MARK: Numbers

/** @param {number | undefined | null} value @param {number} [digits] behind the point */
export function number(value, digits = 0) {
  if (value === undefined || value === null || !Number.isFinite(value)) return DASH;
  return value.toLocaleString("en", { minimumFractionDigits: digits, maximumFractionDigits: digits });
}

/** @param {number | undefined} share 0 … 1 */
export function percent(share) {
  return share === undefined ? DASH : `${number(share * 100)} %`;
}

/** @param {number} count @param {string} one @param {string} [many] */
export function counted(count, one, many = `${one}s`) {
  return `${number(count)} ${count === 1 ? one : many}`;
}

/** Returns an RR interval in the preferred unit. @param {number} ms */
export function interval(ms) {
  return preferences.get("intervals") === "s" ? `${number(ms / 1000, 3)} s` : `${number(ms)} ms`;
}

/** Returns an RR interval for an axis, without its unit. @param {number} ms */
export function intervalTick(ms) {
  return preferences.get("intervals") === "s" ? number(ms / 1000, 2) : number(ms);
}

export function intervalUnit() {
  return preferences.get("intervals") === "s" ? "s" : "ms";
}

/** @param {number} bytes */
export function bytes(bytes) {
  const units = ["B", "kB", "MB", "GB", "TB"];
  let step = 0;
  for (; bytes >= 1000 && step < units.length - 1; step++) bytes /= 1000;
  return `${number(bytes, step > 1 && bytes < 100 ? 1 : 0)} ${units[step]}`;
}

// MARK: Times

/** Days are in the language of the page, hours in the format of the browser's language. */
function clock() {
  const kind = preferences.get("clock");
  const own = () => new Intl.DateTimeFormat(undefined, { hour: "numeric" }).resolvedOptions().hourCycle;
  return { hourCycle: kind === "12" ? "h12" : kind === "24" ? "h23" : own() };
}

/** @param {string | number | Date} time @param {Intl.DateTimeFormatOptions} options */
function formatted(time, options) {
  return new Date(time).toLocaleString("en-GB", /** @type {any} */ (options));
}

export const day = (time) => formatted(time, { weekday: "short", day: "numeric", month: "short", year: "numeric" });
export const shortDay = (time) => formatted(time, { day: "numeric", month: "short" });
export const dayOfYear = (time) => formatted(time, { day: "numeric", month: "short", year: "numeric" });
export const year = (time) => formatted(time, { year: "numeric" });
export const timeOfDay = (time) => formatted(time, { hour: "2-digit", minute: "2-digit", ...clock() });
export const exactTime = (time) =>
  formatted(time, { hour: "2-digit", minute: "2-digit", second: "2-digit", ...clock() });
export const dayAndTime = (time) => `${day(time)}, ${timeOfDay(time)}`;

/** Returns hours, minutes and seconds. @param {number} ms */
export function elapsed(ms) {
  const total = Math.max(0, Math.floor(ms / 1000));
  const parts = [total / 3600, (total / 60) % 60, total % 60];
  return parts.map((part) => String(Math.floor(part)).padStart(2, "0")).join(":");
}

/** Returns a duration in words. @param {number} ms */
export function duration(ms) {
  if (ms < 59_500) return `${Math.max(0, Math.round(ms / 1000))} s`;
  const minutes = Math.round(ms / 60_000);
  if (minutes < 60) return `${minutes} min`;
  return `${Math.floor(minutes / 60)} h ${String(minutes % 60).padStart(2, "0")} min`;
}

/** Returns the age of a value that is not current. @param {number} ms */
export function age(ms) {
  return ms < 120_000 ? `${Math.max(0, Math.floor(ms / 1000))} s` : duration(ms);
}

// MARK: Straps and links

const PHASES = {
  idle: "idle",
  scanning: "scanning",
  connecting: "connecting",
  resolving: "discovering services",
  subscribing: "enabling notifications",
  live: "live",
  silent: "connected, but silent",
  backingOff: "waiting before the next attempt",
  adapterAbsent: "no adapter",
  daemonAbsent: "no Bluetooth daemon",
};

/** @param {{ phase: string, text?: string }} link */
export function link(link) {
  return link.text ?? PHASES[link.phase] ?? link.phase;
}

/** Returns the tone of a link. @param {{ phase: string }} link @returns {"good" | "notice" | "bad"} */
export function linkTone(link) {
  if (link.phase === "live") return "good";
  return ["silent", "backingOff", "adapterAbsent", "daemonAbsent"].includes(link.phase) ? "bad" : "notice";
}

/** Returns whether a strap is connected, which one that is only listened for is not. @param {{ phase: string }} link */
export function isConnected(link) {
  return link.phase === "live" || link.phase === "silent";
}

/** Returns the tone and words of a station that answers. That its recorder runs does not mean that a strap is recorded.
 * @param {any} status @param {any[]} readings @returns {["good" | "notice", string]} */
export function stationState(status, readings) {
  if (status?.source === "capture") return ["good", "Connected, playing a capture"];
  if (!readings.some((reading) => isConnected(reading.link))) return ["good", "Connected, no strap"];
  if (status?.isStorageFailing) return ["notice", "Connected, not storing"];
  const isRecording = status?.isRecording && readings.some((reading) => reading.session && isConnected(reading.link));
  return ["good", isRecording ? "Connected, recording" : "Connected"];
}

/** Returns the alerts of a station, its problem first. While nothing can be stored, that the disk is nearly full is not said as
 * well: what it says is stored is not. @param {any} status @returns {{ kind: string, text: string, since?: string }[]} */
export function alerts(status) {
  const isStored = !status?.isStorageFailing || !status.problem;
  const all = (status?.alerts ?? []).filter((alert) => isStored || alert.kind !== "diskLow");
  return status?.problem ? [{ kind: "problem", text: status.problem }, ...all] : all;
}

/** @param {{ name: string }} strap */
export function strapName(strap) {
  return strap.name || "Strap without a name";
}

/** @param {string} contact @returns {[string, "good" | "bad" | "faint"]} */
export function contact(contact) {
  if (contact === "detected") return ["yes", "good"];
  return contact === "notDetected" ? ["no", "bad"] : ["unknown", "faint"];
}

/** @param {number | undefined} dBm 127 means "not available"
 * @returns {[string, "good" | "notice" | "bad" | "faint"]} */
export function signal(dBm) {
  if (dBm === undefined || dBm === 127) return ["unknown", "faint"];
  const words = dBm >= -60 ? "strong" : dBm >= -70 ? "good" : dBm >= -80 ? "fair" : "weak";
  return [`${words}, ${number(dBm)} dBm`.replace("-", "−"), dBm >= -70 ? "good" : dBm >= -80 ? "notice" : "bad"];
}

// MARK: HRV

/** Returns a reason of the station, which begins in lower case, as a sentence. */
export function sentence(text = "not known") {
  return `${text.startsWith("sdnn") || text.startsWith("rmssd") ? text.replace(/^[a-z]+/, (name) => name.toUpperCase())
    : text[0].toUpperCase() + text.slice(1)}${text.endsWith(".") ? "" : "."}`;
}

/** Returns the reason why a metric of a window is absent: the station's, or one derived from the window with the limits of
 * docs/metrics.md.
 * @param {any} window @param {"rmssd" | "sdnn"} metric @param {number} seconds its length */
export function absence(window, metric, seconds) {
  const needs = metric === "sdnn" ? 60 : 30;
  if (!window) return seconds > 60 ? "needs 5 minutes" : `needs ${needs} s of intervals`;
  if (window.unavailable?.[metric]) return window.unavailable[metric];
  const has = window.coverage * seconds;
  if (window.beats === 0) return "there are no RR intervals";
  if (window.artifactShare > 0.2) return `${percent(window.artifactShare)} of the intervals are artifacts`;
  if (has < needs) return `needs ${needs} s of intervals, there are ${number(Math.floor(has))} s`;
  return "the rhythm is irregular, the intervals repeat themselves, or some are missing";
}

/** @param {string} person */
export function personName(person) {
  return person || "No person assigned";
}

/** Returns the name of a browser for people, as in "Safari on iPhone". @param {string} agent of the browser */
export function deviceName(agent) {
  const of = (pairs, fallback) => pairs.find(([part]) => agent.includes(part))?.[1] ?? fallback;
  const browser = of([["Edg", "Edge"], ["OPR", "Opera"], ["Firefox", "Firefox"], ["FxiOS", "Firefox"], ["CriOS", "Chrome"],
    ["SamsungBrowser", "Samsung Internet"], ["Chrome", "Chrome"], ["Safari", "Safari"]], "Browser");
  const system = of([["iPhone", "iPhone"], ["iPad", "iPad"], ["Android", "Android"], ["Windows", "Windows"], ["CrOS", "Chromebook"],
    ["Mac OS", "Mac"], ["Linux", "Linux"]], "");
  return system ? `${browser} on ${system}` : browser;
}
