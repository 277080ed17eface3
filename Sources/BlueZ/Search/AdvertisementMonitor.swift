import BluetoothKernel
import DBus
import TachogramCore

/// A monitor that the daemon keeps for us: while it is there, the adapter listens for advertisements without sending
/// anything (BlueZ doc/org.bluez.AdvertisementMonitorManager.rst). The daemon asks us for its content, and calls it.
final class AdvertisementMonitor: Sendable {
  private struct State {
    var isActive = false
    var isReleased = false
    var waiting: CheckedContinuation<Void, Never>?
  }

  private static let root = "/net/tachogram/monitors/"
  private static let timeout: Duration = .seconds(5)
  /// How long the kernel may take to accept the monitor: the answer to the registration comes before.
  private static let acceptance: Duration = .seconds(5)

  private let client: BlueZClient
  private let adapter: String
  private let application: DBusObjectPath
  private let path: DBusObjectPath
  private let patterns: [AdvertisementPattern]
  private let onRelease: @Sendable () -> Void
  private let state = Guarded(State())

  /// Registers a monitor with the adapter at a path; `number` distinguishes it from others of this connection. `onRelease` is
  /// called when the daemon takes it away again. Throws when the daemon refuses it, or the kernel does.
  static func register(
    on client: BlueZClient, adapter: String, number: Int, patterns: [AdvertisementPattern],
    time: any TimeSourceProtocol, onRelease: @escaping @Sendable () -> Void,
  ) async throws(DBusError) -> AdvertisementMonitor {
    let name = BlueZPath(adapter)?.adapter ?? "adapter"
    // A path of its own each time: what is said to the monitor before must not be taken for said to this one.
    let application = try DBusObjectPath(validating: root + name + "/\(number)")
    let path = try DBusObjectPath(validating: application.text + "/straps")
    let monitor = AdvertisementMonitor(client, adapter, application, path, patterns, onRelease)
    let daemon = try await client.connection.owner(of: BlueZName.service)
    try client.connection.exportTree(application) { [weak monitor] call async throws(DBusError) in
      // Nobody else on the bus has a say in what was heard.
      guard let monitor, call.sender == daemon else { throw call.unknownMethod }
      return try await monitor.answer(call)
    }
    do {
      try await client.call(
        adapter, BlueZName.Interface.monitorManager, BlueZName.Member.registerMonitor, [.objectPath(application)],
        timeout: Self.timeout)
      try monitor.announce()
    } catch {
      client.connection.unexportTree(application)
      throw error
    }
    guard await monitor.isAccepted(time) else {
      await monitor.unregister()
      throw .remote(name: BlueZName.Error.failed, message: "the monitor was not activated")
    }
    return monitor
  }

  private init(
    _ client: BlueZClient, _ adapter: String, _ application: DBusObjectPath, _ path: DBusObjectPath,
    _ patterns: [AdvertisementPattern], _ onRelease: @escaping @Sendable () -> Void,
  ) {
    self.client = client
    self.adapter = adapter
    self.application = application
    self.path = path
    self.patterns = patterns
    self.onRelease = onRelease
  }

  deinit { client.connection.unexportTree(application) }

  /// Whether the daemon has taken the monitor away.
  var isReleased: Bool { state.withLock { $0.isReleased } }

  /// Gives the monitor back.
  func unregister() async {
    state.withLock { $0.isReleased = true }
    _ = try? await client.call(
      adapter, BlueZName.Interface.monitorManager, BlueZName.Member.unregisterMonitor, [.objectPath(application)],
      timeout: Self.timeout)
    client.connection.unexportTree(application)
  }

  // MARK: - Being accepted

  /// Whether the kernel takes the monitor. It says so behind the answer to the registration, or not at all.
  private func isAccepted(_ time: any TimeSourceProtocol) async -> Bool {
    let due = time.now().monotonic.advanced(by: Self.acceptance)
    let alarm = Task {
      try await time.sleep(until: due)
      self.wake { _ in }
    }
    await withCheckedContinuation { continuation in
      let isDecided = state.withLock { state in
        if state.isActive || state.isReleased { return true }
        state.waiting = continuation
        return false
      }
      if isDecided { continuation.resume() }
    }
    alarm.cancel()
    return state.withLock { $0.isActive && !$0.isReleased }
  }

  private func wake(_ change: (inout State) -> Void) {
    let waiting = state.withLock { state in
      change(&state)
      defer { state.waiting = nil }
      return state.waiting
    }
    waiting?.resume()
  }

  // MARK: - Answering

  private func answer(_ call: DBusIncomingCall) async throws(DBusError) -> [DBusValue] {
    switch (call.interface, call.member) {
    case (BlueZName.Interface.objectManager, BlueZName.Member.getManagedObjects):
      return [
        .dictionary(key: .objectPath, value: Self.interfacesType, [.objectPath(path): interfaces])
      ]
    case (BlueZName.Interface.properties, BlueZName.Member.getAll): return [.properties(properties)]
    case (BlueZName.Interface.monitor, "Activate"): wake { $0.isActive = true }
    case (BlueZName.Interface.monitor, "Release"):
      let isNews = state.withLock { state in
        defer { state.isReleased = true }
        return state.isActive && !state.isReleased
      }
      wake { _ in }
      if isNews { onRelease() }
    case (BlueZName.Interface.monitor, "DeviceFound"): await client.heard(try device(call), refreshing: Self.timeout)
    case (BlueZName.Interface.monitor, "DeviceLost"): client.forgetSignal(of: try device(call))
    default: throw call.unknownMethod
    }
    return []
  }

  private func device(_ call: DBusIncomingCall) throws(DBusError) -> String {
    try call.arguments.exactly(1)[0].asPath().text
  }

  /// Announces the monitor once more: there are daemons that see only what is exposed after the registration, and those
  /// that know it pass this over.
  private func announce() throws(DBusError) {
    try client.connection.emit(
      path: application, interface: BlueZName.Interface.objectManager, member: BlueZName.Member.interfacesAdded,
      arguments: [.objectPath(path), interfaces])
  }

  private var properties: [String: DBusValue] {
    ["Type": .string(BlueZAdapter.orPatterns), "Patterns": AdvertisementPattern.value(patterns)]
  }

  private static let interfacesType = DBusType.dictionary(.string, .dictionary(.string, .variant))

  private var interfaces: DBusValue {
    .dictionary(
      key: .string, value: .dictionary(.string, .variant),
      [.string(BlueZName.Interface.monitor): .properties(properties)])
  }
}
