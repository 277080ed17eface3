import TachogramCore
import TachogramTestKit
import Testing

@testable import BluetoothKernel

@Suite(.timeLimit(.minutes(5)))
struct KernelLinkPreparationTests {
  private let kernel: KernelEnd
  private let preparation: KernelLinkPreparation

  init() throws {
    kernel = try KernelEnd()
    preparation = KernelLinkPreparation(
      try ManagementSocket(HCISocket(owning: kernel.program)), timeout: .seconds(60))
  }

  private static func strap(_ number: UInt64) -> BluetoothAddress {
    BluetoothAddress(value: 0xC8DE_ADBE_EF00 + number, kind: .random)
  }

  /// Prepares links, and answers the command that follows.
  private func loaded(_ adapter: String, _ strap: BluetoothAddress, status: UInt8 = 0) async throws -> ManagementPacket
  {
    async let prepared: Void = preparation.prepareLinks(from: adapter, to: strap)
    let command = try await answer(status: status)
    await prepared
    return command
  }

  /// Answers the next command.
  private func answer(status: UInt8 = 0) async throws -> ManagementPacket {
    let command = try await kernel.receive()
    try kernel.send(
      ManagementPacket(
        code: 0x0001, adapter: command.adapter, parameters: ManagementPacket.bytes(command.code) + [status]))
    return command
  }

  @Test func testStraps_GetWhatTheyAskForOnceAnAdapter() async throws {
    let first = try await loaded("hci2", Self.strap(1))
    #expect(first.adapter == 2)
    #expect(first.code == 0x0035)
    // One entry: address, random, 250 … 400 × 1.25 ms, no latency, 600 × 10 ms.
    let entry: (UInt8) -> [UInt8] = { [$0, 0xEF, 0xBE, 0xAD, 0xDE, 0xC8, 2, 0xFA, 0, 0x90, 1, 0, 0, 0x58, 2] }
    #expect(first.parameters == [1, 0] + entry(1))
    // Again: nothing to do. With another strap: the list takes the place of the one before.
    await preparation.prepareLinks(from: "hci2", to: Self.strap(1))
    #expect(try await loaded("hci2", Self.strap(2)).parameters == [2, 0] + entry(1) + entry(2))
    // Another adapter has a list of its own.
    #expect(try await loaded("hci0", Self.strap(1)).parameters == [1, 0] + entry(1))
  }

  @Test func testRefusal_IsTriedAgainWithTheNextLink() async throws {
    _ = try await loaded("hci0", Self.strap(1), status: 0x14)
    #expect(try await loaded("hci0", Self.strap(1)).parameters.first == 1)
  }

  @Test func testAdapterThatChanged_IsToldAgain() async throws {
    _ = try await loaded("hci0", Self.strap(1))
    try kernel.send(ManagementPacket(code: 0x0004, adapter: 0))
    // When the event was taken is not to be seen from outside; until then there is nothing to do.
    let answered = TestSignal()
    let answering = Task {
      let command = try await answer()
      await answered.raise()
      return command
    }
    while await answered.count == 0 {
      await preparation.prepareLinks(from: "hci0", to: Self.strap(1))
      try Task.checkCancellation()
      await Task.yield()
    }
    #expect(try await answering.value.parameters.first == 1)
  }

  @Test(arguments: ["hci", "hci65536", "hci-1", "wlan0", ""])
  func testUnknownAdapter_IsPassedOver(adapter: String) async {
    await preparation.prepareLinks(from: adapter, to: Self.strap(1))
    await preparation.prepareLinks(from: "hci0", to: .unknown)
  }

  @Test func testClosedSocket_IsPassedOver() async {
    kernel.end()
    await preparation.prepareLinks(from: "hci0", to: Self.strap(1))
  }
}
