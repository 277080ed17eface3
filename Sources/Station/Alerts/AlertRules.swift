import StressKit
import TachogramCore

/// Decides what a person should see to, from what is known of the straps: a pure state machine, asked every few seconds.
package struct AlertRules: Sendable {
  package enum Kind: String, Hashable, Sendable, CaseIterable {
    case highStress, batteryLow, noData, diskLow, damaged, snapshotFailed
  }

  /// What should be seen to, of a strap or of the station.
  package struct Alert: Hashable, Sendable {
    package let kind: Kind
    /// The strap's name; `nil` where the station itself is meant.
    package let strap: String?
    package let text: String
    package let since: WallTime
  }

  /// What is known of a strap.
  package struct Strap: Hashable, Sendable {
    package var name: String
    /// The stress level of now; `nil` where none is known.
    package var stress: Double?
    package var batteryPercent: UInt8?
    /// When something was heard last; `nil` before the first time.
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

  /// What is known of the station.
  package struct Machine: Hashable, Sendable {
    package var isDiskLow: Bool
    /// What is wrong with the database, and what to do; `nil` when nothing is known to be.
    package var damage: String?
    /// Why the database could not be copied; `nil` when it could.
    package var snapshotProblem: String?

    package init(isDiskLow: Bool = false, damage: String? = nil, snapshotProblem: String? = nil) {
      self.isDiskLow = isDiskLow
      self.damage = damage
      self.snapshotProblem = snapshotProblem
    }
  }

  private struct Key: Hashable {
    let kind: Kind
    let strap: String?
  }

  /// A battery is low until it was charged by so much, or the alert would come and go.
  private static let batteryRelief: UInt8 = 5

  private var current: [Key: Alert] = [:]
  /// Since when the stress of a strap has been high.
  private var highSince: [String: WallTime] = [:]

  package init() {}

  /// The alerts, by kind and strap.
  package var alerts: [Alert] {
    Self.ordered(Array(current.values))
  }

  private static func ordered(_ alerts: [Alert]) -> [Alert] {
    alerts.sorted { ($0.kind.rawValue, $0.strap ?? "") < ($1.kind.rawValue, $1.strap ?? "") }
  }

  /// Takes what is known now. Returns the alerts that are new.
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
