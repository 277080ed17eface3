import Capture
import TachogramCore
import TachogramTestKit
import Testing

/// The replay beside the survey, where it is many pieces and where the rest of the capture changes the plan.
struct SpeculativeReplayTests {
  /// More notifications than pieces hold, of all lengths up to 40 bytes, over two links.
  private static let capture: [UInt8] = {
    var script = PacketScript()
    for link in 0..<2 {
      script.connect()
      script.discover()
      for index in 0..<3_000 {
        script.notify([0x16, UInt8(truncatingIfNeeded: index)] + Array(repeating: UInt8(link), count: index % 38))
      }
      script.disconnect()
    }
    return CaptureWrapping.btsnoop(script)
  }()

  @Test(arguments: [100, 1_000, 3_500])
  func testLinksOneAfterTheOther_GiveWhatTheReplayGives(capacity: Int) throws {
    try MemoryFile.withPath(Self.capture) { path in
      let replay = CaptureReplay(path: path)
      var entries: [Int: [LedgerEntry]] = [:]
      try replay.forEachEntry(replay.plan()) { entries[$0, default: []].append($1) }
      #expect(entries[0]?.count == 6_002)
      let isSame = try SpeculativeEntries.read(replay, capacity: capacity) == entries
      #expect(isSame)
    }
  }

  /// The handle that carries heart rate turns out when values have gone by.
  @Test func testDiscoveryBehindThePiece_IsNotAgreed() throws {
    var script = PacketScript()
    script.connect()
    for index in 0..<10 { script.notify([0x16, UInt8(index), 0, 4]) }
    script.discover()
    for index in 0..<10 { script.notify([0x16, UInt8(index), 0, 4]) }
    try MemoryFile.withPath(CaptureWrapping.btsnoop(script)) { path in
      let replay = CaptureReplay(path: path)
      #expect(try replay.plan().straps.first?.notifications == 20)
      let early = try SpeculativeEntries.read(replay, capacity: 4)
      #expect(early == nil)
      let late = try SpeculativeEntries.read(replay, capacity: 40)
      #expect(late?[0]?.count == 20)
    }
  }

  @Test func testMoreConnectionsThanADraftFollows_AreNotAgreed() throws {
    var script = PacketScript()
    for _ in 0..<300 {
      script.connect()
      script.discover()
      script.notify([0x16, 0x48, 0, 4])
      script.disconnect()
    }
    try MemoryFile.withPath(CaptureWrapping.btsnoop(script)) { path in
      let drafted = try SpeculativeEntries.read(CaptureReplay(path: path), capacity: 10)
      #expect(drafted == nil)
      let whole = try SpeculativeEntries.read(CaptureReplay(path: path), capacity: 1_000)
      #expect(whole?[0]?.count == 600)
    }
  }

  @Test func testOneLink_IsAgreedInPiecesOfAnySize() throws {
    var script = PacketScript()
    script.connect()
    script.discover()
    for index in 0..<100 { script.notify([0x16, UInt8(index), 0, 4]) }
    try MemoryFile.withPath(CaptureWrapping.btsnoop(script)) { path in
      for capacity in [1, 7, 100, 1_000] {
        let drafted = try SpeculativeEntries.read(CaptureReplay(path: path), capacity: capacity)
        #expect(drafted?[0]?.count == 100)
        #expect(drafted?[0]?.last?.notification == [0x16, 99, 0, 4])
      }
    }
  }

  @Test func testValueLongerThanAPiece_IsKeptWhole() throws {
    var script = PacketScript()
    script.connect()
    script.discover()
    let long = [0x16, 0x48] + [UInt8](repeating: 4, count: 400)
    for _ in 0..<10 { script.notify(long) }
    try MemoryFile.withPath(CaptureWrapping.btsnoop(script)) { path in
      let drafted = try SpeculativeEntries.read(CaptureReplay(path: path), capacity: 2)
      #expect(drafted?[0]?.compactMap(\.notification) == Array(repeating: long, count: 10))
    }
  }
}
