import Repository
import TachogramCore

/// Holds the gaps of a session against the arrivals in its ledger: wherever notifications of one beat a second stopped for longer,
/// a gap of that length has to be.
struct GapCheck {
  /// Distance of two notifications, in microseconds, above which beats are missing for certain.
  private static let outage: Int64 = 4_000_000
  /// How far, in microseconds, a gap's length may be off: a beat at either side.
  private static let tolerance: Int64 = 2_000_000

  private(set) var expected = 0
  private(set) var right = 0

  init(_ database: TachogramDatabase, session: String) throws {
    let repository = SessionRepository(database: database)
    var last: MonotonicTime?
    var outages: [(start: MonotonicTime, end: MonotonicTime)] = []
    try repository.forEachEntry(of: session) { entries in
      for entry in entries {
        guard case .notification = entry.content else { continue }
        if let last, entry.monotonic.microseconds(since: last) > Self.outage { outages.append((last, entry.monotonic)) }
        last = entry.monotonic
      }
    }
    let gaps = try repository.gaps(of: session)
    expected = outages.count
    right = outages.count { outage in
      let inside = gaps.filter { $0.end > outage.start && $0.start < outage.end }
      // The first notification behind the gap carries the beat that ended with it.
      let length = outage.end.microseconds(since: outage.start) - 1_000_000
      return abs(inside.reduce(0) { $0 + $1.microseconds } - length) <= Self.tolerance
    }
  }
}
