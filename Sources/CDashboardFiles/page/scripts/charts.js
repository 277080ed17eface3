// @ts-check
// Charts over time, drawn by dygraphs, which is loaded for the first chart.
import { h, icon, setText } from "./dom.js";
import { colour, cross, rem, ring } from "./plots.js";
import { dayAndTime, exactTime } from "./words.js";

/** @type {Promise<any> | undefined} */
let library;

/** Returns dygraphs without its legend, whose style attributes the content security policy forbids. */
function dygraphs() {
  library ??= new Promise((resolve, reject) => {
    document.head.append(h("link", { rel: "stylesheet", href: "/vendor/dygraph.css" }));
    document.head.append(h("script", {
      src: "/vendor/dygraph.min.js",
      onload: () => {
        const { Dygraph } = /** @type {any} */ (window);
        Dygraph.PLUGINS = Dygraph.PLUGINS.filter((plugin) => plugin !== Dygraph.Plugins.Legend);
        resolve(Dygraph);
      },
      onerror: () => {
        library = undefined;
        reject(new Error("The charts could not be loaded."));
      },
    }));
  });
  return library;
}

/**
 * @typedef {object} Line
 * @property {string} label
 * @property {string} colour of the style sheet
 * @property {"line" | "dashed" | "rings" | "crosses" | "none"} [form]
 * @typedef {object} Area shaded from left to right, or from bottom to top where `isLevel`
 * @property {number} from
 * @property {number} to
 * @property {string} colour
 * @property {boolean} [isLevel]
 * @property {[number, number]} [between] the values of a box
 * @property {string} [text] in the middle of it, where there is room
 * @typedef {object} Chart
 * @property {string} title
 * @property {string} summary what it shows, in words
 * @property {any[][]} rows a time in ms, then a value (or null) of each line
 * @property {Line[]} lines
 * @property {Area[]} [areas]
 * @property {[number, number]} [range] of the values
 * @property {[number, number]} [times] first and last
 * @property {(value: number) => string} format
 * @property {(value: number) => string} [tick] of the axis, instead of the format
 * @property {(time: number) => string} [when]
 * @property {(time: number) => string} [axis] of the times, instead of those of the day
 * @property {{ time: number, text: string }[]} [marks] named instants
 * @property {string} [size] a further class
 * @property {number[]} [ticks] of the values, instead of round ones
 * @property {any} [legend] instead of that of the lines
 */

/** Charts of the same stretch of time. Zooming one zooms all. */
export class ChartGroup {
  /** The charts with their elements and redraw functions. @type {Map<any, { plot: HTMLElement, redraw: () => void }>} */
  #graphs = new Map();
  #isDisposed = false;
  /** @type {[number, number] | null} */
  #window = null;
  /** @type {[number, number]} */
  #whole = [0, 0];
  #onTheme = () => this.#graphs.forEach(({ redraw }) => redraw());
  #observer = new ResizeObserver((entries) => entries.forEach(({ target }) => this.#resize(target)));

  constructor() {
    document.addEventListener("themechange", this.#onTheme);
  }

  /** @param {Chart} chart @returns {HTMLElement} empty until dygraphs is loaded */
  add(chart) {
    const plot = h("div", { class: `plot ${chart.size ?? ""}`, role: "img",
      "aria-label": `${chart.title}. ${chart.summary}` });
    const readout = h("p", { class: "readout", "aria-hidden": "true" }, chart.summary);
    const legend = chart.lines.length > 1 && h("ul", { class: "legend", "aria-hidden": "true" },
      chart.lines.map((line) => {
        const key = h("span", { class: `key ${line.form ?? "line"}` });
        key.style.color = `var(--${line.colour})`;
        return h("li", {}, key, line.label);
      }));
    const figure = h("figure", { class: "chart" }, plot, h("figcaption", {}, readout, legend, chart.legend));
    dygraphs().then((Dygraph) => this.#isDisposed || this.#draw(Dygraph, chart, plot, readout),
      (error) => setText(readout, error.message));
    return figure;
  }

  #draw(Dygraph, chart, plot, readout) {
    this.#dropReplaced();
    const when = chart.when ?? ((time) => `${dayAndTime(time)}:${exactTime(time).slice(6, 8)}`);
    const format = (point) => `${point.name} ${chart.format(point.yval)}`;
    const graph = new Dygraph(plot, chart.rows.map(([time, ...values]) => [new Date(time), ...values]), {
      ...this.#look(chart),
      labels: ["time", ...chart.lines.map((line) => line.label)],
      dateWindow: this.#window ?? chart.times,
      valueRange: chart.range,
      interactionModel: interaction(Dygraph),
      // A missing value of a line is skipped; NaN is a break.
      connectSeparatedPoints: true,
      animatedZooms: false,
      highlightCircleSize: 4,
      series: Object.fromEntries(chart.lines.map((line) => [line.label, form(line, chart.rows.length)])),
      underlayCallback: (context, area, self) => {
        drawAreas(context, area, self, chart.areas ?? []);
        drawMarks(context, area, self, chart.marks ?? []);
      },
      highlightCallback: (_event, time, points) => {
        const known = points.filter((point) => Number.isFinite(point.yval));
        setText(readout, known.length ? `${when(time)}: ${known.map(format).join(", ")}` : chart.summary);
      },
      unhighlightCallback: () => setText(readout, chart.summary),
      drawCallback: (self, isFirst) => isFirst || this.#follow(self),
    });
    if (chart.times) this.#whole = chart.times;
    this.#graphs.set(graph, { plot, redraw: () => graph.updateOptions(this.#look(chart)) });
    plot.graph = graph;
    this.#observer.observe(plot);
  }

  /** Removes the charts that are no longer in the page. */
  #dropReplaced() {
    for (const [graph, { plot }] of this.#graphs) {
      if (plot.isConnected) continue;
      this.#observer.unobserve(plot);
      this.#graphs.delete(graph);
      graph.destroy();
    }
  }

  /** Returns the options that depend on the theme and the text size. */
  #look(chart) {
    const size = rem();
    return {
      colors: chart.lines.map((line) => colour(line.colour)),
      gridLineColor: colour("line"),
      axisLineColor: colour("line"),
      gridLineWidth: 1,
      strokeWidth: 2,
      axisLabelFontSize: 0.8 * size,
      axes: {
        x: {
          axisLabelWidth: 4.2 * size, pixelsPerLabel: 4 * size, drawGrid: false,
          ...(chart.axis ? { axisLabelFormatter: (date) => chart.axis(Number(date)) } : {}),
        },
        y: {
          axisLabelWidth: 3.1 * size,
          pixelsPerLabel: 2.6 * size,
          // The lines would cross boxes.
          drawGrid: !chart.areas?.some((area) => area.between),
          axisLabelFormatter: chart.tick ?? chart.format,
          ...(chart.ticks ? { ticker: () => chart.ticks?.map((v) => ({ v, label: (chart.tick ?? chart.format)(v) })) } : {}),
        },
      },
    };
  }

  #resize(plot) {
    if (plot.clientWidth > 0 && plot.clientHeight > 0) plot.graph?.resize();
  }

  /** @param {any} moved the chart that was zoomed by hand */
  #follow(moved) {
    const [from, to] = moved.xAxisRange();
    if (this.#window && this.#window[0] === from && this.#window[1] === to) return;
    this.zoom([from, to], moved);
  }

  /** @param {[number, number]} window @param {any} [except] */
  zoom(window, except) {
    this.#window = window;
    for (const graph of this.#graphs.keys()) if (graph !== except) graph.updateOptions({ dateWindow: window });
  }

  /** Zooms around the middle, and moves, within the whole range. @param {number} factor @param {number} [shift] in windows */
  change(factor, shift = 0) {
    const [first, last] = this.#whole;
    const [from, to] = this.#window ?? this.#whole;
    const length = Math.min(last - first, Math.max(5000, (to - from) * factor));
    const middle = (from + to) / 2 + shift * length;
    const start = Math.min(last - length, Math.max(first, middle - length / 2));
    this.zoom([start, start + length]);
  }

  /** The buttons for zooming without a mouse. */
  buttons() {
    const button = (name, label, action) =>
      h("button", { type: "button", class: "square", "aria-label": label, title: label, onclick: action }, icon(name));
    return h("div", { class: "zoom", role: "group", "aria-label": "Stretch of time shown" },
      button("left", "Earlier", () => this.change(1, -0.5)),
      button("right", "Later", () => this.change(1, 0.5)),
      button("zoom-in", "Zoom in", () => this.change(0.5)),
      button("zoom-out", "Zoom out", () => this.change(2)),
      button("whole", "The whole", () => this.zoom(this.#whole)));
  }

  dispose() {
    this.#isDisposed = true;
    this.#observer.disconnect();
    document.removeEventListener("themechange", this.#onTheme);
    for (const graph of this.#graphs.keys()) graph.destroy();
    this.#graphs.clear();
  }
}

/** Dragging with a mouse zooms; a finger scrolls the page, so that buttons are offered. */
function interaction(Dygraph) {
  const { mousedown, dblclick } = Dygraph.defaultInteractionModel;
  return { mousedown, dblclick, willDestroyContextMyself: true };
}

/** @param {Line} line @param {number} count of its values; few values are drawn as larger points */
function form(line, count) {
  const pointSize = count > 60 ? 1.6 : 3;
  if (line.form === "dashed") return { strokePattern: [6, 4], drawPoints: true, pointSize };
  if (line.form === "none") return { strokeWidth: 0, drawPoints: false };
  if (line.form === "rings" || line.form === "crosses") {
    const mark = line.form === "rings" ? ring : cross;
    const draw = (graph, _name, context, x, y) => {
      const area = graph.getArea();
      mark(context, x, Math.min(area.y + area.h - 4, Math.max(area.y + 4, y)), 3.5);
    };
    return { strokeWidth: 0, drawPoints: true, drawPointCallback: draw };
  }
  return { drawPoints: true, pointSize };
}

/** @param {Area[]} areas */
function drawAreas(context, area, graph, areas) {
  for (const each of areas) {
    context.fillStyle = colour(each.colour);
    if (each.isLevel) {
      const top = Math.max(area.y, graph.toDomYCoord(each.to));
      const bottom = Math.min(area.y + area.h, graph.toDomYCoord(each.from));
      if (bottom > top) context.fillRect(area.x, top, area.w, bottom - top);
    } else {
      const left = Math.max(area.x, graph.toDomXCoord(each.from));
      const right = Math.min(area.x + area.w, Math.max(left + 2, graph.toDomXCoord(each.to)));
      const [bottom, top] = each.between?.map((value) => graph.toDomYCoord(value)) ?? [area.y + area.h, area.y];
      if (right <= left) continue;
      context.fillRect(left, top, right - left, bottom - top);
      if (each.text) drawText(context, each.text, (left + right) / 2, (top + bottom) / 2, right - left);
    }
  }
}

/** Draws a text around a point, upwards if it is wider than the room, and not at all if that is too narrow for a line. */
function drawText(context, text, x, y, room) {
  const size = 0.8 * rem();
  context.font = `${size}px sans-serif`;
  if (room < size * 1.2) return;
  context.save();
  context.translate(x, y);
  if (context.measureText(text).width + size > room) context.rotate(-Math.PI / 2);
  context.fillStyle = colour("text");
  context.textAlign = "center";
  context.textBaseline = "middle";
  context.fillText(text, 0, 0);
  context.restore();
}

/** Draws a line with its name for each mark. */
function drawMarks(context, area, graph, marks) {
  context.font = `${0.8 * rem()}px sans-serif`;
  for (const mark of marks) {
    const x = Math.round(graph.toDomXCoord(mark.time));
    if (x < area.x || x > area.x + area.w) continue;
    context.fillStyle = colour("text");
    context.fillRect(x, area.y, 1, area.h);
    const isLeft = x > area.x + area.w / 2;
    context.textAlign = isLeft ? "right" : "left";
    context.fillText(mark.text, x + (isLeft ? -4 : 4), area.y + rem());
  }
}

/** Returns the range of values with a margin. @param {(number | null | undefined)[]} values @returns {[number, number]} */
export function rangeOf(values, least = 10) {
  const known = /** @type {number[]} */ (values.filter((value) => Number.isFinite(value)));
  if (!known.length) return [0, least];
  const low = known.reduce((a, b) => Math.min(a, b));
  const high = known.reduce((a, b) => Math.max(a, b));
  const air = Math.max((high - low) * 0.1, (least - (high - low)) / 2);
  return [Math.max(0, low - air), high + air];
}
