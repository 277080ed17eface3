import Repository
import TachogramCore

/// A stored session as exports read it: in pieces, the long parts of it never in memory whole.
struct StoredSession {
  private static let batchSize = 4096

  let record: SessionRecord
  let repository: SessionRepository

  var description: SessionDescription { record.description }
  var id: String { description.id }

  /// Whether its ledger alone is stored, for want of space: its beats, HRV and stress are still to be derived.
  func isOwed() throws -> Bool {
    try repository.owedSessions().contains { $0.session.description.id == id }
  }

  func forEachEntry(_ body: (LedgerEntry) throws -> Void) throws {
    try repository.forEachEntry(of: id, batchSize: Self.batchSize) { try $0.forEach(body) }
  }

  func forEachBeat(_ body: (Beat) throws -> Void) throws {
    try repository.forEachBeat(of: id, batchSize: Self.batchSize) { try $0.forEach(body) }
  }

  /// Beats and gaps in the order of time: a gap comes before the first beat of the entry that ended it.
  func forEachEvent(_ body: (BeatEvent) throws -> Void) throws {
    var gaps = try repository.gaps(of: id)[...]
    try forEachBeat { beat in
      while let gap = gaps.first, gap.ledgerSequence <= beat.ledgerSequence {
        try body(.gap(gap))
        gaps = gaps.dropFirst()
      }
      try body(.beat(beat))
    }
    for gap in gaps { try body(.gap(gap)) }
  }

  /// Microseconds since the session began.
  func offset(_ time: MonotonicTime) -> Int64 {
    time.microseconds(since: description.monotonicStart)
  }

  /// Where an interval begins that ends with a beat.
  static func beginning(of beat: Beat) -> MonotonicTime {
    beat.time.advanced(byMicroseconds: -(Int64(beat.rr.ticks) * 15_625 / 16))
  }
}
