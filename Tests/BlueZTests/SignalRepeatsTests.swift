import Testing

@testable import BlueZ

struct SignalRepeatsTests {
  /// Signals as the daemon sends them: each value so many times at once, and a second until the next.
  private struct Daemon {
    var serial: UInt32 = .max - 3
    var time: Int64 = 0
    var repeats: SignalRepeats
    var heard: [UInt8] = []

    init(isShared: Bool) {
      repeats = SignalRepeats(isShared: isShared)
    }

    mutating func signal(_ value: UInt8, copies: Int, after nanoseconds: Int64 = 1_000_000_000) {
      time += nanoseconds
      for _ in 0..<copies {
        serial &+= 1
        time += 100_000
        if repeats.isNotification([value], serial: serial, arrival: time) { heard.append(value) }
      }
    }
  }

  @Test(arguments: [2, 3, 4])
  func testCopies_AreToldOnceWhenTheirNumberIsKnown(copies: Int) {
    var daemon = Daemon(isShared: true)
    let values = (0..<40).map { UInt8($0 / 3) }
    for value in values { daemon.signal(value, copies: copies) }
    if copies == 2 {
      #expect(daemon.heard == values)
    } else {
      // Two at first, and nothing twice behind the lesson.
      #expect(daemon.heard.suffix(30) == values.suffix(30))
      #expect(daemon.heard.count <= values.count + 8)
    }
  }

  @Test func testEqualNotificationsInOneBurst_AreAllTold() {
    var daemon = Daemon(isShared: true)
    daemon.signal(1, copies: 2)
    daemon.signal(7, copies: 2)
    daemon.signal(7, copies: 2, after: 0)
    daemon.signal(7, copies: 2, after: 0)
    #expect(daemon.heard == [1, 7, 7, 7])
  }

  @Test func testOtherProgramThatLeaves_CostsNothing() {
    var daemon = Daemon(isShared: true)
    for value in 0..<5 as Range<UInt8> { daemon.signal(value, copies: 2) }
    for value in 5..<10 as Range<UInt8> { daemon.signal(value, copies: 1) }
    // Known by now: what is equal in one burst counts in full again.
    daemon.signal(10, copies: 1)
    daemon.signal(10, copies: 1, after: 0)
    #expect(daemon.heard == [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 10])
  }

  @Test func testPairThatIsTornApart_IsNoLesson() {
    var daemon = Daemon(isShared: true)
    daemon.signal(0, copies: 1)
    for value in 1..<20 as Range<UInt8> { daemon.signal(value, copies: 2) }
    #expect(daemon.heard == (0..<20).map { UInt8($0) })
  }

  @Test func testNobodyElse_NothingIsACopy() {
    var daemon = Daemon(isShared: false)
    for value in 0..<5 as Range<UInt8> { daemon.signal(value, copies: 2) }
    #expect(daemon.heard == [0, 0, 1, 1, 2, 2, 3, 3, 4, 4])
  }
}
