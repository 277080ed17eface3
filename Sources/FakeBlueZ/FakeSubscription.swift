import DBus

/// A characteristic of a device, and who is subscribed to it (BlueZ 5.66, `src/gatt-client.c`).
package struct FakeSubscription: Sendable {
  package let characteristic: FakeService.Characteristic
  /// Clients of `StartNotify`, by unique name, and whether the strap is notified: a client outlives the link, and the
  /// daemon subscribes anew when the strap comes back.
  package private(set) var clients: [String: Bool] = [:]
  /// Who has acquired the socket. The daemon never answers when the strap refuses the subscription: then there is no
  /// socket.
  private(set) var acquired: (owner: String, socket: FakeNotifySocket?)?

  init(_ characteristic: FakeService.Characteristic) {
    self.characteristic = characteristic
  }

  /// Whether anybody would receive a value.
  package var isActive: Bool { acquired?.socket != nil || clients.values.contains(true) }
  /// How many clients of `StartNotify` there are whom the strap knows of.
  var listeners: Int { clients.values.count { $0 } }
  /// Whether the socket is acquired.
  package var isAcquired: Bool { acquired?.socket != nil }
  /// The property `Notifying`: somebody is subscribed by `StartNotify`. The daemon does not take it back when the
  /// link ends.
  package private(set) var isNotifying = false

  private var canNotify: Bool { characteristic.flags.contains("notify") }
  private var canIndicate: Bool { characteristic.flags.contains("indicate") }

  // MARK: - StartNotify

  /// Subscribes a client; without effect when it is subscribed already.
  mutating func start(_ client: String, isConnected: Bool, isAllowed: Bool) throws(FakeBlueZError) {
    if acquired != nil { throw .notPermitted("Notify acquired") }
    guard canNotify || canIndicate else { throw .notSupported }
    if let isTold = clients[client] {
      if isTold { return }
      throw .inProgress
    }
    if isConnected && !isAllowed { throw .attribute(0x05) }
    clients[client] = isConnected
    if isConnected { isNotifying = true }
  }

  /// Ends a client's subscription, or, as bluetoothd does, whoever has the socket.
  mutating func stop(_ client: String) throws(FakeBlueZError) {
    if acquired != nil {
      release()
    } else if clients.removeValue(forKey: client) == nil {
      throw .failed("No notify session started")
    }
    updateNotifying()
  }

  // MARK: - AcquireNotify

  /// Whether a client may acquire the socket.
  func checkAcquiring() throws(FakeBlueZError) {
    if acquired != nil { throw .notPermitted("Notify acquired") }
    guard clients.isEmpty else { throw .inProgress }
    guard canNotify else { throw .notSupported }
  }

  mutating func acquire(_ client: String, _ socket: FakeNotifySocket?) {
    acquired = (client, socket)
  }

  /// Takes the socket back.
  mutating func release() {
    acquired?.socket?.shutDown()
    acquired = nil
  }

  // MARK: - The link, and clients that vanish

  mutating func linkEnded() {
    release()
    for client in clients.keys { clients[client] = false }
  }

  /// Subscribes the clients that outlived the last link.
  mutating func linkResolved(isAllowed: Bool) {
    if isAllowed {
      for client in clients.keys { clients[client] = true }
    } else {
      clients.removeAll()
    }
    if clients.values.contains(true) { isNotifying = true }
  }

  mutating func clientVanished(_ client: String) {
    clients[client] = nil
    if acquired?.owner == client { release() }
    updateNotifying()
  }

  private mutating func updateNotifying() {
    if !clients.values.contains(true) { isNotifying = false }
  }

  /// Its properties as far as they change.
  var properties: FakeObjectTree.Properties {
    var properties: FakeObjectTree.Properties = [:]
    if canNotify || canIndicate { properties["Notifying"] = .bool(isNotifying) }
    if canNotify { properties["NotifyAcquired"] = .bool(isAcquired) }
    return properties
  }
}
