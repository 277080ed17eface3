import Testing

@testable import BlueZ

struct ConnectionSchedulerTests {
  private struct Request {
    var link: Int
    var adapter: String
    var deaf: [String]

    init(_ link: Int, _ adapter: String, deaf: [String] = []) {
      self.link = link
      self.adapter = adapter
      self.deaf = deaf
    }
  }

  /// The turns after requests, and which of these were granted.
  private static func turns(_ requests: Request...) -> (turns: ConnectionScheduler, granted: [Bool]) {
    var turns = ConnectionScheduler()
    let granted = requests.map { turns.acquire(link: $0.link, on: $0.adapter, deaf: $0.deaf) }
    return (turns, granted)
  }

  @Test func testStrapThatAFreeAdapterMayStillHear_Waits() {
    let (turns, granted) = Self.turns(
      Request(0, "hci0", deaf: ["hci1"]), Request(1, "hci0", deaf: ["hci1"]), Request(1, "hci1"))
    #expect(granted == [true, false, true])
    #expect(turns.others(than: 0) == ["hci1"])
    #expect(turns.others(than: 2).sorted() == ["hci0", "hci1"])
  }

  @Test func testStrapThatEveryFreeAdapterHasHeard_StandsInLine() {
    let (turns, granted) = Self.turns(Request(0, "hci0"), Request(1, "hci0"))
    #expect(granted == [true, true])
    #expect(turns.others(than: 2) == ["hci0", "hci0"])
  }

  @Test func testStrapWhoseOtherAdapterIsBusyToo_StandsInLine() {
    let (_, granted) = Self.turns(
      Request(0, "hci0", deaf: ["hci1"]), Request(1, "hci1", deaf: ["hci0"]), Request(2, "hci0", deaf: ["hci1"]))
    #expect(granted == [true, true, true])
  }

  @Test func testEnd_NamesThoseThatWaited_Once() {
    var (turns, granted) = Self.turns(
      Request(0, "hci0", deaf: ["hci1"]), Request(1, "hci0", deaf: ["hci1"]), Request(2, "hci0", deaf: ["hci1"]))
    #expect(granted == [true, false, false])
    let ends = [7, 0, 0].map { turns.end(link: $0) }
    #expect(ends == [[], [1, 2], []])
    granted = [1, 2].map { turns.acquire(link: $0, on: "hci0", deaf: ["hci1"]) }
    #expect(granted == [true, false])
  }

  @Test func testOwnTurn_CanBeTakenAgainAndMoved() {
    let (turns, granted) = Self.turns(
      Request(0, "hci0", deaf: ["hci1"]), Request(0, "hci0", deaf: ["hci1"]), Request(0, "hci1"),
      Request(1, "hci0", deaf: ["hci1"]))
    #expect(granted == [true, true, true, true])
    #expect(turns.others(than: 1) == ["hci1"])
  }
}
