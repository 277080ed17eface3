import TachogramCore
import Testing

@testable import BluetoothKernel

struct ManagementEventTests {
  private static let address: [UInt8] = [1, 0, 0, 0xEE, 0xFF, 0xC0]

  private func event(_ code: UInt16, _ parameters: [UInt8], adapter: UInt16? = 0) throws -> ManagementEvent? {
    try ManagementEvent(ManagementPacket(code: code, adapter: adapter, parameters: parameters))
  }

  @Test func testAdapterEvents_AreDecoded() throws {
    #expect(try event(0x0004, [], adapter: 2) == .adapterAdded(adapter: 2))
    #expect(try event(0x0005, [], adapter: 2) == .adapterRemoved(adapter: 2))
    #expect(try event(0x0003, [7]) == .adapterFailed(adapter: 0, code: 7))
    #expect(try event(0x0006, [1, 2, 0, 0]) == .settingsChanged(adapter: 0, [.powered, .lowEnergy]))
  }

  @Test func testConnected_IgnoresTheAdvertisingDataBehind() throws {
    // Given: flags and two bytes of data follow the address
    let parameters = Self.address + [2, 0, 0, 0, 0, 2, 0, 1, 6]
    // When
    let event = try event(0x000B, parameters)
    // Then
    #expect(
      event == .connected(adapter: 0, ManagementPeer(address: try KernelFixture.strap(.random), isLowEnergy: true)))
  }

  @Test(
    arguments: [
      (0, DisconnectionReason.unspecified, 0x00), (1, .timeout, 0x08), (2, .localHost, 0x16), (3, .remoteDevice, 0x13),
      (4, .authenticationFailure, 0x05), (5, .localSuspend, 0x16), (6, .unspecified, 0x00), (255, .unspecified, 0x00),
    ] as [(UInt8, DisconnectionReason, UInt8)])
  func testDisconnected_HasReasonAsHCIErrorCode(_ byte: UInt8, _ reason: DisconnectionReason, _ code: UInt8) throws {
    let peer = ManagementPeer(address: try KernelFixture.strap(.public), isLowEnergy: true)
    #expect(try event(0x000C, Self.address + [1, byte]) == .disconnected(adapter: 0, peer, reason))
    #expect(reason.hciCode == code)
  }

  @Test func testConnectFailed_HasStatus() throws {
    let peer = ManagementPeer(address: try KernelFixture.strap(.public), isLowEnergy: false)
    #expect(
      try event(0x000D, Self.address + [0, 8]) == .connectFailed(adapter: 0, peer, ManagementStatus(rawValue: 8)))
  }

  @Test(arguments: [0x0001, 0x0002, 0x0007, 0x0012, 0xFFFF] as [UInt16])
  func testOtherCodes_AreNoEvent(_ code: UInt16) throws {
    #expect(try event(code, [0, 0, 0, 0, 0, 0, 0, 0]) == nil)
  }

  @Test(arguments: [(0x0003, 1), (0x0006, 4), (0x000B, 7), (0x000C, 8), (0x000D, 8)] as [(UInt16, Int)])
  func testShortEvent_IsTruncated(_ code: UInt16, _ needed: Int) {
    for length in 0..<needed {
      #expect(throws: ManagementPacketError.self) { try event(code, [UInt8](repeating: 0, count: length)) }
    }
  }
}
