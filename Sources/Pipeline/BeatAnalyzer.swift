import Beats
import FoundationEssentials
import HRV
import Stress
import TachogramCore

/// Beats in, windows and stress out: the stages behind the timeline, shared by sessions and by plain series of
/// intervals.
struct BeatAnalyzer: Sendable {
  /// What is recorded now and then.
  struct Record {
    let windows: [HRVWindow]
    let stress: StressResult?
  }

  /// How often the windows and the stress level are recorded, in microseconds of beat time.
  private static let cadence: Int64 = 60_000_000
  /// The window that stress is computed from, in seconds.
  private static let stressWindow = 300

  private let start: WallTime
  private let monotonicStart: MonotonicTime
  private let baseline: PersonalBaseline
  private let calculator: StressCalculator
  private var engine = HRVEngine()
  private var corrector = ArtifactCorrector()
  private var corrected = CorrectedSeries()
  private var firstBeat: MonotonicTime?
  private var lastBeat: MonotonicTime?
  private var nextRecord: MonotonicTime?
  private var lastRecord: MonotonicTime?

  /// `start` and `monotonicStart` are the same instant on both clocks.
  init(start: WallTime, monotonicStart: MonotonicTime, baseline: PersonalBaseline) {
    self.start = start
    self.monotonicStart = monotonicStart
    self.baseline = baseline
    let date = Self.date(start)
    calculator = StressCalculator(baseline: baseline, now: { date })
  }

  /// HRV of all beats so far.
  var metrics: TimeDomainMetrics { engine.session.metrics() }

  /// HRV of all beats so far behind artifact correction, and what that found.
  var correction: SeriesReport.Correction {
    var (corrector, corrected) = (corrector, corrected)
    corrector.finish(into: &corrected)
    return SeriesReport.Correction(counts: corrector.counts, metrics: corrected.metrics)
  }

  /// The windows at the last beat.
  var windows: [HRVWindow] {
    firstBeat.map { engine.snapshot(sessionStart: $0) } ?? []
  }

  /// The stress level at the last beat.
  var stress: StressOutcome {
    lastBeat.map { stress(at: $0) } ?? .unavailable(.noBeats)
  }

  /// Adds a beat that ended its interval at `time`.
  mutating func add(_ interval: NNInterval, at time: MonotonicTime, followsGap: Bool, isArtifact: Bool) {
    if firstBeat == nil {
      let first = time.advanced(byMicroseconds: -Int64((interval.milliseconds * 1000).rounded()))
      firstBeat = first
      nextRecord = first.advanced(byMicroseconds: Self.cadence)
    }
    lastBeat = time
    engine.append(interval, at: time, followsGap: followsGap, isArtifact: isArtifact)
    corrector.append(interval.milliseconds, endingAt: time, followsGap: followsGap, into: &corrected)
  }

  // MARK: - Recording

  /// The windows and the stress level at the last beat, if it is time to record them.
  mutating func recordIfDue() -> Record? {
    guard let nextRecord, let lastBeat, lastBeat >= nextRecord else { return nil }
    return record()
  }

  /// Records the windows and the stress level at the last beat, unless that was done already.
  mutating func finish() -> Record? {
    lastRecord == lastBeat ? nil : record()
  }

  private mutating func record() -> Record? {
    guard let firstBeat, let lastBeat else { return nil }
    lastRecord = lastBeat
    let passed = lastBeat.microseconds(since: firstBeat) / Self.cadence + 1
    nextRecord = firstBeat.advanced(byMicroseconds: passed * Self.cadence)
    guard case .available(let result) = stress else { return Record(windows: windows, stress: nil) }
    return Record(windows: windows, stress: result)
  }

  private func stress(at time: MonotonicTime) -> StressOutcome {
    guard let firstBeat, let window = engine.snapshot(length: Self.stressWindow, sessionStart: firstBeat),
      window.metrics.count > 0
    else { return .unavailable(.noBeats) }
    let metric: HRVMetric = baseline.kind == .sdnn ? .sdnn : .rmssd
    for needed in [metric, .meanHeartRate] {
      if let reason = window.metrics.reason(for: needed) { return .unavailable(.metric(needed, reason)) }
    }
    guard let hrv = window.metrics[metric], let heartRate = window.metrics[.meanHeartRate] else {
      return .unavailable(.noBeats)
    }
    do {
      let result = try calculator.stress(
        hrv: hrv, heartRate: heartRate, samples: window.metrics.count, coverage: window.coverage,
        artifactShare: window.artifactShare, at: wallDate(of: time))
      return .available(result)
    } catch {
      return .unavailable(.refused(error.description))
    }
  }

  private func wallDate(of time: MonotonicTime) -> Date {
    Self.date(start.advanced(byMicroseconds: time.microseconds(since: monotonicStart)))
  }

  private static func date(_ time: WallTime) -> Date {
    Date(timeIntervalSince1970: Double(time.microseconds) / 1e6)
  }
}
