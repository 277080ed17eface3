import Repository
import TachogramCore

/// Recognises stored recordings by their content: the same beats at the same time, within the precision of the format. The
/// reasons are in docs/adr/0017-one-recording-one-session.md.
package struct RecordingCopies: Sendable {
  private let database: TachogramDatabase
  private var repository: SessionRepository { SessionRepository(database: database) }

  package init(database: TachogramDatabase) {
    self.database = database
  }

  // MARK: - A recording that is to be stored

  /// Whether anything is stored of the time of a recording, so that a verdict is needed. `span` is in microseconds since 1970.
  package func mayHold(_ span: ClosedRange<Int64>, except id: String) throws(RepositoryError) -> Bool {
    try !candidates(span, except: id).isEmpty
  }

  /// Returns the verdict on a session whose beats have not been derived from its entries yet. They are derived only if
  /// something is stored of the same time.
  package func verdict(on session: SessionDescription, entries: [LedgerEntry]) throws -> CopyVerdict {
    guard let first = entries.first, let last = entries.last else { return .nothingStored }
    let (begin, end) = (session.wall(first.monotonic).microseconds, session.wall(last.monotonic).microseconds)
    guard try mayHold(min(begin, end)...max(begin, end), except: session.id) else { return .nothingStored }
    return try verdict(on: RecordingContent(session: session, entries: entries))
  }

  /// Returns the verdict on a recording. It takes a lookup for each stored session, and a comparison for each session of the
  /// same time, or of about the same length within 15 h.
  package func verdict(on recording: RecordingContent) throws -> CopyVerdict {
    guard let span = recording.span else { return .nothingStored }
    var holders: [(rank: RecordingRank, record: SessionRecord, lacking: Int, offset: Int64)] = []
    var replaced: [(rank: RecordingRank, copy: CopyVerdict.Replaced, offset: Int64)] = []
    var overlapping: [(session: SessionRecord, beats: Int)] = []
    for record in try candidates(span, except: recording.session.id) {
      let stored = try self.recording(record)
      guard let found = Self.overlap(of: recording, and: stored) else { continue }
      var preference = Self.preference(recording, stored, found.overlap)
      // If two recordings are equally precise, it is unknown which start is correct, and the stored session is not changed by a
      // file.
      if found.alignment.offset != 0, found.overlap == .same, recording.precision == stored.precision {
        preference = .second
      }
      switch preference {
      case .first:
        let copy = CopyVerdict.Replaced(session: record, lost: found.alignment.onlySecond)
        replaced.append((stored.rank, copy, found.alignment.offset))
      case .second: holders.append((stored.rank, record, found.alignment.onlyFirst, found.alignment.offset))
      case .both: overlapping.append((record, found.alignment.matched))
      }
    }
    if let best = holders.max(by: { $0.rank < $1.rank }) {
      return CopyVerdict(
        outcome: .stored(as: best.record, lacking: best.lacking), overlapping: overlapping, offset: best.offset)
    }
    replaced.sort { $0.rank > $1.rank }
    return CopyVerdict(
      outcome: replaced.isEmpty ? .new : .replaces(replaced.map(\.copy)), overlapping: overlapping,
      offset: replaced.first { $0.offset != 0 }?.offset ?? 0)
  }

  /// Returns which of two recordings is kept. A recording received by this program is never deleted in favour of an imported
  /// one. Both of two such recordings are kept, so that the order does not matter.
  private static func preference(
    _ recording: RecordingContent, _ stored: RecordingContent, _ overlap: RecordingOverlap
  ) -> CopyPreference {
    let areLive = [recording, stored].allSatisfy { $0.precision.source == .live }
    return areLive ? .both : CopyPreference(recording, stored, overlap)
  }

  // MARK: - Stored sessions

  /// Returns the stored sessions that are copies or parts of each other, and those that only overlap. It takes a comparison for
  /// each pair of sessions of the same time, or of about the same length within 15 h. The beats of sessions without such a pair
  /// are not read.
  package func survey() throws -> CopySurvey {
    var survey = CopySurvey()
    // The sessions that may continue after the start of the next one, or began shortly before it, with their beats once they
    // were needed.
    var recent: [(record: SessionRecord, content: RecordingContent?)] = []
    for record in try repository.sessions().reversed() {
      let start = record.description.start
      recent.removeAll { max($0.record.end, $0.record.description.start).microseconds(since: start) < -Self.furthest }
      let range = CopyRange(record)
      let places = recent.indices.filter { range.mayHoldCopy(CopyRange(recent[$0].record)) }
      let content = places.isEmpty ? nil : try recording(record)
      for place in places {
        guard let content else { break }
        let earlier = try recent[place].content ?? recording(recent[place].record)
        recent[place].content = earlier
        guard let found = Self.overlap(of: content, and: earlier) else { continue }
        switch CopyPreference(content, earlier, found.overlap) {
        case .first: survey.add(copy: recent[place].record, of: record, lacking: found.alignment.onlySecond)
        case .second: survey.add(copy: record, of: recent[place].record, lacking: found.alignment.onlyFirst)
        case .both: survey.add(overlap: found.alignment.matched, of: recent[place].record, and: record)
        }
      }
      recent.append((record, content))
    }
    return survey
  }

  // MARK: - Comparing

  private static let furthest = CopyRange.furthest

  private static func overlap(
    of one: RecordingContent, and two: RecordingContent
  ) -> (overlap: RecordingOverlap, alignment: BeatAlignment)? {
    // Notifications of different straps are never the same, even if their beats are.
    let addresses = [one, two].map(\.session.strap.address)
    if addresses.allSatisfy({ $0.value != BluetoothAddress.unknown.value && $0.isLasting }),
      addresses[0].value != addresses[1].value
    {
      return nil
    }
    let tolerance = max(one.precision.startTolerance, two.precision.startTolerance)
    let step = max(one.precision.step, two.precision.step)
    if let alignment = BeatAlignment(one.beats, two.beats, startTolerance: tolerance, step: step),
      let overlap = RecordingOverlap(alignment)
    {
      return (overlap, alignment)
    }
    // The clock that this program records with is never wrong by hours.
    guard one.precision.source != .live || two.precision.source != .live,
      let alignment = BeatAlignment(elsewhere: one.beats, two.beats, step: step), abs(alignment.offset) <= furthest,
      let overlap = RecordingOverlap(alignment)
    else { return nil }
    return (overlap, alignment)
  }

  private func candidates(
    _ span: ClosedRange<Int64>, except id: String
  ) throws(RepositoryError) -> [SessionRecord] {
    let range =
      WallTime(microseconds: span.lowerBound).advanced(
        byMicroseconds: -Self.furthest)...WallTime(microseconds: span.upperBound).advanced(
        byMicroseconds: Self.furthest)
    let sought = CopyRange(span)
    return try repository.sessions(overlapping: range).filter {
      $0.description.id != id && sought.mayHoldCopy(CopyRange($0))
    }
  }

  private func recording(_ record: SessionRecord) throws -> RecordingContent {
    let session = record.description
    var beats: [RecordedBeat] = []
    if record.beatCount > 0 {
      beats.reserveCapacity(Int(record.beatCount))
      try repository.forEachBeat(of: session.id, batchSize: 4096) { batch in
        beats += batch.compactMap { RecordedBeat($0, of: session) }
      }
    } else {
      // The session was stored without its derived rows.
      var derivation = RecordedBeatDerivation(session)
      try repository.forEachEntry(of: session.id, batchSize: 4096) { for entry in $0 { derivation.append(entry) } }
      beats = derivation.beats()
    }
    return RecordingContent(session: session, beats: beats)
  }
}
