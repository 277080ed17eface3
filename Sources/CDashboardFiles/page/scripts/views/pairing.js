// @ts-check
// Pairing: the search for a strap, its questions, three readings, and its wearer.
import { api } from "../api.js";
import { announce, failure, field, h, icon, loading, replace, setText, viewHead } from "../dom.js";
import * as words from "../words.js";

const POLL_MS = 600;
/** The limits of the signal, in dBm, for each bar. */
const BARS = [-90, -80, -70, -60];

/** @returns {import("../main.js").View} */
export function pairingView() {
  const body = h("div", { class: "stack" });
  const element = h("div", {}, viewHead("Pair a strap"), body);
  const steps = new Steps(body);
  steps.begin();
  return { title: "Pair a strap", element, dispose: () => steps.leave() };
}

/** The steps of one pairing. Each is drawn once, and updated while it lasts. */
class Steps {
  /** The shown step and question. Another one is drawn from the beginning. */
  #shown = "";
  #isLeft = false;
  /** Whether the strap was given a passkey, so that it refused it if it asks again. */
  #wasAnswered = false;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;
  /** @type {(state: any) => void} */
  #update = () => {};

  /** @param {HTMLElement} body */
  constructor(body) {
    this.body = body;
  }

  async begin() {
    replace(this.body, loading("Starting the search …"));
    this.#shown = "";
    this.#wasAnswered = false;
    try {
      const state = await api.pairing();
      this.#show(["searching", "connecting"].includes(state.phase) ? state : await api.beginPairing());
    } catch (error) {
      replace(this.body, failure(error, () => this.begin()));
    }
  }

  leave() {
    this.#isLeft = true;
    clearTimeout(this.#timer);
    if (["searching", "connecting"].includes(this.#shown.split(" ")[0])) api.endPairing().catch(() => {});
  }

  async #poll() {
    try {
      this.#show(await api.pairing());
    } catch (error) {
      if (!this.#isLeft) replace(this.body, failure(error, () => this.begin()));
    }
  }

  #show(state) {
    if (this.#isLeft) return;
    const shown = [state.phase, state.question?.kind, state.question?.number].filter(Boolean).join(" ");
    if (shown !== this.#shown) {
      this.#shown = shown;
      this.#draw(state);
    }
    this.#update(state);
    if (["searching", "connecting"].includes(state.phase)) this.#timer = setTimeout(() => this.#poll(), POLL_MS);
  }

  /** @param {any} state */
  #draw(state) {
    this.#update = () => {};
    if (state.phase === "searching") this.#search();
    else if (state.phase === "connecting") this.#connect(state);
    else if (state.phase === "paired") this.#paired(state);
    else this.#failed(state);
  }

  async #act(request, place) {
    clearTimeout(this.#timer);
    try {
      this.#show(await request());
    } catch (error) {
      replace(place, failure(error));
      this.#poll();
    }
  }

  // MARK: Searching

  #search() {
    const list = h("ul", { class: "strap-list" });
    const hint = h("p", {}, "Put the strap on, with wet electrodes. Most straps sleep until they feel skin.");
    const left = h("p", { class: "hint" });
    const notice = h("div", {});
    /** The rows by address. They are updated in place, because a person may be about to press one. @type {Map<string, any>} */
    const rows = new Map();
    replace(this.body, h("section", { class: "card" }, h("h2", {}, "Straps in range"), hint, list, notice, left));
    announce("Searching for straps.");
    this.#update = (state) => {
      setText(left, `Searching for ${words.counted(state.secondsLeft ?? 0, "more second")}.`);
      for (const strap of state.straps ?? []) {
        if (!rows.has(strap.address)) {
          const row = candidateRow(strap, () => this.#act(() => api.choosePairing(strap.address), notice));
          rows.set(strap.address, row);
          list.append(row.element);
          announce(`${nameOf(strap)} is in range.`);
        }
        rows.get(strap.address).update(strap);
      }
    };
  }

  // MARK: Connecting

  #connect(state) {
    const link = h("p", { role: "status" }, "Connecting …");
    const readings = h("ul", { class: "plain" });
    const notice = h("div", {});
    const stop = h("button", { type: "button", onclick: () => this.#act(api.endPairing, notice) }, "Cancel");
    const heading = h("h2", {}, "Connecting");
    replace(this.body, h("section", { class: "card" }, heading, link,
      state.question ? this.#question(state.question, notice) : null, notice, readings, h("div", { class: "actions" }, stop)));
    if (state.question) /** @type {HTMLElement | null} */ (this.body.querySelector("input, .primary"))?.focus();
    this.#update = (now) => {
      // While the strap asks, the state of its link says only that it is not paired yet.
      setText(link, now.question ? "The strap asks before it is paired." : now.link ?? "Connecting …");
      if (now.readings?.length) setText(heading, "Receiving three readings");
      replace(readings, (now.readings ?? []).map(readingItem));
    };
  }

  #question(question, notice) {
    if (question.kind === "display") {
      return h("div", { class: "question" }, h("p", {}, "Enter this number on the strap:"), number(question.number));
    }
    const answer = (body) => this.#act(() => api.answerPairing(body), notice);
    if (question.kind === "comparison") {
      return h("div", { class: "question" }, h("p", {}, "Does the strap show this number?"), number(question.number),
        h("div", { class: "actions" },
          h("button", { type: "button", onclick: () => answer({ matches: false }) }, "No"),
          h("button", { type: "button", class: "primary", onclick: () => answer({ matches: true }) }, "Yes")));
    }
    const input = h("input", { type: "text", inputmode: "numeric", pattern: "[0-9]{1,6}", maxlength: 6, required: true,
      autocomplete: "off" });
    const form = h("form", { class: "fields column question" },
      field("Passkey", input, "Six digits that the strap shows, or that are printed on it or in its manual."),
      h("div", { class: "actions" }, h("button", { type: "submit", class: "primary" }, "Continue")));
    if (this.#wasAnswered) {
      replace(notice, h("p", { role: "alert" }, "The strap did not accept this passkey. Enter it again."));
    }
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.#wasAnswered = true;
      answer({ passkey: input.value.trim() });
    });
    return form;
  }

  // MARK: The end

  #paired(state) {
    const { strap } = state;
    announce(`${strap.name} is paired.`);
    replace(this.body, h("section", { class: "card" }, h("h2", {}, `${words.strapName(strap)} is paired`),
      state.problem ? h("p", {}, icon("warning"), ` ${state.problem}`) : null,
      h("ul", { class: "plain" }, (state.readings ?? []).map(readingItem)), wearerForm(strap)));
  }

  #failed(state) {
    const text = state.phase === "closed" ? "The pairing was ended." : capitalised(state.problem ?? "The strap was not paired.");
    announce(text, "assertive");
    replace(this.body, h("section", { class: "card" }, h("h2", {}, "Not paired"), h("p", {}, text),
      h("div", { class: "actions" },
        h("a", { class: "button", href: "#/doctor" }, "Check the station"),
        h("button", { type: "button", class: "primary", onclick: () => this.begin() }, "Search again"))));
  }
}

/** @param {any} strap of the search */
function nameOf(strap) {
  return strap.name || "A strap without a name";
}

function candidateRow(strap, choose) {
  const known = h("p", { class: "hint" });
  const bars = h("span", { class: "bars", role: "img" });
  const button = h("button", { type: "button", class: "primary", "aria-label": `Pair ${nameOf(strap)}`, onclick: choose }, "Pair");
  const element = h("li", {}, h("div", {}, h("h3", {}, nameOf(strap)), known), bars, h("div", { class: "actions" }, button));
  function update(now) {
    const facts = [now.address, now.knownAs && `paired as ${now.knownAs}`, now.heartRate && `${now.heartRate} bpm`];
    setText(known, facts.filter(Boolean).join(" · "));
    const count = now.signal === undefined ? 0 : BARS.filter((each) => now.signal > each).length;
    const label = now.signal === undefined ? "connected" : `signal ${now.signal} dBm, ${count} of ${BARS.length}`;
    if (bars.getAttribute("aria-label") === label) return;
    bars.setAttribute("aria-label", label);
    replace(bars, now.signal === undefined ? null : BARS.map((_, index) => h("span", { class: index < count ? "on" : "" })));
  }
  return { element, update };
}

const number = (digits) => h("p", { class: "pairing-number" }, `${digits.slice(0, 3)} ${digits.slice(3)}`);

function readingItem(reading) {
  const intervals = reading.intervals.map((each) => words.interval(each)).join(", ");
  return h("li", {}, `${reading.heartRate} bpm`, intervals && `, RR ${intervals}`);
}

const capitalised = (text) => text.charAt(0).toUpperCase() + text.slice(1);

/** The name of a strap and who wears it. */
function wearerForm(strap) {
  const input = (value, required) => h("input", { type: "text", value, maxlength: 100, required, autocomplete: "off" });
  const name = input(strap.name, true);
  const person = input(strap.person ?? "", false);
  const notice = h("div", {});
  const form = h("form", { class: "fields column" }, field("Name", name), field("Worn by", person,
    "Each person has a baseline. It can be changed in Settings."), notice,
  h("div", { class: "actions" }, h("button", { type: "submit", class: "primary" }, "Save, and show what is now")));
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    try {
      await api.changeStrap(strap.address, { name: name.value.trim(), person: person.value.trim() || null });
      location.hash = "#/now";
    } catch (error) {
      replace(notice, failure(error));
    }
  });
  return form;
}
