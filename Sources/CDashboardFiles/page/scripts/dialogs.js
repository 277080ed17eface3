// @ts-check
// Dialogs. An action that cannot be undone is confirmed after its effects are shown.
import { api } from "./api.js";
import { announce, facts, failure, fill, h, icon, loading, replace } from "./dom.js";
import { counted, dayAndTime, number } from "./words.js";

/** Opens a modal dialog, which is removed when it is closed.
 * @param {string} title @param {(close: () => void) => any[]} content */
export function openDialog(title, content) {
  const id = `dialog-${++dialogs}`;
  const dialog = /** @type {HTMLDialogElement} */ (h("dialog", { "aria-labelledby": id }));
  const close = () => dialog.close();
  dialog.addEventListener("close", () => dialog.remove());
  fill(dialog, h("h2", { id }, title), ...content(close));
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}
let dialogs = 0;

/** @param {() => void} close @param {...any} others */
export function actions(close, ...others) {
  return h("div", { class: "actions" }, h("button", { type: "button", onclick: close }, "Cancel"), ...others);
}

/** Asks for confirmation and runs the action. An error is shown in the dialog.
 * @param {{ title: string, text: string, action: string, run: () => Promise<any>, done?: string }} question
 * @param {() => void} then */
export function confirmDialog(question, then) {
  openDialog(question.title, (close) => {
    const notice = h("div", {});
    const run = h("button", { type: "button", class: "danger" }, question.action);
    run.addEventListener("click", async () => {
      run.disabled = true;
      try {
        await question.run();
        close();
        if (question.done) announce(question.done);
        then();
      } catch (error) {
        run.disabled = false;
        replace(notice, failure(error));
      }
    });
    return [h("p", {}, question.text), notice, actions(close, run)];
  });
}

/** Shows the effects of a deletion, and deletes after confirmation.
 * @param {Record<string, any>} selection of the API @param {string} what it is, in words @param {() => void} then */
export function deletionDialog(selection, what, then) {
  openDialog(`Delete ${what}?`, (close) => {
    const body = h("div", {}, loading("Counting what would be deleted …"));
    preview(selection, body, close, then);
    return [body];
  });
}

async function preview(selection, body, close, then) {
  let counts;
  try {
    counts = await api.previewDeletion(selection);
  } catch (error) {
    replace(body, failure(error), actions(close));
    return;
  }
  const isOfSessions = !selection.category || selection.category === "sessions";
  if (!(isOfSessions ? ["sessions", "stress", "readings", "trends", "people"] : [selection.category]).some((key) => counts[key])) {
    replace(body, h("p", {}, counts.running ? running(counts.running) : "There is nothing to delete."),
      h("div", { class: "actions" }, h("button", { type: "button", onclick: close }, "Close")));
    return;
  }
  const notice = h("div", {});
  const run = h("button", { type: "button", class: "danger", disabled: true }, icon("delete"), "Delete for good");
  const sure = h("input", { type: "checkbox", onchange: () => (run.disabled = !sure.checked) });
  run.addEventListener("click", async () => {
    run.disabled = true;
    try {
      const done = await api.deletion(selection);
      close();
      const left = done.remaining?.length ? ` Not from a replaced database: ${done.remaining.join("; ")}` : "";
      announce((done.sessions && isOfSessions ? `Deleted: ${counted(done.sessions, "session")}.` : "Deleted.") + left);
      then(done);
    } catch (error) {
      run.disabled = false;
      replace(notice, failure(error));
    }
  });
  const rows = isOfSessions ? countRows(counts) : partRows(counts, selection.category);
  replace(body, facts(rows), counts.running ? h("p", {}, running(counts.running)) : null,
    h("label", { class: "check" }, sure, h("span", {}, "I know that this cannot be undone.")), notice,
    actions(close, run));
}

function countRows(counts) {
  const rows = [
    ["Sessions", number(counts.sessions)],
    ["Notifications", number(counts.notifications)],
    ["Beats", number(counts.beats)],
    ["Stress measurements", number(counts.stress)],
    ["Readings", number(counts.readings)],
    ["Hours of trends", number(counts.trends)],
    ["People", number(counts.people)],
  ];
  if (counts.first && counts.last) rows.push(["First", dayAndTime(counts.first)], ["Last", dayAndTime(counts.last)]);
  return rows;
}

function partRows(counts, category) {
  return category === "stress" ? [["Stress measurements", number(counts.stress)]] : [["HRV windows", number(counts.windows)]];
}

function running(count) {
  return `${counted(count, "session is", "sessions are")} being recorded and ${count === 1 ? "stays" : "stay"}.`;
}
