import FoundationEssentials
import HRV
import StressKit
import TachogramCore

/// Derives counts, windows and stress from the beats of a session. It is the stage of the deriver after the timeline.
struct SessionRows: BeatSink, Sendable {
  private let session: SessionDescription
  private let baseline: PersonalBaseline
  private let deviceID: String
  private let output: SessionDeriver.Output
  private var analyzer: BeatAnalyzer
  private var beats = BeatCounts()
  private var followsGap = false
  /// The rows that are not yet drained; empty if only the report is requested.
  var undrained = SessionBatch()

  init(
    session: SessionDescription, baseline: PersonalBaseline, deviceID: String, options: AnalysisOptions,
    output: SessionDeriver.Output,
  ) {
    self.session = session
    self.baseline = baseline
    self.deviceID = deviceID
    self.output = output
    analyzer = BeatAnalyzer(
      start: session.start, monotonicStart: session.monotonicStart, baseline: baseline, options: options,
      isRecording: output == .rows)
  }

  mutating func append(_ beat: Beat) {
    let isOutOfRange = beat.marks.isOutOfRange
    let isWithoutContact = beat.marks.isWithoutContact
    beats.total += 1
    beats.outOfRange += isOutOfRange ? 1 : 0
    beats.withoutContact += isWithoutContact ? 1 : 0
    // The first interval that a strap sends began before the recording: above 2 s its length is not meaningful.
    let isFirstClaim = beats.total == 1 && session.madeFrom == nil && beat.marks.contains(.tooLong)
    analyzer.add(
      NNInterval(beat.rr), at: beat.time, followsGap: followsGap, isDoubtful: isOutOfRange || isWithoutContact,
      start: isFirstClaim ? beat.time : nil)
    followsGap = false
    guard output == .rows else { return }
    undrained.beats.append(beat)
    appendRecords()
  }

  mutating func append(_ gap: BeatGap) {
    followsGap = true
    beats.gaps += 1
    beats.gapSeconds += gap.seconds
    if output == .rows { undrained.gaps.append(gap) }
  }

  /// Ends the series and adds the rows of its last windows.
  mutating func finish() {
    analyzer.finish()
    appendRecords()
  }

  /// Returns the provisional windows and stress level at the last beat.
  func reading() -> LiveValues { analyzer.reading() }

  /// Returns the provisional window of the last five minutes with its intervals, or `nil` if there are no beats.
  func detailedWindow() -> DetailedWindow? { analyzer.detailedWindow() }

  /// Returns the report of the beats so far. Its coverage must be set from the timeline.
  func report() -> SeriesReport {
    analyzer.report(beats)
  }

  private mutating func appendRecords() {
    undrained.artifacts += analyzer.drainArtifacts()
    for record in analyzer.drainRecords() {
      undrained.windows += record.windows
      if let stress = record.stress { undrained.stress.append(measurement(stress)) }
    }
  }

  private func measurement(_ result: StressResult) -> StressMeasurement {
    StressMeasurement(
      id: StressMeasurement.derivedID(
        session: session.id, microseconds: WallTime(result.timestamp).microseconds), timestamp: result.timestamp,
      stressLevel: result.level,
      category: result.category, confidence: result.confidence, hrv: result.hrv, kind: baseline.kind,
      heartRate: result.heartRate, restingHeartRate: baseline.restingHeartRate, person: session.person,
      sessionID: session.id, deviceID: deviceID, modified: result.timestamp)
  }
}
