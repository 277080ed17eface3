import Beats
import GATT
import HRV
import StressKit
import TachogramCore

/// One session's way through the stages: notification → measurement → beats → HRV → stress. Live and replay run
/// through it alike. It is a pure state machine: entries go in, what derives from them comes out. The entries of a session
/// that was made of a file of intervals are beats already, and pass the timeline by.
package struct SessionPipeline: Sendable {
  private let session: SessionDescription
  private var timeline = BeatTimeline()
  /// In the place of the timeline, where the session was made of a file of intervals.
  private var given: GivenBeats?
  private var notifications = NotificationCounts()
  private var derivation: SessionDerivation

  /// `baseline` is the person's own or the default; its kind decides which metric stands for HRV. `deviceID` names this
  /// machine in the measurements.
  package init(
    session: SessionDescription, baseline: PersonalBaseline, deviceID: String,
    options: AnalysisOptions = AnalysisOptions(),
  ) {
    self.session = session
    given = session.madeFrom == nil ? nil : GivenBeats()
    derivation = SessionDerivation(
      session: session, baseline: baseline, deviceID: deviceID, options: options)
  }

  /// Takes the next ledger entry and appends what derives from it to `batch`.
  package mutating func ingest(_ entry: LedgerEntry, into batch: inout SessionBatch) {
    derivation.exchange(&batch)
    take(entry)
    derivation.exchange(&batch)
  }

  /// Takes the next ledger entry where only the report is wanted.
  package mutating func ingest(_ entry: LedgerEntry) {
    take(entry)
  }

  /// Ends the session: decides on what is pending and records the last windows.
  package mutating func finish(into batch: inout SessionBatch) {
    derivation.exchange(&batch)
    finish()
    derivation.exchange(&batch)
  }

  /// Ends the session where only the report is wanted.
  package mutating func finish() {
    timeline.finish(into: &derivation)
    derivation.finish()
  }

  /// The windows and the stress level at the last beat, which are provisional. It is cheap enough for every beat.
  package func reading() -> LiveValues { derivation.reading() }

  /// Computes all metrics of the last five minutes, provisional ones, for whoever has some milliseconds; `nil` without
  /// beats.
  package func detail() -> (@Sendable () -> HRVMetrics)? {
    guard let window = derivation.detailedWindow() else { return nil }
    return { window.metrics() }
  }

  /// The report of what has been ingested so far.
  package func report() -> SessionReport {
    var series = derivation.report()
    let coverage = given?.coverage ?? timeline.coverage
    series.beats.coverage = coverage.share
    series.beats.spanSeconds = coverage.seconds
    var notifications = notifications
    notifications.leftOut[.overlap] = timeline.overlapping
    return SessionReport(session: session, notifications: notifications, series: series)
  }

  private mutating func take(_ entry: LedgerEntry) {
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

  /// Takes the next notification, where only the report is wanted: `value` is that of ledger entry `sequence`.
  package mutating func notification(_ value: Span<UInt8>, sequence: Int64, link: Int, at time: MonotonicTime) {
    notifications.total += 1
    do {
      let measurement = try HeartRateMeasurementCodec.decode(value)
      notifications.add(measurement)
      if given == nil {
        timeline.notification(measurement, ledgerSequence: sequence, link: link, at: time, into: &derivation)
      } else {
        given?.notification(measurement, ledgerSequence: sequence, at: time, into: &derivation)
      }
    } catch {
      notifications.addMalformed(sequence: sequence, problem: error.description)
      if given == nil { timeline.malformed(at: time, into: &derivation) }
    }
  }

  /// Takes the end of a link, or with `DisconnectionCode.captureLoss` a loss, where only the report is wanted.
  package mutating func linkDown(at time: MonotonicTime, reason: UInt8) {
    if reason == DisconnectionCode.captureLoss {
      timeline.lost(at: time, into: &derivation)
    } else {
      timeline.linkDown(at: time, into: &derivation)
    }
  }
}
