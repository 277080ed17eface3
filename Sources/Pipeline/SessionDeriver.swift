import Beats
import GATT
import HRV
import StressKit
import TachogramCore

/// Derives a session from its ledger: notification → measurement → beats → HRV → stress. Whoever derives does it with this:
/// live recordings, replays, imports, and sessions that are derived again from what is stored.
///
/// It is a pure state machine: entries go in, in their order, and the rows that derive from them wait until they are taken. The
/// entries of a session that was made of a file of intervals are beats already, and pass the timeline by.
package struct SessionDeriver: Sendable {
  /// What is wanted of a session.
  package enum Output: Sendable {
    /// Its rows, and its report.
    case rows
    /// Its report alone: no rows are made.
    case report
  }

  package let session: SessionDescription
  private var timeline = BeatTimeline()
  /// In the place of the timeline, where the session was made of a file of intervals.
  private var given: ImportedBeatTimeline?
  private var notifications = NotificationCounts()
  private var derived: SessionRows

  /// `baseline` is the person's own or the default; its kind decides which metric stands for HRV.
  package init(
    _ session: SessionDescription, baseline: PersonalBaseline, options: AnalysisOptions = AnalysisOptions(),
    output: Output = .rows,
  ) {
    self.session = session
    given = session.madeFrom == nil ? nil : ImportedBeatTimeline()
    derived = SessionRows(
      session: session, baseline: baseline, deviceID: session.derivedDeviceID, options: options, output: output)
  }

  // MARK: - Entries in

  /// Derives from the next ledger entry.
  package mutating func ingest(_ entry: LedgerEntry) {
    switch entry.content {
    case .notification(let value):
      notification(value.span, sequence: entry.sequence, link: entry.link, at: entry.monotonic)
    case .linkDown(let reason):
      if given == nil {
        linkDown(at: entry.monotonic, reason: reason)
      } else {
        given?.linkDown(at: entry.monotonic, code: reason)
      }
    }
  }

  /// Derives from the next ledger entries.
  package mutating func ingest(_ entries: some Sequence<LedgerEntry>) {
    for entry in entries { ingest(entry) }
  }

  /// Derives from the next notification: `value` is that of ledger entry `sequence`.
  package mutating func notification(_ value: Span<UInt8>, sequence: Int64, link: Int, at time: MonotonicTime) {
    notifications.total += 1
    do {
      let measurement = try HeartRateMeasurementCodec.decode(value)
      notifications.add(measurement)
      if given == nil {
        timeline.notification(measurement, ledgerSequence: sequence, link: link, at: time, into: &derived)
      } else {
        given?.notification(measurement, ledgerSequence: sequence, at: time, into: &derived)
      }
    } catch {
      notifications.addMalformed(sequence: sequence, problem: error.description)
      if given == nil { timeline.malformed(at: time, into: &derived) }
    }
  }

  /// Derives from the end of a link, or with `DisconnectionCode.captureLoss` from a loss.
  package mutating func linkDown(at time: MonotonicTime, reason: UInt8) {
    if reason == DisconnectionCode.captureLoss {
      timeline.lost(at: time, into: &derived)
    } else {
      timeline.linkDown(at: time, into: &derived)
    }
  }

  /// Ends the session: decides on what is pending and adds the rows of the last windows.
  package mutating func finish() {
    timeline.finish(into: &derived)
    derived.finish()
  }

  // MARK: - Rows out

  /// Hands over the rows that derive from the entries since the last call.
  package mutating func drainRows() -> SessionBatch { derived.undrained.drain() }

  /// Hands the rows since the last call to `body`, and forgets them; their storage is used again.
  package mutating func drainRows<Value>(_ body: (SessionBatch) throws -> Value) rethrows -> Value {
    defer { derived.undrained.removeAll() }
    return try body(derived.undrained)
  }

  // MARK: - Reading

  /// The windows and the stress level at the last beat, which are provisional. It is cheap enough for every beat.
  package func reading() -> LiveValues { derived.reading() }

  /// Computes all metrics of the last five minutes, provisional ones, for whoever has some milliseconds; `nil` without
  /// beats.
  package func detail() -> (@Sendable () -> HRVMetrics)? {
    guard let window = derived.detailedWindow() else { return nil }
    return { window.metrics() }
  }

  /// The report of what has been ingested so far.
  package func report() -> SessionReport {
    var series = derived.report()
    let coverage = given?.coverage ?? timeline.coverage
    series.beats.coverage = coverage.share
    series.beats.spanSeconds = coverage.seconds
    var notifications = notifications
    notifications.leftOut[.overlap] = timeline.overlapping
    return SessionReport(session: session, notifications: notifications, series: series)
  }
}
