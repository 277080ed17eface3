import IntervalFiles
import TachogramTestKit
import Testing

/// What stands in the place of an interval, or of a time, and is none: it counts, whatever it is.
struct RRTextMissingValueTests {
  /// Written by programs, or by people.
  static let words = [
    "nan", "NaN", "NAN", "inf", "-inf", "Infinity", "1e999", "-1e999", "NA", "N/A", "#N/A", "#NUM!", "null", "None",
    "-",
    "?",
  ]
  static let numbers = ["0", "-800", "65536", "1e300"]
  static let others = ["no beat", "8OO", "800ms"]
  static let separators = [",", ";", "\t"]

  private static let count = 60

  private func read(_ text: String) throws -> RRSeries {
    try MemoryFile.withPath(Array(text.utf8)) { try RRSeriesReader(path: $0).read() }
  }

  private func refusal(_ text: String) throws -> RRSeriesRefusal? {
    do {
      _ = try read(text)
      return nil
    } catch RRSeriesError.noSeries(_, let why) {
      return why
    }
  }

  private func impossible(_ series: RRSeries) -> Int {
    series.intervals.map(\.impossibleBefore).reduce(0, +) + series.impossibleAtEnd
  }

  private func unusable(_ series: RRSeries) -> [Int] {
    series.intervals.indices.filter { series.intervals[$0].hasUnusableTime }
  }

  /// Rows of a time in s and an interval in ms, with something else in the place of some intervals or times.
  private func rows(
    _ separator: String, intervals: [Int: String] = [:], times: [Int: String] = [:], count: Int = Self.count
  ) -> String {
    var time = 0
    return (0..<count).map { row in
      let interval = 780 + row % 7 * 10
      time += interval
      let moment = times[row] ?? "\(time / 1000).\(String(time % 1000 + 1000).dropFirst())"
      return moment + separator + (intervals[row] ?? "\(interval)") + "\n"
    }.joined()
  }

  /// Everything that is said of values which are none in these rows, of 60.
  private func expectCounted(_ series: RRSeries, _ places: [Int], at line: Int, _ what: Comment) {
    #expect(series.intervals.count == Self.count - places.count, what)
    #expect(impossible(series) == places.count, what)
    #expect(series.damaged == places.count && series.records == Self.count, what)
    #expect(series.problems.map(\.place) == places.map { .line(line + $0) }, what)
    #expect(series.damageNote?.hasPrefix("\(places.count) of 60 lines") == true, what)
    // Nothing is computed across, and nothing but that is a gap.
    #expect(series.intervals.count { $0.gap != nil } == Set(places).subtracting([0, Self.count - 1]).count, what)
  }

  // MARK: - Intervals

  @Test(arguments: words + numbers)
  func testValueThatIsNoInterval_CountsAsOne(_ value: String) throws {
    let places = [0, 7, 20, 59]
    let column = (0..<Self.count).map { places.contains($0) ? value : "\(780 + $0 % 7 * 10)" }.joined(separator: "\n")
    expectCounted(try read(column), places, at: 1, "one column")
    expectCounted(try read("RR (ms)\n" + column), places, at: 2, "one column with a heading")
    for separator in Self.separators {
      let rows = rows(separator, intervals: Dictionary(uniqueKeysWithValues: places.map { ($0, value) }))
      expectCounted(try read(rows), places, at: 1, "two columns, \(separator)")
      expectCounted(try read("Time\(separator)RR\n" + rows), places, at: 2, "a table, \(separator)")
      expectCounted(try read("Time\(separator)RR\n(s)\(separator)(ms)\n" + rows), places, at: 3, "units, \(separator)")
    }
  }

  /// At the top, words of any kind are headings and what stands above them.
  @Test(arguments: others)
  func testWordsInThePlaceOfAnInterval_CountAsOne(_ value: String) throws {
    let places = [7, 20, 59]
    let column = (0..<Self.count).map { places.contains($0) ? value : "\(780 + $0 % 7 * 10)" }.joined(separator: "\n")
    expectCounted(try read(column), places, at: 1, "one column")
    for separator in Self.separators {
      let rows = rows(separator, intervals: Dictionary(uniqueKeysWithValues: ([0] + places).map { ($0, value) }))
      // A time beside it says that the first one is a row.
      expectCounted(try read("Time\(separator)RR\n" + rows), [0] + places, at: 2, "a table, \(separator)")
    }
  }

  /// It is for the share of artifacts to say that nothing can be said.
  @Test(arguments: ["nan", "NA", "-", "0"], [31, 45, 58])
  func testMostValuesAreNone_AreCountedAllTheSame(_ value: String, count: Int) throws {
    let places = (0..<count).map { 59 - $0 * 7 % 60 }
    let column = (0..<Self.count).map { places.contains($0) ? value : "\(780 + $0 % 7 * 10)" }.joined(separator: "\n")
    for text in [
      column, "Time;RR\n" + rows(";", intervals: Dictionary(uniqueKeysWithValues: places.map { ($0, value) })),
    ] {
      let series = try read(text)
      #expect(series.intervals.count == Self.count - count)
      #expect(impossible(series) == count && series.damaged == count && series.records == Self.count)
    }
  }

  @Test(arguments: separators)
  func testEmptyCell_CountsAsOneUnlessTheColumnHasEnded(_ separator: String) throws {
    let places = [0, 7, 8, 20]
    let empty = Dictionary(uniqueKeysWithValues: (places + [58, 59]).map { ($0, "") })
    for head in ["", "Time\(separator)RR\n"] {
      let series = try read(head + rows(separator, intervals: empty))
      #expect(series.intervals.count == Self.count - 6)
      #expect(impossible(series) == 4)
      #expect(series.damaged == 4 && series.records == Self.count - 2)
      #expect(series.problems.map(\.place) == places.map { .line((head.isEmpty ? 1 : 2) + $0) })
      #expect(series.problems.allSatisfy { $0.problem == "the cell of the interval is empty" })
    }
    // A value that is none comes behind them: the column has not ended.
    let series = try read(rows(separator, intervals: empty.merging([59: "nan"]) { $1 }))
    #expect(impossible(series) == 6 && series.records == Self.count)
  }

  @Test func testRowsOfOtherKindsInTheOwnTable_AreNoValues() throws {
    let head = "event,sequence,time,monotonicUs,rrMs,rr1024,marks,seconds,reason\n"
    let beats = (1...20).map { "beat,\($0),2026-05-01T07:00:\($0 + 10)Z,\($0)000000,1000,1024,,,\n" }
    let gap = "gap,,2026-05-01T07:00:20Z,9000000,,,,1,linkDown\n"
    let series = try read(head + beats[..<9].joined() + gap + beats[9...].joined())
    #expect(series.intervals.count == 20 && impossible(series) == 0 && series.damaged == 0)
    #expect(series.intervals[9].gap != nil)
  }

  @Test func testCommentsAndBlankLines_AreNoValues() throws {
    let series = try read("# nan\n800\n\n# NA\n810\n   \n#\n820\n")
    #expect(series.intervals.map(\.milliseconds) == [800, 810, 820])
    #expect(impossible(series) == 0 && series.damaged == 0 && series.records == 3)
    #expect(series.intervals.allSatisfy { $0.gap == nil })
  }

  // MARK: - Times

  @Test(arguments: words + others + ["", "\"\"", "soon"], separators)
  func testTimeThatCannotBeRead_IsAnUnusableOne(_ time: String, _ separator: String) throws {
    // Given: some times of a table, the first and the last among them
    let places = [0, 5, 30, 59]
    let wrong = Dictionary(uniqueKeysWithValues: places.map { ($0, time) })
    let series = try read("Time\(separator)RR\n" + rows(separator, times: wrong))
    // Then
    #expect(series.intervals.count == Self.count && series.damaged == 0)
    #expect(series.dialect?.hasTimes == true && series.dialect?.timesRefusal == nil)
    #expect(unusable(series) == places)
    #expect(series.dialect?.unusableTimes == 4)
    #expect(series.timesNote?.hasPrefix("4 of 60 RR intervals have a time that cannot be used") == true)
    #expect(series.timesNote?.contains("the first in line 2;") == true)
    // And without headings: any words can stand above the first row
    let plain = try read(rows(separator, times: wrong))
    let isFirstRead = Self.words.contains(time) || ["", "\"\""].contains(time)
    #expect(plain.intervals.count == Self.count - (isFirstRead ? 0 : 1))
    #expect(unusable(plain).count == (isFirstRead ? 4 : 3))
  }

  @Test(arguments: ["nan", "", "soon"], [13, 30, 59, 60])
  func testTimesOfWhichMoreThanOneInFiveCannotBeRead_AreNotUsed(_ time: String, count: Int) throws {
    // Given: so many of 60
    let wrong = Dictionary(uniqueKeysWithValues: (0..<count).map { (59 - $0 * 7 % 60, time) })
    #expect(wrong.count == count)
    // Then
    let series = try read("Time,RR\n" + rows(",", times: wrong))
    #expect(series.intervals.count == Self.count)
    #expect(series.dialect?.hasTimes == false)
    #expect(series.dialect?.timesRefusal == .unreadable(count: count, of: 60))
    #expect(series.timesNote == "the times are not used: \(count) of 60 times cannot be read")
    #expect(unusable(series).isEmpty)
  }

  @Test func testTimesThatCannotBeReadOrCannotBe_CountTogether() throws {
    var wrong = Dictionary(uniqueKeysWithValues: (0..<8).map { (5 + $0 * 6, "nan") })
    for place in 0..<8 { wrong[2 + place * 6] = "9999999" }
    let series = try read("Time,RR\n" + rows(",", times: wrong))
    #expect(series.dialect?.timesRefusal == .unsteady(count: 16, of: 60, unreadable: 8))
    #expect(series.timesNote?.hasSuffix("16 of 60 times go back, stand still or leap, or cannot be read") == true)
  }

  /// The column with the most times is the one that is meant.
  @Test func testSecondColumnOfTimes_IsUsedWhereTheFirstHasNone() throws {
    let rows = rows(",").split(separator: "\n").map { "2026-05-01,\($0)\n" }.joined()
    let series = try read("Date,Time,RR\n" + rows)
    #expect(series.dialect?.hasTimes == true && series.timesNote == nil)
  }

  @Test func testNumbersOfRows_AreNoTimesThoughARowHasNoInterval() throws {
    let series = try read((1...60).map { "\($0),\([7, 8, 30].contains($0) ? "nan" : "800")\n" }.joined())
    #expect(series.dialect?.hasTimes == false && series.timesNote == nil)
    #expect(impossible(series) == 3)
  }

  @Test func testTableThatBeginsWithoutIntervals_IsReadAsTheRestOfItIs() throws {
    for (value, count) in [("", 31), ("nan", 31), ("", 300), ("nan", 300), ("", 960), ("nan", 960)] {
      let wrong = Dictionary(uniqueKeysWithValues: (0..<count).map { ($0, value) })
      for separator in [",", ";"] {
        let series = try read("Time\(separator)RR\n" + rows(separator, intervals: wrong, count: count + 29))
        #expect(series.dialect?.decimal == .point && series.dialect?.hasTimes == true)
        #expect(series.intervals.count == 29 && impossible(series) == count)
      }
    }
  }

  // MARK: - Commas

  /// Whole numbers in two columns, of which the first is plausible, or decimals of one.
  @Test(arguments: [
    ["840,60", "850,61", "835,59"], ["840,838", "850,850", "835,836"], ["840,1", "850,0", "835,1", "841,1"],
    ["840,98", "850,99", "835,100", "841,101"], ["840,60"], ["840,25", "850,5", "835,75"],
    Array(repeating: "840,60", count: 30) + ["850"],
  ])
  func testCommaThatCanSeparateWholeNumbers_IsRefused(_ lines: [String]) throws {
    let text = lines.joined(separator: "\n") + "\n"
    #expect(try refusal(text) == .ambiguousComma(line: 1))
    #expect(try refusal("\n# from my watch\n" + text) == .ambiguousComma(line: 3))
    // What the sentence says to do helps.
    #expect(try read("RR\n" + text).dialect?.decimal == .comma)
    let table = try read("RR,HR\n" + text)
    #expect(table.intervals.map(\.milliseconds) == lines.compactMap { Double($0.prefix(3)) })
    // With another separator nothing has two meanings: the second column is the one of intervals.
    for separator in [";", "\t", " "] where lines[0].hasSuffix("60") {
      guard case .implausible = try refusal(text.replacing(",", with: separator)) else {
        Issue.record("it was read")
        continue
      }
    }
  }

  @Test(arguments: [
    ["840,60", "850,05", "835,25"], ["840,60", "850", "835,25"], ["812,5", "798,2", "805,3", "811,8"],
    ["812,0", "798,5", "805,5"], ["812,0", "798,0"], ["0,84", "0,91", "1,05"], ["\"840,60\"", "\"850,61\""],
  ])
  func testCommaThatOtherDigitsDecide_IsOneOfDecimals(_ lines: [String]) throws {
    let series = try read(lines.joined(separator: "\n"))
    #expect(series.dialect?.decimal == .comma)
    #expect(series.intervals.count == lines.count)
  }

  /// An empty column and one of intervals are no decimals without a digit before the comma.
  @Test func testCommaWithNothingBeforeIt_IsNoDecimal() throws {
    #expect(throws: RRSeriesError.self) { try read(",840\n,1020\n,850\n") }
    let series = try read("812,5\n,798\n805,25\n811,05\n")
    #expect(series.intervals.map(\.milliseconds) == [812.5, 805.25, 811.05])
    #expect(impossible(series) == 1)
  }

  @Test func testRowWithoutItsTimeBetweenBlanks_SaysWhatIsMissing() throws {
    let series = try read("0.8 800\n1.6 800\n 810\n3.21 800\n")
    #expect(series.problems.map(\.problem) == ["1 columns instead of 2"])
    #expect(impossible(series) == 1)
  }
}
