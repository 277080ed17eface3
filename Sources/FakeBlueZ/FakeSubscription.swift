import DBus

/// A characteristic of a device and its subscribers (BlueZ 5.66, `src/gatt-client.c`).
package struct FakeSubscription: Sendable {
  package let characteristic: FakeService.Characteristic
  /// The clients of `StartNotify` by unique name, and whether each is subscribed on the strap. A client outlives the link, and
  /// the daemon subscribes again when the strap reconnects.
  package private(set) var clients: [String: Bool] = [:]
  /// The client that has acquired the socket. The socket is `nil` if the strap refuses the subscription; the daemon then never
  /// answers.
  private(set) var acquired: (owner: String, socket: FakeNotifySocket?)?

  init(_ characteristic: FakeService.Characteristic) {
    self.characteristic = characteristic
  }

  /// Whether a client would receive a value.
  package var isActive: Bool { acquired?.socket != nil || clients.values.contains(true) }
  /// The number of clients of `StartNotify` that are subscribed on the strap.
  var listeners: Int { clients.values.count { $0 } }
  /// Whether the socket is acquired.
  package var isAcquired: Bool { acquired?.socket != nil }
  /// The property `Notifying`: whether a client is subscribed by `StartNotify`. The daemon does not reset it when the link
  /// ends.
  package private(set) var isNotifying = false

  private var canNotify: Bool { characteristic.flags.contains("notify") }
  private var canIndicate: Bool { characteristic.flags.contains("indicate") }

  // MARK: - StartNotify

  /// Subscribes a client. Has no effect if it is subscribed already.
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

  /// Ends the subscription of a client. If the socket is acquired, releases it instead, whichever client owns it, as bluetoothd
  /// does.
  mutating func stop(_ client: String) throws(FakeBlueZError) {
    if acquired != nil {
      release()
    } else if clients.removeValue(forKey: client) == nil {
      throw .failed("No notify session started")
    }
    updateNotifying()
  }

  // MARK: - AcquireNotify

  /// Throws if a client may not acquire the socket.
  func checkAcquiring() throws(FakeBlueZError) {
    if acquired != nil { throw .notPermitted("Notify acquired") }
    guard clients.isEmpty else { throw .inProgress }
    guard canNotify else { throw .notSupported }
  }

  mutating func acquire(_ client: String, _ socket: FakeNotifySocket?) {
    acquired = (client, socket)
  }

  /// Closes and releases the socket.
  mutating func release() {
    acquired?.socket?.shutDown()
    acquired = nil
  }

  // MARK: - The link, and clients that vanish

  mutating func linkEnded() {
    release()
    for client in clients.keys { clients[client] = false }
  }

  /// Subscribes the clients kept from the last link.
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

  /// The properties that can change.
  var properties: FakeObjectTree.Properties {
    var properties: FakeObjectTree.Properties = [:]
    if canNotify || canIndicate { properties["Notifying"] = .bool(isNotifying) }
    if canNotify { properties["NotifyAcquired"] = .bool(isAcquired) }
    return properties
  }
}
