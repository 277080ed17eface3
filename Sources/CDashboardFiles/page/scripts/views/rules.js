// @ts-check
// The settings of the station: sessions, nights, alerts and how long data is kept.
import { api } from "../api.js";
import { announce, failure, field, h, loading, replace, select } from "../dom.js";

/** The names of the keys, in the order in which they are shown. */
const NAMES = {
  "session.endAfter": "A session ends after",
  "session.hrv": "Stress is computed from",
  "sleep.hours": "Usual hours in bed",
  "sensors.accelerometer": "Record the movement of",
  "sensors.ecg": "Record the ECG of",
  "sensors.pulseIntervals": "Record the pulse intervals of",
  "alerts.stressMinutes": "Alert after minutes of high stress",
  "alerts.batteryPercent": "Alert below battery percentage",
  "alerts.silenceMinutes": "Alert after minutes of silence",
  "alerts.quietHours": "Quiet hours",
  "alerts.morningReading": "Remind of the morning reading at",
  "retention.sessions": "Keep sessions for",
  "retention.windows": "Keep HRV windows for",
  "retention.trends": "Keep trends for",
  "retention.raw": "Keep raw movement and ECG for",
  timeZone: "Time zone",
};
const STRAPS = "Several are separated by commas, such as Polar H10, Verity Sense.";
const EXAMPLES = { span: "Such as 90s, 30m, 8h or 365d.", "alerts.quietHours": "Such as 22:00-07:00.",
  "alerts.morningReading": "Such as 07:30.", "sleep.hours": "Such as 22:00-09:00.", "sensors.accelerometer": STRAPS,
  "sensors.ecg": STRAPS, "sensors.pulseIntervals": STRAPS, timeZone: "Such as Europe/Berlin." };

/** The card of the settings. */
export function rulesCard() {
  const place = h("div", { class: "stack" }, loading());
  load(place);
  return place;
}

async function load(place) {
  try {
    replace(place, form((await api.settings()).settings, place));
  } catch (error) {
    replace(place, failure(error, () => load(place)));
  }
}

function form(settings, place) {
  const known = Object.keys(NAMES);
  const order = (setting) => (known.indexOf(setting.key) + known.length + 1) % (known.length + 1);
  const rows = [...settings].sort((a, b) => order(a) - order(b)).map(row);
  const notice = h("div", {});
  const save = h("button", { type: "submit", class: "primary full-scope" }, "Save");
  const element = h("form", { class: "fields column" }, rows.map((each) => each.element), notice, h("div", { class: "actions" }, save));
  element.addEventListener("submit", async (event) => {
    event.preventDefault();
    const changes = Object.fromEntries(rows.filter((each) => each.isChanged()).map((each) => [each.key, each.value()]));
    if (!Object.keys(changes).length) return;
    save.disabled = true;
    try {
      const answer = await api.changeSettings(changes);
      replace(place, form(answer.settings, place));
      announce("Saved.");
    } catch (error) {
      save.disabled = false;
      replace(notice, failure(error));
    }
  });
  return element;
}

function row(setting) {
  const before = setting.value ?? "";
  const control = input(setting, before);
  const fallback = setting.defaultValue ?? "none";
  const hints = [setting.help, EXAMPLES[setting.key] ?? EXAMPLES[setting.kind],
    setting.place ? `Set in ${setting.place}; it can be changed there only.` : `Without a value: ${fallback}.`];
  return {
    key: setting.key,
    element: field(NAMES[setting.key] ?? setting.key, control, hints.filter(Boolean).join(" ")),
    isChanged: () => !setting.place && control.value.trim() !== before,
    // An empty value restores what applies otherwise.
    value: () => control.value.trim() || null,
  };
}

function input(setting, value) {
  const disabled = Boolean(setting.place);
  if (setting.kind === "choice") {
    const control = select(setting.choices.map((each) => [each, each]), value);
    control.disabled = disabled;
    return control;
  }
  return setting.kind === "integer"
    ? h("input", { type: "number", value, min: setting.minimum, max: setting.maximum, step: 1, disabled })
    : h("input", { type: "text", value, maxlength: 200, disabled, autocomplete: "off", spellcheck: "false" });
}
