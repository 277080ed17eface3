import FoundationEssentials
import HRV
import TachogramCore

/// What derives from the beats of a session: counts, windows and stress. It is the pipeline behind the timeline.
struct SessionDerivation: BeatSink, Sendable {
  private let session: SessionDescription
  private let baseline: PersonalBaseline
  private let deviceID: String
  private var analyzer: BeatAnalyzer
  private var beats = BeatCounts()
  private var followsGap = false
  /// Takes what derives, while somebody wants it.
  private var batch = SessionBatch()
  private var isRecording = false

  init(session: SessionDescription, baseline: PersonalBaseline, deviceID: String) {
    self.session = session
    self.baseline = baseline
    self.deviceID = deviceID
    analyzer = BeatAnalyzer(start: session.start, monotonicStart: session.monotonicStart, baseline: baseline)
  }

  /// Begins, or ends, to append what derives to `output`: between the two calls, the batch is in here.
  mutating func exchange(_ output: inout SessionBatch) {
    swap(&batch, &output)
    isRecording.toggle()
  }

  mutating func take(_ beat: Beat) {
    let isOutOfRange = beat.marks.isOutOfRange
    let isWithoutContact = beat.marks.isWithoutContact
    beats.total += 1
    beats.outOfRange += isOutOfRange ? 1 : 0
    beats.withoutContact += isWithoutContact ? 1 : 0
    analyzer.add(
      NNInterval(beat.rr), at: beat.time, followsGap: followsGap, isArtifact: isOutOfRange || isWithoutContact)
    followsGap = false
    guard isRecording else { return }
    batch.beats.append(beat)
    if let record = analyzer.recordIfDue() { append(record) }
  }

  mutating func take(_ gap: BeatGap) {
    followsGap = true
    beats.gaps += 1
    beats.gapSeconds += Double(gap.microseconds) / 1e6
    if isRecording { batch.gaps.append(gap) }
  }

  /// Records the last windows.
  mutating func finish() {
    if isRecording, let record = analyzer.finish() { append(record) }
  }

  /// The report of the beats so far; coverage is for the timeline to tell.
  func report() -> SeriesReport {
    var report = SeriesReport(
      beats: beats, raw: analyzer.metrics, correction: analyzer.correction, baseline: baseline)
    report.windows = analyzer.windows
    report.stress = analyzer.stress
    return report
  }

  private mutating func append(_ record: BeatAnalyzer.Record) {
    batch.windows += record.windows
    if let stress = record.stress { batch.stress.append(measurement(stress)) }
  }

  private func measurement(_ result: StressResult) -> StressMeasurement {
    var hash = ContentHash()
    hash.add(session.id.utf8)
    hash.add(Int64((result.timestamp.timeIntervalSince1970 * 1e6).rounded()))
    return StressMeasurement(
      id: Self.uuid(hash), timestamp: result.timestamp, stressLevel: result.level,
      category: result.category, confidence: result.confidence, hrv: result.hrv, kind: baseline.kind,
      heartRate: result.heartRate, restingHeartRate: baseline.restingHeartRate, person: session.person,
      sessionID: session.id, deviceID: deviceID, modified: result.timestamp)
  }

  private static func uuid(_ hash: ContentHash) -> UUID {
    let value = hash.uuidValue.bigEndian
    return withUnsafeBytes(of: value) { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
  }
}
