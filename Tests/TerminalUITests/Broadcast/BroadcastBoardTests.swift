import BlueZ
import CommandProcess
import Listening
import TachogramCore
import Testing

@testable import TerminalUI

struct BroadcastBoardTests {
  private func heard(
    _ number: Int = 1, name: String? = "Polar", rate: UInt8 = 60, at seconds: Double = 0,
  ) -> HeardBroadcast {
    BroadcastSample.heard(number, name: name, rate: rate, at: seconds)
  }

  @Test(arguments: [(0.1, 11), (0.25, 11), (0.9, 12), (1.0, 11), (1.1, 10), (3.0, 4)])
  func testLines_ComeOnceASecond(every: Double, expected: Int) {
    var board = BroadcastSample.board()
    var lines = 0
    for number in 0...Int((10 / every).rounded(.down)) where board.handle(heard(at: Double(number) * every)) {
      lines += 1
    }
    #expect((expected - 1...expected + 1).contains(lines))
  }

  @Test func testLinesOfStraps_DoNotDependOnEachOther() {
    var board = BroadcastSample.board()
    for number in 1...30 {
      let isDue = board.handle(heard(number))
      #expect(isDue)
    }
    for number in 1...30 {
      let isDue = board.handle(heard(number, at: 0.1))
      #expect(!isDue)
    }
    #expect(board.rows(at: BroadcastSample.time(1)).count == 30)
  }

  @Test func testStrapThatIsNotHeard_IsStaleWithinFiveSecondsAndSaidSoOnce() {
    var board = BroadcastSample.board()
    _ = board.handle(heard())
    #expect(board.newlyStale(at: BroadcastSample.time(4.7)).isEmpty)
    #expect(board.rows(at: BroadcastSample.time(4.7)).map(\.isStale) == [false])
    #expect(board.newlyStale(at: BroadcastSample.time(4.8)).count == 1)
    #expect(board.rows(at: BroadcastSample.time(4.8)).map(\.isStale) == [true])
    #expect(board.newlyStale(at: BroadcastSample.time(6)).isEmpty)
    _ = board.handle(heard(at: 7))
    #expect(board.rows(at: BroadcastSample.time(7)).map(\.isStale) == [false])
    #expect(board.newlyStale(at: BroadcastSample.time(12)).count == 1)
  }

  @Test func testOthersThanTheWantedOnes_AreCountedAndNotShown() {
    let wanted = heard(3)
    var board = BroadcastSample.board([.address(wanted.address), .name("Anna")])
    for number in 1...9 { _ = board.handle(heard(number)) }
    _ = board.handle(heard(20, name: "Anna"))
    #expect(board.rows(at: BroadcastSample.time(0)).map(\.last.address.value).sorted().map { $0 & 0xFF } == [3, 20])
    #expect(board.others == 8)
  }

  @Test func testName_IsThePersonsThenTheStrapsThenTheAddress() {
    var board = BroadcastSample.board(known: [BroadcastSample.known(1, name: "Anna")])
    _ = board.handle(heard(1, name: "Polar H10"))
    _ = board.handle(heard(2, name: "Polar OH1"))
    _ = board.handle(heard(3, name: nil))
    #expect(board.rows(at: BroadcastSample.time(0)).map(\.strap) == ["Anna", "D0:5A:00:00:00:03", "Polar OH1"])
  }

  @Test func testWhoeverLeft_IsForgottenAndMemoryIsBounded() {
    var board = BroadcastSample.board()
    for number in 1...1040 { _ = board.handle(heard(number, at: Double(number) / 1000)) }
    #expect(board.rows(at: BroadcastSample.time(2)).count == 1000)
    _ = board.handle(heard(1040, at: 700))
    #expect(board.rows(at: BroadcastSample.time(700)).count == 1)
  }

  // MARK: - Lines

  @Test func testTextLines_SayWhatIsKnown() {
    var log = BroadcastLog(board: BroadcastSample.board(), format: .text)
    let wall = BroadcastSample.wall
    let strange = BroadcastSample.heard(
      name: "\u{1B}[2JPolar", rate: 72, contact: .notDetected, batteryLow: true, signal: nil)
    #expect(log.line(.obstacle(nil), wall: wall)?.hasSuffix("  listening\n") == true)
    let line = log.line(.heard(strange), wall: wall)
    #expect(line == "2026-01-01T08:00:00.000Z  ?[2JPolar  72 bpm  no contact  battery low\n")
    let band = BroadcastSample.heard(2, name: "Mi Band", rate: 72, contact: .notSupported, signal: nil, at: 5)
    #expect(log.line(.heard(band), wall: wall) == "2026-01-01T08:00:05.000Z  Mi Band  72 bpm\n")
    #expect(
      log.staleLines(at: BroadcastSample.time(6), wall: wall).map { $0.dropFirst(26) } == ["?[2JPolar  stale 6 s\n"])
    #expect(log.line(.obstacle(.adapterOff), wall: wall)?.contains("the adapter is off") == true)
  }

  @Test func testEvents_HaveOnlyWhatABroadcastHas() {
    var log = BroadcastLog(board: BroadcastSample.board(), format: .ndjson)
    let line = log.line(.heard(heard(rate: 72)), wall: BroadcastSample.wall)
    #expect(
      line == #"{"address":"D0:5A:00:00:00:01","batteryLow":false,"contact":"detected","event":"broadcast","#
        + #""heartRate":72,"signalDBm":-60,"strap":"Polar","time":"2026-01-01T08:00:00.000Z"}"# + "\n")
    let band = BroadcastSample.heard(2, name: "Mi Band", rate: 72, contact: .notSupported, signal: nil)
    #expect(log.line(.heard(band), wall: BroadcastSample.wall)?.contains(#""contact":"notSupported""#) == true)
    let state = log.line(.obstacle(.noDaemon), wall: BroadcastSample.wall)
    #expect(
      state == #"{"event":"state","phase":"deaf","reason":"noDaemon","time":"2026-01-01T08:00:00.000Z"}"# + "\n")
  }
}
