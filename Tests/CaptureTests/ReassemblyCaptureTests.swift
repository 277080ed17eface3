import Capture
import TachogramCore
import TachogramTestKit
import Testing

struct ReassemblyCaptureTests {
  private static let long: [UInt8] = [0x16, 0x48] + (0..<9).flatMap { [UInt8($0), 0x03] }

  @Test(arguments: 1...40)
  func testFragmentsOfAnySize_AreJoined(_ size: Int) throws {
    // Given
    var script = PacketScript()
    script.fragment = size
    script.connect()
    script.discover()
    for _ in 0..<3 { script.notify(Self.long) }
    for variant in FormatVariant.representatives + [FormatVariant.pcap[4]] {
      // When
      let replayed = try ReplayedCapture(variant.wrap(script))
      // Then
      #expect(replayed.values() == [Self.long, Self.long, Self.long], "\(variant)")
    }
  }

  /// 187 in pcap does not tell the direction: the fragments themselves do.
  @Test(arguments: FormatVariant.representatives + [FormatVariant.pcap[4]], 1...12)
  func testFragmentsOfBothDirectionsInterleaved_AreKeptApart(_ variant: FormatVariant, size: Int) throws {
    // Given: a request of the host between the fragments of every notification
    var script = PacketScript()
    script.connect()
    script.discover()
    let notification = [UInt8(Self.long.count + 3), 0, 4, 0, 0x1B, 0x10, 0] + Self.long
    let request: [UInt8] = [3, 0, 4, 0, 0x0A, 0x77, 0]
    for _ in 0..<3 {
      for start in stride(from: 0, to: notification.count, by: size) {
        let piece = Array(notification[start..<min(notification.count, start + size)])
        script.fragmented(piece, isStart: start == 0, isReceived: true)
        if start == 0 { script.fragmented(request, isStart: true, isReceived: false) }
      }
    }
    // When
    let replayed = try ReplayedCapture(variant.wrap(script))
    // Then
    #expect(replayed.values() == [Self.long, Self.long, Self.long])
  }

  @Test func testContinuationOfTheHost_BelongsToTheHostWithoutDirection() throws {
    // Given: a write of the host in two pieces, where the capture does not tell the direction
    var script = PacketScript()
    script.connect()
    script.fragmented([5, 0, 4, 0, 0x12], isStart: true, isReceived: false)
    script.fragmented([0x11, 0, 1, 0], isStart: false, isReceived: false)
    for _ in 0..<2 { script.notify([0x06, 0x48]) }
    // When
    let file = CaptureWrapping.pcap(CaptureWrapping.records(script, linkType: 187), linkType: 187)
    let replayed = try ReplayedCapture(file)
    // Then: the subscription was understood, so that the handle can be inferred
    #expect(replayed.plan.straps.first?.links.map(\.handleSource) == [.inferred])
    #expect(replayed.values().count == 2)
  }

  @Test(arguments: FormatVariant.representatives)
  func testContinuationWithoutStart_IsLeftOut(_ variant: FormatVariant) throws {
    // Given
    var script = PacketScript()
    script.fragmented([0x10, 0, 0x06, 0x48, 9, 9, 9], isStart: false, isReceived: true)
    script.connect()
    script.discover()
    script.fragmented([0x10, 0, 0x06, 0x48, 9, 9, 9], isStart: false, isReceived: true)
    script.notify([0x06, 0x48])
    script.fragmented([0x06, 0x49], isStart: false, isReceived: true)
    script.notify([0x06, 0x4A])
    // When
    let replayed = try ReplayedCapture(variant.wrap(script))
    // Then
    #expect(replayed.values() == [[0x06, 0x48], [0x06, 0x4A]])
  }

  @Test(arguments: FormatVariant.representatives)
  func testStartBeforeTheEndOfAnother_GivesTheUnfinishedOneUp(_ variant: FormatVariant) throws {
    var script = PacketScript()
    script.connect()
    script.discover()
    script.fragmented([9, 0, 4, 0, 0x1B, 0x10], isStart: true, isReceived: true)
    script.notify([0x06, 0x48])
    script.fragmented([9], isStart: true, isReceived: true)
    script.notify([0x06, 0x49])
    let replayed = try ReplayedCapture(variant.wrap(script))
    #expect(replayed.values() == [[0x06, 0x48], [0x06, 0x49]])
  }

  @Test(arguments: 1...3)
  func testHeaderCutInTwo_IsJoined(_ first: Int) throws {
    var script = PacketScript()
    script.connect()
    script.discover()
    let frame: [UInt8] = [5, 0, 4, 0, 0x1B, 0x10, 0, 0x06, 0x48]
    script.fragmented(Array(frame[..<first]), isStart: true, isReceived: true)
    script.fragmented([], isStart: false, isReceived: true)
    script.fragmented(Array(frame[first...]), isStart: false, isReceived: true)
    let replayed = try ReplayedCapture(CaptureWrapping.btsnoop(script))
    #expect(replayed.values() == [[0x06, 0x48]])
  }

  @Test func testBytesBehindAPDU_AreLeftOut() throws {
    // Given: more in the ACL packet than the PDU's own length says, in one piece and in two
    var script = PacketScript()
    script.connect()
    script.discover()
    script.fragmented([5, 0, 4, 0, 0x1B, 0x10, 0, 0x06, 0x48, 0xEE, 0xEE], isStart: true, isReceived: true)
    script.fragmented([5, 0, 4, 0, 0x1B, 0x10], isStart: true, isReceived: true)
    script.fragmented([0, 0x06, 0x49, 0xEE], isStart: false, isReceived: true)
    // When
    let replayed = try ReplayedCapture(CaptureWrapping.btsnoop(script))
    // Then
    #expect(replayed.values() == [[0x06, 0x48], [0x06, 0x49]])
  }

  @Test func testPacketsThatContradictTheirLength_AreCounted() throws {
    // Given: an ACL packet and an event that promise more than they have, and records too short for any header
    var script = PacketScript.session()
    script.add([2, 0x40, 0x20, 9, 0, 5, 0, 4, 0, 0x1B], isReceived: true)
    script.add([4, 0x05, 4, 0, 0x40], isReceived: true)
    script.add([2, 0x40], isReceived: true)
    script.add([4], isReceived: true)
    script.notify([0x06, 0x50])
    // When
    let replayed = try ReplayedCapture(CaptureWrapping.btsnoop(script))
    // Then
    #expect(replayed.summary.malformedPackets == 4)
    #expect(replayed.summary.damaged == 0)
    #expect(replayed.values().count == 3)
  }
}
