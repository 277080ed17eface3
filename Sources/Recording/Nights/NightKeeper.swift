import FoundationEssentials
import Repository
import Sleep
import TachogramCore

/// Begins and ends nights: sessions in which a person sleeps. Nights are kept in the database alone, so that every program that
/// uses it may begin and end them.
package struct NightKeeper: Sendable {
  /// The reasons why a night does not begin or end.
  package enum Failure: Error, Hashable, Sendable, CustomStringConvertible {
    case nothingIsRecorded
    /// The sessions that are being recorded.
    case severalAreRecorded([String])
    case isNotRecorded(session: String)
    case hasBegun(session: String)
    case hasEnded(session: String)
    case noNight

    package var description: String {
      switch self {
      case .nothingIsRecorded:
        "no strap is being recorded; put the strap on, wait for the first beat, and start the night then"
      case .severalAreRecorded(let sessions):
        "\(sessions.count) sessions are being recorded; name one of them: \(sessions.joined(separator: ", "))"
      case .isNotRecorded(let session):
        "session \(session) has ended; `tachogram sleep stage` makes a night of an earlier recording"
      case .hasBegun(let session): "the night of session \(session) has begun already"
      case .hasEnded(let session):
        "session \(session) has a night that is over; `tachogram sleep stage` changes its times"
      case .noNight: "no night has begun"
      }
    }
  }

  /// What `follow` changed.
  package enum Change: Hashable, Sendable {
    case began(session: String)
    case ended(session: String)

    package var session: String {
      switch self {
      case .began(let session), .ended(let session): session
      }
    }
  }

  /// A night ends when there was no beat for this long: the strap was taken off at the last one.
  package static let longestSilence: Duration = .seconds(3_600)
  /// A night begins by itself only if the last beat is not older.
  private static let freshness: Duration = .seconds(180)
  /// A night that is begun shortly before the end of the usual hours would be that of a person who has just got up.
  package static let leastRest: Duration = .seconds(3_600)

  private let database: TachogramDatabase
  private let timeZone: TimeZone
  private var nights: SleepRepository { SleepRepository(database: database) }
  private var sessions: SessionRepository { SessionRepository(database: database) }

  /// Creates a keeper. `timeZone` is that in which the persons sleep.
  package init(database: TachogramDatabase, timeZone: TimeZone) {
    self.database = database
    self.timeZone = timeZone
  }

  // MARK: - By hand

  /// Begins a night at `now` in the session whose identifier begins with `prefix`, or in the only one that is being recorded.
  /// Throws `Failure` or `RepositoryError`.
  package func begin(_ prefix: String? = nil, at now: WallTime, origin: SleepSession.Origin) throws -> SleepSession {
    let record = try prefix.map(sessions.session(matching:)) ?? recorded(at: now)
    let id = record.description.id
    if let night = try nights.night(of: id) {
      throw night.lightsOn == nil ? Failure.hasBegun(session: id) : Failure.hasEnded(session: id)
    }
    guard isRecorded(record, at: now) else { throw Failure.isNotRecorded(session: id) }
    return try begin(record, at: now, origin: origin)
  }

  /// Ends the night of the session whose identifier begins with `prefix`, or the only one, at `now`, and estimates its stages.
  /// Throws `Failure` or `RepositoryError`.
  package func end(_ prefix: String? = nil, at now: WallTime) throws -> SleepSession {
    let running = try nights.running()
    if let prefix {
      let record = try sessions.session(matching: prefix)
      let id = record.description.id
      guard let night = running.first(where: { $0.session == id }) else {
        throw try nights.night(of: id) == nil ? Failure.noNight : Failure.hasEnded(session: id)
      }
      return try end(night, record, at: now)
    }
    guard let night = running.first, let record = try sessions.storedSession(night.session) else {
      throw Failure.noNight
    }
    guard running.count == 1 else {
      // Nights of recordings that have ended are over.
      let complete = try running.map(\.session).filter { try sessions.storedSession($0)?.isComplete ?? false }
      if try endThose(of: complete, at: now).isEmpty { throw Failure.severalAreRecorded(running.map(\.session)) }
      if complete.count < running.count { return try end(at: now) }
      return try nights.night(of: night.session) ?? night
    }
    return try end(night, record, at: now)
  }

  /// Ends the nights among sessions that have ended. Returns these nights.
  package func endThose(of ended: [String], at now: WallTime) throws -> [SleepSession] {
    try nights.running().filter { ended.contains($0.session) }.compactMap { night in
      try sessions.storedSession(night.session).map { try end(night, $0, at: now) }
    }
  }

  // MARK: - By itself

  /// Ends the nights whose strap was taken off or whose session has ended. Begins nights in the sessions of `recorded` inside
  /// the usual hours; `remaining` returns the rest of the hours at a time, or `nil` outside them. Nights that began by
  /// themselves end with the hours, too. None begins in the sessions of `declined`. Returns the changes.
  package func follow(
    _ recorded: Set<String>, except declined: Set<String> = [], at now: WallTime, remaining: (WallTime) -> Duration?
  ) throws -> [Change] {
    var changes: [Change] = []
    let rest = remaining(now)
    for night in try nights.running() {
      guard let record = try sessions.storedSession(night.session) else { continue }
      let isOver = record.isComplete || (night.origin == .automatic && rest == nil)
      let hasEnded = !recorded.contains(night.session) && now.duration(since: record.end) > Self.longestSilence
      let last = try SessionEnd(of: record, in: database).lastBeatTime
      let isSilent = now.duration(since: last ?? record.description.start) > Self.longestSilence
      guard isOver || hasEnded || isSilent else { continue }
      _ = try end(night, record, at: now)
      changes.append(.ended(session: night.session))
    }
    guard let rest, rest >= Self.leastRest else { return changes }
    for id in recorded.subtracting(declined).sorted() {
      guard let record = try sessions.storedSession(id), !record.isComplete, try nights.night(of: id) == nil,
        let last = try SessionEnd(of: record, in: database).lastBeatTime, now.duration(since: last) <= Self.freshness
      else { continue }
      _ = try begin(record, at: now, origin: .automatic)
      changes.append(.began(session: id))
    }
    return changes
  }

  // MARK: - Sessions

  private func recorded(at now: WallTime) throws -> SessionRecord {
    let reach = now.advanced(by: .zero - Self.longestSilence)...now.advanced(by: Self.longestSilence)
    let running = try sessions.sessions(overlapping: reach).filter { isRecorded($0, at: now) }
    guard let record = running.first else { throw Failure.nothingIsRecorded }
    guard running.count == 1 else { throw Failure.severalAreRecorded(running.map(\.description.id)) }
    return record
  }

  /// Whether a session is not over. A recording that was killed leaves one that nobody ends; it receives nothing.
  private func isRecorded(_ record: SessionRecord, at now: WallTime) -> Bool {
    record.description.origin == .live && !record.isComplete
      && now.duration(since: record.end).magnitude <= Self.longestSilence
  }

  private func begin(_ record: SessionRecord, at now: WallTime, origin: SleepSession.Origin) throws -> SleepSession {
    let night = SleepSession(
      session: record.description.id, origin: origin,
      lightsOff: max(record.description.monotonicStart, try SessionEnd(of: record, in: database).axisTime(now)))
    try nights.store(night)
    return night
  }

  /// Ends a night at `now`, but no later than its last beat, and estimates its stages. A night without an epoch has none.
  private func end(_ night: SleepSession, _ record: SessionRecord, at now: WallTime) throws -> SleepSession {
    var night = night
    let end = try SessionEnd(of: record, in: database)
    night.lightsOn = max(night.lightsOff, min(end.axisTime(now), end.lastBeat ?? night.lightsOff))
    do {
      let stay = try SessionNight(
        record, from: night.lightsOff, to: night.lightsOn, in: database, timeZone: timeZone)
      night.lightsOn = stay.lightsOn
      night.staging = stay.staging(NightEstimates(stay.night).primary.staged)
    } catch is SessionNight.Failure {
      // The night is too short or too long for stages, and is kept without them.
    }
    try nights.store(night)
    return night
  }
}
