import Dashboard
import Synchronization
import TachogramCore

/// Nights with made-up values: one for each of the last days, and those that requests begin.
package final class FakeNights: NightBackend {
  /// A session that can be a night.
  package struct Session: Sendable {
    let id: String
    let person: String?
    let start: WallTime

    package init(id: String, person: String?, start: WallTime) {
      self.id = id
      self.person = person
      self.start = start
    }
  }

  private static let day: Int64 = 86_400_000_000
  private static let hour: Int64 = 3_600_000_000
  /// The stages of a night with their lengths, which are scaled to that of the night.
  private static let parts: [(stage: String, length: Double)] = [
    ("wake", 14), ("light", 40), ("deep", 45), ("nrem", 20), ("deep", 25), ("light", 50), ("rem", 22), ("wake", 6),
    ("light", 45), ("unknown", 12), ("light", 30), ("deep", 15), ("asleep", 15), ("rem", 30), ("light", 35),
    ("wake", 10), ("light", 25), ("rem", 38), ("light", 20), ("wake", 12),
  ]

  private let nights: Mutex<[API.Night]>
  private let sessions: [String: Session]
  private let now: @Sendable () -> WallTime

  /// Creates `count` nights of each of the persons, up to the last one. Each third is that of a session of the
  /// person, the newest first, as far as there are any.
  package init(
    count: Int = 0, persons: [String?] = [nil], sessions: [Session] = [],
    now: @escaping @Sendable () -> WallTime = { WallTime(microseconds: 0) },
  ) {
    // The last night is over.
    let midnight = (now().microseconds - 9 * Self.hour) / Self.day * Self.day
    let made = persons.enumerated().flatMap { owner, person in
      let own = sessions.filter { $0.person == person }
      return (0..<count).map { number in
        let isOfSession = number % 3 == 0 && own.indices.contains(number)
        let id = isOfSession ? own[number].id : Self.identifier(owner, number)
        return Self.night(id, person, midnight, number)
      }
    }
    nights = Mutex(made)
    self.sessions = Dictionary(sessions.map { ($0.id, $0) }) { first, _ in first }
    self.now = now
  }

  private static func identifier(_ owner: Int, _ number: Int) -> String {
    let digits = String(owner * 0x1_0000 + number, radix: 16)
    return "00000000-0000-4000-8000-" + String(repeating: "0", count: max(0, 12 - digits.count)) + digits
  }

  private static func night(_ session: String, _ person: String?, _ midnight: Int64, _ number: Int) -> API.Night {
    let start = midnight - Int64(number) * day - hour + Int64(number * 7 % 5) * 600_000_000
    let minutes = 450 + Double(number * 13 % 60)
    var night = API.Night(
      session: session, person: person, origin: "page", start: WallTime(microseconds: start),
      end: WallTime(microseconds: start + Int64(minutes) * 60_000_000))
    night.estimator = "heart-rate-movement-night"
    let scale = minutes / parts.reduce(0) { $0 + $1.length }
    let stages = Dictionary(parts.map { ($0.stage, $0.length * scale) }, uniquingKeysWith: +)
    let asleep = stages.filter { !["wake", "unknown"].contains($0.key) }.values.reduce(0, +)
    (night.timeInBed, night.timeAsleep, night.stageMinutes) = (minutes, asleep, stages)
    (night.sleepLatency, night.wakeAfterSleepOnset) = (14 * scale, 16 * scale)
    night.efficiency = 100 * asleep / minutes
    night.awakenings = 2 + number % 3
    (night.quality, night.restlessness) = (84 - Double(number % 7), 12.5)
    (night.lowestHeartRate, night.meanHeartRate, night.rmssd) = (46 + Double(number % 4), 53.2, 48 - Double(number % 6))
    return night
  }

  package func nights(of person: String?, from: WallTime?, to: WallTime?) async throws -> API.Nights {
    let found = nights.withLock { $0 }.filter { night in
      guard night.person == person, let start = sessions[night.session]?.start ?? Timestamp.time(night.start) else {
        return false
      }
      return (from.map { start >= $0 } ?? true) && (to.map { start <= $0 } ?? true)
    }
    return API.Nights(nights: found, regularity: found.count < 5 ? nil : 78)
  }

  package func night(_ session: String) async throws -> API.NightDetail {
    let night = try find(session)
    guard let start = Timestamp.time(night.start) else { throw DashboardError.notFound("there is no such night.") }
    let end = night.end.flatMap(Timestamp.time) ?? now()
    let length = max(0, end.microseconds(since: start))
    var (stages, at): ([API.NightStage], WallTime) = ([], start)
    let scale = Double(length) / Self.parts.reduce(0) { $0 + $1.length }
    for part in night.estimator == nil ? [] : Self.parts {
      let end = at.advanced(byMicroseconds: Int64(part.length * scale))
      stages.append(API.NightStage(start: at, end: end, stage: part.stage))
      at = end
    }
    // A night that lasts has an element for each 30 s.
    let step = max(30_000_000, length / 200)
    var detail = API.NightDetail(
      night: night, stages: stages, step: Double(step) / 1e6,
      qualityFormula: "40 points for the time asleep, 30 for the efficiency, 20 and 10 for few and short wakings.")
    for place in 0..<Int(min(200, (length + step - 1) / step)) {
      let isLost = (120..<128).contains(place)
      detail.heartRate.append(isLost ? nil : 54 + Double(place * 31 % 17) / 4 - Double(place % 60) / 20)
      detail.rmssd.append(isLost ? nil : 44 + Double(place * 17 % 23))
      detail.movement.append(isLost ? nil : place % 23 == 0 ? 60 : Double(place * 7 % 5))
    }
    return detail
  }

  package func begin(_ new: API.NewNight) async throws -> API.Night {
    let session = new.session ?? "00000000-0000-4000-8000-000000000fff"
    let night = API.Night(
      session: session, person: sessions[session]?.person, origin: "page", start: now(), end: nil)
    try nights.withLock { nights in
      if nights.contains(where: { $0.isRunning && (new.session == nil || $0.session == session) }) {
        throw DashboardError(.conflict, "the night of session \(session) has begun already.")
      }
      nights.insert(night, at: 0)
    }
    return night
  }

  package func end(_ session: String) async throws -> API.Night {
    var night = try find(session)
    guard night.isRunning else { throw DashboardError(.conflict, "session \(session) has a night that is over.") }
    // It is too short for stages.
    let start = Timestamp.time(night.start) ?? now()
    night.timeInBed = Double(now().microseconds(since: start)) / 60e6
    (night.end, night.isRunning) = (Timestamp.text(now()), false)
    return nights.withLock { nights in
      nights = nights.map { $0.session == session ? night : $0 }
      return night
    }
  }

  package func forget(_ session: String) async throws {
    _ = try find(session)
    nights.withLock { $0.removeAll { $0.session == session } }
  }

  private func find(_ session: String) throws -> API.Night {
    guard let night = nights.withLock({ $0.first { $0.session == session } }) else {
      throw DashboardError.notFound("session \(session) is not a night.")
    }
    return night
  }
}
