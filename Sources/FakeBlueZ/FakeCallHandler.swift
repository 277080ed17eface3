import DBus

/// A handler of method calls that answers as bluetoothd does: properties, object manager, agents, adapters. Calls of devices,
/// characteristics and monitors are forwarded to their own handlers.
struct FakeCallHandler: Sendable {
  let fake: FakeBlueZ

  /// The signatures of the methods. A call with another signature fails as an unknown method.
  private static let signatures = [
    "RegisterAgent": "os", "RequestDefaultAgent": "o", "UnregisterAgent": "o",
    "StartDiscovery": "", "StopDiscovery": "", "SetDiscoveryFilter": "a{sv}", "GetDiscoveryFilters": "",
    "RemoveDevice": "o", "RegisterMonitor": "o", "UnregisterMonitor": "o",
    "Connect": "", "Disconnect": "", "Pair": "", "CancelPairing": "", "ConnectProfile": "s", "DisconnectProfile": "s",
    "ReadValue": "a{sv}", "WriteValue": "aya{sv}", "StartNotify": "", "StopNotify": "", "AcquireNotify": "a{sv}",
    "AcquireWrite": "a{sv}",
  ]

  /// Answers one call.
  /// - Throws: `DBusError.remote` with the error that bluetoothd would send.
  func answer(_ call: DBusIncomingCall) async throws(DBusError) -> [DBusValue] {
    do {
      switch await fake.begin(call) {
      case .refuse(let error): throw error
      case .stall:
        await fake.stallUntilDeath()
        throw FakeBlueZError.failed("The daemon is gone")
      case nil: return try await respond(call)
      }
    } catch let error as FakeBlueZError {
      throw .remote(name: error.name, message: error.message)
    } catch is DBusError {
      // The contents of the arguments do not fit the method.
      let error = FakeBlueZError.invalidArguments
      throw .remote(name: error.name, message: error.message)
    } catch {
      throw .remote(name: "org.freedesktop.DBus.Error.Failed", message: "\(error)")
    }
  }

  private func respond(_ call: DBusIncomingCall) async throws -> [DBusValue] {
    switch call.interface {
    case FakeNames.introspectable:
      guard call.member == "Introspect" else { throw FakeBlueZError.unknownMethod }
      guard let text = await fake.world.tree.introspection(call.path) else { throw FakeBlueZError.unknownObject }
      return [.string(text)]
    case FakeNames.objectManager:
      guard call.path == .root, call.member == "GetManagedObjects" else { throw FakeBlueZError.unknownMethod }
      return [await fake.world.tree.managedObjects()]
    case FakeNames.properties: return try await properties(call)
    default: break
    }
    guard let interfaces = await fake.world.tree.objects[call.path] else { throw FakeBlueZError.unknownObject }
    guard let interface = call.interface, interfaces[interface] != nil,
      Self.signatures[call.member] == call.arguments.map(\.type.signature).joined()
    else { throw FakeBlueZError.unknownMethod }
    switch interface {
    case FakeNames.agentManager: return try await agents(call)
    case FakeNames.adapter: return try await adapter(call)
    case FakeNames.monitorManager:
      return try await FakeMonitorHandler(fake: fake).respond(call, adapter: try await index(call.path))
    case FakeNames.device: return try await FakeDeviceHandler(fake: fake).respond(call)
    case FakeNames.characteristic, FakeNames.descriptor: return try await FakeGATTHandler(fake: fake).respond(call)
    default: throw FakeBlueZError.unknownMethod
    }
  }

  // MARK: - Properties

  private func properties(_ call: DBusIncomingCall) async throws -> [DBusValue] {
    let tree = await fake.world.tree
    guard let interfaces = tree.objects[call.path] else { throw FakeBlueZError.unknownObject }
    guard let interface = try call.arguments.first?.asString(), let properties = interfaces[interface] else {
      throw FakeBlueZError.unknownProperty
    }
    switch call.member {
    case "GetAll":
      return [FakeObjectTree.encode(properties: properties)]
    case "Get":
      guard let value = properties[try call.arguments.exactly(2)[1].asString()] else {
        throw FakeBlueZError.unknownProperty
      }
      return [.variant(value)]
    case "Set":
      let arguments = try call.arguments.exactly(3)
      try await set(call.path, interface, try arguments[1].asString(), try arguments[2].asVariant())
      return []
    default: throw FakeBlueZError.unknownMethod
    }
  }

  private func set(_ path: DBusObjectPath, _ interface: String, _ name: String, _ value: DBusValue) async throws {
    guard let current = await fake.world.tree.property(path, interface, name) else {
      throw FakeBlueZError.unknownProperty
    }
    guard value.type == current.type else { throw FakeBlueZError.invalidArguments }
    switch (interface, name) {
    case (FakeNames.adapter, "Powered"):
      let isOn = try value.asBool()
      try await fake.mutate { world in
        guard let adapter = world.adapters.values.first(where: { $0.path == path }) else { return }
        try world.setPowered(adapter.index, isOn)
      }
    case (FakeNames.adapter, "Alias"), (FakeNames.adapter, "Discoverable"), (FakeNames.adapter, "Pairable"),
      (FakeNames.device, "Alias"), (FakeNames.device, "Trusted"), (FakeNames.device, "Blocked"):
      await fake.mutate { $0.tree.set(path, interface, [name: value]) }
    default: throw FakeBlueZError.readOnlyProperty
    }
  }

  // MARK: - Agents

  private func agents(_ call: DBusIncomingCall) async throws -> [DBusValue] {
    guard let path = try call.arguments.first?.asPath() else { throw FakeBlueZError.invalidArguments }
    let client = call.sender
    switch call.member {
    case "RegisterAgent":
      let text = try call.arguments.exactly(2)[1].asString()
      let agent = FakeAgent(owner: client, path: path, capability: text.isEmpty ? "KeyboardDisplay" : text)
      try await fake.mutate { try $0.register(agent) }
    case "RequestDefaultAgent": try await fake.mutate { try $0.makeDefault(client: client) }
    case "UnregisterAgent": try await fake.mutate { try $0.unregister(client: client, path: path) }
    default: throw FakeBlueZError.unknownMethod
    }
    return []
  }

  // MARK: - Adapters

  private func index(_ path: DBusObjectPath) async throws -> Int {
    guard let index = await fake.world.adapters.values.first(where: { $0.path == path })?.index else {
      throw FakeBlueZError.unknownObject
    }
    return index
  }

  private func adapter(_ call: DBusIncomingCall) async throws -> [DBusValue] {
    let index = try await index(call.path)
    let client = call.sender
    switch call.member {
    case "StartDiscovery": try await fake.mutate { try FakeDiscovery.start(&$0, index, client: client) }
    case "StopDiscovery": try await fake.mutate { try FakeDiscovery.stop(&$0, index, client: client) }
    case "SetDiscoveryFilter":
      guard await fake.world.adapters[index]?.isPowered == true else { throw FakeBlueZError.notReady }
      let filter = try FakeDiscoveryFilter(try call.arguments.exactly(1)[0].asProperties())
      try await fake.mutate { try FakeDiscovery.setFilter(&$0, index, client: client, filter) }
    case "GetDiscoveryFilters":
      return [.strings(["UUIDs", "RSSI", "Pathloss", "Transport", "DuplicateData", "Discoverable", "Pattern"])]
    case "RemoveDevice":
      let path = try call.arguments.exactly(1)[0].asPath()
      try await fake.mutate { world in
        guard let device = world.devices[path], device.adapter == index else { throw FakeBlueZError.doesNotExist }
        guard world.adapters[index]?.isPowered == true else { throw FakeBlueZError.notReady }
        // The daemon's cache of the device's services is removed with the device.
        if let address = world.devices[path]?.address { world.air[address]?.isCachePoisoned = false }
        world.removeDevice(path)
        FakeDiscovery.hear(&world, device.address, on: index)
      }
    default: throw FakeBlueZError.unknownMethod
    }
    return []
  }
}
