import Dashboard
import Synchronization

/// Settings in memory: two can be changed, one is set elsewhere.
package final class FakeSettings: Sendable {
  private let endAfter = Mutex<String?>(nil)
  private let accelerometer = Mutex<String?>(nil)

  package init() {}

  package func list() -> [API.Setting] {
    let value = endAfter.withLock { $0 }
    let straps = accelerometer.withLock { $0 }
    return [
      API.Setting(
        key: "session.endAfter", help: "A session ends when its strap has sent nothing for this long.",
        value: value ?? "10m", defaultValue: "10m", kind: "span", isChanged: value != nil),
      API.Setting(
        key: "session.hrv", help: "The HRV metric that stress levels are computed from.", value: "sdnn",
        defaultValue: "sdnn", kind: "choice", choices: ["sdnn", "rmssd"]),
      API.Setting(
        key: "sensors.accelerometer",
        help: "Polar straps whose accelerometer is recorded, by name or address, or all: movement in bed.",
        value: straps, defaultValue: nil, kind: "text", isChanged: straps != nil),
      API.Setting(
        key: "sensors.ecg", help: "Polar straps whose ECG is recorded, by name or address, or all.", value: nil,
        defaultValue: nil, kind: "text"),
      API.Setting(
        key: "sensors.pulseIntervals",
        help: "Polar optical sensors whose pulse-to-pulse intervals are recorded, by name or address, or all.",
        value: nil, defaultValue: nil, kind: "text"),
      API.Setting(
        key: "sleep.hours", help: "The usual hours in bed. When a strap is worn then, a night begins by itself.",
        value: nil, defaultValue: nil, kind: "text"),
      API.Setting(
        key: "alerts.batteryPercent", help: "Alert when a battery falls below this percentage; 0 disables.",
        value: "20", defaultValue: "15", kind: "integer", minimum: 0, maximum: 100,
        place: "/etc/tachogram/config.yaml:12: alerts.batteryPercent"),
      API.Setting(
        key: "alerts.quietHours", help: "The hours in which alerts are shown on the page only.", value: nil,
        defaultValue: nil, kind: "text"),
      API.Setting(
        key: "retention.sessions", help: "How long sessions are kept.", value: "forever", defaultValue: "forever",
        kind: "span", choices: ["forever"]),
      API.Setting(
        key: "retention.raw", help: "How long accelerometer and ECG are kept as they were received.", value: "14d",
        defaultValue: "14d", kind: "span", choices: ["forever"]),
    ]
  }

  package func change(_ changes: [String: String?]) throws {
    for (key, value) in changes {
      if key == "sensors.accelerometer" {
        accelerometer.withLock { $0 = value }
        continue
      }
      guard key == "session.endAfter" else {
        throw DashboardError(.badRequest, "\(key) cannot be changed on the page.")
      }
      if let value, !value.hasSuffix("m") {
        throw DashboardError(.badRequest, "\(key) is \"\(value)\"; it is a length of time like 90s, 30m, 8h or 30d.")
      }
      endAfter.withLock { $0 = value }
    }
  }
}
