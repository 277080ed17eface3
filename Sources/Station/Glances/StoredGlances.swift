import Foundation
import Glances
import Repository
import StressKit
import TachogramCore

/// Reads what glances show from the database.
struct StoredGlances: GlanceSourceProtocol {
  /// The mean heart rate in five minutes.
  private struct Mean {
    private var sum = 0.0
    private var count = 0.0

    var value: Double { sum / count }

    mutating func add(_ value: Double) {
      sum += value
      count += 1
    }
  }

  private static let day: Duration = .seconds(86_400)
  /// The length of a point, in microseconds.
  private static let slot: Int64 = 300_000_000
  /// The distance from the end of a window to its middle, in microseconds.
  private static let halfWindow: Int64 = 30_000_000

  let database: TachogramDatabase
  let configuration: CurrentConfiguration
  /// Glances wait for no other requests, and no other requests wait for them.
  private let queries = QueryQueue()

  init(database: TachogramDatabase, configuration: CurrentConfiguration) {
    self.database = database
    self.configuration = configuration
  }

  func directory() async throws -> GlanceDirectory {
    try await queries.run { [database] in
      GlanceDirectory(
        persons: Set(try HistoryRepository(database: database).persons()),
        straps: try StrapRepository(database: database).straps())
    }
  }

  func history(of subject: GlanceSubject, until end: WallTime) async throws -> GlanceHistory {
    let (person, strap): (String?, BluetoothAddress?) =
      switch subject {
      case .person(let name): (name, nil)
      case .strap(let address): (nil, address)
      case .nobody: (nil, nil)
      }
    let start = end.advanced(by: .zero - Self.day)
    let windows = try await queries.run { [database] in
      var windows: [PlacedWindow] = []
      try WindowRepository(database: database, person: person, strap: strap).forEachWindow(
        ofLength: .minute, in: start...end
      ) {
        windows.append($0)
      }
      return windows
    }
    var levels = try await StressRepository(
      database: database, person: person, kind: configuration.value.session.hrv, now: { end.date }
    ).fetchByDateRange(start.date, end.date)
    if strap != nil {
      let sessions = Set(windows.map(\.sessionID))
      levels.removeAll { $0.sessionID.map { !sessions.contains($0) } ?? true }
    }
    return Self.history(windows, levels)
  }

  /// Returns the means of five minutes, of UTC. `levels` are the newest first.
  private static func history(_ windows: [PlacedWindow], _ levels: [StressMeasurement]) -> GlanceHistory {
    var (rates, stress): ([Int64: Mean], [Int64: Mean]) = ([:], [:])
    var last: (time: WallTime, heartRate: Double)?
    for window in windows {
      guard let rate = window.window.metrics.values.meanHeartRate else { continue }
      rates[Self.slot(of: window.end.advanced(byMicroseconds: -halfWindow)), default: Mean()].add(rate)
      if last.map({ $0.time < window.end }) ?? true { last = (window.end, rate) }
    }
    for level in levels { stress[Self.slot(of: WallTime(level.timestamp)), default: Mean()].add(level.stressLevel) }
    let points = Set(rates.keys).union(stress.keys).sorted().map { number in
      GlancePoint(
        time: WallTime(microseconds: number * slot), heartRate: rates[number]?.value, stressLevel: stress[number]?.value
      )
    }
    if let level = levels.first {
      return GlanceHistory(
        points: points,
        last: GlanceReading(
          time: WallTime(level.timestamp), heartRate: level.heartRate,
          stress: GlanceStress(level: level.stressLevel, confidence: level.confidence), isCurrent: false))
    }
    return GlanceHistory(
      points: points, last: last.map { GlanceReading(time: $0.time, heartRate: $0.heartRate, isCurrent: false) })
  }

  private static func slot(of time: WallTime) -> Int64 {
    let (quotient, rest) = time.microseconds.quotientAndRemainder(dividingBy: slot)
    return rest < 0 ? quotient - 1 : quotient
  }
}
