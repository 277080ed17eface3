import TachogramCore
import TachogramTestKit
import Testing

@testable import BluetoothKernel

@Suite(.timeLimit(.minutes(5)))
struct KernelDisconnectReasonsTests {
  private static let far = MonotonicTime(microseconds: .max)

  private let kernel: KernelEnd
  private let reasons: KernelDisconnectReasons
  private let time = ScaledTimeSource(factor: 1)

  init() throws {
    kernel = try KernelEnd()
    reasons = KernelDisconnectReasons(try ManagementSocket(HCISocket(owning: kernel.program)), time: time)
  }

  private static func strap(_ number: UInt64) -> BluetoothAddress {
    BluetoothAddress(value: 0xC8DE_ADBE_EF00 + number, kind: .random)
  }

  private func send(_ code: UInt16, _ strap: BluetoothAddress, _ parameters: [UInt8]) throws {
    let peer = ManagementPeer(address: strap, isLowEnergy: true)
    try kernel.send(ManagementPacket(code: code, adapter: 0, parameters: peer.bytes + parameters))
  }

  private func disconnect(_ strap: BluetoothAddress, _ reason: DisconnectionReason) throws {
    try send(0x000C, strap, [reason.rawValue])
  }

  @Test(arguments: DisconnectionReason.allCases)
  func testReason_IsKnownOnceTheKernelToldIt(reason: DisconnectionReason) async throws {
    // Given: somebody waits already
    async let waited = reasons.reason(of: Self.strap(1), until: Self.far)
    // When
    try disconnect(Self.strap(1), reason)
    // Then
    #expect(await waited == reason.hciCode)
    #expect(reasons.reason(of: Self.strap(1)) == reason.hciCode)
    // D-Bus does not always tell the kind of an address.
    #expect(reasons.reason(of: BluetoothAddress(value: Self.strap(1).value, kind: .public)) == reason.hciCode)
    #expect(reasons.reason(of: Self.strap(2)) == nil)
  }

  @Test func testNewLink_HasNoReasonYet() async throws {
    try disconnect(Self.strap(1), .timeout)
    #expect(await reasons.reason(of: Self.strap(1), until: Self.far) == 0x08)
    // Connected, then another strap, so that it is known when the first was taken.
    try send(0x000B, Self.strap(1), [0, 0, 0, 0, 0, 0])
    try disconnect(Self.strap(2), .remoteDevice)
    #expect(await reasons.reason(of: Self.strap(2), until: Self.far) == 0x13)
    #expect(reasons.reason(of: Self.strap(1)) == nil)
  }

  @Test func testReasonThatDoesNotCome_IsNotWaitedForLonger() async {
    let due = time.now().monotonic.advanced(byMicroseconds: 20_000)
    #expect(await reasons.reason(of: Self.strap(1), until: due) == nil)
    #expect(time.now().monotonic >= due)
    // Nor by a task that is cancelled.
    let waiting = Task { await reasons.reason(of: Self.strap(1), until: Self.far) }
    waiting.cancel()
    #expect(await waiting.value == nil)
  }

  @Test func testReasons_AreForgottenAfterSeconds() async throws {
    let kernel = try KernelEnd()
    let time = ScaledTimeSource(factor: 10)
    let reasons = KernelDisconnectReasons(try ManagementSocket(HCISocket(owning: kernel.program)), time: time)
    let peer = ManagementPeer(address: Self.strap(1), isLowEnergy: true)
    async let waited = reasons.reason(of: Self.strap(1), until: Self.far)
    try kernel.send(ManagementPacket(code: 0x000C, adapter: 0, parameters: peer.bytes + [3]))
    #expect(await waited == 0x13)
    try await time.sleep(until: time.now().monotonic.advanced(byMicroseconds: 6_000_000))
    #expect(reasons.reason(of: Self.strap(1)) == nil)
  }

  @Test func testManyStraps_AreKeptUpToALimit() async throws {
    for number in 0..<200 { try disconnect(Self.strap(UInt64(number)), .remoteDevice) }
    #expect(await reasons.reason(of: Self.strap(199), until: Self.far) == 0x13)
    let known = (0..<200).filter { reasons.reason(of: Self.strap(UInt64($0))) != nil }
    #expect(known == Array(136..<200))
  }

  @Test func testLostSocket_LeavesReasonsUnknown() async {
    kernel.end()
    let due = time.now().monotonic.advanced(byMicroseconds: 20_000)
    #expect(await reasons.reason(of: Self.strap(1), until: due) == nil)
  }
}
