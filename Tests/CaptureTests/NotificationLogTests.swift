import Capture
import TachogramCore
import TachogramTestKit
import Testing

/// What the survey keeps for the replay, where it is more than one piece and where it is too much.
struct NotificationLogTests {
  /// More notifications than two pieces hold, of all lengths up to 40 bytes, over two links.
  private static let capture: [UInt8] = {
    var script = PacketScript()
    for link in 0..<2 {
      script.connect()
      script.discover()
      for index in 0..<10_000 {
        script.notify([0x16, UInt8(truncatingIfNeeded: index)] + Array(repeating: UInt8(link), count: index % 38))
      }
      script.disconnect()
    }
    return CaptureWrapping.btsnoop(script)
  }()

  private func entries(kept: Int) throws -> [LedgerEntry] {
    try TemporaryCapture.withPath(Self.capture) { path in
      let replay = CaptureReplay(path: path, kept: kept)
      var entries: [LedgerEntry] = []
      try replay.forEachEntry(replay.plan()) { entries.append($1) }
      return entries
    }
  }

  @Test(arguments: [1, 2, NotificationLog.mostPieces])
  func testAnyNumberOfPieces_GivesWhatReadingAgainGives(kept: Int) throws {
    let reread = try entries(kept: 0)
    #expect(reread.count == 20_002)
    #expect(try entries(kept: kept) == reread)
  }

  @Test func testEntriesThatAreKept_DoNotChange() throws {
    // The arrays of values that nobody kept are filled again; these were kept.
    let entries = try entries(kept: NotificationLog.mostPieces)
    for (index, value) in entries.prefix(10_000).compactMap(\.notification).enumerated() {
      #expect(value.count == 2 + index % 38)
      #expect(value[1] == UInt8(truncatingIfNeeded: index))
    }
  }
}
