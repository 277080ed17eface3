import TachogramCore
import Testing

@testable import BluetoothKernel

struct ManagementPacketTests {
  @Test(
    arguments: [
      (ManagementCommand.readSupportedCommands, [2, 0, 0xFF, 0xFF, 0, 0]),
      (.readAdapterList, [3, 0, 0xFF, 0xFF, 0, 0]),
      (.readAdapterInformation(adapter: 1), [4, 0, 1, 0, 0, 0]),
      (.loadConnectionParameters(adapter: 0, []), [0x35, 0, 0, 0, 2, 0, 0, 0]),
    ] as [(ManagementCommand, [UInt8])])
  func testCommand_IsTheBytesOfTheSpecification(_ command: ManagementCommand, _ bytes: [UInt8]) throws {
    #expect(try command.packet.encoded() == bytes)
    #expect(try ManagementPacket(decoding: bytes) == command.packet)
  }

  @Test func testLoadConnectionParameters_HasAnEntryOf15BytesForEachPeer() throws {
    // Given
    let parameters = try #require(ConnectionParameters(intervals: 250...400, latency: 1, supervisionTimeout: 600))
    let peers = [
      PeerConnectionParameters(address: try KernelFixture.strap(.random), parameters: parameters),
      PeerConnectionParameters(address: try KernelFixture.strap(.public), parameters: parameters),
    ]
    // When
    let bytes = try ManagementCommand.loadConnectionParameters(adapter: 0, peers).packet.encoded()
    // Then
    let expected: [UInt8] = [
      0x35, 0, 0, 0, 32, 0, 2, 0,
      1, 0, 0, 0xEE, 0xFF, 0xC0, 2, 0xFA, 0x00, 0x90, 0x01, 0x01, 0x00, 0x58, 0x02,
      1, 0, 0, 0xEE, 0xFF, 0xC0, 1, 0xFA, 0x00, 0x90, 0x01, 0x01, 0x00, 0x58, 0x02,
    ]
    #expect(bytes == expected)
  }

  @Test(arguments: 0..<6)
  func testShortHeader_IsTruncated(_ length: Int) {
    let bytes = [UInt8](repeating: 0, count: length)
    #expect(throws: ManagementPacketError.self) { try ManagementPacket(decoding: bytes) }
  }

  @Test(arguments: [
    ([1, 0, 0, 0, 2, 0, 9], 2, 1), ([1, 0, 0, 0, 0, 0, 9], 0, 1), ([1, 0, 0, 0, 0xFF, 0xFF], 65_535, 0),
  ])
  func testWrongLength_IsAMismatch(_ bytes: [UInt8], _ declared: Int, _ present: Int) {
    #expect(throws: ManagementPacketError.lengthMismatch(declared: declared, present: present)) {
      try ManagementPacket(decoding: bytes)
    }
  }

  @Test func testTooManyParameters_CannotBeSent() {
    let packet = ManagementPacket(code: 1, adapter: nil, parameters: [UInt8](repeating: 0, count: 65_536))
    #expect(throws: ManagementPacketError.tooLong(what: "the parameters", length: 65_536)) { try packet.encoded() }
  }

  @Test func testAnyPrefixOfAnyPacket_NeverTraps() throws {
    // Given: events, answers and the description of an adapter
    let parameters = KernelFixture.information(settings: 0x0201, name: "hci")
    for code in UInt16(0)...0x40 {
      for length in 0...parameters.count {
        // When
        let packet = ManagementPacket(code: code, adapter: 0, parameters: Array(parameters.prefix(length)))
        // Then
        _ = try? ManagementEvent(packet)
        let reply = try? ManagementReply(packet)
        _ = try? reply?.adapterIndices()
        _ = try? reply?.supportedEvents()
        _ = try? KernelAdapter(index: 0, information: packet.parameters)
      }
    }
  }
}
