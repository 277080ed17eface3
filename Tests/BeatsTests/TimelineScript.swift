import Beats
import TachogramCore
import TachogramTestKit

/// Feeds notifications to a timeline and keeps what comes out.
struct TimelineScript {
  private(set) var beats: [Beat] = []
  private(set) var gaps: [BeatGap] = []
  /// For each notification, how many beats had come out when it had been taken in.
  private(set) var beatsAfter: [Int] = []
  private var timeline = BeatTimeline()
  private var sequence: Int64 = 0

  /// Coverage so far.
  var coverage: Double { timeline.coverage.share }

  mutating func notify(at arrival: Int64, _ rr: [UInt16], link: Int = 0, contact: SensorContact = .notSupported) {
    var events: [BeatEvent] = []
    let measurement = HeartRateMeasurement(
      heartRate: 60, contact: contact, rrIntervals: RRIntervals(rr.map(RRInterval.init(ticks:))))
    timeline.notification(
      measurement, ledgerSequence: sequence, link: link, at: MonotonicTime(microseconds: arrival), into: &events)
    sequence += 1
    collect(events)
    beatsAfter.append(beats.count)
  }

  mutating func notify(_ notifications: [SimulatedStrap.Notification]) {
    for notification in notifications {
      notify(
        at: notification.arrival, notification.measurement.rrIntervals.map(\.ticks),
        contact: notification.measurement.contact)
    }
  }

  mutating func malformed(at arrival: Int64) {
    var events: [BeatEvent] = []
    timeline.elapsed(at: MonotonicTime(microseconds: arrival), into: &events)
    sequence += 1
    collect(events)
  }

  mutating func linkDown(at arrival: Int64) {
    var events: [BeatEvent] = []
    timeline.linkDown(at: MonotonicTime(microseconds: arrival), into: &events)
    collect(events)
  }

  mutating func finish() {
    var events: [BeatEvent] = []
    timeline.finish(into: &events)
    collect(events)
  }

  private mutating func collect(_ events: [BeatEvent]) {
    for event in events {
      switch event {
      case .beat(let beat): beats.append(beat)
      case .gap(let gap): gaps.append(gap)
      }
    }
  }
}
