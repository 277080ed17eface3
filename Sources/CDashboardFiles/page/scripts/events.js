// @ts-check
// Server-sent events over fetch. Unlike EventSource, it reports comments, which the station sends as keep-alive messages, and
// the status of the answer.
import { api, Refused } from "./api.js";

/** The time without any data after which the connection is closed. */
const DEAD_AFTER_MS = 10_000;
/** The maximum length of an event. */
const LONGEST_LINE = 4_000_000;

/**
 * Parses pieces of text into events, by the HTML standard's "event stream interpretation".
 */
export class EventParser {
  #rest = "";
  #type = "";
  /** @type {string[]} */
  #data = [];
  lastEventID = "";

  /** @param {string} text @returns {{ type: string, data: string }[]} */
  push(text) {
    this.#rest += text;
    if (this.#rest.length > LONGEST_LINE) throw new Error("The station sent an incomplete line.");
    const events = [];
    // A CR at the end may be the first half of a CRLF, and waits for the next piece.
    const line = /([^\r\n]*)(\r\n|\n|\r(?!$))/gy;
    let end = 0;
    for (let match = line.exec(this.#rest); match; match = line.exec(this.#rest)) {
      end = line.lastIndex;
      const event = this.#take(match[1]);
      if (event) events.push(event);
    }
    this.#rest = this.#rest.slice(end);
    return events;
  }

  /** @param {string} line */
  #take(line) {
    if (line === "") return this.#dispatch();
    const colon = line.indexOf(":");
    const name = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? "" : line.slice(colon + 1).replace(/^ /, "");
    if (name === "event") this.#type = value;
    else if (name === "data") this.#data.push(value);
    else if (name === "id" && !value.includes("\0")) this.lastEventID = value;
    return null;
  }

  #dispatch() {
    const event = this.#data.length ? { type: this.#type || "message", data: this.#data.join("\n") } : null;
    this.#type = "";
    this.#data = [];
    return event;
  }
}

/**
 * Returns the delay before attempt n (from 1): 0.5, 1, 2, 4, 8, then 10 s, minus a random part of up to a quarter, so that
 * browsers do not reconnect simultaneously.
 * @param {number} attempt
 */
export function backOff(attempt) {
  return Math.min(10_000, 500 * 2 ** (attempt - 1)) * (1 - Math.random() / 4);
}

/**
 * Keeps a stream of events open, and passes them to the store.
 * @param {import("./store.js").Store} store
 */
export function connect(store) {
  let attempt = 0;
  let lastEventID = "";
  let isStopped = true;
  /** The current connection; data of earlier ones is ignored. @type {AbortController} */
  let current = new AbortController();
  /** @type {number | undefined} */
  let timer;

  async function run() {
    const mine = new AbortController();
    current = mine;
    const begun = performance.now();
    const dead = setInterval(() => {
      if (Math.min(store.silence(), performance.now() - begun) > DEAD_AFTER_MS) mine.abort();
    }, 1000);
    try {
      const body = await api.events(lastEventID, mine.signal);
      store.heard();
      store.setConnection("up");
      await read(body);
    } catch (error) {
      if (error instanceof Refused && error.status === 401) isStopped = true;
    } finally {
      clearInterval(dead);
      if (mine === current) again();
    }
  }

  /** @param {ReadableStream<Uint8Array>} body */
  async function read(body) {
    const parser = new EventParser();
    parser.lastEventID = lastEventID;
    const reader = body.pipeThrough(new TextDecoderStream()).getReader();
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return;
      store.heard();
      for (const event of parser.push(value)) {
        store.apply(event.type, JSON.parse(event.data));
        attempt = 0;
      }
      lastEventID = parser.lastEventID;
    }
  }

  function again() {
    if (isStopped) return;
    store.setConnection("down");
    clearTimeout(timer);
    timer = setTimeout(run, backOff(++attempt));
  }

  const stream = {
    start() {
      if (!isStopped) return;
      isStopped = false;
      attempt = 0;
      run();
    },
    stop() {
      isStopped = true;
      clearTimeout(timer);
      current.abort();
    },
    /** Reconnects at once if it is waiting. */
    hurry() {
      if (isStopped || store.connection !== "down") return;
      clearTimeout(timer);
      current.abort();
      attempt = 0;
      run();
    },
  };
  return stream;
}
