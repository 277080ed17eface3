import GATT
import TachogramCore

/// A ledger that is made of intervals from a file: a Heart Rate Measurement for each of them, which arrives when its beat ends,
/// and the end of a link for each gap, at the end of the gap. The heart rate in it is that of the interval.
package struct IntervalLedger: Sendable {
  /// The handle of the one link; there was none.
  private static let handle: UInt16 = 0
  /// No recording lasts ten years: beyond them, time stands still instead of overflowing. In sixteenths of a microsecond.
  private static let longest: Int64 = 10 * 366 * 86_400 * 1_000_000 * 16

  /// The civil time at which the ledger's axis begins.
  package let start: WallTime
  package private(set) var entries: [LedgerEntry] = []

  package init(start: WallTime) {
    self.start = start
  }

  /// A ledger of a series that begins at `start`. An interval is rounded to the next tick of 1/1024 s.
  package init(_ series: RRSeries, start: WallTime) {
    self.start = start
    // In sixteenths of a microsecond, of which a tick has 15 625.
    var time: Int64 = 0
    entries.reserveCapacity(series.intervals.count)
    for interval in series.intervals {
      if let gap = interval.gap {
        time = min(Self.longest, time + Int64((min(gap, Double(Self.longest) / 16_000) * 16_000).rounded()))
        add(gapTo: MonotonicTime(microseconds: time >> 4), reason: interval.reason)
      }
      let ticks = UInt16(min(65_535, max(0, (interval.milliseconds * 1.024).rounded())))
      time = min(Self.longest, time + Int64(ticks) * 15_625)
      add(RRInterval(ticks: ticks), endingAt: MonotonicTime(microseconds: time >> 4))
    }
  }

  /// The one link, for the repository.
  package var link: StrapLink { StrapLink(number: 0, handle: Self.handle, handleSource: .given) }

  /// Adds a beat.
  package mutating func add(_ rr: RRInterval, endingAt time: MonotonicTime, hasContact: Bool = true) {
    let rate = rr.ticks == 0 ? 0 : min(65_535, (61_440 / Double(rr.ticks)).rounded())
    let measurement = HeartRateMeasurement(
      heartRate: UInt16(rate), contact: hasContact ? .detected : .notDetected, rrIntervals: [rr])
    append(.notification(HeartRateMeasurementCodec.encode(measurement)), at: time)
  }

  /// Adds a gap that ends at `time`.
  package mutating func add(gapTo time: MonotonicTime, reason: BeatGap.Reason) {
    append(.linkDown(reason: reason.code), at: time)
  }

  /// The session of this ledger, whose identifier is a hash of all of it: the same intervals at the same time are the same
  /// session.
  package func session(madeFrom kind: String, person: String?, label: String?) -> SessionDescription {
    var hash = ContentHash()
    hash.add(start.microseconds)
    for entry in entries {
      hash.add(entry.monotonic.microseconds)
      switch entry.content {
      case .notification(let value): hash.add(value)
      case .linkDown(let reason): hash.add(reason)
      }
    }
    return SessionDescription(
      id: hash.uuidText, strap: StrapIdentity(address: .unknown), origin: .replay, person: person, label: label,
      madeFrom: kind, start: start, monotonicStart: MonotonicTime(microseconds: 0))
  }

  private mutating func append(_ content: LedgerEntry.Content, at time: MonotonicTime) {
    entries.append(
      LedgerEntry(
        sequence: Int64(entries.count), link: 0, monotonic: time,
        wall: start.advanced(byMicroseconds: time.microseconds), content: content))
  }
}
