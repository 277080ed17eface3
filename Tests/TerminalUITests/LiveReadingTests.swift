import TachogramCore
import Testing

@testable import Presentation
@testable import TerminalUI

struct LiveReadingTests {
  @Test func testManyBeats_KeepsTheLast() {
    var reading = LiveReading(strap: "", link: LiveSample.link(.live))
    for index in 0..<1000 { reading.append(LiveSample.beat(index, ticks: UInt16(index))) }
    #expect(reading.beats.map(\.rr.ticks) == (880..<1000).map { UInt16($0) })
  }

  @Test func testGap_MarksTheBeatBehindIt() {
    var reading = LiveReading(strap: "", link: LiveSample.link(.live))
    var batch = SessionBatch()
    batch.beats = (0..<6).map { LiveSample.beat($0, ticks: 800) }
    batch.gaps = [LiveSample.gap(after: 1), LiveSample.gap(after: 5)]
    reading.append(batch)
    #expect(reading.beats.map(\.followsGap) == [false, false, true, false, false, false])
    reading.append(LiveSample.beat(6, ticks: 800))
    #expect(reading.beats.last?.followsGap == true)
    #expect(reading.gaps == 2)
  }

  @Test func testTrace_ShowsDoubtfulBeatAndGapAsSigns() {
    var beats = [400, 1000, 700, 3000, 400].map { LiveBeat(rr: RRInterval(ticks: $0)) }
    beats[3].marks = .tooLong
    beats[4].followsGap = true
    let ascii = RRTrace(beats, width: 8, height: 1, unicode: false).rows(isStale: false)
    #expect(ascii.map(\.plain) == ["  _^-x|_"])
    let braille = RRTrace(beats, width: 8, height: 2, unicode: true).rows(isStale: false)
    #expect(braille.allSatisfy { $0.width == 8 && $0.plain.contains("┊") })
    #expect(braille[0].plain.contains("×"))
  }

  @Test func testEveryBeatCount_FitsTheTrace() {
    for count in 0...130 {
      var beats = (0..<count).map { LiveBeat(rr: RRInterval(ticks: UInt16(700 + $0 % 7 * 50))) }
      for index in beats.indices where index % 5 == 0 { beats[index].followsGap = true }
      for width in [0, 1, 2, 3, 10, 59, 60, 61, 119, 120, 121, 600] {
        for unicode in [true, false] {
          let rows = RRTrace(beats, width: width, height: 3, unicode: unicode).rows(isStale: true)
          if !rows.allSatisfy({ $0.width == min(width, 500) }) { Issue.record("\(count) beats in \(width) columns") }
        }
      }
    }
  }

  @Test func testLine_HasItsPartsInOrder() {
    let text = LiveText().text(
      LiveSample.live(), time: WallTime(microseconds: 1_767_254_400_123_456),
      rr: [RRInterval(ticks: 832), RRInterval(ticks: 824)])
    #expect(
      text
        == "2026-01-01T08:00:00.123Z  Polar H10 A1B2C3D4  72 bpm  RR 812.5 804.7 ms  RMSSD 42.1 ms  stress mild 34.2  live\n"
    )
  }

  @Test func testLineOfStaleReading_HasNoHeartRate() {
    let text = LiveText().text(LiveSample.stale(), time: WallTime(microseconds: 0), rr: [])
    #expect(
      text == "1970-01-01T00:00:00.000Z  Polar H10 A1B2C3D4  stale 7 s  RR none  stale RMSSD 42.1 ms  "
        + "stale stress mild 34.2  connected, but silent (no notifications)\n")
    #expect(
      LiveText().text(LiveSample.absurd, time: WallTime(microseconds: 0), rr: []).filter { $0 == "\u{1B}" }.isEmpty)
  }
}
