import Pipeline
import Repository
import StressKit
import TachogramCore

/// The sessions of a database that was replaced, compared with those of the database in its place. Entries are compared by strap,
/// time of arrival and bytes, so that sessions that were split, merged or continued since then are recognised.
///
/// The cost is that of reading the sessions that differ from the stored ones, and of deriving those that are copied.
package struct ReplacedSessions {
  /// A session that is not stored, or of which the end is not stored.
  package struct Missing: Hashable, Sendable {
    package let record: SessionRecord
    /// The number of entries at its beginning that are stored.
    let storedCount: Int
    /// The time of arrival of the first entry that is not stored.
    package let start: WallTime
  }

  package struct Comparison: Hashable, Sendable {
    /// The oldest first.
    package var missing: [Missing] = []
    /// The sessions of which other parts than the end are missing. They are not copied, as entries would be stored twice.
    package var overlapping: [SessionRecord] = []

    package init() {}
  }

  private let source: SessionRepository
  private let target: SessionRepository
  private let replaced: TachogramDatabase
  private let database: TachogramDatabase
  /// The metric that stands for HRV in the stress of sessions that have none.
  private let kind: HRVKind

  package init(of replaced: TachogramDatabase, in database: TachogramDatabase, kind: HRVKind) {
    (self.replaced, self.database) = (replaced, database)
    (source, target) = (SessionRepository(database: replaced), SessionRepository(database: database))
    self.kind = kind
  }

  // MARK: - Comparing

  /// Compares the sessions. With `trustsCounts`, a session is taken as stored if one with its identifier has as many entries.
  package func compare(trustsCounts: Bool = true) throws -> Comparison {
    let stored = try target.sessions()
    let known = Dictionary(stored.map { ($0.description.id, $0) }, uniquingKeysWith: { first, _ in first })
    let byStrap = Dictionary(grouping: stored, by: \.description.strap.address)
    var comparison = Comparison()
    for record in try source.sessions().reversed() where record.entryCount > 0 {
      let session = record.description
      if trustsCounts, known[session.id]?.entryCount == record.entryCount { continue }
      let candidates = (byStrap[session.strap.address] ?? []).filter {
        $0.description.start <= record.end && session.start <= $0.end
      }
      switch try standing(of: record, among: candidates) {
      case .stored: break
      case .overlapping: comparison.overlapping.append(record)
      case .missing(let count, let start):
        // Another session has its identifier: its beginning was deleted, or it was imported from another file.
        if count == 0, known[session.id] != nil {
          comparison.overlapping.append(record)
        } else {
          comparison.missing.append(Missing(record: record, storedCount: count, start: start))
        }
      }
    }
    return comparison
  }

  private enum Standing {
    case stored
    /// The first `storedCount` entries are stored, and none of those from `start`.
    case missing(storedCount: Int, start: WallTime)
    case overlapping
  }

  private struct Arrival: Hashable {
    let wall: WallTime
    let content: LedgerEntry.Content

    init(_ entry: LedgerEntry) { (wall, content) = (entry.wall, entry.content) }
  }

  private func standing(of record: SessionRecord, among candidates: [SessionRecord]) throws -> Standing {
    if candidates.isEmpty { return .missing(storedCount: 0, start: record.description.start) }
    var stored: Set<Arrival> = []
    for candidate in candidates {
      try target.forEachEntry(of: candidate.description.id, batchSize: 8192) { stored.formUnion($0.map(Arrival.init)) }
    }
    var (count, start, isMixed) = (0, WallTime?.none, false)
    try source.forEachEntry(of: record.description.id, batchSize: 8192) { entries in
      for entry in entries {
        if stored.contains(Arrival(entry)) {
          if start == nil { count += 1 } else { isMixed = true }
        } else if start == nil, SessionEditor.isHeartRate(entry) {
          start = entry.wall
        } else if start == nil {
          // The end of a link is not worth a session of its own.
          count += 1
        }
      }
    }
    if isMixed { return .overlapping }
    return start.map { .missing(storedCount: count, start: $0) } ?? .stored
  }

  // MARK: - Copying

  package struct Copied {
    /// The number of sessions that were copied.
    package var count = 0
    /// The first session that was not copied, and why.
    package var failure: (session: String, error: any Error)?
  }

  /// Copies the missing sessions of a comparison. One that cannot be read or stored does not keep the others from being copied.
  package func copy(_ missing: [Missing], at time: WallTime) -> Copied {
    var copied = Copied()
    for missing in missing {
      do {
        try copy(missing, at: time)
        copied.count += 1
      } catch {
        if copied.failure == nil { copied.failure = (missing.record.description.id, error) }
      }
    }
    return copied
  }

  /// Copies a session, or the end of it that is not stored as a session of its own, completely or not at all.
  private func copy(_ missing: Missing, at time: WallTime) throws {
    let record = missing.record
    var session = record.description
    var entries: [LedgerEntry] = []
    try source.forEachEntry(of: session.id, batchSize: 8192) { entries += $0 }
    entries.removeFirst(missing.storedCount)
    guard let first = entries.first else { return }
    var links = try source.links(of: session.id)
    var numbers = Dictionary(links.map { ($0.number, $0.number) }, uniquingKeysWith: { first, _ in first })
    if missing.storedCount > 0 {
      session.id = SessionEditor.identifier(of: session.id, from: first.sequence)
      (session.start, session.monotonicStart) = (first.wall, first.monotonic)
      (entries, links, numbers) = SessionEditor.renumbered(entries, links, from: 0, link: 0, shift: .zero)
    }
    let kind = try source.kind(of: record.description.id) ?? kind
    var deriver = try SessionDeriver(session, kind: kind, in: database)
    deriver.ingest(entries)
    deriver.finish()
    var batch = deriver.drainRows()
    (batch.links, batch.entries) = (links, entries)
    let measurements = try SessionMeasurements(of: record.description.id, in: replaced)
    if missing.storedCount > 0 {
      measurements.add(since: session.monotonicStart, links: numbers, to: &batch)
    } else {
      measurements.add(shift: .zero, from: 0, links: numbers, to: &batch)
    }
    var copy = CopiedSession(session, batch, kind: kind)
    copy.note = record.note
    // The stages of a whole night are not those of its end.
    copy.night = missing.storedCount > 0 ? nil : try SleepRepository(database: replaced).night(of: session.id)
    copy.markers = try source.markers(of: record.description.id).filter { $0.time >= session.monotonicStart }
    copy.readings = try ReadingRepository(database: replaced).readings(in: record.description)
      .filter { $0.start >= session.start }
      .map { reading in
        var reading = reading
        reading.session = session.id
        return reading
      }
    copy.deletedStress = try source.deletedStress(of: record.description.id)
    try target.add(copy, at: time)
  }
}
