// @ts-check
// Creating and finding elements. Text is never parsed as HTML.

const SVG = "http://www.w3.org/2000/svg";
const SVG_TAGS = new Set(["svg", "use", "circle", "path", "g", "line", "rect", "text", "ellipse"]);

/** @typedef {Node | string | number | null | undefined | false} Child */

/**
 * Creates an element with attributes and children. `on…` adds a listener, `class` is a string; true is an attribute without a
 * value, false, null and undefined are omitted.
 * @param {string} tag
 * @param {Record<string, any>} [attributes]
 * @param {...(Child | Child[])} children
 * @returns {any}
 */
export function h(tag, attributes = {}, ...children) {
  const element = SVG_TAGS.has(tag) ? document.createElementNS(SVG, tag) : document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === false || value === null || value === undefined) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "value" && "value" in element) element.value = value;
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  fill(element, ...children);
  return element;
}

/** @param {Element} element @param {...(Child | Child[])} children */
export function fill(element, ...children) {
  for (const child of children.flat()) {
    if (child === false || child === null || child === undefined) continue;
    element.append(child instanceof Node ? child : String(child));
  }
  return element;
}

/** @param {Element} element @param {...(Child | Child[])} children */
export function replace(element, ...children) {
  element.replaceChildren();
  return fill(element, ...children);
}

/** Sets the text if it has changed, so that live regions and selections are not affected.
 * @param {Element} element @param {string} text */
export function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/** @param {string} name @param {string} [extra] a further class */
export function icon(name, extra = "") {
  return h("svg", { class: `icon ${extra}`, "aria-hidden": "true", focusable: "false" },
    h("use", { href: `#icon-${name}` }));
}

/** @param {string} id @returns {any} */
export function byId(id) {
  return document.getElementById(id);
}

/** Creates the heading of a view, which is focused when the view is shown.
 * @param {string} title @param {Child} [lead] */
export function viewHead(title, lead, ...extra) {
  return h("header", { class: "view-head" },
    h("div", {}, h("h1", { tabindex: "-1" }, title), lead && h("p", { class: "lead" }, lead)), ...extra);
}

/** @param {string} title @param {Child | Child[]} text @param {...Child} more */
export function emptyState(title, text, ...more) {
  return h("section", { class: "card empty" }, h("h2", {}, title), h("p", {}, text), ...more);
}

/** @param {string} [text] */
export function loading(text = "Loading …") {
  return h("p", { class: "loading", role: "status" }, text);
}

/** @param {unknown} error @param {() => void} [retry] */
export function failure(error, retry) {
  const text = error instanceof Error ? error.message : String(error);
  const sentence = text.charAt(0).toUpperCase() + text.slice(1);
  return h("div", { class: "card notice", role: "alert" }, icon("warning"), h("p", {}, ...linked(sentence)),
    retry && h("button", { type: "button", onclick: retry }, "Try again"));
}

const SNAPSHOTS = "Settings, Snapshots";

/** Returns a text in which the way to the snapshots is a link. @param {string} text @returns {Child[]} */
export function linked(text) {
  const [before, ...after] = text.split(SNAPSHOTS);
  if (!after.length) return [text];
  return [before, h("a", { href: "#/restore" }, SNAPSHOTS), after.join(SNAPSHOTS)];
}

/** Creates a labelled control, with the label above and the hint below.
 * @param {string} label @param {HTMLElement} control @param {string} [hint] */
export function field(label, control, hint) {
  const id = control.id || `field-${++fields}`;
  control.id = id;
  if (hint) control.setAttribute("aria-describedby", `${id}-hint`);
  return h("div", { class: "field" }, h("label", { for: id }, label), control,
    hint && h("p", { id: `${id}-hint`, class: "hint" }, hint));
}
let fields = 0;

/** @param {[string, string][]} options value and text
 * @param {string} value @param {(value: string) => void} [change] */
export function select(options, value, change) {
  const element = h("select", { onchange: () => change?.(element.value) },
    options.map(([each, text]) => h("option", { value: each, selected: each === value }, text)));
  return element;
}

/** Creates radio buttons in the form of a bar.
 * @param {string} legend @param {[string, string][]} options @param {string} value
 * @param {(value: string) => void} change
 * @param {boolean} [isQuiet] whether the legend is only for screen readers */
export function choice(legend, options, value, change, isQuiet = false) {
  const name = `choice-${++fields}`;
  return h("fieldset", { class: "choice" }, h("legend", { class: isQuiet ? "unseen" : "" }, legend),
    h("div", { class: "segments" }, options.map(([each, text]) => h("label", {},
      h("input", { type: "radio", name, value: each, checked: each === value, onchange: () => change(each) }),
      h("span", {}, text)))));
}

/** Creates a table with a caption, as an alternative to a chart.
 * @param {string} caption @param {string[]} heads @param {() => string[][]} rows made when it is opened */
export function asTable(caption, heads, rows) {
  const details = h("details", { class: "as-table" }, h("summary", {}, `${caption} as a table`));
  details.addEventListener("toggle", () => {
    if (!details.open || details.querySelector("table")) return;
    fill(details, h("div", { class: "scroller", tabindex: "0", role: "region", "aria-label": caption },
      h("table", {}, h("caption", { class: "unseen" }, caption),
        h("thead", {}, h("tr", {}, heads.map((text) => h("th", { scope: "col" }, text)))),
        h("tbody", {}, rows().map((cells) => h("tr", {}, cells.map((text, index) =>
          index === 0 ? h("th", { scope: "row" }, text) : h("td", {}, text))))))));
  });
  return details;
}

/** Creates a list of terms with values and optional small text. @param {any[][]} rows */
export function facts(rows) {
  return h("dl", { class: "facts" }, rows.map(([term, text, more]) =>
    h("div", {}, h("dt", {}, term), h("dd", {}, text, more && h("span", { class: "why" }, more)))));
}

// MARK: For screen readers

/** @param {string} text @param {"polite" | "assertive"} [manner] */
export function announce(text, manner = "polite") {
  const region = byId(manner);
  // An unchanged text would not be announced.
  region.textContent = region.textContent === text ? `${text}\u00a0` : text;
}
