import GATT
import TachogramCore

/// A ledger of intervals from a file: a Heart Rate Measurement for each interval, which arrives at the end of its beat, and the
/// end of a link for each gap, at the end of the gap. The heart rate of a measurement is computed from the interval.
package struct IntervalLedger: Sendable {
  /// The handle of the single, nominal link.
  private static let handle: UInt16 = 0
  /// The greatest time on the axis, in sixteenths of a microsecond: ten years. Later times are clamped to it to avoid overflow.
  private static let longest: Int64 = 10 * 366 * 86_400 * 1_000_000 * 16

  /// The civil time at which the ledger's axis begins.
  package let start: WallTime
  package private(set) var entries: [LedgerEntry] = []

  package init(start: WallTime) {
    self.start = start
  }

  /// Creates a ledger of a series that begins at `start`. Intervals are rounded to 1/1024 s.
  package init(_ series: RRSeries, start: WallTime) {
    self.start = start
    // In sixteenths of a microsecond. A tick of 1/1024 s has 15 625 of them.
    var time: Int64 = 0
    entries.reserveCapacity(series.intervals.count)
    for interval in series.intervals {
      if let gap = interval.gap {
        time = min(Self.longest, time + Int64((min(gap, Double(Self.longest) / 16_000) * 16_000).rounded()))
        add(gapTo: MonotonicTime(microseconds: time >> 4), reason: interval.reason)
      }
      let rr = RRInterval(milliseconds: interval.milliseconds)
      time = min(Self.longest, time + Int64(rr.ticks) * 15_625)
      add(rr, endingAt: MonotonicTime(microseconds: time >> 4))
    }
  }

  /// The single link, for the repository.
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

  /// Returns the session of this ledger. Its identifier is a hash of the whole ledger, so that the same intervals at the same
  /// time result in the same session.
  package func session(madeFrom kind: String, person: String?, label: String?) -> SessionDescription {
    var hash = ContentHash()
    hash.add(start.microseconds)
    for entry in entries {
      hash.add(entry.monotonic.microseconds)
      switch entry.content {
      case .notification(let value), .pulseIntervals(let value): hash.add(value)
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
