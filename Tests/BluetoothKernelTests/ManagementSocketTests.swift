import TachogramCore
import Testing

@testable import BluetoothKernel

@Suite(.timeLimit(.minutes(5)))
struct ManagementSocketTests {
  /// Command Complete for a command.
  private static func complete(
    _ command: ManagementPacket, status: UInt8 = 0, _ parameters: [UInt8] = [],
  ) -> ManagementPacket {
    ManagementPacket(
      code: 0x0001, adapter: command.adapter,
      parameters: ManagementPacket.bytes(command.code) + [status] + parameters)
  }

  @Test func testAdapters_AreReadOneByOneAndVanishedOnesLeftOut() async throws {
    // Given
    let kernel = try KernelEnd()
    let socket = try ManagementSocket(HCISocket(owning: kernel.program))
    // When
    async let adapters = socket.adapters()
    try kernel.send(Self.complete(try await kernel.receive(), [3, 0, 2, 0, 0, 0, 1, 0]))
    try kernel.send(
      Self.complete(try await kernel.receive(), KernelFixture.information(settings: 0x0201, name: "first")))
    try kernel.send(Self.complete(try await kernel.receive(), status: 0x11))
    try kernel.send(Self.complete(try await kernel.receive(), KernelFixture.information(settings: 0, name: "third")))
    // Then
    let found = try await adapters
    #expect(found.map(\.index) == [0, 2])
    #expect(found.map(\.name) == ["first", "third"])
    #expect(found.first?.current == [.powered, .lowEnergy])
    #expect(found.first?.address.description == "00:80:5F:9B:34:FB")
    #expect(found.first?.version == 13)
    #expect(found.first?.manufacturer == 15)
    socket.close()
  }

  @Test func testRefusal_IsAnErrorWithItsStatus() async throws {
    // Given
    let kernel = try KernelEnd()
    let socket = try ManagementSocket(HCISocket(owning: kernel.program))
    // When: Command Status instead of Command Complete
    let load = Task { try await socket.loadConnectionParameters(adapter: 0, []) }
    let command = try await kernel.receive()
    try kernel.send(
      ManagementPacket(code: 0x0002, adapter: 0, parameters: ManagementPacket.bytes(command.code) + [0x14]))
    // Then
    await #expect(throws: ManagementError.refused(.loadConnectionParameters(adapter: 0, []), .permissionDenied)) {
      try await load.value
    }
    socket.close()
  }

  @Test func testAnswersOutOfOrder_ReachTheirRequests() async throws {
    // Given
    let kernel = try KernelEnd()
    let socket = try ManagementSocket(HCISocket(owning: kernel.program))
    // When
    async let first = socket.adapter(1)
    async let second = socket.adapter(2)
    let commands = [try await kernel.receive(), try await kernel.receive()]
    for command in commands.sorted(by: { ($0.adapter ?? 0) > ($1.adapter ?? 0) }) {
      let name = "adapter \(command.adapter ?? 0)"
      try kernel.send(Self.complete(command, KernelFixture.information(settings: 0, name: name)))
    }
    // Then
    #expect(try await first.name == "adapter 1")
    #expect(try await second.name == "adapter 2")
    socket.close()
  }

  @Test func testNoAnswer_TimesOut() async throws {
    // Given
    let kernel = try KernelEnd()
    let socket = try ManagementSocket(HCISocket(owning: kernel.program))
    // When, Then
    await #expect(throws: ManagementError.timedOut(.readAdapterList)) {
      try await socket.perform(.readAdapterList, timeout: .milliseconds(20))
    }
    _ = try await kernel.receive()
    socket.close()
  }

  @Test func testUnreadablePackets_ArePassedOver() async throws {
    // Given
    let kernel = try KernelEnd()
    let socket = try ManagementSocket(HCISocket(owning: kernel.program))
    // When
    async let hears = socket.hearsDisconnections()
    let command = try await kernel.receive()
    kernel.send([1])
    kernel.send([1, 0, 0, 0, 9, 0, 0])
    try kernel.send(ManagementPacket(code: 0x0001, adapter: nil, parameters: [2]))
    try kernel.send(Self.complete(command, [1, 0, 2, 0, 0x03, 0, 0x0B, 0, 0x0C, 0]))
    // Then
    #expect(try await hears)
    socket.close()
  }

  @Test func testAnswerOfAnotherShape_IsUnexpected() async throws {
    // Given
    let kernel = try KernelEnd()
    let socket = try ManagementSocket(HCISocket(owning: kernel.program))
    // When
    let adapters = Task { try await socket.adapters() }
    try kernel.send(Self.complete(try await kernel.receive(), [2, 0, 0, 0]))
    // Then
    await #expect(
      throws: ManagementError.unexpected(.truncated(what: "the list of adapters", needed: 6, available: 4))
    ) { try await adapters.value }
    socket.close()
  }

  @Test func testEvents_ReachEveryStreamUntilClosed() async throws {
    // Given
    let kernel = try KernelEnd()
    let socket = try ManagementSocket(HCISocket(owning: kernel.program))
    let streams = [socket.events(), socket.events()]
    let peer = ManagementPeer(address: try KernelFixture.strap(.random), isLowEnergy: true)
    // When: the answer comes after the events, so they were read when it is there
    async let reply = socket.perform(.readAdapterList)
    try kernel.send(ManagementPacket(code: 0x0004, adapter: 1))
    try kernel.send(ManagementPacket(code: 0x000C, adapter: 0, parameters: peer.bytes + [1]))
    try kernel.send(Self.complete(try await kernel.receive(), [0, 0]))
    _ = try await reply
    socket.close()
    // Then
    for stream in streams {
      var events: [ManagementEvent] = []
      for await event in stream { events.append(event) }
      #expect(events == [.adapterAdded(adapter: 1), .disconnected(adapter: 0, peer, .timeout)])
    }
    for await event in socket.events() { Issue.record("an event after the end: \(event)") }
  }

  @Test func testClose_EndsWaitingRequests() async throws {
    // Given
    let kernel = try KernelEnd()
    let socket = try ManagementSocket(HCISocket(owning: kernel.program))
    let reply = Task { try await socket.perform(.readAdapterList, timeout: .seconds(600)) }
    _ = try await kernel.receive()
    // When
    socket.close()
    socket.close()
    // Then
    await #expect(throws: ManagementError.closed) { try await reply.value }
    await #expect(throws: ManagementError.closed) { try await socket.perform(.readAdapterList) }
  }

  @Test func testLostSocket_EndsEverything() async throws {
    // Given
    let kernel = try KernelEnd()
    let socket = try ManagementSocket(HCISocket(owning: kernel.program))
    let events = socket.events()
    let reply = Task { try await socket.perform(.readAdapterList, timeout: .seconds(600)) }
    _ = try await kernel.receive()
    // When
    kernel.end()
    // Then
    await #expect(throws: ManagementError.closed) { try await reply.value }
    for await event in events { Issue.record("an event from nowhere: \(event)") }
  }

  @Test func testCancellation_EndsTheRequestAtOnce() async throws {
    // Given
    let kernel = try KernelEnd()
    let socket = try ManagementSocket(HCISocket(owning: kernel.program))
    let waiting = Task { try await socket.perform(.readAdapterList, timeout: .seconds(600)) }
    _ = try await kernel.receive()
    // When
    waiting.cancel()
    // Then
    await #expect(throws: ManagementError.cancelled) { try await waiting.value }
    // A task that is cancelled before it asks.
    let early = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await socket.perform(.readAdapterList, timeout: .seconds(600))
    }
    await #expect(throws: ManagementError.cancelled) { try await early.value }
    socket.close()
  }
}
