import Capture
import GATT
import TachogramCore
import TachogramTestKit
import Testing

struct SessionCaptureWriterTests {
  /// Replays the export of a session, compares the two in all that an export keeps, and exports again.
  private func expectRoundTrip(_ script: SessionScript) throws {
    let file = script.export()
    let replayed = try SessionScript.replaying(file)
    #expect(replayed.session.id == script.session.id)
    #expect(replayed.session.start == script.session.start)
    #expect(replayed.session.strap == script.session.strap)
    #expect(replayed.links.map(\.number) == script.links.map(\.number))
    #expect(replayed.links.map(\.handle) == script.links.map(\.handle))
    #expect(replayed.links.allSatisfy { $0.handleSource == .discovered })
    #expect(replayed.entries.count == script.entries.count)
    for (replayedEntry, entry) in zip(replayed.entries, script.entries) {
      #expect(replayedEntry.sequence == entry.sequence)
      #expect(replayedEntry.link == entry.link)
      #expect(replayedEntry.content == entry.content)
      #expect(
        replayedEntry.monotonic.microseconds(since: replayed.session.monotonicStart)
          == entry.monotonic.microseconds(since: script.session.monotonicStart))
    }
    #expect(script.export() == file)
    #expect(replayed.export() == file)
  }

  @Test(arguments: [1, 2, 3, 0x10, 0xFF, 0x0DFF, 0x0E00, 0x0EFF, 0x0F00, 0x0F01, 0xFFFE, 0xFFFF] as [UInt16])
  func testAnyHandle_ReplaysToTheSame(_ handle: UInt16) throws {
    var script = SessionScript(handle: handle)
    for value in PacketScript.values { script.add(.notification(value)) }
    script.add(.linkDown(reason: 0x13))
    try expectRoundTrip(script)
  }

  @Test(arguments: [2, 0x0DFF, 0x0E00, 0xFFFF] as [UInt16])
  func testPulseIntervals_ReplayToTheSame(_ handle: UInt16) throws {
    var script = SessionScript(handle: handle, links: 2)
    for link in 0..<2 {
      for number in 0..<12 {
        script.add(.notification([0x00, 60]), link: link)
        let samples = (0..<number * 7).map {
          PolarPPISample(heartRate: 60, interval: UInt16(900 + $0), errorEstimate: 5)
        }
        script.add(.pulseIntervals(PolarPPICodec.encode(samples, time: UInt64(number))), link: link)
      }
      script.add(.pulseIntervals([3, 1, 2]), link: link)
      script.add(.linkDown(reason: 0x13), link: link)
    }
    try expectRoundTrip(script)
  }

  @Test func testValuesOfAnyLength_ReplayToTheSame() throws {
    var script = SessionScript()
    for length in 0...512 { script.add(.notification((0..<length).map { UInt8(truncatingIfNeeded: $0 &* 7) })) }
    try expectRoundTrip(script)
  }

  /// The largest value that a capture can have brought takes several ACL packets.
  @Test(arguments: [1013, 1014, 1015, 1016, 5000, 65_532])
  func testLongValues_ReplayToTheSame(_ length: Int) throws {
    var script = SessionScript()
    for _ in 0..<2 { script.add(.notification(Array(repeating: 0x5A, count: length))) }
    try expectRoundTrip(script)
  }

  @Test(arguments: [0x00, 0x08, 0x13, 0x16, 0x3E, 0xFF] as [UInt8])
  func testReasonOfALinksEnd_IsKept(_ reason: UInt8) throws {
    var script = SessionScript(links: 2)
    script.add(.notification([0x06, 0x48]))
    script.add(.linkDown(reason: reason))
    script.add(.notification([0x06, 0x48]), link: 1)
    try expectRoundTrip(script)
  }

  @Test(arguments: [CaptureBuilder.strap(), StrapIdentity(address: .unknown)])
  func testLinksWithAndWithoutAnEnd_ReplayToTheSame(_ strap: StrapIdentity) throws {
    var script = SessionScript(links: 5, strap: strap)
    for link in 0..<5 {
      for value in PacketScript.values { script.add(.notification(value), link: link) }
      if link % 2 == 0 { script.add(.linkDown(reason: 0x08), link: link) }
    }
    try expectRoundTrip(script)
  }

  /// Two adapters with the same strap at once.
  @Test func testLinksThatTakeTurns_ReplayToTheSame() throws {
    var script = SessionScript(links: 2)
    for index in 0..<8 { script.add(.notification([0x06, UInt8(index)]), link: index % 2) }
    script.add(.linkDown(reason: 0x08), link: 1)
    script.add(.linkDown(reason: 0x13), link: 0)
    try expectRoundTrip(script)
  }

  @Test func testLinksOfDifferentHandles_ReplayToTheSame() throws {
    var script = SessionScript(links: 2)
    script.links[1].handle = 0x22
    for link in 0..<2 { for value in PacketScript.values { script.add(.notification(value), link: link) } }
    try expectRoundTrip(script)
  }

  @Test(arguments: [
    StrapIdentity(address: BluetoothAddress(value: 0xC0DE_0000_0001, kind: .public)),
    StrapIdentity(address: .unknown),
    StrapIdentity(
      address: BluetoothAddress(value: 1, kind: .random),
      characteristics: [0x2A00: [], 0x2A19: [0], 0x2A29: Array(repeating: 0x41, count: 248), 0x2A24: [0xFF, 0]]),
  ])
  func testAnyIdentity_ReplaysToTheSame(_ strap: StrapIdentity) throws {
    var script = SessionScript(strap: strap)
    for value in PacketScript.values { script.add(.notification(value)) }
    try expectRoundTrip(script)
  }

  @Test func testEqualInstantsAndLongPauses_ReplayToTheSame() throws {
    var script = SessionScript()
    for after: Int64 in [1, 0, 0, 1, 9_999_999, 10_000_001, 86_400_000_000, 0, 400 * 86_400_000_000, 1] {
      script.add(.notification([0x06, 0x48]), after: after)
    }
    try expectRoundTrip(script)
  }

  @Test func testCivilClockThatSteps_MovesNothing() throws {
    // Given: an hour's step of the civil clock amid the session
    var script = SessionScript()
    for value in PacketScript.values + PacketScript.values { script.add(.notification(value)) }
    for index in 3..<6 {
      script.entries[index].wall = script.entries[index].wall.advanced(byMicroseconds: -3_600_000_000)
    }
    // When, Then
    try expectRoundTrip(script)
  }

  @Test func testEntryOfAnUnknownLink_IsLeftOut() {
    var writer = SessionCaptureWriter(session: SessionScript().session, links: [])
    let entry = CaptureBuilder.entry([0x06, 0x48], sequence: 0, arrival: 0)
    #expect(writer.records(entry) == [])
  }

  @Test func testSeveralStraps_AreKeptApartByTheirConnections() throws {
    let entries = CaptureBuilder.entries(SimulatedStrap().notifications().prefix(20).map(\.self))
    let file = CaptureBuilder.capture((1...3).map { (CaptureBuilder.strap($0), entries) })
    let replayed = try ReplayedCapture(file)
    #expect(replayed.addresses == ["C0:FF:EE:00:00:01", "C0:FF:EE:00:00:02", "C0:FF:EE:00:00:03"])
    #expect((0..<3).allSatisfy { replayed.values($0).count == 20 })
  }
}
