import Foundation
import Stress
import StressKit
import TachogramCore

/// Checks the stress levels of an export for contradictions with each other, with the formula, and with the session and its
/// windows if the export contains them.
struct StressCheck {
  /// A window of an export, with the values that are repeated in levels.
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

  /// The session of the levels.
  struct Session {
    let id: String
    /// The time from its start to its last entry, by the clock at the start, without an upper limit if the session continues.
    let span: ClosedRange<Int64>
    let windows: [Window]
  }

  /// The greatest time of a last beat after its entry, in microseconds.
  fileprivate static let slack: Int64 = 10_000_000
  /// The relative error of a number that was printed and parsed again.
  private static let tolerance = 1e-9

  let rows: [StressRow]
  /// The session, or `nil` for levels without a session.
  let session: Session?

  /// Returns the first contradiction, or `nil` if there is none.
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

  // MARK: - All levels of a session

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

  /// Consecutive levels that can have been computed with the same baseline.
  private struct Run {
    /// The positions of the levels.
    var rows: [Int] = []
    let restingHeartRate: Double
    /// The range of possible HRV values of the baseline, in ms.
    var baseline: ClosedRange<Double>
    /// The levels that determine the value uniquely.
    var fixed: [Int] = []
  }

  /// Checks the baselines. All levels of a session are computed with one baseline, or with another one from some level on if it
  /// was derived again during the recording. A single level with a baseline of its own is wrong.
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

  /// Checks the identifiers. The identifier of a derived level follows from its session and its time, which is accurate to two
  /// microseconds up to the 22nd century. A session under another identifier keeps its levels.
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
