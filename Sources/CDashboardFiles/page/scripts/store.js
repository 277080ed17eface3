// @ts-check
// The current state of the station. There is one store.

/** Stale values are marked within 5 s. The page checks every quarter of a second, and needs some time to draw. The station sends
 * a comment every 2 s if nothing else. */
const SERVER_SILENT_AFTER_MS = 4500;
/** The station marks a reading as stale after 4.8 s. This limit applies if it sends comments, but no readings. */
const READING_OLD_AFTER_MS = 4500;
/** The number of stored beats: more than a minute of any heart, and the 120 of the trace. */
const KEPT_BEATS = 300;

/** @typedef {{ time: string, rr: number, isMarked?: boolean, followsGap?: boolean }} Beat */
/** @typedef {Record<string, any> & { strap: number, beats: Beat[] }} Reading */
/** @typedef {"connecting" | "up" | "down" | "loggedOut"} Connection */
/** @typedef {"live" | "status" | "connection" | "tick"} Topic */

/** Returns the current time on both clocks. The monotonic clock may stop while the device is suspended. */
function moment() {
  return { monotonic: performance.now(), wall: Date.now() };
}

/** @param {ReturnType<typeof moment>} since */
function elapsed(since) {
  const now = moment();
  return Math.max(now.monotonic - since.monotonic, now.wall - since.wall);
}

export class Store {
  /** @type {Connection} */
  connection = "connecting";
  /** @type {Record<string, any> | null} */
  status = null;
  /** The straps by number, with the time of their last reading.
   * @type {Map<number, { reading: Reading, at: any }>} */
  straps = new Map();
  /** Logs the page out. @type {() => void} */
  onLeave = () => {};
  /** Whether readings have arrived; before that, an empty list is not significant. */
  isKnown = false;
  #offset = 0;
  #heardAt = moment();
  /** @type {Set<(topic: Topic) => void>} */
  #listeners = new Set();

  constructor() {
    setInterval(() => this.#tell("tick"), 250);
  }

  /** @param {(topic: Topic) => void} listener @returns {() => void} a function that ends the subscription */
  subscribe(listener) {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** @param {Topic} topic */
  #tell(topic) {
    for (const listener of [...this.#listeners]) listener(topic);
  }

  // MARK: What comes in

  /** Records that data has arrived from the station, even a comment. */
  heard() {
    this.#heardAt = moment();
  }

  /** @param {Connection} connection */
  setConnection(connection) {
    if (this.connection === connection) return;
    this.connection = connection;
    this.#tell("connection");
  }

  /** @param {string} type @param {any} value the data of the event */
  apply(type, value) {
    if (type === "live") this.#applyLive(value);
    else if (type === "reading") this.#applyReading(value);
    else if (type === "status") this.applyStatus(value);
  }

  /** Shows readings of an earlier visit, which are stale, until the station sends others.
   * @param {Reading[]} readings */
  restore(readings) {
    const at = { monotonic: -Infinity, wall: -Infinity };
    this.straps = new Map(readings.map((reading) => [reading.strap, { reading: { ...reading, isCurrent: false }, at }]));
    this.#tell("live");
  }

  #applyLive(live) {
    this.#setTime(live.time);
    this.isKnown = true;
    this.straps = new Map(live.readings.map((reading) => [reading.strap, { reading, at: moment() }]));
    this.#tell("live");
  }

  /** @param {Reading} reading with the beats since the previous one */
  #applyReading(reading) {
    const before = this.straps.get(reading.strap)?.reading.beats ?? [];
    const beats = [...before, ...reading.beats].slice(-KEPT_BEATS);
    this.straps.set(reading.strap, { reading: { ...reading, beats }, at: moment() });
    this.#tell("live");
  }

  applyStatus(status) {
    this.#setTime(status.time);
    this.status = status;
    this.#tell("status");
  }

  #setTime(time) {
    const offset = Date.parse(time) - Date.now();
    if (Number.isFinite(offset)) this.#offset = offset;
  }

  // MARK: What is asked

  /** Returns the milliseconds since data last arrived. */
  silence() {
    return elapsed(this.#heardAt);
  }

  isServerSilent() {
    return this.silence() > SERVER_SILENT_AFTER_MS;
  }

  /** Returns the time of the station's clock, which may differ from the browser's. */
  now() {
    return Date.now() + this.#offset;
  }

  /** Returns the readings of all straps that are paired or were heard, in order. @returns {Reading[]} */
  readings() {
    return this.allReadings().filter((reading) => !isSearch(reading));
  }

  /** Returns the link of a station that takes any strap while it has found none, or undefined. @returns {any} */
  search() {
    return this.allReadings().find(isSearch)?.link;
  }

  allReadings() {
    return [...this.straps.keys()].sort((a, b) => a - b).map((number) => this.straps.get(number).reading);
  }

  /** Returns whether the reading of a strap is stale. @param {Reading} reading */
  isStale(reading) {
    const strap = this.straps.get(reading.strap);
    return !reading.isCurrent || this.isServerSilent() || !strap || elapsed(strap.at) > READING_OLD_AFTER_MS;
  }
}

/** Returns whether a reading is of no strap yet: that of a station that takes any. @param {Reading} reading */
function isSearch(reading) {
  return !reading.address && !reading.lastHeard && reading.name === "any strap";
}
