import Pipeline
import Repository
import StressKit
import TachogramCore

/// Splits and merges stored sessions. The entries are kept as they were received, and the rows of both parts are derived again.
/// The cost is that of deriving the sessions, in time and in memory.
package struct SessionEditor {
  private let database: TachogramDatabase
  private let keeping: SessionReprocessor.Keeping
  private let running: Set<String>

  /// Creates an editor. `running` are the sessions that are being recorded, which are refused.
  package init(database: TachogramDatabase, keeping: SessionReprocessor.Keeping, running: Set<String>) {
    self.database = database
    self.keeping = keeping
    self.running = running
  }

  private var repository: SessionRepository { SessionRepository(database: database) }

  // MARK: - Splitting

  /// Splits a session at an instant of the civil clock: the first notification at or after it begins the second session.
  ///
  /// The first session keeps the identifier, the note and the earlier markers. The label and the person are those of both.
  /// - Returns: The identifier of the second session.
  package func split(_ record: SessionRecord, at time: WallTime) throws -> String {
    let session = record.description
    try refuseRunning(session.id)
    try refuseNight(session.id)
    let (entries, links) = (try entries(of: session.id), try repository.links(of: session.id))
    let notifications = entries.indices.filter { Self.isHeartRate(entries[$0]) }
    guard let first = notifications.first,
      let cut = notifications.first(where: { session.wall(entries[$0].monotonic) >= time }), cut > first
    else {
      throw SessionEditError.nothingToSplit(
        session: session.id, start: notifications.first.map { session.wall(entries[$0].monotonic) } ?? session.start,
        end: notifications.last.map { session.wall(entries[$0].monotonic) } ?? record.end)
    }
    var second = session
    second.id = try unusedIdentifier(of: session.id, from: entries[cut].sequence)
    (second.start, second.monotonicStart) = (entries[cut].wall, entries[cut].monotonic)
    let kept = try kept(record)
    let kind = try repository.kind(of: session.id) ?? .sdnn
    let (moved, movedLinks, numbers) = Self.renumbered(Array(entries[cut...]), links, from: 0, link: 0, shift: .zero)
    let measurements = try SessionMeasurements(of: session.id, in: database)
    var secondBatch = try derived(second, kind, moved, kept)
    (secondBatch.entries, secondBatch.links) = (moved, movedLinks)
    measurements.add(since: second.monotonicStart, links: numbers, to: &secondBatch)
    try repository.divide(
      session.id,
      DividedSession(
        firstCount: Int64(cut), firstSensorCount: measurements.firstSequence(since: second.monotonicStart),
        firstBatch: try derived(session, kind, Array(entries[..<cut]), kept),
        second: second, secondBatch: secondBatch, kept: kept))
    return second.id
  }

  /// Returns the identifier of a part, or another one if a session has it, as after merging parts in another order, or had it and was
  /// deleted.
  private func unusedIdentifier(of session: String, from sequence: Int64) throws -> String {
    var (id, number) = (Self.identifier(of: session, from: sequence), 1)
    let outbox = SyncOutbox(database: database)
    while try repository.storedSession(id) != nil || outbox.isDeleted(id) {
      number += 1
      id = Self.identifier(of: "\(session) \(number)", from: sequence)
    }
    return id
  }

  /// Returns the identifier of the part of a session that begins with an entry. Splitting again at the same entry results in
  /// the same identifier.
  static func identifier(of session: String, from sequence: Int64) -> String {
    var hash = ContentHash()
    hash.add(session.utf8)
    hash.add(sequence)
    return hash.uuidText
  }

  // MARK: - Merging

  /// Appends the later of two sessions to the earlier one. The result keeps the identifier of the earlier session, with the
  /// notes and markers of both, but is a new session in a space. The time between them becomes a gap.
  /// If the windows of one were deleted, the result has none.
  /// - Returns: The identifier of the merged session.
  package func merge(_ one: SessionRecord, _ other: SessionRecord) throws -> String {
    let inOrder = one.description.start <= other.description.start
    let (first, second) = inOrder ? (one, other) : (other, one)
    try check(first, second)
    let session = first.description
    let links = try repository.links(of: session.id)
    let (entries, added) = (try entries(of: session.id), try self.entries(of: second.description.id))
    var (shift, moved, movedLinks, numbers) = (Duration.zero, added, [StrapLink](), [Int: Int]())
    if let next = added.first {
      let addedLinks = try repository.links(of: second.description.id)
      var link = (links.map(\.number).max() ?? -1) + 1
      if let last = entries.last {
        shift = Self.shift(
          of: next, bootID: addedLinks.first { $0.number == next.link }?.bootID, after: last,
          lastBoot: links.first { $0.number == last.link }?.bootID)
        if shift == .zero, Self.isContinuation(last, links, next, addedLinks) { link = last.link }
      }
      (moved, movedLinks, numbers) = Self.renumbered(
        added, addedLinks, from: Int64(entries.count), link: link, shift: shift)
    }
    let keepings = try [first, second].map { record in try self.kept(record) }
    let kept = keepings.first { $0 != .nothing } ?? .nothing
    let kind = try repository.kind(of: session.id) ?? repository.kind(of: second.description.id) ?? .sdnn
    var batch = try derived(session, kind, entries + moved, kept)
    (batch.entries, batch.links) = (moved, movedLinks)
    try SessionMeasurements(of: second.description.id, in: database).add(
      shift: shift, from: SessionMeasurements(of: session.id, in: database).nextSequence, links: numbers, to: &batch)
    // Another station that merges the same sessions, of which it may have other entries, must not make another session of one name.
    let new = try unusedIdentifier(
      of: "\(session.id) \(entries.count) \(second.description.id)", from: Int64(added.count))
    return try repository.join(
      session.id, JoinedSession(other: second.description.id, newID: new, shift: shift, batch: batch, kept: kept))
  }

  /// Returns the duration that continues the axis of a session: zero if both clocks show the same distance, as after a split.
  private static func shift(
    of next: LedgerEntry, bootID: String?, after last: LedgerEntry, lastBoot: String?
  ) -> Duration {
    let distance = next.monotonic.duration(since: last.monotonic)
    if distance >= .zero, (next.wall.duration(since: last.wall) - distance).magnitude < .milliseconds(1) {
      return .zero
    }
    return InterruptedSession.shift(at: next.monotonic, next.wall, bootID: bootID, after: last, lastBoot: lastBoot)
  }

  /// Whether an entry follows another one on the same link, as after a split. Then there is no gap between them.
  private static func isContinuation(
    _ last: LedgerEntry, _ links: [StrapLink], _ next: LedgerEntry, _ addedLinks: [StrapLink]
  ) -> Bool {
    guard isHeartRate(last), next.monotonic.duration(since: last.monotonic) <= longestSilence,
      last.link == links.map(\.number).max(), let link = links.first(where: { $0.number == last.link }),
      let other = addedLinks.first(where: { $0.number == next.link })
    else { return false }
    return (link.bootID, link.handle, link.handleSource) == (other.bootID, other.handle, other.handleSource)
  }

  /// The longest time between two notifications of one link.
  private static let longestSilence: Duration = .seconds(5)

  private func check(_ first: SessionRecord, _ second: SessionRecord) throws {
    let (one, other) = (first.description, second.description)
    guard one.id != other.id else { throw SessionEditError.sameSession(session: one.id) }
    for session in [one, other] {
      try refuseRunning(session.id)
      try refuseNight(session.id)
    }
    guard one.strap.address == other.strap.address else { throw SessionEditError.otherStraps }
    guard one.person == other.person else { throw SessionEditError.otherPersons(one.person, other.person) }
    guard one.origin == other.origin, (one.madeFrom == nil) == (other.madeFrom == nil) else {
      throw SessionEditError.otherOrigins
    }
    guard first.end <= other.start else { throw SessionEditError.overlap(end: first.end, start: other.start) }
  }

  // MARK: - Both

  /// What is not derived again. Levels of sessions that other stations may have stay as they are: there, only their place changes.
  private func kept(_ record: SessionRecord) throws -> RederivedSession.Kept {
    let isShared = try SyncOutbox(database: database).isShared(record.description.id)
    return try keeping.kept(record, in: repository).keepingStress(isShared)
  }

  private func refuseRunning(_ session: String) throws {
    if running.contains(session) { throw SessionEditError.running(session: session) }
  }

  /// A night is one session.
  private func refuseNight(_ session: String) throws {
    if try SleepRepository(database: database).night(of: session) != nil {
      throw SessionEditError.night(session: session)
    }
  }

  /// Whether an entry is heart rate, not the end of a link.
  static func isHeartRate(_ entry: LedgerEntry) -> Bool {
    if case .linkDown = entry.content { false } else { true }
  }

  private func entries(of session: String) throws -> [LedgerEntry] {
    var entries: [LedgerEntry] = []
    try repository.forEachEntry(of: session, batchSize: 8192) { entries += $0 }
    return entries
  }

  /// Returns entries and their links, numbered from the given numbers and moved by `shift`, and the new numbers of links.
  static func renumbered(
    _ entries: [LedgerEntry], _ links: [StrapLink], from sequence: Int64, link: Int, shift: Duration,
  ) -> ([LedgerEntry], [StrapLink], [Int: Int]) {
    let used = Set(entries.map(\.link))
    let kept = links.filter { used.contains($0.number) }.sorted { $0.number < $1.number }
    var numbers: [Int: Int] = [:]
    let moved = kept.enumerated().map { offset, old in
      numbers[old.number] = link + offset
      return StrapLink(
        number: link + offset, bootID: old.bootID, handle: old.handle, handleSource: old.handleSource)
    }
    let numbered = entries.enumerated().map { offset, entry in
      LedgerEntry(
        sequence: sequence + Int64(offset), link: numbers[entry.link] ?? link,
        monotonic: entry.monotonic.advanced(by: shift), wall: entry.wall, content: entry.content)
    }
    return (numbered, moved, numbers)
  }

  /// Returns the rows derived from entries, without those that are kept as they are stored.
  private func derived(
    _ session: SessionDescription, _ kind: HRVKind, _ entries: [LedgerEntry], _ kept: RederivedSession.Kept,
  ) throws -> SessionBatch {
    var deriver = try SessionDeriver(session, kind: kind, in: database)
    deriver.ingest(entries)
    deriver.finish()
    var rows = deriver.drainRows()
    if kept.keepsWindows { rows.windows = [] }
    if kept.keepsStress { rows.stress = [] }
    return rows
  }
}
