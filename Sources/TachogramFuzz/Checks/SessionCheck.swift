import Capture
import FoundationEssentials
import GATT
import Pipeline
import StressKit
import TachogramCore

/// Runs the ledger of each strap through the pipeline, and compares the output with the ledger.
struct SessionCheck {
  /// The number of entries between two readings of the provisional values.
  private static let lookInterval = 16

  private let session: SessionDescription
  private let entries: [LedgerEntry]
  private let batch: SessionBatch
  private let report: SessionReport

  /// Checks the sessions of all straps.
  static func check(_ ledger: ReplayedLedger) throws {
    for (number, strap) in ledger.straps.enumerated() {
      guard let entries = ledger.entries[number], let first = entries.first else { continue }
      let session = SessionDescription(
        id: SessionDescription.identifier(strap: strap.identity.address, first: first),
        strap: strap.identity, origin: .replay, start: first.wall, monotonicStart: first.monotonic)
      let check = SessionCheck(session, entries)
      try check.beats()
      try check.gaps()
      try check.coverage()
      try check.counts()
      try check.repetition()
      try ReportCheck.check(check.report.series)
      try ReportCheck.checkRaw(check.report.series, check.batch)
      try ReportCheck.check(check.batch)
      try ExportCheck.check(session, strap.links, entries, check.batch)
    }
  }

  private init(_ session: SessionDescription, _ entries: [LedgerEntry]) {
    self.session = session
    self.entries = entries
    var deriver = Self.deriver(session)
    for (position, entry) in entries.enumerated() {
      deriver.ingest(entry)
      if position.isMultiple(of: Self.lookInterval) { _ = deriver.reading() }
    }
    deriver.finish()
    batch = deriver.drainRows()
    report = deriver.report()
  }

  /// Returns the deriver of a session, with the baseline of an unknown person.
  static func deriver(
    _ session: SessionDescription, options: AnalysisOptions = AnalysisOptions(), output: SessionDeriver.Output = .rows,
  ) -> SessionDeriver {
    SessionDeriver(session, baseline: .default(), options: options, output: output)
  }

  // MARK: - Invariants

  /// Checks that the beats are those that the strap sent: of each notification all of them in their order, or none if it
  /// overlaps.
  private func beats() throws {
    var next = 0
    for entry in entries {
      let first = next
      while next < batch.beats.count, batch.beats[next].ledgerSequence == entry.sequence { next += 1 }
      guard next > first else { continue }
      let found = batch.beats[first..<next]
      let agrees: Bool
      switch entry.content {
      case .notification(let value):
        agrees = try HeartRateMeasurementCodec.decode(value).rrIntervals.elementsEqual(found.map(\.rr))
      case .pulseIntervals(let frame):
        let sent = try PolarPPICodec.samples(ofFrame: frame).map { Double($0.interval) }.filter { $0 > 0 }
        // Ticks round a millisecond, and the longest interval has less than 65 535 ms.
        agrees =
          sent.count == found.count
          && zip(sent, found).allSatisfy { abs(min($0, 63_999) - $1.rr.milliseconds) <= 0.5 || $0 > 63_999 }
      case .linkDown: throw FuzzFinding(description: "entry \(entry.sequence) is no heart rate, and has beats")
      }
      try FuzzFinding.unless(agrees, "entry \(entry.sequence) has other beats than it says")
    }
    try FuzzFinding.unless(next == batch.beats.count, "beats of no entry, or out of order, from \(next) on")
    for (position, beat) in batch.beats.enumerated() {
      try FuzzFinding.unless(beat.sequence == Int64(position), "beat \(position) is numbered \(beat.sequence)")
    }
    let times = batch.beats.map(\.time)
    try FuzzFinding.unless(zip(times, times.dropFirst()).allSatisfy { $0 <= $1 }, "beats go back in time")
  }

  /// Checks that gaps lie between beats, and that the chain of beats has no other discontinuities.
  private func gaps() throws {
    let starts = Dictionary(batch.gaps.map { ($0.ledgerSequence, $0) }) { first, _ in first }
    try FuzzFinding.unless(starts.count == batch.gaps.count, "two gaps are ended by the same entry")
    for (position, gap) in batch.gaps.enumerated() {
      try FuzzFinding.unless(gap.sequence == Int64(position), "gap \(position) is numbered \(gap.sequence)")
      try FuzzFinding.unless(gap.start <= gap.end, "gap \(position) ends before it begins")
    }
    for (beat, next) in zip(batch.beats, batch.beats.dropFirst()) where next.ledgerSequence != beat.ledgerSequence {
      let leap = next.time.microseconds(since: beat.time) - Self.microseconds(next.rr)
      if let gap = starts[next.ledgerSequence] {
        try FuzzFinding.unless(gap.start == beat.time, "gap \(gap.sequence) does not begin with the last beat")
      } else {
        // A crystal is assumed to be off by at most 200 ppm of the time that a notification covers, at most 65 535 intervals.
        let duration = Self.duration(of: next.ledgerSequence, batch.beats[Int(next.sequence)...])
        try FuzzFinding.unless(leap <= duration / 5000 + 2, "beat \(next.sequence) leaps over \(leap) µs without a gap")
      }
    }
  }

  /// Checks that intervals in the range of a human heart cover no more time than has passed, except for late delivery and
  /// inaccurate crystals: 4.5 s a link, or an interval above 2 s after which the chain restarts, and 200 ppm.
  private func coverage() throws {
    let counts = report.series.beats
    try FuzzFinding.unless((0...1).contains(counts.coverage), "coverage is \(counts.coverage)")
    let claims = batch.beats.count { $0.marks.contains(.tooLong) }
    let runs = zip(entries, entries.dropFirst()).count { $0.link != $1.link } + batch.gaps.count + linkEnds + claims + 1
    let inRange = batch.beats.lazy.filter { !$0.marks.isOutOfRange }.map { Self.microseconds($0.rr) }
    let (covered, longest) = (inRange.reduce(0, +), inRange.max() ?? 0)
    let most = counts.spanSeconds * 1e6 * 1.0002 + Double(runs) * (4_500_000 + Double(longest))
    try FuzzFinding.unless(
      Double(covered) <= most, "\(covered) µs of intervals in \(counts.spanSeconds) s and \(runs) runs")
  }

  private func counts() throws {
    let notifications = report.notifications
    try FuzzFinding.unless(notifications.total == entries.count - linkEnds, "notifications that were not counted")
    try FuzzFinding.unless(notifications.malformed <= notifications.total, "more are malformed than there are")
    try FuzzFinding.unless(report.series.beats.total == batch.beats.count, "beats that were not counted")
    try FuzzFinding.unless(report.series.beats.gaps == batch.gaps.count, "gaps that were not counted")
  }

  /// Checks that the report is the same without the records and with segments kept.
  private func repetition() throws {
    var options = AnalysisOptions()
    options.keepsSegments = true
    var deriver = Self.deriver(session, options: options, output: .report)
    deriver.ingest(entries)
    deriver.finish()
    let again = deriver.report().series
    let series = report.series
    try FuzzFinding.unless(again.beats == series.beats, "the beats are others without records")
    try FuzzFinding.unless(again.raw == series.raw, "the raw metrics are others without records")
    try FuzzFinding.unless(again.correction == series.correction, "the corrected metrics are others without records")
    try FuzzFinding.unless(again.windows == series.windows, "the windows are others without records")
    try FuzzFinding.unless(series.segments.raw.isEmpty, "segments are kept that nobody wants")
    try ReportCheck.check(again)
    try FuzzFinding.unless(again.stress == series.stress, "the stress level is another without records")
  }

  // MARK: - Units

  private var linkEnds: Int {
    entries.count { if case .linkDown = $0.content { true } else { false } }
  }

  /// Returns the length of an interval in µs, rounded up.
  private static func microseconds(_ rr: RRInterval) -> Int64 {
    (Int64(rr.ticks) * 1_000_000 + 1023) / 1024
  }

  /// Returns the sum of the intervals of an entry, in µs. They come first in `beats`.
  private static func duration(of entry: Int64, _ beats: ArraySlice<Beat>) -> Int64 {
    beats.prefix { $0.ledgerSequence == entry }.reduce(0) { $0 + microseconds($1.rr) }
  }
}
