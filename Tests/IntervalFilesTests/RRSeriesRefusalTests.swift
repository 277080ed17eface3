import Capture
import IntervalFiles
import TachogramTestKit
import Testing

/// What is not certain to be intervals is refused with a sentence.
struct RRSeriesRefusalTests {
  private func refusal(_ bytes: [UInt8]) throws -> RRSeriesRefusal? {
    do {
      _ = try MemoryFile.withPath(bytes) { try RRSeriesReader(path: $0).read() }
      return nil
    } catch RRSeriesError.noSeries(_, let why) {
      return why
    }
  }

  private func refusal(_ text: String) throws -> RRSeriesRefusal? {
    try refusal(Array(text.utf8))
  }

  @Test func testResultsOfApps_AreRefused() throws {
    let training = """
      date,timestamp_measurement,HR,AVNN,SDNN,rMSSD,pNN50,LF,HF,HRV4T_Recovery_Points
      2018-06-05,2018-06-05 09:40:13 +0000,52,1150,80,65,40,0.1,0.2,8.1
      """
    #expect(try refusal(training) == .results(line: 1, app: "HRV4Training"))
    #expect(try refusal("Date Time Start,HR,Rmssd,Sdnn\n2020-01-01,60,40,50\n") == .results(line: 1, app: "Elite HRV"))
    #expect(try refusal("a;b;rMSSD\n1;2;45\n1;2;46\n") == .results(line: 1, app: nil))
  }

  @Test(arguments: ["timestamp,HR\n1,760\n2,755\n", "BPM\n760\n761\n", "time;Heart rate\n1;800\n2;801\n"])
  func testOtherColumns_AreRefused(_ text: String) throws {
    guard case .otherColumns(1, _) = try refusal(text) else {
      Issue.record("it was read")
      return
    }
  }

  /// Whatever a column is named: it is read as intervals only where its name says so.
  @Test(
    arguments: [
      ["date", "ppm"], ["ms", "value"], ["hour", "visitors"], ["timestamp", "z"], ["id", "wert"], ["Time", "Close"],
      ["seconds", "watts"],
    ], [",", ";", "\t", ", "])
  func testTwoColumnsOfOtherNames_AreRefusedByName(names: [String], separator: String) throws {
    let rows = (1...60).map { "\($0)\(separator)\(790 + $0 % 7)\n" }.joined()
    let heading = names.joined(separator: separator) + "\n"
    #expect(try refusal(heading + rows) == .otherColumns(line: 1, names: names))
    #expect(try refusal(heading + "(s)\(separator)(ms)\n" + rows) == .otherColumns(line: 1, names: names))
    // And: what the sentence says to do helps
    #expect(try refusal("\(names[0])\(separator)RR\n" + rows) == nil)
  }

  @Test func testTwoColumnsOfOtherNamesByBlanks_AreRefusedByName() throws {
    let rows = (1...60).map { "\($0) \(790 + $0 % 7)\n" }.joined()
    #expect(try refusal("time value\n" + rows) == .otherColumns(line: 1, names: ["time", "value"]))
    // And: words that are none of a heading are passed over
    #expect(try refusal("My export\n" + rows) == nil)
    #expect(try refusal("Date 2026-05-01\n" + rows) == nil)
  }

  /// More cannot be covered than has passed: samples of anything in their unit of time.
  @Test(arguments: [0.02, 0.1, 0.3])
  func testTimesThatContradictTheValues_AreRefused(step: Double) throws {
    let samples = (0..<400).map { place -> String in
      "\(Double(place) * step) \(0.8 + 0.2 * Double(place % 40) / 40)\n"
    }
    guard case .contradictoryTimes(1, let rate) = try refusal(samples.joined()) else {
      Issue.record("it was read")
      return
    }
    #expect(abs(rate - step / 0.9) < 0.03)
    // And: a name says that they are intervals
    #expect(try refusal("Time RR\n" + samples.joined()) == nil)
  }

  @Test func testColumnsWithoutNames_AreRefused() throws {
    #expect(try refusal("1;800;75\n2;810;74\n3;790;76\n") == .unnamedColumns(line: 1, count: 3))
    #expect(try refusal("a,b,c\n1,800,75\n2,810,74\n3,790,76\n") == .unnamedColumns(line: 2, count: 3))
  }

  @Test func testHeadingsThatDoNotFit_AreRefused() throws {
    #expect(try refusal("Time,RR\n1,25,0,812\n2,06,0,810\n") == .brokenTable(line: 1, name: "RR"))
  }

  @Test(arguments: ["0,812\n", "0,812\n1,020\n2,900\n"])
  func testCommaOfTwoMeanings_IsRefused(_ text: String) throws {
    #expect(try refusal(text) == .ambiguousComma(line: 1))
    // And: what the sentence says to do helps
    #expect(try refusal("RR\n" + text) == nil)
    #expect(try refusal("Time,RR\n" + text) == nil)
    #expect(try refusal("Time;RR\n" + text.replacing(",", with: ";")) == nil)
  }

  @Test func testUnitThatCannotBe_IsRefused() throws {
    #expect(
      try refusal("Time;RR [s]\n1;800\n2;810\n")
        == .contradictoryUnit(line: 1, name: "RR [s]", unit: .seconds, median: 810))
    #expect(
      try refusal("RR (ms)\n0.8\n0.81\n")
        == .contradictoryUnit(line: 2, name: "RR (ms)", unit: .milliseconds, median: 0.81))
  }

  @Test(arguments: ["60\n61\n62\n", "14000\n15000\n16000\n", "0.34\n1.23\n20.07\n20.9\n30.73\n"])
  func testValuesThatAreNoIntervals_AreRefused(_ text: String) throws {
    guard case .implausible(1, _) = try refusal(text) else {
      Issue.record("it was read")
      return
    }
  }

  @Test func testHeartRatesOfPolar_AreRefused() throws {
    #expect(try refusal("[Params]\nInterval=5\n[HRData]\n75\n76\n") == .otherColumns(line: 3, names: ["HRData"]))
  }

  @Test func testLongTextOfAnyKind_IsRefused() throws {
    #expect(try refusal(String(repeating: "lorem ipsum\n", count: 5000)) == .unrecognised(lines: 1000))
  }

  @Test func testFilesOfOtherKinds_AreNamed() throws {
    #expect(try refusal(CaptureWrapping.btsnoop(.session())) == .capture(.btsnoop))
    #expect(try refusal(Array("PK\u{3}\u{4}abc".utf8)) == .otherKind("a zip archive or a spreadsheet"))
    #expect(try refusal(Array("{\"rr\": [800]}".utf8)) == .otherKind("JSON"))
  }

  @Test(arguments: [
    RRSeriesRefusal.capture(.pcap), .otherKind("JSON"), .unrecognised(lines: 9), .results(line: 7, app: "HRV4Training"),
    .otherColumns(line: 7, names: ["HR"]), .brokenTable(line: 7, name: "RR"), .unnamedColumns(line: 7, count: 3),
    .ambiguousComma(line: 7), .contradictoryUnit(line: 7, name: "RR", unit: .seconds, median: 800),
    .implausible(line: 7, median: 60), .contradictoryTimes(line: 7, rate: 0.04),
    .mixedUnits(line: 7, before: .milliseconds, behind: .seconds),
    .noHRVMessages(messages: 3),
  ])
  func testSentence_NamesFileAndLineAndWhatToDo(_ refusal: RRSeriesRefusal) {
    let sentence = RRSeriesError.noSeries(path: "x.csv", why: refusal).description
    #expect(sentence.hasPrefix("x.csv: "))
    #expect(sentence.contains(";"))
    #expect((20...400).contains(sentence.count))
  }
}
