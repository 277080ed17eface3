// @ts-check
// Changing a session: its names and note, its markers, and its parts.
import { api } from "../api.js";
import { actions, openDialog } from "../dialogs.js";
import { announce, emptyState, failure, field, h, icon, loading, replace } from "../dom.js";
import * as words from "../words.js";
import { who } from "./history.js";

/** Texts that are offered for markers. */
export const MARKS = ["coffee", "meal", "exercise", "stress", "lights off", "lights on"];

/** Creates the card of the person, the label and the note. @param {(session: any) => void} changed */
export function namesCard(session, changed) {
  const person = h("input", { type: "text", value: session.person ?? "", maxlength: 100, disabled: session.isRunning });
  const label = h("input", { type: "text", value: session.label ?? "", maxlength: 100 });
  const note = h("textarea", { rows: 3, maxlength: 2000, value: session.note ?? "" });
  const notice = h("div", {});
  const save = h("button", { type: "submit", class: "primary" }, "Save");
  const form = h("form", { class: "fields column" }, field("Label", label, "A short name, such as night or run."),
    field("Note", note), field("Person", person, session.isRunning ? "Can be changed when the session has ended." : undefined),
    notice, h("div", { class: "actions" }, save));
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const wanted = { label: label.value.trim(), note: note.value.trim(), person: person.value.trim() };
    const changes = Object.fromEntries(Object.entries(wanted).filter(([key, text]) => text !== (session[key] ?? ""))
      .map(([key, text]) => [key, text || null]));
    if (!Object.keys(changes).length) return;
    save.disabled = true;
    try {
      changed(await api.changeSession(session.id, changes));
      announce("Saved.");
    } catch (error) {
      replace(notice, failure(error));
    }
    save.disabled = false;
  });
  return h("section", { class: "card full-scope" }, h("h2", {}, "Label and note"), form);
}

// MARK: Markers

/** Creates the card of the markers. @param {() => void} changed */
export function markersCard(session, markers, changed) {
  const list = h("ul", { class: "markers" }, markers.map((marker) => h("li", {},
    h("span", {}, h("strong", {}, marker.text), ` ${words.exactTime(marker.time)}`),
    h("button", { type: "button", class: "square full-scope", "aria-label": `Delete the marker ${marker.text}`,
      onclick: (event) => remove(event.currentTarget, marker) }, icon("delete")))));
  const notice = h("div", {});

  async function remove(button, marker) {
    button.disabled = true;
    try {
      await api.unmark(session.id, marker.id);
      announce(`The marker ${marker.text} is deleted.`);
      changed();
    } catch (error) {
      button.disabled = false;
      replace(notice, failure(error));
    }
  }

  return h("section", { class: "card" }, h("h2", {}, "Markers"),
    markers.length ? list : h("p", {}, "No markers. A marker names an instant, such as coffee or lights off."), notice,
    h("div", { class: "actions full-scope" },
      h("button", { type: "button", onclick: () => markDialog(session.id, changed, session) }, "Add a marker")));
}

/** Asks for a marker; without a session, its time is now. @param {string} id @param {() => void} then @param {any} [session] */
export function markDialog(id, then, session) {
  openDialog("Add a marker", (close) => {
    const text = h("input", { type: "text", required: true, maxlength: 100, list: "marks" });
    const time = session && timeInput(session, session.isRunning ? new Date().toISOString() : session.start);
    const notice = h("div", {});
    const add = h("button", { type: "submit", class: "primary" }, "Add");
    const form = h("form", { class: "fields column" },
      field("Name", text), h("datalist", { id: "marks" }, MARKS.map((each) => h("option", { value: each }))),
      time ? field("Time", time) : h("p", { class: "hint" }, "The time is now."), notice, actions(close, add));
    form.addEventListener("submit", async (event) => {
      event.preventDefault();
      add.disabled = true;
      try {
        const at = time && within(session, time.value);
        const marker = await api.mark(id, { text: text.value, ...(at ? { time: at } : {}) });
        close();
        announce(`Marked: ${marker.text}, ${words.timeOfDay(marker.time)}.`);
        then();
      } catch (error) {
        add.disabled = false;
        replace(notice, failure(error));
      }
    });
    return [form];
  });
}

/** Returns an input for a time within a session, in the zone of this browser. */
function timeInput(session, value) {
  return h("input", { type: "datetime-local", step: 1, required: true, value: localText(value),
    min: localText(session.start), max: session.isRunning ? undefined : localText(session.end, 1000) });
}

/** Returns the instant of an input, whose seconds are whole: the first and last second of a session are of the session.
 * @param {any} session @param {string} value */
function within(session, value) {
  const start = Date.parse(session.start), end = session.isRunning ? Infinity : Date.parse(session.end);
  const at = new Date(value).getTime();
  const inside = at < start && start - at < 1000 ? start : at > end && at - end <= 1000 ? end : at;
  return new Date(inside).toISOString();
}

function localText(time, later = 0) {
  const date = new Date(Date.parse(time) + later);
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 19);
}

// MARK: Parts

/** Creates the card for splitting, merging and comparing. @param {(id: string) => void} changed */
export function partsCard(session, changed) {
  const button = (text, action, isFull = true) =>
    h("button", { type: "button", class: isFull ? "full-scope" : "", onclick: action }, text);
  return h("section", { class: "card" }, h("h2", {}, "Compare, split, merge"),
    h("div", { class: "actions" },
      button("Compare with another session", () => chooseDialog("Compare with", session, false,
        (other) => Promise.resolve((location.hash = `#/compare/${session.id}/${other.id}`))), false),
      session.isRunning ? null : button("Split this session", () => splitDialog(session, changed)),
      session.isRunning ? null : button("Merge with another session", () => chooseDialog("Merge with", session, true,
        async (other) => changed((await api.mergeSessions(session.id, other.id)).id)))));
}

function splitDialog(session, changed) {
  openDialog("Split this session", (close) => {
    const middle = new Date((Date.parse(session.start) + Date.parse(session.end)) / 2).toISOString();
    const time = timeInput(session, middle);
    const notice = h("div", {});
    const split = h("button", { type: "submit", class: "primary" }, "Split");
    const form = h("form", { class: "fields column" },
      h("p", {}, "The second session begins with the first notification at or after this time. "
        + "Nothing that was received is lost, and the two can be merged again."),
      field("Time", time), notice, actions(close, split));
    form.addEventListener("submit", async (event) => {
      event.preventDefault();
      split.disabled = true;
      try {
        const { sessions } = await api.splitSession(session.id, new Date(time.value).toISOString());
        close();
        announce("The session is split.");
        changed(sessions[0].id);
      } catch (error) {
        split.disabled = false;
        replace(notice, failure(error));
      }
    });
    return [form];
  });
}

/** Lets the user choose one of the sessions around a session. @param {(other: any) => Promise<any>} run */
function chooseDialog(title, session, isSameStrap, run) {
  openDialog(title, (close) => {
    const body = h("div", {}, loading());
    const notice = h("div", {});
    const to = new Date(Date.parse(session.end) + 86_400_000 * (isSameStrap ? 1 : 3660)).toISOString();
    api.sessions({ to, limit: 60 }).then(({ sessions }) => {
      const others = sessions.filter((other) => other.id !== session.id && !(isSameStrap
        && (other.strap !== session.strap || other.person !== session.person || other.isRunning)));
      replace(body, others.length ? h("ul", { class: "choices" }, others.map(item)) : emptyState("No other session",
        isSameStrap ? "Only sessions of the same strap and person can be merged." : "There is nothing to compare with."));
    }, (error) => replace(body, failure(error)));
    const item = (other) => h("li", {}, h("button", { type: "button", onclick: async (event) => {
      event.currentTarget.disabled = true;
      try {
        await run(other);
        close();
      } catch (error) {
        replace(notice, failure(error));
      }
    } }, `${words.dayAndTime(other.start)}, ${words.duration(Date.parse(other.end) - Date.parse(other.start))}, ${who(other)}`));
    return [body, notice, actions(close)];
  });
}
