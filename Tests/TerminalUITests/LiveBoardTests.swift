import TachogramCore
import Testing

@testable import Presentation
@testable import TerminalUI

struct LiveBoardTests {
  private let address = BluetoothAddress(text: "C0:FF:EE:00:00:01")
  private let beat: [UInt8] = [0x16, 72, 0x00, 0x03]

  private func board(known: [KnownStrap] = [], wanted: [String] = []) -> LiveBoard {
    LiveBoard(names: StrapNames(wanted: wanted, known: known))
  }

  private func event(_ milliseconds: Int64, _ content: StrapEvent.Content, strap: Int = 0) -> StrapEvent {
    StrapEvent(
      strap: strap, monotonic: MonotonicTime(microseconds: milliseconds * 1000),
      wall: WallTime(microseconds: milliseconds * 1000), content: content)
  }

  private func at(_ milliseconds: Int64) -> MonotonicTime { MonotonicTime(microseconds: milliseconds * 1000) }

  private func state(_ phase: LinkPhase, _ milliseconds: Int64, _ reason: LinkReason? = nil) -> StrapEvent {
    event(milliseconds, .state(LinkState(phase: phase, reason: reason, since: at(milliseconds))))
  }

  // MARK: - The board

  @Test func testSilence_MakesTheReadingStaleWithinFiveSeconds() throws {
    var board = board()
    board.handle(state(.live, 0))
    board.handle(event(1000, .notification(beat)))
    let fresh = try #require(board.reading(0, at: at(5799)))
    #expect(fresh.isCurrent && fresh.shownHeartRate == 72 && fresh.contact == .detected)
    let old = try #require(board.reading(0, at: at(5800)))
    #expect(old.isStale && old.age == 4.8)
  }

  @Test func testMetricsThatWereComputedBesideTheBeats_AreShown() throws {
    var board = board()
    let metrics = LiveSample.detail(lfhf: 1.5, alpha: 1, breaths: .value(15))
    board.handle(metrics, of: 0)
    #expect(board.straps.isEmpty)
    board.handle(state(.live, 0))
    board.handle(metrics, of: 0)
    #expect(board.reading(0, at: at(0))?.detail?[.lfhf] == 1.5)
    board.handle(nil, of: 0)
    #expect(board.reading(0, at: at(0))?.detail == nil)
  }

  @Test func testNewName_IsThatOfTheStrapAtOnce() throws {
    var board = board(wanted: ["H10", "the other"])
    let address = try #require(address)
    board.handle(event(0, .identified(StrapIdentity(address: address))))
    board.handle(event(0, .state(LinkState(phase: .scanning, since: at(0))), strap: 1))
    let known = KnownStrap(
      address: address, name: "Anna's", advertisedName: nil, isBonded: false, added: WallTime(microseconds: 0))
    let names = StrapNames(known: [known])
    #expect(board.rename(names) == [0] && board.rename(names) == [])
    #expect(board.readings(at: at(1)).map(\.strap) == ["Anna's", "the other"])
  }

  @Test func testNotificationAheadOfItsState_IsCurrent() throws {
    var board = board()
    board.handle(state(.subscribing, 0))
    board.handle(event(10, .notification(beat)))
    #expect(try #require(board.reading(0, at: at(11))).isCurrent)
  }

  @Test func testLossOfTheLink_MakesTheReadingStaleAtOnce() throws {
    var board = board()
    board.handle(state(.live, 0))
    board.handle(event(10, .notification(beat)))
    board.handle(state(.backingOff, 20, .linkLost))
    #expect(try #require(board.reading(0, at: at(21))).isStale)
  }

  @Test func testValueThatCannotBeRead_MakesNothingFresh() throws {
    var board = board()
    board.handle(state(.live, 0))
    board.handle(event(10, .notification(beat)))
    board.handle(event(6000, .notification([0x01])))
    let reading = try #require(board.reading(0, at: at(6001)))
    #expect(reading.isStale && reading.notifications == 2 && reading.heartRate == 72)
  }

  @Test func testName_IsThePersonsThenTheStrapsThenTheWord() throws {
    let address = try #require(address)
    let known = KnownStrap(address: address, name: "Anna", added: WallTime(microseconds: 0))
    let identity = StrapIdentity(address: address, characteristics: [0x2A00: Array("Polar".utf8), 0x2A19: [87]])
    for (board, before, after) in [
      (board(known: [known], wanted: ["anna"]), "anna", "Anna"), (board(wanted: ["H10"]), "H10", "Polar"),
      (board(), "strap 1", "Polar"),
    ] {
      var board = board
      board.handle(state(.scanning, 0))
      #expect(board.reading(0, at: at(0))?.strap == before)
      board.handle(event(1, .identified(identity)))
      #expect(board.reading(0, at: at(1))?.strap == after)
      #expect(board.reading(0, at: at(1))?.battery == 87)
    }
  }

  // MARK: - The log

  private func log() -> LiveLog { LiveLog(board: board(), text: LiveText()) }

  @Test(arguments: [(1000, 60), (980, 59), (250, 15), (3000, 60)])
  func testNotifications_GiveALineASecondAtMost(interval: Int64, expected: Int) {
    var log = log()
    _ = log.line(state(.live, 0))
    let lines = (0..<60).compactMap { log.line(event(1000 + Int64($0) * interval, .notification(beat))) }
    #expect(abs(lines.count - expected) <= 1)
    let intervals = lines.reduce(0) { $0 + $1.split(separator: " ").count { $0 == "750.0" } }
    #expect(intervals >= 57)
  }

  @Test func testReadingThatBecomesStale_IsSaidOnce() {
    var log = log()
    _ = log.line(state(.live, 0))
    _ = log.line(event(1000, .notification(beat)))
    let wall = WallTime(microseconds: 0)
    #expect(log.staleLines(at: at(5799), wall: wall).isEmpty)
    #expect(log.staleLines(at: at(5800), wall: wall).map { $0.contains("stale 5 s") } == [true])
    #expect(log.staleLines(at: at(6250), wall: wall).isEmpty)
    _ = log.line(event(7000, .notification(beat)))
    #expect(log.staleLines(at: at(12000), wall: wall).count == 1)
  }

  @Test func testStateThatSaysStale_IsNotSaidAgain() {
    var log = log()
    _ = log.line(state(.live, 0))
    _ = log.line(event(1000, .notification(beat)))
    let line = log.line(state(.silent, 5500, .silence)) ?? ""
    #expect(line.contains("stale 5 s") && line.contains("connected, but silent"))
    #expect(log.staleLines(at: at(9000), wall: WallTime(microseconds: 0)).isEmpty)
  }
}
