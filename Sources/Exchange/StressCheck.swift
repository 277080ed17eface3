import Foundation
import Stress
import StressKit
import TachogramCore

/// Holds the stress levels of an export against each other, against the formula, and, as far as it has them, against the
/// session and its windows.
struct StressCheck {
  /// A window of an export, as far as a level repeats it.
  struct Window: Decodable {
    struct Metrics: Decodable {
      let sdnn: Double?
      let rmssd: Double?
      let meanHeartRate: Double?
    }

    let time: String
    let lengthSeconds: Int
    let metrics: Metrics
  }

  /// The session that the levels are of.
  struct Session {
    let id: String
    /// From its start to its last entry, by the clock at the start; open where it goes on.
    let span: ClosedRange<Int64>
    let windows: [Window]
  }

  /// What the last beat may lie behind the entry that brought it, in microseconds.
  fileprivate static let slack: Int64 = 10_000_000
  /// What a number that was printed and read again may be off by, as a part of it.
  private static let tolerance = 1e-9

  let rows: [StressRow]
  /// `nil` for levels of no session.
  let session: Session?

  /// The first contradiction; `nil` where there is none.
  func contradiction() -> Contradiction? {
    var ids: [UUID: Int] = [:]
    for (position, row) in rows.enumerated() {
      if let found = contradiction(row, position) { return found }
      if let other = ids.updateValue(position, forKey: row.id) {
        return Contradiction("stress[\(position)].id", "it is that of stress[\(other)]")
      }
    }
    return session.flatMap(contradiction(in:))
  }

  // MARK: - One level

  private func contradiction(_ row: StressRow, _ position: Int) -> Contradiction? {
    func contradiction(_ key: String, _ reason: String) -> Contradiction {
      Contradiction("stress[\(position)].\(key)", reason)
    }
    let category = StressCategory(level: row.level)
    if row.category != category {
      return contradiction(
        "category", "\"\(row.category.rawValue)\", but a level of \(row.level) is \"\(category.rawValue)\"")
    }
    let time = Timestamp.text(WallTime(microseconds: row.timeUs))
    if row.time != time { return contradiction("timeUs", "\(time), but its time is \(row.time)") }
    if row.impliedBaseline == nil {
      return contradiction(
        "level", "no baseline gives \(row.level) for its hrv, heartRate and restingHeartRate")
    }
    return nil
  }

  // MARK: - All of a session

  private func contradiction(in session: Session) -> Contradiction? {
    contradiction(times: session) ?? contradiction(windows: session) ?? baselineContradiction()
      ?? contradiction(ids: session)
  }

  private func contradiction(times session: Session) -> Contradiction? {
    for (position, row) in rows.enumerated() where !session.span.contains(row.timeUs) {
      return Contradiction("stress[\(position)].timeUs", "\(row.time) lies outside the session")
    }
    return nil
  }

  private func contradiction(windows session: Session) -> Contradiction? {
    let windows = Dictionary(
      session.windows.filter { $0.lengthSeconds == WindowLength.fiveMinutes.seconds }.map { ($0.time, $0.metrics) },
      uniquingKeysWith: { _, last in last })
    for (position, row) in rows.enumerated() {
      guard let metrics = windows[row.time] else { continue }
      let hrv = row.kind == .sdnn ? metrics.sdnn : metrics.rmssd
      for (key, said, window) in [("hrv", row.hrv, hrv), ("heartRate", row.heartRate, metrics.meanHeartRate)] {
        guard let window, abs(said - window) > Self.tolerance * abs(window) else { continue }
        return Contradiction("stress[\(position)].\(key)", "\(said), but the window of that time has \(window)")
      }
    }
    return nil
  }

  /// Levels that follow each other and can have been computed against one baseline.
  private struct Run {
    /// By position.
    var rows: [Int] = []
    let restingHeartRate: Double
    /// What the baseline's HRV can be, in ms.
    var baseline: ClosedRange<Double>
    /// The levels that leave it one value.
    var fixed: [Int] = []
  }

  /// A session is measured against one baseline; against another from some level on where it was derived again while it was
  /// recorded. A level that is by itself with its baseline is wrong.
  private func baselineContradiction() -> Contradiction? {
    var runs: [Run] = []
    for position in rows.indices.sorted(by: { rows[$0].timeUs < rows[$1].timeUs }) {
      let row = rows[position]
      if let kind = rows.first?.kind, row.kind != kind {
        return Contradiction(
          "stress[\(position)].kind", "\"\(row.kind.rawValue)\", but the level before is of \"\(kind.rawValue)\"")
      }
      guard let range = row.impliedBaseline else { continue }
      let last = runs.indices.last
      if let last, runs[last].restingHeartRate == row.restingHeartRate, runs[last].baseline.overlaps(range) {
        runs[last].baseline = runs[last].baseline.clamped(to: range)
      } else {
        runs.append(Run(restingHeartRate: row.restingHeartRate, baseline: range))
      }
      runs[runs.count - 1].rows.append(position)
      if range.lowerBound > 0 { runs[runs.count - 1].fixed.append(position) }
    }
    guard runs.count > 1, let run = runs.first(where: { $0.rows.count == 1 || $0.fixed.count == 1 }) else { return nil }
    let position = run.fixed.first ?? run.rows[0]
    let row = rows[position]
    if !runs.contains(where: { $0.rows.first != run.rows.first && $0.restingHeartRate == run.restingHeartRate }) {
      return Contradiction(
        "stress[\(position)].restingHeartRate", "\(row.restingHeartRate), but the other levels have another one")
    }
    return Contradiction(
      "stress[\(position)].level",
      "\(row.level) does not follow from its hrv, heartRate and restingHeartRate with the baseline of the other levels")
  }

  /// The identifier of a level that was derived follows from its session and its time, which dates of the 22nd century keep to
  /// two microseconds. A session under another identifier keeps its levels.
  private func contradiction(ids session: Session) -> Contradiction? {
    let isDerived = rows.map { row in
      (-1...1).contains { row.id == StressMeasurement.derivedID(session: session.id, microseconds: row.timeUs &+ $0) }
    }
    guard isDerived.contains(true), let position = isDerived.firstIndex(of: false) else { return nil }
    return Contradiction("stress[\(position)].id", "it is not that of a level of this session and time")
  }
}

extension StressCheck.Session {
  package init(_ archive: SessionArchive) {
    let header = archive.session
    let slack = StressCheck.slack
    let length = (archive.ledger.last?.monotonicUs ?? header.startMonotonicUs) - header.startMonotonicUs
    self.init(
      id: header.id.lowercased(),
      span: header.startUs - slack...(header.complete ? header.startUs + max(0, length) + slack : .max),
      windows: archive.windows)
  }
}
