// @ts-check
// The welcome page, and the login.
import { api } from "../api.js";
import { failure, field, h, icon, replace, viewHead } from "../dom.js";
import { preferences } from "../preferences.js";
import { CATEGORIES, swatch } from "../stress.js";

const command = (text) => h("pre", {}, h("code", {}, text));

/** @returns {import("../main.js").View} */
export function welcomeView() {
  preferences.set("welcomed", true);
  const step = (title, ...content) => h("li", { class: "card" }, h("h2", {}, title), ...content);
  const element = h("div", { class: "welcome" },
    viewHead("Welcome", "This station records heart-rate straps and shows heart rate, HRV and stress."),
    h("ol", { class: "steps" },
      step("Wear the strap",
        h("p", {}, "Wet the electrodes with water, and put the strap around the chest, just below the breast muscles, "
          + "snug but not tight. Most straps sleep until they feel skin."),
        h("p", {}, "An arm band or a watch works as well, when it sends RR intervals; a chest strap is most exact.")),
      step("Pair it, once",
        h("p", {}, "Do this while you wear the strap. It shows three readings when it is done."),
        h("p", { class: "full-scope" }, h("a", { class: "button", href: "#/pair" }, "Pair a strap")),
        h("p", {}, "From then on it connects automatically. Assign it to a person in ",
          h("a", { href: "#/settings" }, "Settings"), ".")),
      step("Look at it",
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
    h("p", {}, h("a", { class: "button primary", href: "#/now" }, "Show what is now")));
  return { title: "Welcome", element };
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
