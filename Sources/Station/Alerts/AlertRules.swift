import StressKit
import TachogramCore

/// The rules for alerts: a pure state machine that is updated every few seconds with the state of the straps and the station.
package struct AlertRules: Sendable {
  package enum Kind: String, Hashable, Sendable, CaseIterable {
    case highStress, batteryLow, noData, diskLow, damaged, snapshotFailed, readingDue
  }

  /// A condition of a strap or of the station that needs attention.
  package struct Alert: Hashable, Sendable {
    package let kind: Kind
    /// The strap's name, or `nil` for an alert of the station.
    package let strap: String?
    package let text: String
    package let since: WallTime
  }

  /// The state of a strap.
  package struct Strap: Hashable, Sendable {
    package var name: String
    /// The current stress level, or `nil` if unknown.
    package var stress: Double?
    package var batteryPercent: UInt8?
    /// The time of the last notification, or `nil` before the first.
    package var lastHeard: WallTime?
    package var isInSession: Bool

    package init(
      name: String, stress: Double? = nil, batteryPercent: UInt8? = nil, lastHeard: WallTime? = nil,
      isInSession: Bool = false,
    ) {
      self.name = name
      self.stress = stress
      self.batteryPercent = batteryPercent
      self.lastHeard = lastHeard
      self.isInSession = isInSession
    }
  }

  /// The state of the station.
  package struct Machine: Hashable, Sendable {
    package var isDiskLow: Bool
    /// The damage of the database with advice, or `nil` if none is known.
    package var damage: String?
    /// The reason why the last snapshot failed, or `nil` if it succeeded.
    package var snapshotProblem: String?
    /// The persons whose morning reading is due, or `nil` if none is. Empty if no strap has a person.
    package var dueReadings: [String]?

    package init(
      isDiskLow: Bool = false, damage: String? = nil, snapshotProblem: String? = nil, dueReadings: [String]? = nil
    ) {
      self.isDiskLow = isDiskLow
      self.damage = damage
      self.snapshotProblem = snapshotProblem
      self.dueReadings = dueReadings
    }
  }

  private struct Key: Hashable {
    let kind: Kind
    let strap: String?
  }

  /// The charge above the threshold, in percent, at which a low battery is normal again, so that the alert does not alternate.
  private static let batteryRelief: UInt8 = 5

  private var current: [Key: Alert] = [:]
  /// The time since which the stress of each strap has been high.
  private var highSince: [String: WallTime] = [:]

  package init() {}

  /// The alerts, by kind and strap.
  package var alerts: [Alert] {
    Self.ordered(Array(current.values))
  }

  private static func ordered(_ alerts: [Alert]) -> [Alert] {
    alerts.sorted { ($0.kind.rawValue, $0.strap ?? "") < ($1.kind.rawValue, $1.strap ?? "") }
  }

  /// Updates the rules with the current state, and returns the new alerts.
  package mutating func update(
    _ straps: [Strap], _ machine: Machine, limits: StationConfiguration.Alerts, at now: WallTime
  ) -> [Alert] {
    var next: [Key: String] = [:]
    for strap in straps {
      next[Key(kind: .highStress, strap: strap.name)] = stress(strap, limits.stressMinutes, now)
      next[Key(kind: .batteryLow, strap: strap.name)] = battery(strap, limits.batteryPercent)
      next[Key(kind: .noData, strap: strap.name)] = silence(strap, limits.silenceMinutes, now)
    }
    if machine.isDiskLow {
      next[Key(kind: .diskLow, strap: nil)] =
        "The disk is nearly full: only raw notifications are stored, and no snapshots are made."
    }
    if let damage = machine.damage {
      next[Key(kind: .damaged, strap: nil)] = "The database is damaged: \(damage)"
    }
    if let problem = machine.snapshotProblem {
      next[Key(kind: .snapshotFailed, strap: nil)] = "The database could not be copied: \(problem)"
    }
    if let persons = machine.dueReadings {
      let names = persons.isEmpty ? "" : " (\(persons.joined(separator: ", ")))"
      next[Key(kind: .readingDue, strap: nil)] =
        "The morning reading was not taken yet\(names). Put the strap on, and begin it on the page."
    }
    let new = next.filter { current[$0.key] == nil }.map { key, text in
      Alert(kind: key.kind, strap: key.strap, text: text, since: now)
    }
    current = current.filter { next[$0.key] != nil }
    for alert in new { current[Key(kind: alert.kind, strap: alert.strap)] = alert }
    return Self.ordered(new)
  }

  private mutating func stress(_ strap: Strap, _ minutes: Int, _ now: WallTime) -> String? {
    guard minutes > 0, let level = strap.stress, StressCategory(level: level) == .high else {
      highSince[strap.name] = nil
      return nil
    }
    let since = highSince[strap.name] ?? now
    highSince[strap.name] = since
    guard now.microseconds(since: since) >= Int64(minutes) * 60_000_000 else { return nil }
    return "\(strap.name): stress has been high for \(minutes) minutes."
  }

  private func battery(_ strap: Strap, _ percent: Int) -> String? {
    guard percent > 0, let battery = strap.batteryPercent, battery <= 100 else { return nil }
    let wasLow = current[Key(kind: .batteryLow, strap: strap.name)] != nil
    guard Int(battery) < percent + (wasLow ? Int(Self.batteryRelief) : 0) else { return nil }
    return "\(strap.name): the battery is at \(battery) %."
  }

  private func silence(_ strap: Strap, _ minutes: Int, _ now: WallTime) -> String? {
    guard minutes > 0, strap.isInSession, let last = strap.lastHeard,
      now.microseconds(since: last) >= Int64(minutes) * 60_000_000
    else { return nil }
    return "\(strap.name): no data for \(minutes) minutes."
  }
}
