import DBus
import TachogramCore
import Threads

/// An advertisement monitor that is registered with the daemon. While it is registered, the adapter listens for advertisements
/// without transmitting (BlueZ doc/org.bluez.AdvertisementMonitorManager.rst). The daemon reads the properties of the monitor
/// and calls its methods.
final class AdvertisementMonitor: Sendable {
  private struct State {
    var isActive = false
    var isReleased = false
    var waiting: CheckedContinuation<Void, Never>?
  }

  private static let root = "/net/tachogram/monitors/"
  private static let timeout: Duration = .seconds(5)
  /// The time that the kernel may take to accept the monitor, after the reply to the registration.
  private static let acceptance: Duration = .seconds(5)

  private let client: BlueZClient
  private let adapter: String
  private let application: DBusObjectPath
  private let path: DBusObjectPath
  private let patterns: [AdvertisementPattern]
  private let onRelease: @Sendable () -> Void
  private let state = Guarded(State())

  /// Registers a monitor with the adapter at a path. `number` distinguishes it from other monitors of this connection.
  /// `onRelease` is called when the daemon releases an active monitor. Throws when the daemon or the kernel refuses the
  /// monitor.
  static func register(
    on client: BlueZClient, adapter: String, number: Int, patterns: [AdvertisementPattern],
    time: any TimeSourceProtocol, onRelease: @escaping @Sendable () -> Void,
  ) async throws(DBusError) -> AdvertisementMonitor {
    let name = BlueZPath(adapter)?.adapter ?? "adapter"
    // A unique path for each monitor, so that calls to an earlier monitor are not mistaken for calls to this one.
    let application = try DBusObjectPath(validating: root + name + "/\(number)")
    let path = try DBusObjectPath(validating: application.text + "/straps")
    let monitor = AdvertisementMonitor(client, adapter, application, path, patterns, onRelease)
    let daemon = try await client.connection.owner(of: BlueZName.service)
    try client.connection.exportTree(application) { [weak monitor] call async throws(DBusError) in
      // No other client of the bus may report devices.
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

  /// Whether the monitor was released by the daemon or unregistered.
  var isReleased: Bool { state.withLock { $0.isReleased } }

  /// Unregisters the monitor.
  func unregister() async {
    state.withLock { $0.isReleased = true }
    _ = try? await client.call(
      adapter, BlueZName.Interface.monitorManager, BlueZName.Member.unregisterMonitor, [.objectPath(application)],
      timeout: Self.timeout)
    client.connection.unexportTree(application)
  }

  // MARK: - Being accepted

  /// Waits for the kernel and returns whether it accepts the monitor. Acceptance is reported after the reply to the
  /// registration; a refusal may not be reported at all.
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

  /// Announces the monitor again. Some daemons detect only objects that are exposed after the registration; the others ignore
  /// the repetition.
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
