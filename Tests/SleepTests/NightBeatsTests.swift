import Sleep
import TachogramCore
import Testing

struct NightBeatsTests {
  @Test func testBeats_HaveExactIntervals() throws {
    let beats = try NightBeats(beatsAt: [10, 1000, 1307, 1615, 3663, 5712])
    #expect(beats.intervals.map(\.ticks) == [990, 307, 308, 2048, 2049])
    #expect(beats.intervals.map(\.end) == [1000, 1307, 1615, 3663, 5712])
    #expect(beats.intervals.map(\.isValid) == [true, false, true, true, false])
  }

  @Test(arguments: [[], [500]]) func testNoPair_IsNoInterval(times: [Int64]) throws {
    #expect(try NightBeats(beatsAt: times) == NightBeats())
  }

  @Test func testImpossibleTimes_AreRefused() {
    #expect(throws: SleepInputError.beforeStart(position: 0)) { try NightBeats(beatsAt: [-1, 900]) }
    #expect(throws: SleepInputError.beforeStart(position: 0)) { try NightBeats(beatsAt: [.min]) }
    #expect(throws: SleepInputError.unsorted(position: 2)) { try NightBeats(beatsAt: [0, 900, 899]) }
    #expect(throws: SleepInputError.beyondAxis(position: 1)) { try NightBeats(beatsAt: [0, .max]) }
  }

  @Test func testTicks_AreTheNearest() {
    #expect(SleepAxis.ticks(microseconds: 1_000_000) == 1024)
    #expect([488, 489, -488, -489].map { SleepAxis.ticks(microseconds: $0) } == [0, 1, 0, -1])
    #expect(SleepAxis.ticks(microseconds: .max) > SleepAxis.latest)
    #expect(SleepAxis.ticks(microseconds: .min) < 0)
  }

  // MARK: - Beats of a session

  @Test func testEventsWithoutGap_KeepExactTimes() throws {
    let ticks: [Int64] = (0..<3000).map { 871 * $0 + ($0 * $0 % 97) }
    let beats = try NightBeats(SleepBeatEvents.events(ticks), from: SleepBeatEvents.start)
    // The first beat has no interval; times of beats are cut to microseconds, and ends are not.
    #expect(beats == (try NightBeats(beatsAt: ticks)))
  }

  @Test func testGap_IsAnInvalidIntervalThatEndsWhereTheNextBegins() throws {
    let events = SleepBeatEvents.events([0, 900, 1800], gap: true, then: [2500, 3300])
    let beats = try NightBeats(events, from: SleepBeatEvents.start)
    #expect(
      beats.intervals == [
        NightInterval(end: 900, ticks: 900), NightInterval(end: 1800, ticks: 900),
        NightInterval(end: 2500, ticks: 700, isValid: false), NightInterval(end: 3300, ticks: 800),
      ])
    // The same without the event: time passed that no interval accounts for.
    let silent = try NightBeats(
      SleepBeatEvents.events([0, 900, 1800], then: [2500, 3300]), from: SleepBeatEvents.start)
    #expect(silent == beats)
  }

  @Test func testBeatsBeforeTheNight_AreLeftOut() throws {
    let beats = try NightBeats(
      SleepBeatEvents.events([0, 900, 1800, 2700]), from: SleepBeatEvents.instant(1000))
    #expect(beats.intervals.map(\.ticks) == [900, 900])
    #expect(beats.intervals.map(\.end) == [800, 1700])
    #expect(try NightBeats(SleepBeatEvents.events([0, 900]), from: MonotonicTime(microseconds: .min)) == NightBeats())
  }

  @Test func testBeatsWithoutContact_AreInvalidAndStay() throws {
    let beats = try NightBeats(
      SleepBeatEvents.events([0, 900, 1800], marks: .noContact), from: SleepBeatEvents.start)
    #expect(beats.intervals.map(\.isValid) == [false, false])
  }

  @Test func testBeatsOutOfOrder_AreRefused() {
    let events = SleepBeatEvents.events([5000, 5900]) + SleepBeatEvents.events([0, 900])
    #expect(throws: SleepInputError.unsorted(position: 1)) { try NightBeats(events, from: SleepBeatEvents.start) }
  }

  // MARK: - Coverage

  @Test func testCoverage_IsTheTimeOfValidIntervalsInEachEpoch() throws {
    // Every second from 15 s to 45 s, and then one interval of 10 s, which is invalid.
    let times = (Array(15...45) + [55, 56]).map { Int64($0) * 1024 }
    let covered = try NightBeats(beatsAt: times).coveredTicks(epochCount: 3)
    let expected: [Int64] = [15 * 1024, 16 * 1024, 0]
    #expect(covered == expected)
    #expect(NightBeats().coveredTicks(epochCount: 2) == [0, 0])
  }
}
