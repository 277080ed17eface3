// @ts-check
// Other stations: the space that this station shares with others, when they synchronised, and what is wrong.
import { api } from "../api.js";
import { emptyState, facts, failure, h, loading, replace, viewHead } from "../dom.js";
import * as words from "../words.js";

const ROLES = { reader: "reads and writes", sensor: "only adds", recovery: "recovery words" };

/** @returns {import("../main.js").View} */
export function syncView() {
  const body = h("div", { class: "stack" }, loading());
  const element = h("div", {}, viewHead("Other stations", "One history on several stations, through a store that cannot read it."),
    body);
  load(body);
  return { title: "Other stations", element };
}

async function load(body) {
  try {
    const state = await api.sync();
    if (!state.isMember) {
      replace(body, emptyState("This station keeps its history to itself", [h("code", {}, "tachogram sync init"), " and ",
        h("code", {}, "tachogram sync join"), " on the stations let them share it, through a folder or a server."]));
      return;
    }
    const waiting = state.waitingChunks ? `${words.number(state.waitingChunks)} (${words.bytes(state.waitingBytes)})` : "nothing";
    replace(body, problems(state.problems),
      h("section", { class: "card" }, h("h2", {}, "Synchronisation"), facts([
        ["Last complete", state.lastSync ? words.dayAndTime(state.lastSync) : "not yet"],
        ["Waits to be sent", waiting], ["Store", state.store ?? "–"]])),
      h("section", { class: "card" }, h("h2", {}, "Stations"), h("ul", { class: "strap-list" }, state.members.map(member))));
  } catch (error) {
    replace(body, failure(error, () => load(body)));
  }
}

/** @param {{text: string, advice?: string}[]} list */
function problems(list) {
  if (!list.length) return null;
  return h("section", { class: "card", role: "alert" }, h("h2", {}, "What is wrong"), list.map(({ text, advice }) =>
    h("div", {}, h("p", {}, text), advice ? h("p", { class: "hint" }, advice) : null)));
}

function member(station) {
  const heard = station.isThisStation ? "this station" : station.lastHeard
    ? `last heard ${words.dayAndTime(station.lastHeard)}` : "not heard yet";
  return h("li", {}, h("div", {}, h("h3", {}, station.name ?? station.id),
    h("p", { class: "hint" }, `${ROLES[station.role] ?? station.role} · ${heard}`)));
}
