// @ts-check
// Access: who may use the page, the tokens of other devices, and the way out.
import { api } from "../api.js";
import { actions, confirmDialog, openDialog } from "../dialogs.js";
import { failure, field, h, icon, loading, replace, select } from "../dom.js";
import * as words from "../words.js";

const SCOPES = { full: "Everything", read: "Reading only", glance: "Glances only", overlay: "The overlay only", metrics: "Metrics only" };
/** What a token of a scope is used in, for those that are no passwords of browsers. */
const ADDRESSES = { glance: "/glance/medium.svg?token=", overlay: "/overlay?token=" };

/** The card of the settings. @param {() => void} loggedOut is called after logging out */
export function accessCard(loggedOut) {
  const place = h("div", { class: "stack" }, loading());
  load(place, loggedOut);
  return place;
}

async function load(place, loggedOut) {
  try {
    const access = await api.access();
    replace(place, await content(access, place, loggedOut));
  } catch (error) {
    replace(place, failure(error, () => load(place, loggedOut)));
  }
}

async function content(access, place, loggedOut) {
  if (!access.isTokenRequired) {
    return [h("p", {}, "Only this machine can open this page. To open it to phones and computers in the network, run this on the station:"),
      h("pre", {}, h("code", {}, "sudo tachogram open"))];
  }
  const out = h("button", { type: "button", onclick: () => logOut(place, loggedOut) }, "Log out");
  if (access.scope !== "full") {
    return [h("p", {}, `This browser is logged in as ${access.name}, and can only read.`), h("div", { class: "actions" }, out)];
  }
  const trust = access.authority ? [h("details", {}, h("summary", {}, "Trust this station on this device"),
    h("p", {}, "The browser warns, and the page does not work offline, until the device trusts the station's certificate. "
      + "Download it, install it in the settings of the device as a certificate authority, and compare the fingerprint that "
      + "the device shows with that which sudo tachogram open prints on the station. The certificate is valid for this "
      + "network alone."),
    h("p", { class: "fingerprint" }, access.authority),
    h("p", {}, h("a", { class: "button", href: "/api/v1/authority", download: true }, icon("download"), "Download")))] : [];
  const { tokens } = await api.tokens();
  const reload = () => load(place, loggedOut);
  return [h("ul", { class: "strap-list" }, tokens.map((token) => tokenItem(token, reload, loggedOut))),
    h("div", { class: "actions" }, access.isProtected &&
      h("button", { type: "button", onclick: () => addToken(reload) }, "Add a token …"), out),
    h("p", { class: "hint" }, access.isProtected
      ? "To log in another phone, run sudo tachogram open on the station, and scan the code."
      : "Tokens can be added over TLS (https) only. Run sudo tachogram open on the station."), ...trust];
}

function tokenItem(token, reload, loggedOut) {
  const known = [SCOPES[token.scope], token.isOwn && "this browser",
    token.created && `since ${words.day(token.created)}`,
    token.lastUse && !token.isOwn ? `last used ${words.dayAndTime(token.lastUse)}` : null];
  return h("li", {}, h("div", {}, h("h3", {}, token.name), h("p", { class: "hint" }, known.filter(Boolean).join(" · "))),
    h("div", { class: "actions" }, h("button", { type: "button", "aria-label": `Revoke ${token.name}`,
      onclick: () => revoke(token, token.isOwn ? loggedOut : reload) }, "Revoke")));
}

function revoke(token, then) {
  const own = token.isOwn ? " This browser is logged out as well." : "";
  const text = token.id === "station"
    ? "The token of the station is replaced. Browsers that use it are logged out; tachogram token shows the new one."
    : "The browser or program that uses it is logged out at once.";
  confirmDialog({ title: `Revoke ${token.name}?`, action: "Revoke", done: "Revoked.", text: text + own,
    run: () => api.revokeToken(token.id) }, then);
}

function addToken(reload) {
  openDialog("Add a token", (close) => {
    const name = h("input", { type: "text", maxlength: 100, required: true, autocomplete: "off" });
    let scope = "read";
    const notice = h("div", {});
    const form = h("form", { class: "fields column" },
      field("Name", name, "The device or program that uses it."),
      field("It allows", select(["read", "full", "glance", "overlay", "metrics"].map((each) => [each, SCOPES[each]]), scope,
        (value) => (scope = value))), notice,
      actions(close, h("button", { type: "submit", class: "primary" }, "Add")));
    form.addEventListener("submit", async (event) => {
      event.preventDefault();
      try {
        const issued = await api.addToken(name.value.trim(), scope);
        replace(form, h("p", {}, `The token of ${issued.name}. It is not shown again.`),
          h("pre", {}, h("code", { class: "secret" }, ADDRESSES[scope] ? location.origin + ADDRESSES[scope] + issued.token : issued.token)),
          ADDRESSES[scope] && h("p", { class: "hint" }, "Whoever knows this address can open it."),
          h("div", { class: "actions" }, h("button", { type: "button", class: "primary", onclick: close }, "Done")));
        reload();
      } catch (error) {
        replace(notice, failure(error));
      }
    });
    return [form];
  });
}

async function logOut(place, loggedOut) {
  try {
    await api.logOut();
    loggedOut();
  } catch (error) {
    replace(place, failure(error, () => load(place, loggedOut)));
  }
}
