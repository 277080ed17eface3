import Capture
import Foundation
import IntervalFiles
import TachogramTestKit
import Testing

struct RRTextReaderTests {
  private func read(_ text: String) throws -> RRSeries {
    try read(Array(text.utf8))
  }

  private func read(_ bytes: [UInt8]) throws -> RRSeries {
    try MemoryFile.withPath(bytes) { try RRSeriesReader(path: $0).read() }
  }

  private func failure(_ bytes: [UInt8]) throws -> RRSeriesError? {
    do {
      _ = try read(bytes)
      return nil
    } catch let error as RRSeriesError {
      return error
    }
  }

  /// Intervals and the gaps before them.
  private func gaps(_ series: RRSeries) -> [Double?] {
    series.intervals.map(\.gap)
  }

  // MARK: - Lines

  @Test(arguments: ["\n", "\r\n", "\r"], [("", ""), ("\u{FEFF}", ""), ("", "\n"), ("\u{FEFF}", "\r\n")])
  func testAnyLineEnd_GivesTheSame(end: String, around: (start: String, end: String)) throws {
    let text = around.start + ["800", "", "  812.5 ", "\t790"].joined(separator: end) + around.end
    let series = try read(text)
    #expect(series.intervals.map(\.milliseconds) == [800, 812.5, 790])
    #expect(gaps(series) == [nil, nil, nil])
    #expect(series.records == 3)
    #expect(series.damaged == 0)
    #expect(series.dialect?.columnName == nil)
  }

  @Test func testLineEndsAcrossChunks_GiveTheSame() throws {
    // Given: more than a buffer of CRLF lines, so that pairs fall apart in several places
    let series = try read(String(repeating: "1000\r\n", count: 100_000))
    // Then
    #expect(series.intervals.count == 100_000)
    #expect(series.records == 100_000)
  }

  @Test(arguments: [",", ";", "\t", " ", ", ", " ; ", "   "])
  func testTwoColumns_AreTimeAndInterval(_ separator: String) throws {
    let series = try read("Time\(separator)RR\n0.8\(separator)800\n1.6\(separator)805\n2.41\(separator)810\n")
    #expect(series.intervals.map(\.milliseconds) == [800, 805, 810])
    #expect(series.dialect?.hasTimes == true)
    #expect(series.dialect?.columnName == "RR")
    #expect(series.dialect?.column == 2)
    #expect(series.damaged == 0)
  }

  /// Ten years are the longest gap.
  @Test func testGapsOfAnyLength_AreFinite() throws {
    let decade = 10 * 366 * 86_400_000.0
    #expect(gaps(try read("800\n# gap 1e300 s lost\n# gap 1e300 s lost\n810\n")) == [nil, decade])
    // A time that leaps so far tells nothing.
    let rows = (1...60).map { "\(Double($0) * 0.8);800\n" }.joined()
    let series = try read("Time;RR\n" + rows + "1e300;800\n")
    #expect(gaps(series).suffix(2) == [nil, nil])
    #expect(series.intervals.indices.filter { series.intervals[$0].hasUnusableTime } == [60])
  }

  @Test func testCommentsAndHeadings_ArePassedOver() throws {
    let series = try read("# recorded by hand\nRR-interval [ms]\n#800\n 801\n# gap is what this is not\n802\n")
    #expect(series.intervals.map(\.milliseconds) == [801, 802])
    #expect(gaps(series) == [nil, nil])
    #expect(series.dialect?.columnName == "RR-interval [ms]")
    #expect(series.records == 2)
  }

  @Test func testHeadingAfterTheFirstLine_IsMalformed() throws {
    let series = try read("800\nRR\n810\n")
    #expect(series.dialect?.columnName == nil)
    #expect(series.problems.map(\.place) == [.line(2)])
    #expect(series.problems.map(\.problem) == ["not a number"])
    #expect(gaps(series) == [nil, 0])
  }

  @Test func testVeryLongLine_IsMalformedHoweverItBegins() throws {
    let long = "800" + String(repeating: " ", count: 5000)
    let series = try read("790\n\(long)x\n#\(long)\n\(String(repeating: "9", count: 100_000))\n810\n820\n")
    #expect(series.intervals.map(\.milliseconds) == [790, 810, 820])
    #expect(series.damaged == 2)
    #expect(gaps(series) == [nil, 0, nil])
  }

  // MARK: - Units

  @Test func testSeconds_AreToldByTheirSize() throws {
    let series = try read("0.8\n0.8125\n9.99\n")
    #expect(series.dialect?.unit == .seconds)
    #expect(series.intervals.map(\.milliseconds) == [800, 812.5, 9990])
  }

  @Test func testMilliseconds_AreToldByTheirSize() throws {
    let series = try read("800\n5\n810\n")
    #expect(series.dialect?.unit == .milliseconds)
    #expect(series.intervals.map(\.milliseconds) == [800, 5, 810])
  }

  @Test(arguments: ["12.5", "0", "-3", "800"])
  func testOneValueOutOfLine_DoesNotChangeTheUnit(_ value: String) throws {
    let series = try read("0.8\n0.81\n\(value)\n0.82\n0.83\n")
    #expect(series.dialect?.unit == .seconds)
    #expect(series.intervals.first?.milliseconds == 800)
  }

  // MARK: - Values

  @Test(arguments: ["0", "-1", "65535.5", "65536", "1e300", "-0.0"])
  func testImpossibleInterval_IsCountedAndLeavesABreak(_ value: String) throws {
    let series = try read("800\n\(value)\n810\n820\n")
    #expect(series.intervals.map(\.milliseconds) == [800, 810, 820])
    #expect(gaps(series) == [nil, 0, nil])
    #expect(series.damaged == 1)
    #expect(series.problems.map(\.place) == [.line(2)])
    #expect(series.problems.first?.problem.hasSuffix("is no RR interval (above 0, at most 65535)") == true)
  }

  @Test(arguments: [
    "nan", "inf", "-inf", "1e400", "0x320", "8OO", "800ms", "1,2,3", "--8", "8.0.0", "е800", "\u{0}800",
  ])
  func testNoNumber_IsCountedAndLeavesABreak(_ value: String) throws {
    let series = try read("800\n\(value)\n810\n820\n")
    #expect(series.intervals.map(\.milliseconds) == [800, 810, 820])
    #expect(gaps(series) == [nil, 0, nil])
    #expect(series.problems.map(\.place) == [.line(2)])
    #expect(series.problems.map(\.problem) == ["not a number"])
    #expect(series.records == 4)
  }

  @Test(arguments: ["65535", "+800", "8e2", "800.", ".5", "1e-3"])
  func testOddButPossibleNumber_IsRead(_ value: String) throws {
    let series = try read("800\n\(value)\n810\n")
    #expect(series.intervals.count == 3)
    #expect(series.damaged == 0)
  }

  @Test(arguments: 0..<4)
  func testDecimals_AreTheNearestDouble(_ seed: UInt64) throws {
    // Given: numbers of up to 18 digits
    var random = SplitMix64(seed: seed)
    let texts = (0..<200).map { _ in
      let decimals = Int.random(in: 0...15, using: &random)
      let whole = Int.random(in: 300...1999, using: &random)
      return "\(whole)" + (decimals > 0 ? "." : "")
        + (0..<decimals).map { _ in "\(Int.random(in: 0...9, using: &random))" }.joined()
    }
    // Then
    #expect(try read(texts.joined(separator: "\n")).intervals.map(\.milliseconds) == texts.compactMap(Double.init))
  }

  @Test func testProblems_AreDescribedUpToALimitAndAllCounted() throws {
    let series = try read(String(repeating: "800\n0\n", count: 50))
    #expect(series.damaged == 50)
    #expect(series.problems.count == 20)
    #expect(series.intervals.count == 50)
  }

  @Test func testFirstLinesThatAreNoInterval_LeaveNoGapBeforeTheFirst() throws {
    #expect(gaps(try read("0\n# gap 3 s linkDown\n800\n810\n")) == [nil, nil])
  }

  // MARK: - Gaps

  @Test(arguments: [
    "# gap 12.3 s linkDown", "#gap 12.3 s", "  #  gap  12.3  s  lost notifications  ", "# gap 1.23e1 s x",
  ])
  func testGapOfTheExport_IsAGap(_ comment: String) throws {
    let series = try read("800\n\(comment)\n810\n820\n")
    #expect(series.intervals.map(\.milliseconds) == [800, 810, 820])
    let gap = try #require(series.intervals[1].gap)
    #expect(abs(gap - 12_300) < 1e-6)
    #expect(series.intervals[2].gap == nil)
    #expect(series.records == 3)
    #expect(series.damaged == 0)
  }

  @Test(arguments: [
    "# gap", "# gap s", "# gap twelve s", "# gap -1 s", "# gap inf s", "# gap 12", "# gap 12 ms", "# gaps 12 s",
  ])
  func testOtherComment_IsNoGap(_ comment: String) throws {
    #expect(gaps(try read("800\n\(comment)\n810\n")) == [nil, nil])
  }

  @Test func testGapsInARow_AddUp() throws {
    let series = try read("800\n# gap 1.5 s linkDown\n# gap 2 s silence\n810\n# gap 0 s contact\n820\n")
    #expect(gaps(series) == [nil, 3500, 0])
  }

  @Test func testGapBeforeAMalformedLine_IsKept() throws {
    #expect(gaps(try read("800\n# gap 2 s linkDown\nx\n810\n820\n")) == [nil, 2000, nil])
  }

  /// Times in seconds, in milliseconds, and as a clock counts them since 1970.
  @Test(arguments: [(0.001, 0.0), (1.0, 0.0), (0.001, 1.7e9), (1.0, 1.7e12)], [310.0, 900, 1500, 20_000, 3_600_000])
  func testTimeWithoutInterval_IsAGap(times: (scale: Double, start: Double), missing: Double) throws {
    // Given: intervals of 600 ms, and time missing before the sixth
    var text = ""
    for index in 0..<12 {
      let time = Double(index) * 600 + (index >= 5 ? missing : 0)
      text += "\(times.start + time * times.scale),600\n"
    }
    // When
    let series = try read(text)
    // Then
    #expect(series.intervals.indices.filter { series.intervals[$0].gap != nil } == [5])
    let gap = try #require(series.intervals[5].gap)
    #expect(abs(gap - missing) < 1)
  }

  @Test(arguments: ["0.8\n1.6\n", "800\n1600\n"])
  func testIntervalsInSecondsWithTimes_AreReadToo(_ times: String) throws {
    let lines = times.split(separator: "\n").map { "\($0),0.8" } + (times.contains(".") ? ["12.4,0.8"] : ["12400,0.8"])
    let series = try read(lines.joined(separator: "\n"))
    #expect(series.dialect?.unit == .seconds)
    let gap = try #require(series.intervals[2].gap)
    #expect(abs(gap - 10_000) < 1)
  }

  @Test(arguments: [240.0, 290])
  func testTimesThatDoNotQuiteFit_AreNoGap(_ excess: Double) throws {
    let text = (0..<10).map { "\((Double($0) * 600 + ($0 >= 5 ? excess : 0)) / 1000),600" }.joined(separator: "\n")
    #expect(gaps(try read(text)).allSatisfy { $0 == nil })
  }

  @Test func testTimesThatGoBackwards_AreNoGap() throws {
    #expect(gaps(try read("1,1000\n2,1000\n1,1000\n2,1000\n3,1000\n")).allSatisfy { $0 == nil })
  }

  @Test func testGapOfTheExportAndOfTheTimes_AreNotAddedUp() throws {
    let series = try read("1,1000\n2,1000\n# gap 10 s linkDown\n13,1000\n14,1000\n")
    #expect(gaps(series) == [nil, nil, 10_000, nil])
  }

  // MARK: - Files that are none

  @Test func testPipe_IsReadToItsEnd() throws {
    let pipe = Pipe()
    try pipe.fileHandleForWriting.write(contentsOf: Data("800\n810\n820".utf8))
    try pipe.fileHandleForWriting.close()
    let series = try RRSeriesReader(path: "/proc/self/fd/\(pipe.fileHandleForReading.fileDescriptor)").read()
    #expect(series.intervals.map(\.milliseconds) == [800, 810, 820])
  }

  // MARK: - No intervals at all

  @Test(arguments: [
    "\n", "\n\n \t\n\r\n", "# nothing\n", "Time,RR\n", "0\n", "RR\nx\ny\n", "<html>\n<p>800</p>\n</html>\n",
  ])
  func testFileWithoutIntervals_SaysSo(_ text: String) throws {
    guard case .noSeries(_, .noIntervals) = try failure(Array(text.utf8)) else {
      Issue.record("it was read")
      return
    }
  }

  @Test func testEmptyFile_SaysSo() throws {
    guard case .file(.empty) = try failure([]) else {
      Issue.record("it was read")
      return
    }
  }

  @Test(arguments: 0..<5)
  func testBinaryFile_IsNoSeries(_ seed: UInt64) throws {
    guard case .noSeries(_, .noIntervals) = try failure(SplitMix64.bytes(20_000, seed: seed)) else {
      Issue.record("it was read")
      return
    }
  }

  @Test func testCapture_IsNoSeries() throws {
    #expect(try failure(CaptureWrapping.btsnoop(.session())) != nil)
  }

  @Test func testFolderAndMissingFile_SayWhatTheyAre() {
    #expect(throws: RRSeriesError.file(.isDirectory(path: "/"))) { try RRSeriesReader(path: "/").read() }
    #expect(throws: RRSeriesError.file(.unreadable(path: "/nowhere/at all", code: 2))) {
      try RRSeriesReader(path: "/nowhere/at all").read()
    }
  }
}
