import DBus

/// A handler of calls to characteristics and descriptors.
struct FakeGATTHandler: Sendable {
  let fake: FakeBlueZ

  func respond(_ call: DBusIncomingCall) async throws -> [DBusValue] {
    let (path, client) = (call.path, call.sender)
    switch (call.interface, call.member) {
    case (FakeNames.characteristic, "ReadValue"):
      let value = try await fake.mutate { try FakeGATT.read(&$0, path) }
      guard let offset = try Self.options(call, at: 0)["offset"] else { return [.bytes(value)] }
      let start = Int(try offset.asUInt16())
      guard start <= value.count else { throw FakeBlueZError.invalidOffset }
      return [.bytes(Array(value[start...]))]
    case (FakeNames.characteristic, "WriteValue"):
      let way = try Self.options(call, at: 1)["type"]?.asString()
      let value = try call.arguments[0].asBytes()
      try await fake.mutate { try FakeGATT.write(&$0, path, value, way: way) }
    case (FakeNames.characteristic, "StartNotify"):
      try await fake.mutate { try FakeGATT.startNotify(&$0, path, client: client) }
    case (FakeNames.characteristic, "StopNotify"):
      try await fake.mutate { try FakeGATT.stopNotify(&$0, path, client: client) }
    case (FakeNames.characteristic, "AcquireNotify"):
      return try await acquireNotify(call)
    case (FakeNames.characteristic, "AcquireWrite"):
      // No characteristic of a strap supports a stream of writes.
      throw FakeBlueZError.notSupported
    case (FakeNames.descriptor, "ReadValue"):
      return [.bytes(try await fake.mutate { try FakeGATT.readDescriptor($0, path) })]
    case (FakeNames.descriptor, "WriteValue"):
      // bluetoothd writes the client configuration itself.
      throw FakeBlueZError.attribute(0x03)
    default: throw FakeBlueZError.unknownMethod
    }
    return []
  }

  private func acquireNotify(_ call: DBusIncomingCall) async throws -> [DBusValue] {
    _ = try Self.options(call, at: 0)
    let (path, client) = (call.path, call.sender)
    let closing = FakeShutdown()
    guard
      let (socket, theirs) = FakeNotifySocket.pair(closed: { [weak fake] in
        guard let socket = closing.socket else { return }
        Task { await fake?.mutate { FakeGATT.socketClosed(&$0, path, socket) } }
      })
    else { throw FakeBlueZError.failed("Too many open files") }
    closing.socket = socket
    let mtu: UInt16?
    do {
      mtu = try await fake.mutate { try FakeGATT.acquireNotify(&$0, path, client: client, socket) }
    } catch {
      socket.shutDown()
      throw error
    }
    guard let mtu else {
      socket.shutDown()
      await fake.stallUntilDeath()
      throw FakeBlueZError.failed("The daemon is gone")
    }
    return [.fileDescriptor(theirs), .uint16(mtu)]
  }

  /// Returns the options of a call: a required `a{sv}`.
  private static func options(_ call: DBusIncomingCall, at index: Int) throws -> [String: DBusValue] {
    try call.arguments.exactly(index + 1)[index].asProperties()
  }
}
