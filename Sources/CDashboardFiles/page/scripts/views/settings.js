// @ts-check
// Settings: straps, appearance, persons, storage, export and deletion.
import { api } from "../api.js";
import { actions, confirmDialog, deletionDialog, openDialog } from "../dialogs.js";
import { choice, facts, failure, field, h, icon, loading, replace, select, viewHead } from "../dom.js";
import { preferences } from "../preferences.js";
import * as words from "../words.js";
import { accessCard } from "./access.js";
import { rulesCard } from "./rules.js";

/** @param {import("../main.js").Context} context @returns {import("../main.js").View} */
export function settingsView({ store }) {
  const straps = h("div", { class: "stack" });
  const storage = h("div", { class: "stack" });
  const about = h("div", { class: "stack" });
  const people = h("div", { class: "stack" });
  const exportPlace = h("div", { class: "stack" });
  const element = h("div", {}, viewHead("Settings"), h("div", { class: "two" },
    card("Straps", straps), card("Appearance", appearance()), card("Sessions, nights, alerts, storage", rulesCard()),
    card("People", people), card("Storage", storage),
    card("Access", accessCard(() => store.onLeave())), fullCard("Export", exportPlace),
    fullCard("Delete", deletionForms(() => loadPeople())), card("About", about)));

  const load = (place, ask, show) => loadInto(place, ask, show);
  const loadStraps = () => load(straps, api.straps, (answer) => strapList(answer.straps, loadStraps));
  const loadPeople = () => load(people, api.persons, (answer) => personList(answer.persons, loadPeople));
  loadStraps();
  loadPeople();
  load(exportPlace, () => Promise.all([api.sessions({ limit: 100 }), api.formats()]),
    ([stored, known]) => exportForm(stored.sessions, known.formats));

  function showStatus() {
    if (!store.status) return;
    replace(storage, storageFacts(store.status));
    replace(about, aboutFacts(store.status));
  }
  if (store.status) showStatus();
  else {
    replace(storage, loading());
    replace(about, loading());
  }
  const unsubscribe = store.subscribe((topic) => topic === "status" && showStatus());
  return { title: "Settings", element, dispose: unsubscribe };
}

function card(title, ...content) {
  return h("section", { class: "card" }, h("h2", {}, title), ...content);
}

/** A card that a browser which can only read does not need. */
function fullCard(title, ...content) {
  return h("section", { class: "card full-scope" }, h("h2", {}, title), ...content);
}

async function loadInto(place, ask, show) {
  if (!place.hasChildNodes()) replace(place, loading());
  try {
    replace(place, show(await ask()));
  } catch (error) {
    replace(place, failure(error, () => loadInto(place, ask, show)));
  }
}

// MARK: Straps

function strapList(straps, reload) {
  if (!straps.length) {
    return [h("p", {}, "No strap is paired yet. Put one on, and pair it."), pairLink()];
  }
  return [h("ul", { class: "strap-list" }, straps.map((strap) => strapItem(strap, reload))), pairLink()];
}

function pairLink() {
  return h("p", { class: "full-scope" }, h("a", { class: "button", href: "#/pair" }, "Pair a strap"));
}

function strapItem(strap, reload) {
  const name = words.strapName(strap);
  const wearer = strap.person ? `worn by ${strap.person}` : "No person assigned";
  const known = [wearer, strap.label, strap.address, strap.isBonded && "bonded", `paired on ${words.day(strap.added)}`];
  const button = (text, action) =>
    h("button", { type: "button", "aria-label": `${text} ${name}`, onclick: () => action(strap, reload) }, text);
  return h("li", {}, h("div", {}, h("h3", {}, name), h("p", { class: "hint" }, known.filter(Boolean).join(" · "))),
    h("div", { class: "actions full-scope" }, button("Change", change), button("Forget", forget)));
}

function change(strap, reload) {
  openDialog(`Change ${words.strapName(strap)}`, (close) => {
    const input = (value, required) => h("input", { type: "text", value: value ?? "", maxlength: 100, required,
      autocomplete: "off" });
    const name = input(strap.name, true);
    const person = input(strap.person);
    const label = input(strap.label);
    const notice = h("div", {});
    const form = h("form", { class: "fields column" },
      field("Name", name, strap.advertisedName ? `Advertised name: ${strap.advertisedName}.` : undefined),
      field("Person", person, "Applies to new sessions. Each person has a baseline."),
      field("Label", label, "Added to each session, such as sleep or training."), notice,
      actions(close, h("button", { type: "submit", class: "primary" }, "Save")));
    form.addEventListener("submit", async (event) => {
      event.preventDefault();
      const text = (element) => element.value.trim() || null;
      try {
        const change = { name: text(name) ?? strap.name, person: text(person), label: text(label) };
        await api.changeStrap(strap.address, change);
        close();
        reload();
      } catch (error) {
        replace(notice, failure(error));
      }
    });
    return [form];
  });
}

function forget(strap, reload) {
  confirmDialog({
    title: `Forget ${words.strapName(strap)}?`, action: "Forget", done: "Forgotten.",
    text: "The station no longer connects to it. Its recordings are kept.",
    run: () => api.forgetStrap(strap.address),
  }, reload);
}

// MARK: People

function personList(persons, reload) {
  const note = h("p", { class: "hint" }, "Assign a person to each strap. Sessions keep the person who wore the strap.");
  if (!persons.length) return [h("p", {}, "No people yet."), note];
  return [h("ul", { class: "strap-list" }, persons.map((name) => h("li", {}, h("h3", {}, name),
    h("div", { class: "actions" },
      h("a", { class: "button", href: "#/trends", "aria-label": `Trends of ${name}`,
        onclick: () => preferences.set("person", name) }, "Trends"),
      h("button", { type: "button", class: "danger full-scope", "aria-label": `Delete all of ${name}`,
        onclick: () => deletionDialog({ person: name }, `all of ${name}`, reload) }, "Delete …"))))), note];
}

// MARK: Appearance

function appearance() {
  const set = (key) => (value) => preferences.set(key, value);
  const clocks = [["auto", "System"], ["24", "24 hours"], ["12", "12 hours"]];
  const seconds = [["0", "off"], ["15", "every 15 s"], ["30", "every 30 s"], ["60", "every minute"]];
  return h("div", { class: "fields column" },
    choice("Theme", [["auto", "System"], ["light", "Light"], ["dark", "Dark"]], preferences.get("theme"), set("theme")),
    choice("Intervals in", [["ms", "Milliseconds"], ["s", "Seconds"]], preferences.get("intervals"), set("intervals")),
    choice("Clock", clocks, preferences.get("clock"), set("clock")),
    field("Values for screen readers", select(seconds, String(preferences.get("announceSeconds")),
      (value) => preferences.set("announceSeconds", Number(value)))),
    h("p", { class: "hint" }, "Kept in this browser only."));
}

// MARK: Storage

function storageFacts(status) {
  const { database } = status;
  const snapshot = database.lastSnapshot ? words.dayAndTime(database.lastSnapshot) : "none yet";
  return [
    facts([["Database", words.bytes(database.bytes)],
      ["Free on the disk", `${database.freeBytes === undefined ? "unknown" : words.bytes(database.freeBytes)}${database.isDiskLow ? ", low" : ""}`],
      ["Last snapshot", snapshot]]),
    h("p", { class: "full-scope" }, h("a", { href: "#/restore" }, "Snapshots"), " can be restored"),
    h("h3", {}, "What is kept"),
    status.retention?.length ? h("ul", { class: "plain" }, status.retention.map((text) => h("li", {}, text)))
      : h("p", {}, "Everything, until the disk is full."),
  ];
}

function aboutFacts(status) {
  return [
    facts([["Version", status.version], ["Running since", words.dayAndTime(status.started)],
      ["Source", status.source === "radio" ? "Bluetooth" : "a capture that is played"],
      ["Recorder", status.isRecording ? "running" : "stopped"]]),
    h("ul", { class: "plain" },
      h("li", { class: "full-scope" }, h("a", { href: "#/doctor" }, "Check the station"), " for problems"),
      h("li", { class: "full-scope" }, h("a", { href: "#/sync" }, "Other stations"), " with the same history"),
      h("li", {}, h("a", { href: "/api/v1/openapi.yaml" }, "API document"), " (OpenAPI 3.1)"),
      h("li", {}, h("a", { href: "#/welcome/how" }, "How it works")),
      h("li", {}, "Charts by dygraphs, ", h("a", { href: "/vendor/LICENSE-dygraphs.txt" }, "its licence"))),
  ];
}

// MARK: Export

function exportForm(sessions, formats) {
  if (!sessions.length) return h("p", {}, "There is no session to export yet.");
  const choices = formats.map(({ name, title, words: content }) => [name, `${title}: ${content}`]);
  const options = sessions.map((session) =>
    [session.id, [words.dayAndTime(session.start), session.person ?? session.name].join(", ")]);
  const link = h("a", { class: "button", download: true }, icon("download"), "Download");
  let id = sessions[0].id;
  let format = formats[0].name;
  const point = () => link.setAttribute("href", api.exportPath(id, format));
  point();
  return h("div", { class: "fields column" },
    field("Session", select(options, id, (value) => ((id = value), point()))),
    field("Format", select(choices, format, (value) => ((format = value), point()))), link,
    h("p", { class: "hint" }, "The latest 100 sessions. Older sessions have export links in History."));
}

// MARK: Deletion

/** What can be deleted of some days, in words. @type {[string, string][]} */
const CATEGORIES = [["sessions", "sessions, with everything in them"], ["stress", "only stress levels"],
  ["windows", "only HRV windows"]];

function deletionForms(reload) {
  const from = h("input", { type: "date" });
  const to = h("input", { type: "date" });
  let category = "sessions";
  const notice = h("p", { class: "hint", role: "alert" });
  const button = (text, action) => h("button", { type: "button", class: "danger", onclick: action }, text);

  function ofTime() {
    if (!from.value && !to.value) {
      notice.textContent = "Choose a first day, a last day, or both.";
      return;
    }
    notice.textContent = "";
    const selection = {};
    if (from.value) selection.from = new Date(`${from.value}T00:00:00`).toISOString();
    if (to.value) selection.to = new Date(`${to.value}T23:59:59.999`).toISOString();
    if (category !== "sessions") selection.category = category;
    const what = { sessions: "sessions", stress: "stress levels", windows: "HRV windows" }[category];
    deletionDialog(selection, `the ${what} of these days`, reload);
  }

  return h("div", { class: "deletions" },
    h("p", { class: "hint" }, "You see what would be deleted first. Nothing is deleted until you confirm."),
    h("fieldset", {}, h("legend", {}, "By day"), h("div", { class: "fields" }, field("From", from), field("To", to),
      field("What", select(CATEGORIES, category, (value) => (category = value)))),
      notice, button("Delete days …", ofTime)),
    h("fieldset", {}, h("legend", {}, "All"),
      button("Delete everything …", () => deletionDialog({ everything: true }, "everything", reload))));
}
