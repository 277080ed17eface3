import Sleep
import Testing

struct NightFilesTests {
  private static func night(
    rr: String? = nil, heartRate: String? = nil, movement: String? = nil
  ) throws -> SleepNight {
    try NightFiles.night(
      rr: rr.map { Array($0.utf8) }, heartRate: heartRate.map { Array($0.utf8) },
      movement: movement.map { Array($0.utf8) })
  }

  private static func expectEqual(_ series: EpochSeries?, _ reference: [SleepFixture.Number]) throws {
    let values = try #require(series).values
    #expect(values.count == reference.count)
    for (place, (value, expected)) in zip(values, reference).enumerated() {
      let isEqual = value.isNaN ? expected.value.isNaN : abs(value - expected.value) <= 1e-11 * expected.value
      #expect(isEqual, "epoch \(place): \(value) instead of \(expected.value)")
    }
  }

  @Test func testTexts_GiveTheSeriesOfTheReference() throws {
    let one = try #require(try SleepFixture.nightFiles().first)
    let watch = NightSeries(
      try Self.night(heartRate: one.texts.heartRate, movement: one.texts.movement), isCausal: false)
    try Self.expectEqual(watch.heartRate, one.sampled)
    try Self.expectEqual(watch.movement, one.movement)
    let strap = try Self.night(rr: one.texts.rr)
    try Self.expectEqual(NightSeries(strap, isCausal: false).heartRate, one.beats)
    // The intervals of the networks end at normal beats, and last from one to the next.
    let ends = one.normalBeats.map { Int64(($0 * 1024).rounded(.down)) }
    #expect(strap.beats.intervals.map(\.end) == Array(ends.dropFirst()))
    for (interval, seconds) in zip(strap.beats.intervals, zip(one.normalBeats, one.normalBeats.dropFirst())) {
      let length = seconds.1 - seconds.0
      #expect(abs(Double(interval.ticks) - 1024 * length) <= 1)
      // 300 ms is no whole number of ticks.
      if abs(length - 0.3) > 0.001 { #expect(interval.isValid == (0.3...2).contains(length)) }
    }
  }

  @Test func testSeparatorsAndLineEnds_MakeNoDifference() throws {
    let one = try #require(try SleepFixture.nightFiles().first)
    func changed(_ text: String, _ from: Character, _ to: String, _ end: String = "\n") -> String {
      let lines = text.split(separator: "\n").map { $0.split(separator: from).joined(separator: to) }
      return "\u{FEFF}" + lines.joined(separator: end)
    }
    let expected = try Self.night(rr: one.texts.rr, heartRate: one.texts.heartRate, movement: one.texts.movement)
    for (separator, end) in [
      (",", "\r\n"), (";", "\n\n"), ("\t", "\r"), (" ", "\n"), ("   ", "\r\n \t\r\n"), (" ; ", "\n"),
    ] {
      let found = try Self.night(
        rr: changed(one.texts.rr, "\t", separator, end), heartRate: changed(one.texts.heartRate, ",", separator, end),
        movement: changed(one.texts.movement, "\t", separator, end))
      #expect(found == expected, "\(separator.debugDescription)")
    }
  }

  @Test func testMovement_EndsTheNight() throws {
    let movement = "epoch_start_s\tstage\tcount_feature\n0\t5\t1\n90\t5\tx\n"
    #expect(throws: NightFileError.self) { try Self.night(movement: movement) }
    let night = try Self.night(
      heartRate: "-5,50\n30,60\n119.9,61\n120,62\n9e5,63\n",
      movement: "epoch_start_s;count_feature\n0;1\n-30;5\n90;\n60;2\n60;3")
    #expect(night.epochCount == 4)
    #expect(night.heartRates.map(\.beatsPerMinute) == [60, 61])
    #expect(night.movements.map(\.intensity) == [1, 3])
    #expect(try Self.night(heartRate: "59.99,60").epochCount == 2)
    #expect(try Self.night(heartRate: "60,60").epochCount == 3)
    #expect(try Self.night(rr: "beat_time_s,rr_ms\n1,800\n31,800").epochCount == 2)
    #expect(try Self.night().epochCount == 0)
  }

  @Test func testTimesWithinATick_StayDifferent() throws {
    let rates = try Self.night(heartRate: "1.00001,70\n1,90\n1.0002,80\n1,60\n29.99999,50\n").heartRates
    #expect(rates.map(\.time) == [1024, 1025, 1026, 30_719])
    #expect(rates.map(\.beatsPerMinute) == [60, 70, 80, 50])
  }

  @Test func testScores_AreNotRead() throws {
    let one = try #require(try SleepFixture.nightFiles().first)
    let other = one.texts.movement.split(separator: "\n").map { line in
      var cells = line.split(separator: "\t")
      if cells[0] != "epoch_start_s" { cells[1] = "nothing that is a stage" }
      return cells.joined(separator: "\t")
    }
    let changed = try Self.night(movement: other.joined(separator: "\n"))
    #expect(changed == (try Self.night(movement: one.texts.movement)))
  }

  /// Beats that are missing leave an interval that is not valid, and what is next to it is no pair.
  @Test func testMissingBeats_AreAGap() throws {
    let heading = "beat_time_s\trr_ms\tprev_type\ttype\n"
    let rows =
      "1.000\t900\tN\tN\n2.000\t1000\tN\tN\n3.000\t1000\tN\tV\n4.000\t1000\tV\tN\n9.000\t1000\tN\tN\n20.000\t1000\tV\tN\n"
    let intervals = try Self.night(rr: heading + rows).beats.intervals
    #expect(intervals.map(\.end) == [1024, 2048, 4096, 8192, 9216, 20_480])
    #expect(intervals.map(\.ticks) == [922, 1024, 2048, 4096, 1024, 11_264])
    #expect(intervals.map(\.isValid) == [true, true, true, false, true, false])
    // Without types all beats are normal.
    let plain = try Self.night(rr: "rr_ms beat_time_s\n900 1\n1000 2\n1000 3\n1000 9").beats.intervals
    #expect(plain.map(\.isValid) == [true, true, true, false, true])
  }

  @Test(
    arguments: [
      ("", NightFileError.Problem.noRows, nil, nil),
      ("\n \n\r\n", .noRows, nil, nil),
      ("-1,60\n", .noRows, nil, nil),
      ("1,60\n2\n", .columnCount(1, expected: 2), 2, nil),
      ("1,60,3\n", .columnCount(3, expected: 2), 1, nil),
      ("1,60\n\n2,x\n", .notNumber, 3, 2),
      ("1,60\nnan,61\n", .notNumber, 2, 1),
      ("1,0x10\n", .notNumber, 1, 2),
      ("1,1e999\n", .notNumber, 1, 2),
      ("1,60\r\n2,-1\r\n", .outOfRange, 2, 2),
      ("604801,60\n", .outOfRange, 1, 1),
      ("-1e300,60\n", .outOfRange, 1, 1),
      ("1,60\n2\u{0},61\n", .notText, 2, nil),
    ] as [(String, NightFileError.Problem, Int?, Int?)])
  func testHeartRates_AreRefusedWithTheirPlace(
    text: String, problem: NightFileError.Problem, line: Int?, column: Int?
  ) throws {
    let error = try #require(throws: NightFileError.self) { try Self.night(heartRate: text) }
    #expect(error.problem == problem && error.line == line && error.column?.number == column)
    #expect(error.file == .heartRate && error.description.hasPrefix("heart-rate file"))
  }

  @Test(
    arguments: [
      ("1.0\t900\n", NightFileError.Problem.missingColumns(["beat_time_s", "rr_ms"]), 1, nil),
      ("\nbeat_time_s\trr\n", .missingColumns(["rr_ms"]), 2, nil),
      ("beat_time_s\trr_ms\n", .noRows, nil, nil),
      ("beat_time_s\trr_ms\n1\t2\t3\n", .columnCount(3, expected: 2), 2, nil),
      ("beat_time_s\trr_ms\n1\n", .notNumber, 2, 2),
      ("beat_time_s\trr_ms\n\t900\n", .notNumber, 2, 1),
      ("beat_time_s\trr_ms\n2\t900\n1\t900\n", .unsorted, 3, 1),
      ("beat_time_s\trr_ms\n-1\t900\n", .outOfRange, 2, 1),
      ("beat_time_s\trr_ms\n1\t1e300\n", .outOfRange, 2, 2),
    ] as [(String, NightFileError.Problem, Int?, Int?)])
  func testBeats_AreRefusedWithTheirPlace(
    text: String, problem: NightFileError.Problem, line: Int?, column: Int?
  ) throws {
    let error = try #require(throws: NightFileError.self) { try Self.night(rr: text) }
    #expect(error.problem == problem && error.line == line && error.column?.number == column, "\(error)")
  }

  @Test func testMessages_NameFileLineColumnAndWhatIsExpected() throws {
    let error = try #require(throws: NightFileError.self) {
      try Self.night(movement: "epoch_start_s\tstage\tcount_feature\n0\t1\t-2\n")
    }
    #expect(
      error.description
        == "movement file, line 2, column 3 (count_feature): out of range; expected the movement in 30 s, 0 to 1000000000000, or an empty cell"
    )
  }

  @Test(arguments: [
    (NightColumn.Kind.beatTime, "0 to 604800"), (.epochStart, "-1000000000 to 604800"),
    (.sampleTime, "-1000000000 to 604800"), (.interval, "0 to 604800000 "), (.movement, "0 to 1000000000000,"),
    (.heartRate, "0 to 1000 "),
  ])
  func testRange_IsInTheMessage(kind: NightColumn.Kind, range: String) {
    #expect(kind.expectation.contains(range))
  }

  @Test func testHostileBytes_EndWithAnError() throws {
    let long = [UInt8](repeating: UInt8(ascii: "1"), count: 3 << 20)
    let many = Array(String(repeating: "1,1\n", count: 2_000_001).utf8)
    let utf16: [UInt8] = [0xFF, 0xFE, 0x31, 0, 0x2C, 0, 0x36, 0]
    let large = [UInt8](repeating: 0x0A, count: NightFile.maximumBytes + 1)
    for bytes in [long, many, utf16, large, [UInt8](0...255)] {
      #expect(throws: NightFileError.self) { try NightFiles.night(rr: nil, heartRate: bytes, movement: nil) }
      #expect(throws: NightFileError.self) { try NightFiles.night(rr: bytes, heartRate: nil, movement: nil) }
      #expect(throws: NightFileError.self) { try NightFiles.night(rr: nil, heartRate: nil, movement: bytes) }
    }
  }
}
