import Beats
import GATT
import HRV
import StressKit
import TachogramCore

/// Derives a session from its ledger: notification or frame → intervals → beats → HRV → stress. Live recordings, replays, imports and
/// the repeated derivation of stored sessions all use it.
///
/// It is a pure state machine: it accepts entries in their order, and keeps the derived rows until they are drained. The
/// entries of a session that was imported from a file of intervals are already beats and bypass the timeline.
package struct SessionDeriver: Sendable {
  private enum IntervalSource {
    case notifications, pulseIntervals
  }

  /// The output of a derivation.
  package enum Output: Sendable {
    /// The rows and the report of the session.
    case rows
    /// Only the report; no rows are created.
    case report
  }

  package let session: SessionDescription
  private var timeline = BeatTimeline()
  /// The replacement of the timeline for a session that was imported from a file of intervals; otherwise `nil`.
  private var given: ImportedBeatTimeline?
  private var notifications = NotificationCounts()
  /// Where the intervals come from, once known: notifications as soon as one has any, otherwise frames of pulse intervals.
  private var intervalSource: IntervalSource?
  private var derived: SessionRows

  /// Creates a deriver. `baseline` is that of the person or the default; its kind determines the HRV metric of stress.
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

  /// Processes the next ledger entry.
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
    case .pulseIntervals(let value):
      pulseIntervals(value, sequence: entry.sequence, link: entry.link, at: entry.monotonic)
    }
  }

  /// Processes the next ledger entries.
  package mutating func ingest(_ entries: some Sequence<LedgerEntry>) {
    for entry in entries { ingest(entry) }
  }

  /// Processes the next notification; `value` is that of the ledger entry `sequence`.
  package mutating func notification(_ value: Span<UInt8>, sequence: Int64, link: Int, at time: MonotonicTime) {
    notifications.total += 1
    do {
      let measurement = try HeartRateMeasurementCodec.decode(value)
      notifications.add(measurement)
      if given == nil {
        if !measurement.rrIntervals.isEmpty {
          use(.notifications, at: time)
        } else if intervalSource == .pulseIntervals {
          return timeline.elapsed(at: time, into: &derived)
        }
        timeline.notification(measurement, ledgerSequence: sequence, link: link, at: time, into: &derived)
      } else {
        given?.notification(measurement, ledgerSequence: sequence, at: time, into: &derived)
      }
    } catch {
      notifications.addMalformed(sequence: sequence, problem: error.description)
      if given == nil { timeline.elapsed(at: time, into: &derived) }
    }
  }

  /// Processes the next frame of pulse intervals; `value` is that of the ledger entry `sequence`. Its intervals are used unless
  /// the notifications of the strap have intervals.
  private mutating func pulseIntervals(_ value: [UInt8], sequence: Int64, link: Int, at time: MonotonicTime) {
    notifications.pulseFrames += 1
    guard given == nil else { return }
    do {
      let frame = try PulseFrame(value)
      guard intervalSource != .notifications, !frame.intervals.isEmpty else {
        return timeline.elapsed(at: time, into: &derived)
      }
      use(.pulseIntervals, at: time)
      timeline.pulseIntervals(
        frame.intervals, doubtful: frame.doubtful, ledgerSequence: sequence, link: link, at: time, into: &derived)
    } catch {
      notifications.malformedPulseFrames += 1
      timeline.elapsed(at: time, into: &derived)
    }
  }

  @inline(__always)
  private mutating func use(_ source: IntervalSource, at time: MonotonicTime) {
    guard intervalSource != source else { return }
    if intervalSource != nil || source == .pulseIntervals { timeline.sourceChanged(at: time, into: &derived) }
    intervalSource = source
  }

  /// Processes the end of a link, or a loss if `reason` is `DisconnectionCode.captureLoss`.
  package mutating func linkDown(at time: MonotonicTime, reason: UInt8) {
    if reason == DisconnectionCode.captureLoss {
      timeline.lost(at: time, into: &derived)
    } else {
      timeline.linkDown(at: time, into: &derived)
    }
  }

  /// Ends the session: decides on pending beats and adds the rows of the last windows.
  package mutating func finish() {
    timeline.finish(into: &derived)
    derived.finish()
  }

  // MARK: - Rows out

  /// Removes and returns the rows that were derived since the last call.
  package mutating func drainRows() -> SessionBatch { derived.undrained.drain() }

  /// Calls `body` with the rows that were derived since the last call, then removes them and reuses their storage.
  package mutating func drainRows<Value>(_ body: (SessionBatch) throws -> Value) rethrows -> Value {
    defer { derived.undrained.removeAll() }
    return try body(derived.undrained)
  }

  // MARK: - Reading

  /// Returns the provisional windows and stress level at the last beat. Fast enough to be called for every beat.
  package func reading() -> LiveValues { derived.reading() }

  /// Returns a function that computes all metrics of the last five minutes, or `nil` if there are no beats. The metrics are
  /// provisional, and computing them takes some milliseconds.
  package func detail() -> (@Sendable () -> HRVMetrics)? {
    guard let window = derived.detailedWindow() else { return nil }
    return { window.metrics() }
  }

  /// Returns the report of the entries that have been ingested so far.
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
