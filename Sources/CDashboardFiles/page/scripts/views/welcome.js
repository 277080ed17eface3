// @ts-check
// The welcome page, and the login.
import { api } from "../api.js";
import { failure, field, h, icon, replace, setText, viewHead } from "../dom.js";
import { preferences } from "../preferences.js";
import { CATEGORIES, swatch } from "../stress.js";
import { isConnected, link as linkText, linkTone, strapName } from "../words.js";

const command = (text) => h("pre", {}, h("code", {}, text));

/** The first visit, one screen at a time; `welcome/how` explains the values instead.
 * @param {import("../main.js").Context} context @returns {import("../main.js").View} */
export function welcomeView({ store, path: [part] }) {
  preferences.set("welcomed", true);
  if (part === "how") return { title: "How it works", element: explanation() };
  const stage = h("div", {});
  const element = h("div", { class: "welcome" },
    viewHead("Welcome", "This station records heart-rate straps and shows heart rate, HRV and stress."), stage);
  const screens = [wearing, pairing, firstBeat, naming];
  let index = 0;
  /** @type {(() => void) | undefined} */
  let update;

  function show(step) {
    index = step;
    const { title, content, onChange } = screens[index](store);
    update = onChange;
    const heading = h("h2", { tabindex: "-1" }, title);
    const isLast = index === screens.length - 1;
    replace(stage, h("section", { class: "card" }, h("p", { class: "hint" }, `Step ${index + 1} of ${screens.length}`), heading,
      ...content, h("div", { class: "actions" },
        index > 0 ? h("button", { type: "button", onclick: () => turn(index - 1) }, "Back") : null,
        isLast ? h("a", { class: "button primary", href: "#/now" }, "Show what is now")
          : h("button", { type: "button", class: "primary", onclick: () => turn(index + 1) }, "Next"))),
    h("p", {}, h("a", { href: "#/welcome/how" }, "How it works"), " · ", h("a", { href: "#/now" }, "Skip")));
    update?.();
  }

  function turn(step) {
    show(step);
    /** @type {HTMLElement | null} */ (stage.querySelector("h2"))?.focus();
  }

  show(0);
  const unsubscribe = store.subscribe(() => update?.());
  return { title: "Welcome", element, dispose: unsubscribe };
}

function wearing() {
  return { title: "Wear the strap", content: [
    h("p", {}, "Wet the electrodes with water, and put the strap around the chest, just below the breast muscles, "
      + "snug but not tight. Most straps sleep until they feel skin."),
    h("p", {}, "An arm band or a watch works as well, when it sends RR intervals; a chest strap is most exact.")] };
}

/** Returns the words about the straps before another is paired. @param {any[]} readings @param {any} [search] of any strap */
export function pairingState(readings, search) {
  if (search && linkTone(search) === "bad") return `The station cannot look for straps: ${linkText(search)}.`;
  if (readings.some((reading) => isConnected(reading.link))) {
    return "A strap is connected already. To add another one, pair it.";
  }
  if (!readings.length) return "No strap is connected yet.";
  return `No strap is connected now. ${readings.map((reading) => `${strapName(reading)}: ${linkText(reading.link)}.`).join(" ")}`;
}

function pairing(store) {
  const state = h("p", { role: "status" });
  return { title: "Pair it, once", onChange: () => setText(state, pairingState(store.readings(), store.search())),
  content: [h("p", {}, "Do this while you wear the strap. It shows three readings when it is done."), state,
    h("p", { class: "full-scope" }, h("a", { class: "button", href: "#/pair" }, "Pair a strap")),
    h("p", {}, "From then on it connects automatically, whenever it is worn.")] };
}

function firstBeat(store) {
  const rate = h("p", { class: "rate-value" });
  const state = h("p", { role: "status" });
  return { title: "The first heartbeat", content: [rate, state], onChange: () => {
    const readings = store.readings();
    const live = readings.find((reading) => !store.isStale(reading) && reading.heartRate !== undefined);
    setText(rate, live ? `${live.heartRate} bpm` : "–");
    setText(state, live ? `${strapName(live)} is live. A session is being recorded.`
      : readings.length ? `${strapName(readings[0])}: ${linkText(readings[0].link)}.`
        : `${pairingState(readings, store.search())} A strap has to be worn, paired and near the station.`);
  } };
}

/** Names the strap and its wearer. */
function naming(store) {
  const reading = store.readings().find((each) => each.address);
  if (!reading) {
    return { title: "Name it", content: [h("p", {}, "When a strap is connected, it gets a name and a person in ",
      h("a", { href: "#/settings" }, "Settings"), ".")] };
  }
  const name = h("input", { type: "text", value: reading.name, maxlength: 100, required: true });
  const person = h("input", { type: "text", value: reading.person ?? "", maxlength: 100 });
  const notice = h("div", {});
  const form = h("form", { class: "fields column full-scope" }, field("Name of the strap", name),
    field("Worn by", person, "Trends, baselines and readings belong to a person."), notice,
    h("div", { class: "actions" }, h("button", { type: "submit" }, "Save")));
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    try {
      await api.changeStrap(reading.address, { name: name.value, person: person.value.trim() || null });
      replace(notice, h("p", { role: "status" }, "Saved."));
    } catch (error) {
      replace(notice, failure(error));
    }
  });
  return { title: "Name it", content: [form] };
}

function explanation() {
  const step = (title, ...content) => h("li", { class: "card" }, h("h2", {}, title), ...content);
  return h("div", { class: "welcome" },
    viewHead("How it works", "What the values are, and when they appear."),
    h("ol", { class: "steps" },
      step("Sessions",
        h("p", {}, "A session begins when the strap is worn, and ends when it is taken off. Heart rate comes at once, "
          + "RMSSD after half a minute, SDNN after one minute, and stress after five. A value that is not known is a "
          + "dash, with the reason beside it.")),
      step("It learns your baseline",
        h("p", {}, "Stress is measured against your baseline. The first 30 measurements use a default of 50 ms and "
          + "60 bpm, which fits nobody exactly; then the baseline is your own, from the last 30 days. One is taken "
          + "each minute while the strap is worn."),
        h("ul", { class: "categories" }, Object.entries(CATEGORIES).map(([name, { word, from }]) =>
          h("li", { class: name }, swatch(name), icon(name), h("strong", {}, word), `from ${from}`))),
        h("p", {}, "Readiness compares your mornings, and needs two weeks of them.")),
      step("How values are marked",
        h("p", {}, "After five seconds without data, values are marked ", h("strong", {}, "stale"),
          ": they are old, and a line says for how long. Beats that were lost are a gap, which nothing is drawn "
          + "across; intervals that no heart makes are crossed out."))),
    h("p", {}, h("a", { class: "button", href: "#/welcome" }, "The first steps"), " ",
      h("a", { class: "button primary", href: "#/now" }, "Show what is now")));
}

/** @param {() => void} then is called after the login @param {unknown} [error] why a login before it failed
 * @returns {import("../main.js").View} */
export function loginView(then, error) {
  const token = h("input", { type: "password", autocomplete: "current-password", required: true, maxlength: 200,
    spellcheck: "false", autocapitalize: "none" });
  const notice = h("div", {}, error ? failure(error) : null);
  const button = h("button", { type: "submit", class: "primary" }, "Log in");
  const form = h("form", { class: "card login" },
    h("p", {}, "This station requires a token. To log in a phone, run this on the station and scan the code:"),
    command("sudo tachogram open"), h("p", {}, "It also shows the token, which can be entered here."),
    field("Token", token), notice, button);
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    button.disabled = true;
    try {
      await api.logIn(token.value.trim());
      then();
    } catch (error) {
      button.disabled = false;
      replace(notice, failure(error));
      token.select();
    }
  });
  return { title: "Log in", element: h("div", {}, viewHead("Log in"), form) };
}
