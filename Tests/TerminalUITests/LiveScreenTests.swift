import Presentation
import StressKit
import TachogramCore
import Testing

@testable import CommandProcess
@testable import TerminalUI

struct LiveScreenTests {
  private static let sets: [[LiveReading]] = [
    [], [LiveSample.live()], [LiveSample.stale()], [LiveSample.empty()], [LiveSample.absurd],
    [LiveSample.live(), LiveSample.absurd, LiveSample.stale()], Array(repeating: LiveSample.live("心率帯🫀"), count: 33),
  ]

  private func text(
    _ readings: [LiveReading], _ columns: Int, _ rows: Int, _ style: TerminalStyle = LiveSample.plain,
    notice: String? = nil,
  ) -> [String] {
    LiveScreen(size: TerminalSize(columns: columns, rows: rows), style: style).lines(readings, notice: notice)
  }

  /// The lines without their looks.
  private func plain(_ readings: [LiveReading], _ columns: Int, _ rows: Int, notice: String? = nil) -> [String] {
    text(readings, columns, rows, notice: notice).map(TerminalCode.withoutLooks)
  }

  // MARK: - Sizes

  @Test(arguments: sets.indices, [true, false])
  func testAnySize_FitsTheScreen(set: Int, isRich: Bool) {
    let style = isRich ? LiveSample.rich : LiveSample.plain
    let some = [1, 2, 3, 5, 9, 14, 24, 37, 80, 131, 200]
    let stride = 37
    let sizes =
      (1...200).flatMap { all in some.map { (all, $0) } } + (1...200).flatMap { all in some.map { ($0, all) } }
    for (columns, rows) in sizes.enumerated().filter({ $0.offset % stride == set }).map(\.element) {
      let lines = text(Self.sets[set], columns, rows, style)
      #expect(lines.count == rows)
      for line in lines {
        let shown = TerminalCode.withoutLooks(line)
        if DisplayWidth.columns(shown) > columns { Issue.record("\(columns)x\(rows): \(shown)") }
        if !isRich, !shown.utf8.allSatisfy({ (0x20..<0x7F).contains($0) }) { Issue.record("not ASCII: \(shown)") }
      }
    }
  }

  @Test(arguments: [(0, 0), (-1, -1), (0, 5), (5, 0), (Int.max, 3), (Int.min, Int.min)])
  func testSizeThatNoScreenHas_IsSurvived(columns: Int, rows: Int) {
    #expect(text([LiveSample.live()], columns, rows).count == max(0, rows))
  }

  @Test func testSmallestScreen_ShowsWhatMattersMost() {
    #expect(
      plain([LiveSample.live()], 20, 5) == [
        "Polar H10 A1B2C3D4", "72 bpm", "* live", "+ contact bat 85%", "stress + mild 34.2 /",
      ])
    #expect(plain([LiveSample.live()], 20, 1) == ["72 bpm * Polar H10 A"])
    #expect(plain([LiveSample.stale()], 20, 1) == ["stale 7 s  72 bpm ! "])
  }

  @Test func testStandardScreen_ShowsEverything() {
    let lines = plain([LiveSample.live()], 80, 24)
    #expect(
      lines.prefix(11) == [
        "Polar H10 A1B2C3D4                                                      00:12:34",
        "######  ######", "    ##      ##", "    ##  ######", "    ##  ##    ", "    ##  ######  bpm",
        "* live", "+ contact   battery 85 %   |||. -62 dBm",
        "stress + mild 34.2 [///       ] concerned, confidence 80.0 %",
        "RMSSD  60 s 42.1 ms   300 s 42.1 ms", "SDNN   60 s 50.9 ms   300 s 61.2 ms",
      ])
    #expect(lines[11].hasPrefix("879 ms  "))
    #expect(lines[19] == "754 notifications, 1 gap   300 s: coverage 98.0 %, doubtful beats 2.0 %")
    #expect(lines.last == "q or Ctrl-C ends")
  }

  @Test func testSeveralStraps_StandSideBySide() {
    let lines = plain([LiveSample.live("A"), LiveSample.live("B")], 80, 24)
    #expect(lines[0].hasPrefix("A "))
    #expect(lines[0].contains(" | B "))
  }

  @Test func testMoreStrapsThanLines_SaysHowManyAreHidden() {
    let lines = plain((1...9).map { LiveSample.live("S\($0)") }, 30, 4)
    #expect(lines == ["72 bpm  S1  * live", "72 bpm  S2  * live", "72 bpm  S3  * live", "and 6 more"])
  }

  @Test(arguments: [1, 2, 8, 24])
  func testNotice_TakesLastLine(rows: Int) {
    let lines = plain(rows == 1 ? [] : [LiveSample.live()], 60, rows, notice: "the disk\u{1B}[2J is full")
    #expect(lines.last == "! the disk?[2J is full")
  }

  // MARK: - Stale readings

  @Test(arguments: [
    (4.799, LinkPhase.live, false), (4.8, .live, true), (7.9, .live, true), (0.1, .silent, true),
    (0.1, .backingOff, true),
    (.nan, .live, true), (.infinity, .live, true), (-1, .live, false), (.greatestFiniteMagnitude, .live, true),
  ])
  func testOldReading_IsStale(age: Double, phase: LinkPhase, isStale: Bool) {
    let reading = LiveSample.stale(age: age, phase: phase, reason: nil)
    #expect(reading.isStale == isStale)
    #expect(reading.isCurrent == !isStale)
  }

  @Test(arguments: [(20, 1), (20, 2), (20, 5), (40, 9), (60, 12), (80, 24), (200, 60)], [true, false])
  func testStaleReading_SaysSoBesideEveryNumber(size: (Int, Int), isRich: Bool) throws {
    let lines = text([LiveSample.stale()], size.0, size.1, isRich ? LiveSample.rich : LiveSample.plain)
    let shown = lines.map(TerminalCode.withoutLooks)
    #expect(shown.contains { $0.contains("stale 7 s") })
    for line in shown where line.contains("RMSSD") || line.contains("SDNN") { #expect(line.hasPrefix("stale ")) }
    if isRich {
      // Faint, and in another pattern than a number of now.
      #expect(lines.contains { $0.contains("\u{1B}[2m") })
      #expect(!shown.contains { $0.contains("♥") })
    }
  }

  @Test func testNoReadingYet_ShowsNoNumber() {
    let lines = plain([LiveSample.empty("H10")], 80, 10)
    #expect(lines[1] == "-- bpm")
    #expect(lines[2] == "~ scanning")
    #expect(lines[4] == "stress none: there are no RR intervals")
    #expect(lines[5] == "RMSSD  60 s none yet   300 s none yet")
    #expect(!lines.joined().contains("stale"))
  }

  @Test func testHeartRateZero_IsNotShownAsOne() {
    var reading = LiveSample.live()
    reading.heartRate = 0
    #expect(plain([reading], 80, 3)[1] == "-- bpm")
  }

  // MARK: - Words and patterns

  @Test(arguments: LinkPhase.allCases, LinkReason.allCases)
  func testEveryLinkState_HasWords(phase: LinkPhase, reason: LinkReason) {
    let line = plain([LiveSample.stale(phase: phase, reason: reason)], 120, 10)[2]
    #expect(line.contains(" " + LinkWording.text(LiveSample.link(phase, reason))))
  }

  @Test(arguments: [true, false])
  func testEveryStressCategory_IsKnownWithoutColour(unicode: Bool) {
    let levels = [10.0, 30, 60, 90]
    for column in [20, 40, 80] {
      let lines = levels.map { level in
        var reading = LiveSample.live()
        reading.stress = LiveSample.stress(level)
        return text([reading], column, 5, TerminalStyle(colour: false, unicode: unicode))[4]
      }
      for (line, level) in zip(lines, levels) { #expect(line.contains(StressCategory(level: level).rawValue)) }
      let words = LiveWording(unicode: unicode)
      #expect(Set(StressCategory.allCases.map { words.stressSign($0).icon }).count == 4)
      #expect(Set(StressCategory.allCases.map { words.stressSign($0).fill }).count == 4)
    }
  }

  @Test func testShortWindow_SaysWhyMetricIsAbsent() {
    var reading = LiveSample.live()
    reading.minute = LiveSample.window(60, seconds: 12, sdnn: nil)
    reading.fiveMinutes = LiveSample.window(300, seconds: 72, sdnn: 40)
    #expect(
      plain([reading], 120, 10)[6]
        == "SDNN   60 s none: needs 60 s of intervals, there are 12.0 s   300 s 40.0 ms (of 72 s)")
    #expect(plain([reading], 60, 10)[6] == "SDNN   60 s none (12 of 60 s)  300 s 40.0 ms (72 s)")
  }

  @Test func testSpectrumAndOrder_HaveALineWhereThereIsRoom() {
    var reading = LiveSample.live()
    #expect(!plain([reading], 80, 20).contains { $0.contains("LF/HF") })
    reading.detail = LiveSample.detail(lfhf: 1.44, alpha: 0.876, breaths: .missing(.noDistinctPeak))
    #expect(plain([reading], 80, 20).contains("LF/HF 1.4   DFA a1 0.88   breaths none   300 s"))
    #expect(plain([reading], 24, 20).contains("LF/HF 1.4  DFA a1 0.88"))
    #expect(!plain([reading], 80, 11).contains { $0.contains("LF/HF") })
    reading.age = 9
    #expect(plain([reading], 80, 20).contains { $0.hasPrefix("stale LF/HF") })
  }

  @Test(arguments: [
    (Int8(-55), "|||| -55 dBm"), (-70, "|||. -70 dBm"), (-80, "||.. -80 dBm"), (-90, "|... -90 dBm"),
    (-128, ".... -128 dBm"),
    (127, "signal unknown"),
  ])
  func testSignal_HasBarsAndNumber(dBm: Int8, shown: String) {
    #expect(LiveWording(unicode: false).signal(dBm).plain == shown)
  }

  @Test(arguments: [
    (["TERM": "xterm", "LANG": "en_GB.UTF-8"], true, true), (["TERM": "xterm", "LANG": "C"], true, false),
    (["TERM": "xterm", "LANG": "C.UTF-8", "LC_ALL": "C"], true, false),
    (["TERM": "dumb", "LANG": "C.utf8"], false, true),
    (["TERM": "xterm", "LC_CTYPE": "de_DE.utf8", "NO_COLOR": "1"], false, true),
    (["TERM": "xterm", "NO_COLOR": ""], true, false), (["TERM": "linux", "LANG": "C.UTF-8"], true, false),
    ([:], false, false),
  ])
  func testEnvironment_DecidesStyle(environment: [String: String], colour: Bool, unicode: Bool) {
    #expect(
      TerminalStyle(environment: environment, isTerminal: true) == TerminalStyle(colour: colour, unicode: unicode))
    #expect(!TerminalStyle(environment: environment, isTerminal: false).colour)
    #expect(
      TerminalStyle.hasScreen(environment: environment, isTerminal: true) == (environment["TERM"] ?? "dumb" != "dumb"))
    #expect(!TerminalStyle.hasScreen(environment: environment, isTerminal: false))
  }

  @Test func testNoColour_WritesNoColourSequence() {
    let lines = text([LiveSample.live(), LiveSample.stale()], 120, 30, TerminalStyle(colour: false, unicode: true))
    #expect(!lines.joined().contains("\u{1B}[3") && !lines.joined().contains(";3"))
  }
}
