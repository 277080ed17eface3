import Beats
import FoundationEssentials
import HRV
import Stress
import StressKit
import TachogramCore

/// Computes metrics and stress from intervals: the stages after the timeline, shared by sessions and by plain series of
/// intervals. Windows and stress are computed from the corrected series. They are provisional at the last interval, and final
/// at up to 45 intervals before it.
struct BeatAnalyzer: Sendable {
  /// The final windows and stress level at a minute.
  struct Record {
    let windows: [HRVWindow]
    let stress: StressResult?
  }

  /// The length of the window from which stress and the spectrum are computed.
  private static let mainWindow = WindowLength.fiveMinutes

  private let start: WallTime
  private let monotonicStart: MonotonicTime
  private let baseline: PersonalBaseline
  private let calculator: StressCalculator
  private var raw: HRVSeries
  private var corrector: ArtifactCorrector
  private var corrected: CorrectedSeries
  private let listsArtifacts: Bool
  /// The raw intervals, or `nil` if they are not kept.
  private var kept: [SeriesTrace.Interval]?
  private var count = 0
  /// The start of the first interval.
  private var seriesStart: MonotonicTime?

  /// Creates an analyzer. `start` and `monotonicStart` are the same instant on both clocks. `isRecording` is whether records
  /// and artifacts are collected.
  init(
    start: WallTime, monotonicStart: MonotonicTime, baseline: PersonalBaseline, options: AnalysisOptions,
    isRecording: Bool,
  ) {
    self.start = start
    self.monotonicStart = monotonicStart
    self.baseline = baseline
    corrector = ArtifactCorrector(
      method: options.artifacts, listsPositions: options.listsArtifacts || options.keepsSeries)
    listsArtifacts = options.listsArtifacts
    kept = options.keepsSeries ? [] : nil
    let date = start.date
    calculator = StressCalculator(baseline: baseline, now: { date })
    raw = HRVSeries(keepsSegments: options.keepsSegments, limits: nil)
    corrected = CorrectedSeries(
      keepsSegments: options.keepsSegments, keepsSeries: options.keepsSeries, limits: options.limits,
      isRecording: isRecording)
  }

  /// Adds an interval that ended at `time`. With `isDoubtful`, it counts as an artifact, whatever its length. `start` is the
  /// start of the series, if the length of the first interval is unusable.
  mutating func add(
    _ interval: NNInterval, at time: MonotonicTime, followsGap: Bool, isDoubtful: Bool, start: MonotonicTime? = nil,
  ) {
    let timed = TimedInterval(interval, endingAt: time, followsGap: followsGap, isDoubtful: isDoubtful)
    if seriesStart == nil { begin(at: start ?? timed.start) }
    if isDoubtful { corrected.noteDoubtful(count) }
    kept?.append(SeriesTrace.Interval(milliseconds: interval.milliseconds, end: time, followsGap: followsGap))
    count += 1
    raw.append(timed)
    corrector.append(interval.milliseconds, endingAt: time, followsGap: followsGap, into: &corrected)
  }

  /// Adds a value that is not an interval. It only contributes to the share of artifacts, and ends the current run.
  mutating func addImpossible(at time: MonotonicTime) {
    if seriesStart == nil { begin(at: time) }
    corrector.finish(into: &corrected)
    corrected.appendImpossible(at: time)
  }

  private mutating func begin(at start: MonotonicTime) {
    seriesStart = start
    raw.begin(at: start)
    corrected.begin(at: start)
  }

  // MARK: - Recording

  /// Removes and returns the artifacts that were found since the last call, with the positions of their intervals.
  mutating func drainArtifacts() -> [BeatArtifact] { corrected.drainArtifacts() }

  /// Removes and returns the records that became final since the last call.
  mutating func drainRecords() -> [Record] {
    let recorded = corrected.drainRecorded()
    if recorded.isEmpty { return [] }
    return recorded.map { windows in
      guard case .available(let result) = stress(of: windows) else {
        return Record(windows: windows, stress: nil)
      }
      return Record(windows: windows, stress: result)
    }
  }

  /// Ends the series: makes all of it final and records its end.
  mutating func finish() {
    corrector.finish(into: &corrected)
    corrected.finish()
  }

  // MARK: - Reading

  /// Returns the provisional windows and stress level at the last interval.
  func reading() -> LiveValues {
    guard let start = seriesStart else {
      return LiveValues(windows: [], stress: .unavailable(.noBeats))
    }
    let windows = corrected.hrv.windows(sessionStart: start, with: corrected.tail(of: corrector))
    return LiveValues(windows: windows, stress: stress(of: windows))
  }

  /// Returns the provisional window of the last five minutes with its intervals, or `nil` if there are no intervals.
  func detailedWindow() -> DetailedWindow? {
    guard let start = seriesStart else { return nil }
    return corrected.hrv.detailedWindow(
      length: Self.mainWindow, sessionStart: start, with: corrected.tail(of: corrector))
  }

  /// Returns the report of all intervals so far, as if the series ended here.
  func report(_ beats: BeatCounts) -> SeriesReport {
    var whole = self
    whole.finish()
    let findings = whole.corrector.findings
    var report = SeriesReport(
      beats: beats, raw: raw.metrics(),
      correction: SeriesReport.Correction(
        counts: findings.counts, gaps: findings.gaps, positions: listsArtifacts ? findings.positions : nil,
        metrics: whole.corrected.hrv.metrics(), quality: whole.corrected.hrv.quality), baseline: baseline)
    guard let start = seriesStart else { return report }
    let corrected = whole.corrected.hrv.detailedWindows(sessionStart: start)
    report.windows = zip(raw.detailedWindows(sessionStart: start), corrected).map { raw, corrected in
      SeriesReport.Window(window: corrected.window, raw: raw.metrics(), corrected: corrected.metrics())
    }
    report.stress = stress(of: corrected.map(\.window))
    if case .available = report.stress, let refusal = refusal(of: report.correction.metrics) {
      report.stress = .unavailable(refusal)
    }
    report.segments = SeriesReport.Segments(raw: raw.segments, corrected: whole.corrected.hrv.segments)
    report.trace = whole.trace
    return report
  }

  /// The intervals of a finished series, or `nil` if they are not kept.
  private var trace: SeriesTrace? {
    guard let kept, let mended = corrected.kept else { return nil }
    var trace = SeriesTrace(raw: kept, corrected: mended, start: seriesStart, spectrum: corrected.hrv.spectrum)
    trace.mark(corrector.findings.positions ?? [:])
    return trace
  }

  /// The HRV metric from which stress is computed.
  private var stressMetric: HRVMetric { baseline.kind == .sdnn ? .sdnn : .rmssd }

  /// Returns the reason why a report has no stress level regardless of its last window, which is that the HRV metric of the
  /// whole recording is refused, or `nil` if it is not.
  private func refusal(of recording: HRVMetrics) -> StressOutcome.Absence? {
    guard let reason = recording.reason(for: stressMetric) else { return nil }
    switch reason {
    case .tooManyArtifacts, .irregularRhythm, .repeatedIntervals: return .recording(stressMetric, reason)
    default: return nil
    }
  }

  private func stress(of windows: [HRVWindow]) -> StressOutcome {
    guard let window = windows.first(where: { $0.length == Self.mainWindow }),
      window.metrics.count > 0 || window.artifactShare > 0
    else { return .unavailable(.noBeats) }
    let metric = stressMetric
    for needed in [metric, .meanHeartRate] {
      if let reason = window.metrics.reason(for: needed) { return .unavailable(.metric(needed, reason)) }
    }
    guard let hrv = window.metrics[metric], let heartRate = window.metrics[.meanHeartRate] else {
      return .unavailable(.noBeats)
    }
    do {
      let result = try calculator.stress(
        hrv: hrv, heartRate: heartRate, samples: window.metrics.count, coverage: window.coverage,
        artifactShare: window.artifactShare, at: wallDate(of: window.end))
      return .available(result)
    } catch {
      return .unavailable(.refused(error.description))
    }
  }

  private func wallDate(of time: MonotonicTime) -> Date {
    start.advanced(byMicroseconds: time.microseconds(since: monotonicStart)).date
  }
}
