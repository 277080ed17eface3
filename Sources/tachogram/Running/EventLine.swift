import BlueZ
import GATT
import TachogramCore

/// One line of the event output. Keys that do not concern an event are absent.
struct EventLine: Encodable {
  let event: String
  /// Absent where an event concerns none.
  var strap: String?
  var sequence: Int64?
  var link: Int?
  var time: String?
  var value: String?
  var heartRate: UInt16?
  var contact: String?
  var energyExpendedKJ: UInt16?
  var rr1024: [UInt16]?
  var error: String?
  var reason: String?
  var phase: String?
  var rrMs: Double?
  var marks: [String]?
  var beatClass: String?
  var replacements: Int?
  var replacementMs: Double?
  var start: String?
  var end: String?
  var seconds: Double?
  var lengthSeconds: Int?
  var coverage: Double?
  var artifactShare: Double?
  var metrics: MetricsSection?
  var level: Double?
  var category: String?
  var confidence: Double?
  var address: String?
  var batteryLow: Bool?
  var signalDBm: Int16?
  /// Of a ledger entry, in exports.
  var monotonicUs: Int64?
  var wallUs: Int64?

  init(_ entry: LedgerEntry, strap: String) {
    self.strap = strap
    sequence = entry.sequence
    link = entry.link
    time = Timestamp.text(entry.wall)
    switch entry.content {
    case .notification(let bytes):
      event = "notification"
      value = Hexadecimal.text(bytes)
      do {
        let measurement = try HeartRateMeasurementCodec.decode(bytes[...])
        heartRate = measurement.heartRate
        contact = measurement.contact.rawValue
        energyExpendedKJ = measurement.energyExpended
        rr1024 = measurement.rrIntervals.map(\.ticks)
      } catch {
        self.error = error.description
      }
    case .linkDown(let reason):
      event = reason == DisconnectionCode.captureLoss ? "loss" : "linkDown"
      self.reason = "0x" + Hexadecimal.text([reason])
    }
  }

  init(_ beat: Beat, strap: String, time: WallTime) {
    event = "beat"
    self.strap = strap
    sequence = beat.sequence
    self.time = Timestamp.text(time)
    rr1024 = [beat.rr.ticks]
    rrMs = beat.rr.milliseconds
    marks = beat.marks.isEmpty ? nil : beat.marks.names
  }

  /// `sequence` is that of the beat.
  init(_ artifact: BeatArtifact, strap: String) {
    event = "artifact"
    self.strap = strap
    sequence = artifact.beat
    beatClass = artifact.beatClass.rawValue
    replacements = artifact.replacements
    replacementMs = artifact.milliseconds
  }

  init(_ gap: BeatGap, strap: String, start: WallTime, end: WallTime) {
    event = "gap"
    self.strap = strap
    sequence = gap.sequence
    self.start = Timestamp.text(start)
    self.end = Timestamp.text(end)
    seconds = Double(gap.microseconds) / 1e6
    reason = gap.reason.rawValue
  }

  init(_ window: HRVWindow, strap: String, time: WallTime) {
    event = "window"
    self.strap = strap
    self.time = Timestamp.text(time)
    lengthSeconds = window.length
    coverage = window.coverage
    artifactShare = window.artifactShare
    metrics = MetricsSection(HRVMetrics(timeDomain: window.metrics))
  }

  init(_ state: LinkState, strap: String, time: WallTime) {
    event = "state"
    self.strap = strap
    self.time = Timestamp.text(time)
    phase = state.phase.rawValue
    reason = state.reason?.rawValue
  }

  /// A heart rate that a strap broadcast; one that is 0 was none.
  init(_ heard: HeardBroadcast, strap: String) {
    event = "broadcast"
    self.strap = strap
    time = Timestamp.text(heard.wall)
    heartRate = UInt16(heard.content.heartRate)
    contact = (heard.content.hasContact ? SensorContact.detected : .notDetected).rawValue
    address = heard.address.description
    batteryLow = heard.content.isBatteryLow
    signalDBm = heard.signal
  }

  /// What keeps broadcasts from being heard; `nil`: nothing does.
  init(listening obstacle: LinkReason?, time: WallTime) {
    event = "state"
    self.time = Timestamp.text(time)
    phase = obstacle == nil ? "listening" : "deaf"
    reason = obstacle?.rawValue
  }

  init(_ stress: StressMeasurement, strap: String) {
    event = "stress"
    self.strap = strap
    time = Timestamp.text(stress.timestamp)
    level = stress.stressLevel
    category = stress.category.rawValue
    confidence = stress.confidence
  }
}

extension EventLine {
  /// What a batch holds, in the order in which it came about: what was heard, then what was derived from it.
  static func lines(_ batch: SessionBatch, of session: SessionDescription, strap: String) -> [EventLine] {
    var lines = batch.entries.map { EventLine($0, strap: strap) }
    lines += batch.gaps.map { EventLine($0, strap: strap, start: session.wall($0.start), end: session.wall($0.end)) }
    lines += batch.beats.map { EventLine($0, strap: strap, time: session.wall($0.time)) }
    lines += batch.artifacts.map { EventLine($0, strap: strap) }
    lines += batch.windows.map { EventLine($0, strap: strap, time: session.wall($0.end)) }
    lines += batch.stress.map { EventLine($0, strap: strap) }
    return lines
  }
}

extension BeatMarks {
  /// The marks by name.
  var names: [String] {
    [(BeatMarks.tooShort, "tooShort"), (.tooLong, "tooLong"), (.noContact, "noContact")]
      .filter { contains($0.0) }.map(\.1)
  }
}
