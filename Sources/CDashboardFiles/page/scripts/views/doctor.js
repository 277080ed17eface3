// @ts-check
// Doctor: what keeps straps from being received, and what to do about it.
import { api } from "../api.js";
import { announce, failure, h, icon, linked, loading, replace, viewHead } from "../dom.js";

const SEVERITIES = { problem: "Problem", warning: "Warning", ok: "In order" };

/** @returns {import("../main.js").View} */
export function doctorView() {
  const body = h("div", { class: "stack" });
  const bundle = h("div", {});
  const element = h("div", {}, viewHead("Check the station", "What keeps straps from being received, and what to do."), body,
    diagnosisCard(bundle));
  load(body);
  return { title: "Check the station", element };
}

/** The card of the diagnosis, which is shown before it is saved. @param {HTMLElement} place */
function diagnosisCard(place) {
  const collect = h("button", { type: "button", onclick: () => showDiagnosis(place) }, "Show the diagnosis");
  return h("section", { class: "card" }, h("h2", {}, "Diagnosis for a report"),
    h("p", {}, "Facts about the station and its machine, to be attached to a report of a fault. It contains no names, no "
      + "addresses, no values of the configuration and no heart data; check it before you pass it on."),
    place, h("div", { class: "actions" }, collect));
}

async function showDiagnosis(place) {
  replace(place, loading("Collecting …"));
  try {
    const text = `${JSON.stringify(await api.diagnosis(), null, 2)}\n`;
    const save = h("button", { type: "button", class: "primary", onclick: () => saveFile("tachogram-diagnosis.json", text) }, "Save");
    replace(place, h("pre", { class: "scroller", tabindex: "0", "aria-label": "Diagnosis" }, h("code", {}, text)), h("p", {}, save));
    announce("The diagnosis is shown.");
  } catch (error) {
    replace(place, failure(error, () => showDiagnosis(place)));
  }
}

function saveFile(name, text) {
  const address = URL.createObjectURL(new Blob([text], { type: "application/json" }));
  h("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

/** @param {HTMLElement} body @param {string[]} [done] what was done before */
async function load(body, done = []) {
  replace(body, loading("Checking …"));
  try {
    const report = await api.doctor();
    const verdict = report.usable ? "Straps can be received." : "Straps cannot be received. Start with the first finding.";
    announce(verdict);
    replace(body, done.length ? h("section", { class: "card" }, h("h2", {}, "Done"),
      h("ul", { class: "plain" }, done.map((step) => h("li", {}, step)))) : null,
    h("section", { class: "card" }, h("h2", {}, verdict),
      h("ul", { class: "findings" }, report.findings.map(finding)), buttons(report, body)));
  } catch (error) {
    replace(body, failure(error, () => load(body)));
  }
}

function finding(found) {
  return h("li", { class: found.severity }, icon(found.severity === "ok" ? "check" : "warning"),
    h("div", {}, h("h3", {}, SEVERITIES[found.severity]), h("p", {}, ...linked(found.what)),
      found.remedy && found.severity !== "ok" ? h("p", { class: "remedy" }, ...linked(found.remedy)) : null));
}

function buttons(report, body) {
  const again = h("button", { type: "button", onclick: () => load(body) }, "Check again");
  if (!report.findings.some((found) => found.isFixable)) return h("div", { class: "actions" }, again);
  const fix = h("button", { type: "button", class: "primary" }, "Fix what the station can fix");
  fix.addEventListener("click", async () => {
    fix.disabled = true;
    try {
      const { steps } = await api.fixDoctor();
      load(body, steps.length ? steps : ["Nothing was found that a program has switched off."]);
    } catch (error) {
      replace(body, failure(error, () => load(body)));
    }
  });
  return h("div", { class: "actions" }, again, fix);
}
