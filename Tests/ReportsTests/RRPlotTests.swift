import Pipeline
import Presentation
import TachogramCore
import Testing

@testable import Reports

struct RRPlotTests {
  /// 60 beats, a gap of 30 s, 60 beats, one of them ectopic.
  private var trace: SeriesTrace {
    var time: Int64 = 0
    let corrected = (0..<120).map { place in
      let milliseconds = 800.0 + 40 * Double(place % 5)
      time += Int64(milliseconds * 1000) + (place == 60 ? 30_000_000 : 0)
      return SeriesTrace.Interval(
        milliseconds: milliseconds, end: MonotonicTime(microseconds: time),
        beatClass: place == 100 ? .ectopic : .normal, followsGap: place == 60)
    }
    return SeriesTrace(raw: corrected, corrected: corrected)
  }

  private func lines(columns: Int, unicode: Bool, colour: Bool = false) throws -> [String] {
    let plot = try #require(RRPlot(trace, columns: columns, unicode: unicode))
    return plot.text(colour: colour).split(separator: "\n").map(String.init)
  }

  @Test(arguments: [40, 72, 120], [true, false])
  func testPlot_FillsTheColumns(columns: Int, unicode: Bool) throws {
    let lines = try lines(columns: columns, unicode: unicode)
    #expect(lines.count == 9)
    #expect(lines.allSatisfy { DisplayWidth.columns($0) <= columns })
    #expect(lines[1...6].allSatisfy { DisplayWidth.columns($0) == columns })
    #expect(lines[8].hasSuffix("2:16"))
  }

  @Test func testGap_IsAnUprightLineInTheMiddle() throws {
    let lines = try lines(columns: 72, unicode: true)
    for line in lines[1...6] {
      let gaps = Array(line).indices.filter { Array(line)[$0] == "┊" }
      #expect(gaps.count >= 10)
      // 53 to 83 of 136 s, behind 12 columns of labels.
      #expect(gaps.allSatisfy { (12 + 21...12 + 36).contains($0) })
    }
  }

  @Test func testArtifact_IsMarkedBelowTheCurve() throws {
    let lines = try lines(columns: 72, unicode: true)
    let places = Array(lines[7]).indices.filter { Array(lines[7])[$0] == "×" }
    #expect(places.count == 1)
    #expect(Array(lines[7]).filter { $0 == "┊" }.count >= 10)
    #expect(lines[0].contains("× artifacts") && lines[0].contains("┊ gaps"))
  }

  /// A gap of a second in an hour is narrower than a column.
  @Test func testShortGap_IsSeenBelowTheCurve() throws {
    var time: Int64 = 0
    let intervals = (0..<4000).map { place in
      time += 900_000 + (place == 2000 ? 1_000_000 : 0)
      return SeriesTrace.Interval(
        milliseconds: place % 2 == 0 ? 850 : 950, end: MonotonicTime(microseconds: time), followsGap: place == 2000)
    }
    let plot = try #require(RRPlot(SeriesTrace(raw: intervals, corrected: intervals), columns: 72, unicode: true))
    let lines = plot.text(colour: false).split(separator: "\n")
    #expect(lines.count == 9)
    #expect((1...2).contains(lines[7].filter { $0 == "┊" }.count))
  }

  @Test func testWithoutUTF8_IsASCII() throws {
    let lines = try lines(columns: 72, unicode: false)
    #expect(lines.allSatisfy { $0.allSatisfy(\.isASCII) })
    #expect(lines[7].contains("x") && lines[3].contains("|"))
  }

  @Test func testColour_IsOnlyWhereItIsAskedFor() throws {
    #expect(try lines(columns: 72, unicode: true).allSatisfy { !$0.contains("\u{1B}") })
    #expect(try lines(columns: 72, unicode: true, colour: true).contains { $0.contains("\u{1B}[1;31m×") })
  }

  @Test func testNoIntervals_IsNoPlot() {
    #expect(RRPlot(SeriesTrace(raw: [], corrected: []), columns: 72, unicode: true) == nil)
  }

  @Test(arguments: [(1.0, 2), (10, 3), (3600, 7), (86_400, 7), (31_536_000, 5)])
  func testTimeTicks_AreFewAndBeginAtNought(seconds: Double, most: Int) {
    let ticks = ElapsedTime.ticks(upTo: seconds, most: most)
    #expect(ticks.first == 0)
    #expect((2...most + 1).contains(ticks.count))
  }

  @Test func testTicks_AreRound() {
    #expect(ValueScale(low: 612, high: 1187).ticks(most: 6) == [700, 800, 900, 1000, 1100])
    #expect(ValueScale(low: 0, high: 3).ticks(most: 6) == [0, 0.5, 1, 1.5, 2, 2.5, 3])
  }
}
