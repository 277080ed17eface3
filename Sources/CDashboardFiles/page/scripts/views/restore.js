// @ts-check
// Restore: the verified copies of the database, and what restoring one would change.
import { api } from "../api.js";
import { actions, openDialog } from "../dialogs.js";
import { announce, emptyState, facts, failure, h, loading, replace, viewHead } from "../dom.js";
import * as words from "../words.js";

/** @returns {import("../main.js").View} */
export function restoreView() {
  const body = h("div", { class: "stack" }, loading());
  const element = h("div", {}, viewHead("Snapshots", "Verified copies of everything that the station has stored."), body);
  load(body);
  return { title: "Snapshots", element };
}

async function load(body) {
  try {
    const { snapshots, lastResult } = await api.snapshots();
    const result = lastResult ? h("p", { class: "card", role: "status" }, lastResult) : null;
    if (!snapshots.length) {
      replace(body, result, emptyState("No snapshot yet", "The station makes one once a day, when something has changed."));
      return;
    }
    replace(body, result, h("section", { class: "card" }, h("ul", { class: "strap-list" }, snapshots.map((snapshot) =>
      h("li", {}, h("div", {}, h("h3", {}, words.dayAndTime(snapshot.time)), h("p", { class: "hint" }, words.bytes(snapshot.bytes))),
        h("div", { class: "actions" }, h("button", { type: "button",
          "aria-label": `Restore the snapshot of ${words.dayAndTime(snapshot.time)}`, onclick: () => preview(snapshot, body) },
        "Restore …")))))));
  } catch (error) {
    replace(body, failure(error, () => load(body)));
  }
}

/** Shows what restoring a snapshot would change, and restores it after confirmation. */
function preview(snapshot, body) {
  openDialog(`Restore ${words.dayAndTime(snapshot.time)}?`, (close) => {
    const content = h("div", {}, loading("Checking the snapshot …"));
    api.previewSnapshot(snapshot.id).then((found) => replace(content, ...previewContent(found, close, body)),
      (error) => replace(content, failure(error), actions(close)));
    return [content];
  });
}

function previewContent(found, close, body) {
  if (found.problem) {
    return [h("p", { role: "alert" }, `This snapshot cannot be restored: ${found.problem}`), h("div", { class: "actions" },
      h("button", { type: "button", onclick: close }, "Close"))];
  }
  const rows = [["Sessions in the snapshot", found.sessions === undefined ? "of an older version" : words.number(found.sessions)]];
  if (found.last) rows.push(["The last of them ended", words.dayAndTime(found.last)]);
  if (found.missing) {
    rows.push(["Stored sessions that it lacks", words.number(found.missing)],
      ["From", words.dayAndTime(found.firstMissing)], ["To", words.dayAndTime(found.lastMissing)]);
  }
  const notice = h("div", {});
  const run = h("button", { type: "button", class: "danger", disabled: true }, "Restore");
  const sure = h("input", { type: "checkbox", onchange: () => (run.disabled = !sure.checked) });
  run.addEventListener("click", async () => {
    run.disabled = true;
    try {
      await api.restoreSnapshot(found.snapshot.id);
      close();
      announce("The station starts again with the snapshot.", "assertive");
      replace(body, loading("The station starts again with the snapshot …"));
      setTimeout(() => waitForStation(body, 30), 3000);
    } catch (error) {
      run.disabled = false;
      replace(notice, failure(error));
    }
  });
  return [facts(rows), h("p", {}, "The station ends its sessions and starts again. What is stored now is kept in a file "
    + "beside the database, and is no longer shown."),
  h("label", { class: "check" }, sure, h("span", {}, found.missing ? "I know that these sessions are no longer shown."
    : "Restore this snapshot.")), notice, actions(close, run)];
}

/** Shows the result when the station answers again. @param {number} tries */
async function waitForStation(body, tries) {
  try {
    await api.status();
    load(body);
  } catch (error) {
    if (tries > 0) setTimeout(() => waitForStation(body, tries - 1), 2000);
    else replace(body, failure(error, () => waitForStation(body, 30)));
  }
}
