// @ts-check
// The agreement of the heart with paced breathing.

/** The duration that is evaluated. */
const SPAN_SECONDS = 60;
/** The least number of beats; a sine fits fewer ones in any case. */
const MINIMUM_BEATS = 30;
/** The maximum age of the last beat for feedback. */
const OLDEST_SECONDS = 5;

/**
 * The share (0 … 1) of the variance of the RR intervals of the last 60 s that a sine of the pacing frequency explains,
 * once their linear trend is removed: with RSS the residual sum of squares of a least-squares fit,
 *
 *     share = 1 − RSS(1, t, cos 2πft, sin 2πft) / RSS(1, t)
 *
 * The phase is free, because the heart follows the breath with a delay. The result is absent, with a reason, below 30 beats
 * and if one of them follows a gap. Marked beats are excluded.
 *
 * @param {import("./store.js").Beat[]} beats
 * @param {number} perMinute the pace
 * @param {number} from ms; beats before it are not part of the exercise
 * @param {number} now ms, by the station's clock
 * @returns {{ share: number } | { absence: string }}
 */
export function coherence(beats, perMinute, from, now) {
  const last = beats.length ? Date.parse(beats[beats.length - 1].time) : 0;
  if (now - last > OLDEST_SECONDS * 1000) return { absence: "no beat in the last 5 s" };
  const start = Math.max(from, last - SPAN_SECONDS * 1000);
  const recent = beats.filter((beat) => Date.parse(beat.time) > start);
  const hasGap = recent.some((beat, index) => index > 0 && beat.followsGap);
  if (hasGap) return { absence: "beats were lost in the last minute" };
  const sound = recent.filter((beat) => !beat.isMarked);
  if (sound.length < MINIMUM_BEATS) return { absence: `needs ${MINIMUM_BEATS} beats, there are ${sound.length}` };
  const times = sound.map((beat) => (Date.parse(beat.time) - last) / 1000);
  return { share: explainedShare(times, sound.map((beat) => beat.rr), perMinute / 60) };
}

/**
 * Returns the share by orthogonal columns (Gram–Schmidt): the squared projections on those of the sine, divided by the
 * residual of the line.
 * @param {number[]} times in s @param {number[]} values @param {number} frequency in Hz
 */
export function explainedShare(times, values, frequency) {
  const angle = 2 * Math.PI * frequency;
  const columns = [
    times.map(() => 1),
    times,
    times.map((time) => Math.cos(angle * time)),
    times.map((time) => Math.sin(angle * time)),
  ];
  /** @type {number[][]} */
  const basis = [];
  let rest = values;
  let afterLine = 0;
  let explained = 0;
  columns.forEach((column, index) => {
    const left = basis.reduce(without, column);
    const length = Math.sqrt(dot(left, left));
    if (length < 1e-9) return;
    const unit = left.map((value) => value / length);
    basis.push(unit);
    if (index === 2) afterLine = dot(rest, rest);
    if (index >= 2) explained += dot(rest, unit) ** 2;
    rest = without(rest, unit);
  });
  return afterLine > 1e-9 ? Math.min(1, explained / afterLine) : 0;
}

const dot = (a, b) => a.reduce((sum, value, index) => sum + value * b[index], 0);

function without(values, unit) {
  const share = dot(values, unit);
  return values.map((value, index) => value - share * unit[index]);
}

/** @param {number} share */
export function coherenceWord(share) {
  return share < 0.3 ? "Not yet in step" : share < 0.6 ? "Finding the rhythm" : "In step with your breath";
}
