import StressKit
import TachogramCore

/// What is known of one strap at one instant, for people to look at.
package struct LiveReading: Hashable, Sendable {
  /// Without a notification for this long, in seconds, a reading is stale: straps notify every second. What shows it looks
  /// some times a second, and five seconds are the promise.
  package static let staleAfter = 4.8
  /// Beats that the trace keeps.
  package static let beatCapacity = 120

  /// The name the strap gives itself, as it is on the air.
  package var strap: String
  package var link: LinkState
  /// As the strap averages it, in bpm; straps send 0 when they have none.
  package var heartRate: UInt16?
  package var contact = SensorContact.notSupported
  /// Percent.
  package var battery: UInt8?
  /// Received signal strength, in dBm.
  package var signal: Int8?
  /// The last beats, the oldest first; at most `beatCapacity`.
  package private(set) var beats: [LiveBeat] = []
  private var hasGap = false
  /// The last windows of 60 s and 300 s.
  package var minute: HRVWindow?
  package var fiveMinutes: HRVWindow?
  /// All metrics of the last 300 s, as they were some seconds ago; `nil` until they were first computed.
  package var detail: HRVMetrics?
  package var stress: StressResult?
  /// Why there is no stress level, in words.
  package var stressAbsence: String?
  /// Seconds since the session began.
  package var elapsed = 0.0
  package var notifications = 0
  package private(set) var gaps = 0
  /// Seconds since the last notification; `nil` before the first.
  package var age: Double?

  package init(strap: String, link: LinkState) {
    self.strap = strap
    self.link = link
  }

  /// Whether the heart rate is of now: the link is live and a notification came within `staleAfter` seconds.
  package var isCurrent: Bool {
    guard link.phase == .live, let age else { return false }
    return age < Self.staleAfter
  }

  /// Whether there is a reading, but an old one.
  package var isStale: Bool { age != nil && !isCurrent }

  /// The heart rate worth showing; stale when `isStale`.
  package var shownHeartRate: UInt16? { heartRate == 0 ? nil : heartRate }

  // MARK: - Taking news

  /// Takes beats, gaps and windows.
  package mutating func append(_ batch: SessionBatch) {
    var gaps = batch.gaps[...]
    for beat in batch.beats {
      while let gap = gaps.first, gap.start < beat.time {
        append(gap)
        gaps = gaps.dropFirst()
      }
      append(beat)
    }
    for gap in gaps { append(gap) }
    for window in batch.windows {
      if window.length == .minute { minute = window }
      if window.length == .fiveMinutes { fiveMinutes = window }
    }
  }

  package mutating func append(_ beat: Beat) {
    beats.append(LiveBeat(rr: beat.rr, marks: beat.marks, followsGap: hasGap && !beats.isEmpty))
    hasGap = false
    if beats.count > Self.beatCapacity { beats.removeFirst(beats.count - Self.beatCapacity) }
  }

  package mutating func append(_ gap: BeatGap) {
    gaps += 1
    hasGap = true
  }
}
