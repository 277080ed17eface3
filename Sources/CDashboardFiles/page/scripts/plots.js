// @ts-check
// The plots without a library: the live trace of RR intervals and the Poincaré plot.
import { counted, interval, intervalTick, intervalUnit, number } from "./words.js";

/** @type {Map<string, string>} */
const colours = new Map();
document.addEventListener("themechange", () => colours.clear());
for (const query of ["(prefers-color-scheme: dark)", "(prefers-contrast: more)"]) {
  matchMedia(query).addEventListener("change", () => document.dispatchEvent(new Event("themechange")));
}

/** Returns a colour of the style sheet for a canvas. @param {string} name of a custom property, without dashes
 * @returns {string} */
export function colour(name) {
  const known = colours.get(name);
  if (known) return known;
  const probe = document.body.appendChild(Object.assign(document.createElement("span"), { className: "unseen" }));
  probe.style.color = `var(--${name})`;
  const found = getComputedStyle(probe).color;
  probe.remove();
  colours.set(name, found);
  return found;
}

/** Returns the size of 1 rem, so that drawings grow with the text. */
export function rem() {
  return Number.parseFloat(getComputedStyle(document.documentElement).fontSize) || 16;
}

/** @typedef {(context: CanvasRenderingContext2D, width: number, height: number) => void} Draw */

/** Draws a canvas in the resolution of the screen, and redraws it when its size or the theme changes.
 * @param {HTMLCanvasElement} canvas @param {Draw} draw */
function sharp(canvas, draw) {
  function redraw() {
    const { clientWidth: width, clientHeight: height } = canvas;
    if (!width || !height) return;
    const ratio = devicePixelRatio || 1;
    canvas.width = Math.round(width * ratio);
    canvas.height = Math.round(height * ratio);
    const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.font = `${0.8 * rem()}px ${getComputedStyle(canvas).fontFamily}`;
    draw(context, width, height);
  }
  const observer = new ResizeObserver(redraw);
  observer.observe(canvas);
  document.addEventListener("themechange", redraw);
  return {
    redraw,
    dispose() {
      observer.disconnect();
      document.removeEventListener("themechange", redraw);
    },
  };
}

/** Returns bounds around values with a margin, at least `least` apart, at multiples of `step`.
 * @param {number[]} values @returns {[number, number]} */
function bounds(values, least, step) {
  let low = Math.min(...values);
  let high = Math.max(...values);
  const air = Math.max((high - low) * 0.12, (least - (high - low)) / 2);
  low = Math.floor((low - air) / step) * step;
  high = Math.ceil((high + air) / step) * step;
  return [low, high];
}

// MARK: The live trace

const SHOWN_BEATS = 120;

/** @param {HTMLCanvasElement} canvas */
export function rrTrace(canvas) {
  /** @type {{ x: number, rr: number, isMarked?: boolean, followsGap?: boolean }[]} */
  let beats = [];
  let isStale = false;
  const plot = sharp(canvas, draw);

  function draw(context, width, height) {
    context.clearRect(0, 0, width, height);
    if (beats.length < 2) return;
    const sound = beats.filter((beat) => !beat.isMarked).map((beat) => beat.rr);
    const [low, high] = bounds(sound.length ? sound : beats.map((beat) => beat.rr), 120, 50);
    const left = context.measureText(intervalTick(2000)).width + 0.6 * rem();
    const area = { left, top: 0.6 * rem(), right: width - 0.5 * rem(), bottom: height - 1.5 * rem() };
    const first = beats[0].x;
    const last = beats[beats.length - 1].x;
    const x = (time) => area.left + ((time - first) / Math.max(1, last - first)) * (area.right - area.left);
    const y = (rr) => {
      // Values outside the range are drawn at the edge.
      const share = Math.min(0.97, Math.max(0.03, (rr - low) / (high - low)));
      return area.bottom - share * (area.bottom - area.top);
    };
    drawAxes(context, area, low, high, y, x, last);
    drawGaps(context, area, x);
    drawLine(context, x, y);
    drawBeats(context, x, y);
  }

  function drawAxes(context, area, low, high, y, x, last) {
    context.strokeStyle = colour("line");
    context.fillStyle = colour("muted");
    context.lineWidth = 1;
    context.textBaseline = "middle";
    context.textAlign = "right";
    for (const rr of [low, (low + high) / 2, high]) {
      const height = Math.round(y(rr)) + 0.5;
      line(context, area.left, height, area.right, height);
      context.fillText(intervalTick(rr), area.left - 0.4 * rem(), height);
    }
    context.textBaseline = "top";
    context.textAlign = "right";
    context.fillText("last beat", area.right, area.bottom + 0.45 * rem());
    context.textAlign = "center";
    let free = area.right - context.measureText("last beat").width - 0.5 * rem();
    for (let seconds = 30; seconds <= 300; seconds += 30) {
      const place = x(last - seconds * 1000);
      const half = context.measureText(`−${seconds} s`).width / 2;
      if (place - half < area.left) break;
      if (place + half > free) continue;
      context.fillText(`−${seconds} s`, place, area.bottom + 0.45 * rem());
      free = place - half - 0.5 * rem();
    }
  }

  /** Draws a gap hatched, without a line across it. */
  function drawGaps(context, area, x) {
    context.fillStyle = colour("gap");
    for (let index = 1; index < beats.length; index++) {
      if (!beats[index].followsGap) continue;
      const from = x(beats[index - 1].x);
      const to = Math.max(from + 3, x(beats[index].x - beats[index].rr));
      context.fillRect(from, area.top, to - from, area.bottom - area.top);
    }
  }

  function drawLine(context, x, y) {
    context.strokeStyle = colour(isStale ? "muted" : "accent");
    context.lineWidth = 1.75;
    context.lineJoin = "round";
    context.beginPath();
    let isDown = false;
    for (const beat of beats) {
      if (beat.followsGap || beat.isMarked) isDown = false;
      if (beat.isMarked) continue;
      if (isDown) context.lineTo(x(beat.x), y(beat.rr));
      else context.moveTo(x(beat.x), y(beat.rr));
      isDown = true;
    }
    context.stroke();
  }

  function drawBeats(context, x, y) {
    const size = Math.min(2.2, Math.max(1.4, canvas.clientWidth / 300));
    for (const beat of beats) {
      if (beat.isMarked) cross(context, x(beat.x), y(beat.rr));
      else {
        context.fillStyle = colour(isStale ? "muted" : "accent");
        context.beginPath();
        context.arc(x(beat.x), y(beat.rr), size, 0, 2 * Math.PI);
        context.fill();
      }
    }
  }

  return {
    /** @param {import("./store.js").Beat[]} latest @param {boolean} stale */
    show(latest, stale) {
      beats = latest.slice(-SHOWN_BEATS).map((beat) => ({ ...beat, x: Date.parse(beat.time) }));
      isStale = stale;
      plot.redraw();
    },
    dispose: plot.dispose,
  };
}

/** Returns a description of the trace. @param {import("./store.js").Beat[]} all */
export function traceWords(all) {
  const beats = all.slice(-SHOWN_BEATS);
  if (beats.length < 2) return "No beats yet.";
  const rr = beats.map((beat) => beat.rr);
  const marked = beats.filter((beat) => beat.isMarked).length;
  const gaps = beats.filter((beat, index) => index > 0 && beat.followsGap).length;
  return `The last ${beats.length} RR intervals, from ${interval(Math.min(...rr))} to ${interval(Math.max(...rr))}; `
    + `${marked ? `${marked} marked (✕)` : "none marked"}, ${gaps ? `${counted(gaps, "gap")} (shaded)` : "no gap"}.`;
}

function line(context, x1, y1, x2, y2) {
  context.beginPath();
  context.moveTo(x1, y1);
  context.lineTo(x2, y2);
  context.stroke();
}

/** Draws the sign of an unreliable beat or interval. */
export function cross(context, x, y, size = 4.5) {
  context.strokeStyle = colour("mark");
  context.lineWidth = 2;
  line(context, x - size, y - size, x + size, y + size);
  line(context, x - size, y + size, x + size, y - size);
}

/** Draws the sign of an impossible interval. */
export function ring(context, x, y, size = 3.5) {
  context.strokeStyle = colour("mark");
  context.lineWidth = 2;
  context.beginPath();
  context.arc(x, y, size, 0, 2 * Math.PI);
  context.stroke();
}

// MARK: Poincaré

/** @param {HTMLCanvasElement} canvas @param {{ x: number[], y: number[], sd1?: number, sd2?: number }} pairs */
export function poincarePlot(canvas, pairs) {
  const sorted = [...pairs.x, ...pairs.y].sort((a, b) => a - b);
  // Outliers must not compress the cloud: 5 of 1000 values at each end may be outside.
  const cut = Math.floor(sorted.length / 200);
  const inside = sorted.slice(cut, sorted.length - cut);
  const [low, high] = bounds(inside.length ? inside : [600, 1000], 150, 50);

  return sharp(canvas, (context, width, height) => {
    context.clearRect(0, 0, width, height);
    const left = context.measureText(intervalTick(2000)).width + 0.7 * rem();
    const side = Math.min(width - left - 0.5 * rem(), height - 2.9 * rem());
    const area = { left, top: 0.6 * rem(), side };
    const place = (value) => ((value - low) / (high - low)) * side;
    const x = (value) => area.left + place(value);
    const y = (value) => area.top + side - place(value);
    drawFrame(context, area, low, high, x, y);
    context.save();
    context.beginPath();
    context.rect(area.left, area.top, side, side);
    context.clip();
    drawCloud(context, pairs, x, y);
    drawEllipse(context, pairs, x, y, side / (high - low));
    context.restore();
  });
}

function drawFrame(context, area, low, high, x, y) {
  context.strokeStyle = colour("line");
  context.fillStyle = colour("muted");
  context.lineWidth = 1;
  for (const value of [low, (low + high) / 2, high]) {
    line(context, x(value), area.top, x(value), area.top + area.side);
    line(context, area.left, y(value), area.left + area.side, y(value));
    context.textAlign = "right";
    context.textBaseline = value === high ? "top" : value === low ? "bottom" : "middle";
    context.fillText(intervalTick(value), area.left - 0.4 * rem(), y(value));
    context.textAlign = value === low ? "left" : value === high ? "right" : "center";
    context.textBaseline = "top";
    context.fillText(intervalTick(value), x(value), area.top + area.side + 0.35 * rem());
  }
  context.textAlign = "center";
  context.fillText(`an interval, and up: the next one (${intervalUnit()})`, x((low + high) / 2),
    area.top + area.side + 1.5 * rem());
  context.setLineDash([4, 4]);
  line(context, x(low), y(low), x(high), y(high));
  context.setLineDash([]);
}

function drawCloud(context, pairs, x, y) {
  context.fillStyle = colour("accent");
  context.globalAlpha = pairs.x.length > 800 ? 0.3 : 0.55;
  pairs.x.forEach((value, index) => {
    context.beginPath();
    context.arc(x(value), y(pairs.y[index]), 1.8, 0, 2 * Math.PI);
    context.fill();
  });
  context.globalAlpha = 1;
}

/** Draws SD1 across the line of identity and SD2 along it, around the mean. */
function drawEllipse(context, pairs, x, y, scale) {
  if (pairs.sd1 === undefined || pairs.sd2 === undefined) return;
  const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const centre = { x: x(mean(pairs.x)), y: y(mean(pairs.y)) };
  context.save();
  context.translate(centre.x, centre.y);
  context.rotate(-Math.PI / 4);
  // A halo separates the lines from the cloud.
  for (const [name, width] of [["surface", 5], ["text", 2]]) {
    context.strokeStyle = colour(name);
    context.lineWidth = width;
    context.beginPath();
    context.ellipse(0, 0, pairs.sd2 * scale, pairs.sd1 * scale, 0, 0, 2 * Math.PI);
    context.stroke();
    line(context, 0, 0, pairs.sd2 * scale, 0);
    line(context, 0, 0, 0, -pairs.sd1 * scale);
  }
  context.restore();
}

/** @param {{ sd1?: number, sd2?: number, x: number[] }} pairs */
export function poincareWords(pairs) {
  if (pairs.sd1 === undefined || pairs.sd2 === undefined) return "Too few neighbouring intervals for SD1 and SD2.";
  return `SD1 ${number(pairs.sd1, 1)} ms (from beat to beat), SD2 ${number(pairs.sd2, 1)} ms (over many beats).`;
}
