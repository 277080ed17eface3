import Beats
import TachogramCore
import Testing

struct ImportedBeatTimelineTests {
  private static func measurement(_ ticks: UInt16..., contact: SensorContact = .detected) -> HeartRateMeasurement {
    HeartRateMeasurement(
      heartRate: 60, contact: contact, rrIntervals: RRIntervals(ticks.map(RRInterval.init(ticks:))))
  }

  @Test func testBeats_EndWhenTheirEntriesArrived() {
    var given = ImportedBeatTimeline()
    var events: [BeatEvent] = []
    given.notification(
      Self.measurement(1024), ledgerSequence: 0, at: MonotonicTime(microseconds: 1_000_000), into: &events)
    given.notification(
      Self.measurement(1024), ledgerSequence: 1, at: MonotonicTime(microseconds: 1_000_001), into: &events)
    let times = events.compactMap { if case .beat(let beat) = $0 { beat.time.microseconds } else { nil } }
    #expect(times == [1_000_000, 1_000_001])
  }

  @Test func testSeveralIntervals_EndOneAfterTheOther() {
    var given = ImportedBeatTimeline()
    var events: [BeatEvent] = []
    given.notification(
      Self.measurement(512, 1024), ledgerSequence: 0, at: MonotonicTime(microseconds: 5_000_000), into: &events)
    #expect(
      events == [
        .beat(
          Beat(
            sequence: 0, time: MonotonicTime(microseconds: 4_000_000), rr: RRInterval(ticks: 512), ledgerSequence: 0,
            marks: [])),
        .beat(
          Beat(
            sequence: 1, time: MonotonicTime(microseconds: 5_000_000), rr: RRInterval(ticks: 1024), ledgerSequence: 0,
            marks: [])),
      ])
    #expect(given.coverage.share == 1)
    #expect(given.coverage.seconds == 1.5)
  }

  @Test func testIntervalsOutOfRange_CoverNothing() {
    var given = ImportedBeatTimeline()
    var events: [BeatEvent] = []
    for (sequence, ticks) in [UInt16(1024), 10_240, 1024].enumerated() {
      let end = [1_000_000, 11_000_000, 12_000_000][sequence]
      given.notification(
        Self.measurement(ticks), ledgerSequence: Int64(sequence), at: MonotonicTime(microseconds: Int64(end)),
        into: &events)
    }
    #expect(events.count == 3)
    #expect(abs(given.coverage.share - 2.0 / 12) < 1e-12)
  }

  @Test(arguments: BeatGap.Reason.allCases)
  func testGap_LastsFromTheBeatBeforeToItsEntry(reason: BeatGap.Reason) {
    var given = ImportedBeatTimeline()
    var events: [BeatEvent] = []
    given.linkDown(at: MonotonicTime(microseconds: 0), code: reason.code)
    given.notification(
      Self.measurement(1024), ledgerSequence: 1, at: MonotonicTime(microseconds: 1_000_000), into: &events)
    given.linkDown(at: MonotonicTime(microseconds: 3_000_000), code: reason.code)
    given.notification(
      Self.measurement(1024, contact: .notDetected), ledgerSequence: 3, at: MonotonicTime(microseconds: 4_000_000),
      into: &events)
    let gaps = events.compactMap { if case .gap(let gap) = $0 { gap } else { nil } }
    // What comes before the first beat is no gap.
    #expect(
      gaps == [
        BeatGap(
          sequence: 0, start: MonotonicTime(microseconds: 1_000_000), end: MonotonicTime(microseconds: 3_000_000),
          reason: reason, ledgerSequence: 3)
      ])
    #expect(events.last.map { if case .beat(let beat) = $0 { beat.marks } else { [] } } == BeatMarks.noContact)
    #expect(given.coverage.share == 0.5)
  }
}
