// @ts-check
// Restore: the verified copies of the database, what restoring one would change, and what a replaced database holds.
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
    const { snapshots, replaced, lastResult } = await api.snapshots();
    const result = lastResult ? h("p", { class: "card", role: "status" }, lastResult) : null;
    const copies = snapshots.length
      ? h("section", { class: "card" }, files(snapshots, "Restore the snapshot of", "Restore …",
        (snapshot) => preview(snapshot, body)))
      : emptyState("No snapshot yet", "The station makes one once a day, when something has changed.");
    const earlier = replaced.length
      ? h("section", { class: "card" }, h("h2", {}, "Replaced databases"),
        h("p", { class: "hint" }, "What was stored when a snapshot was restored. Sessions that are missing now can be brought back."),
        files(replaced, "Bring back sessions from", "Bring back …", (file) => previewReplaced(file)))
      : null;
    replace(body, result, copies, earlier);
  } catch (error) {
    replace(body, failure(error, () => load(body)));
  }
}

/** @param {{id: string, time: string, bytes: number}[]} list @param {string} label @param {string} button */
function files(list, label, button, open) {
  return h("ul", { class: "strap-list" }, list.map((file) =>
    h("li", {}, h("div", {}, h("h3", {}, words.dayAndTime(file.time)), h("p", { class: "hint" }, words.bytes(file.bytes))),
      h("div", { class: "actions" }, h("button", { type: "button", "aria-label": `${label} ${words.dayAndTime(file.time)}`,
        onclick: () => open(file) }, button)))));
}

/** Shows which sessions only a replaced database holds, and copies them after confirmation. */
function previewReplaced(file) {
  openDialog(`Bring back sessions of ${words.dayAndTime(file.time)}?`, (close) => {
    const content = h("div", {}, loading("Comparing the databases …"));
    api.previewReplaced(file.id).then((found) => replace(content, ...replacedContent(found, close)),
      (error) => replace(content, failure(error), actions(close)));
    return [content];
  });
}

function replacedContent(found, close) {
  const end = h("div", { class: "actions" }, h("button", { type: "button", onclick: close }, "Close"));
  if (found.problem) return [h("p", { role: "alert" }, `This database cannot be read: ${found.problem}`), end];
  const left = found.overlapping
    ? h("p", {}, `${words.number(found.overlapping)} others are stored in part and are left as they are. `,
      h("code", {}, "tachogram export"), " can write them to files.") : null;
  if (!found.missing) return [h("p", {}, "Nothing is missing: all of its sessions are stored."), left, end];
  const notice = h("div", {});
  const run = h("button", { type: "button", class: "primary" }, "Bring back");
  run.addEventListener("click", async () => {
    run.disabled = true;
    replace(notice, loading("Copying the sessions …"));
    try {
      const { copied, problem } = await api.copyReplaced(found.replaced.id);
      const text = copied === 1 ? "1 session was brought back." : `${words.number(copied)} sessions were brought back.`;
      announce(text, "polite");
      replace(notice, h("p", { role: "status" }, text), problem ? h("p", { role: "alert" }, `Not all: ${problem}`) : null, end);
      run.parentElement?.remove();
    } catch (error) {
      run.disabled = false;
      replace(notice, failure(error));
    }
  });
  return [facts([["Sessions that are missing now", words.number(found.missing)], ["From", words.dayAndTime(found.firstMissing)],
    ["To", words.dayAndTime(found.lastMissing)]]), left, notice, actions(close, run)];
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
  if (found.missing === undefined) rows.push(["What is stored now", "cannot be read"]);
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
      notice.scrollIntoView({ block: "nearest" });
    }
  });
  const what = found.missing === undefined
    ? "The station starts again. The damaged database is kept beside it, and what was received since is added. Straps stay "
      + "paired, but may have their addresses as names."
    : "The station ends its sessions and starts again. What is stored now is kept in a file beside the database; its sessions "
      + "can be brought back afterwards. Paired straps stay paired.";
  return [facts(rows), h("p", {}, what),
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
