import DBus
import TachogramCore
import Threads

/// A connection to the bus with the objects of the daemon, updated by signals. When the daemon restarts, the objects are
/// removed and read again. When the connection to the bus is lost, the client is closed and another one must be opened.
package final class BlueZClient: Sendable {
  /// Handles a value of a characteristic and the signal that contained it, on the thread that reads the bus.
  package typealias ValueHandler = @Sendable ([UInt8], DBusSignal) -> Void
  /// Handles an advertisement of the device at a path.
  package typealias AdvertisementHandler = @Sendable (String) -> Void

  private struct State {
    var objects = FollowedTree()
    var isOpen = true
    var hasDaemon = false
    var generation = 0
    /// Retained, because a subscription ends with its last reference.
    var subscriptions: [DBusSubscription] = []
    var values: [String: ValueHandler] = [:]
    var advertisements: AdvertisementHandler?
    var listeners: [Int: AsyncStream<Void>.Continuation] = [:]
    var nextListener = 0
    /// The number of messages that differed from the documented form.
    var refusedMessages = 0
  }

  package let connection: DBusConnection
  /// The timeout of listing the objects of the daemon. After it the request is repeated; signals are handled all the time.
  private let listing: Duration
  private let state = Guarded(State())

  private init(_ connection: DBusConnection, listing: Duration) {
    self.connection = connection
    self.listing = listing
  }

  /// Connects to the bus and starts following the daemon, whether it is running or not. If the daemon does not list its objects
  /// within `listing`, the request is repeated until it does.
  package static func open(
    _ bus: DBusBus, timeout: Duration = .seconds(5), listing: Duration = .seconds(10),
  ) async throws(DBusError) -> BlueZClient {
    let client = BlueZClient(try await DBusConnection.open(bus, timeout: timeout), listing: listing)
    do {
      try await client.follow()
    } catch {
      client.close()
      throw error
    }
    return client
  }

  /// Closes the connection and ends all streams of changes.
  package func close() {
    connection.close()
    let listeners = state.withLock { state in
      state.isOpen = false
      state.hasDaemon = false
      state.objects = FollowedTree()
      state.values = [:]
      state.advertisements = nil
      defer { state.listeners = [:] }
      return Array(state.listeners.values)
    }
    // Outside of the lock, because the end of a stream removes its listener.
    for listener in listeners { listener.finish() }
  }

  // MARK: - Reading

  /// Whether the client still follows the daemon. Data that was read before the client closed may be invalid, so check this
  /// property after reading.
  package var isOpen: Bool { state.withLock { $0.isOpen } }

  /// Whether the daemon is on the bus.
  package var hasDaemon: Bool { state.withLock { $0.hasDaemon } }

  /// Increases each time the daemon leaves the bus, which ends all operations started with it.
  package var generation: Int { state.withLock { $0.generation } }

  /// The number of messages that differed from the documented form and were ignored.
  package var refusedMessages: Int { state.withLock { $0.refusedMessages } }

  /// Calls `body` with the current objects and returns its result.
  package func read<Value>(_ body: (BlueZObjectTree) -> Value) -> Value {
    state.withLock { body($0.objects.tree) }
  }

  /// Returns a stream with an element for each change of the objects or the daemon, beginning with one for the current state.
  /// Several changes may be combined. The stream ends when the client closes.
  package func changes() -> AsyncStream<Void> {
    let (stream, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    let number = state.withLock { state in
      state.nextListener += 1
      state.listeners[state.nextListener] = continuation
      return state.nextListener
    }
    continuation.onTermination = { [weak self] _ in
      _ = self?.state.withLock { $0.listeners.removeValue(forKey: number) }
    }
    continuation.yield()
    return stream
  }

  /// Sets the handler of the values of a characteristic that the daemon signals. `nil` removes the handler.
  package func listen(to characteristic: String, _ handler: ValueHandler?) {
    state.withLock { $0.values[characteristic] = handler }
  }

  // MARK: - Advertisements

  /// Sets the handler of advertisements with manufacturer data, which is called on the thread that reads the bus or another
  /// one. The reported advertisements depend on the search: see `SearchKind`.
  package func listenToAdvertisements(_ handler: @escaping AdvertisementHandler) {
    state.withLock { $0.advertisements = handler }
  }

  /// Handles the discovery of a device by a monitor. Reads the properties of the device if its signal strength is not known,
  /// because the daemon does not signal small changes of the strength.
  package func heard(_ device: String, refreshing timeout: Duration) async {
    if read({ $0.device(device)?.signal }) == nil { await refresh(device, timeout: timeout) }
    state.withLock { $0.advertisements }?(device)
  }

  /// Removes the signal strength of a device, so that only later advertisements count.
  package func forgetSignal(of device: String) {
    state.withLock { $0.objects.forgetSignal(of: device) }
  }

  /// Removes the signal strengths of all devices of an adapter. The daemon itself does so at the end of a discovery, but never
  /// for devices found by a monitor.
  package func forgetSignals(of adapter: String) {
    state.withLock { $0.objects.forgetSignals(of: adapter) }
  }

  // MARK: - Calling

  /// Calls a method of one of the daemon's objects.
  @discardableResult
  package func call(
    _ path: String, _ interface: String, _ member: String, _ arguments: [DBusValue] = [], timeout: Duration,
  ) async throws(DBusError) -> [DBusValue] {
    try await connection.call(
      DBusMethodCall(
        destination: BlueZName.service, path: try DBusObjectPath(validating: path), interface: interface,
        member: member, arguments: arguments), timeout: timeout)
  }

  /// Reads the properties of a device from the daemon, for cases in which the tree may be outdated: BlueZ 5.66 does not signal
  /// `Connected` when a bonded strap is found again and its attribute channel exists before the kernel reports the connection.
  package func refresh(_ device: String, timeout: Duration) async {
    let question = state.withLock { $0.objects.ask() }
    let answer = try? await call(
      device, BlueZName.Interface.properties, BlueZName.Member.getAll, [.string(BlueZName.Interface.device)],
      timeout: timeout)
    let properties = try? answer?.exactly(1)[0].asProperties()
    state.withLock { state in
      guard let properties else { return state.objects.dismiss(question) }
      state.objects.answered(question) { tree in
        tree.change(device, BlueZName.Interface.device, properties, invalidated: [])
      }
    }
    if properties != nil { notifyObservers() }
  }

  // MARK: - Following the daemon

  private func follow() async throws(DBusError) {
    for interface in [BlueZName.Interface.objectManager, BlueZName.Interface.properties] {
      var rule = DBusMatchRule()
      rule.sender = BlueZName.service
      rule.interface = interface
      let subscription = try await connection.subscribe(rule) { [weak self] signal in self?.handle(signal) }
      state.withLock { $0.subscriptions.append(subscription) }
    }
    let owners = try await connection.nameOwnerChanges(of: BlueZName.service)
    let first = try await connection.owner(of: BlueZName.service)
    var listing: Task<Void, Never>?
    if first != nil, !(await list()) { listing = keepListing() }
    Task { [weak self, listing] in
      var (known, listing) = (first, listing)
      for await owner in owners where owner != known {
        guard let self else { break }
        // An unresponsive daemon must not delay the handling of its end.
        listing?.cancel()
        if known != nil { self.daemonVanished() }
        if owner != nil { listing = self.keepListing() }
        known = owner
      }
      listing?.cancel()
      self?.close()
    }
  }

  private func handle(_ signal: DBusSignal) {
    if handleValue(signal) { return }
    do {
      guard let change = try BlueZMessage.change(signal) else { return }
      state.withLock { $0.objects.apply(change) }
      notifyObservers()
      if let device = Self.advertiser(change) { state.withLock { $0.advertisements }?(device) }
    } catch {
      state.withLock { $0.refusedMessages += 1 }
    }
  }

  /// Returns the path of the device if the change is an advertisement with manufacturer data.
  private static func advertiser(_ change: BlueZMessage.Change) -> String? {
    let (path, properties): (String, BlueZObjectTree.Properties?) =
      switch change {
      case .added(let path, let interfaces): (path, interfaces[BlueZName.Interface.device])
      case .changed(let path, BlueZName.Interface.device, let changed, _): (path, changed)
      default: ("", nil)
      }
    return properties?[BlueZName.Property.manufacturerData] == nil ? nil : path
  }

  /// The hot path: passes the value of a characteristic to its handler, without storing it in the tree. Returns whether the
  /// signal was such a value.
  private func handleValue(_ signal: DBusSignal) -> Bool {
    guard let value = signal.changedProperty(BlueZName.Property.value, of: BlueZName.Interface.characteristic),
      let handler = state.withLock({ $0.values[signal.path.text] })
    else { return false }
    guard case .bytes(let bytes) = value else {
      state.withLock { $0.refusedMessages += 1 }
      return true
    }
    handler(bytes, signal)
    return true
  }

  private func daemonVanished() {
    state.withLock { state in
      state.hasDaemon = false
      state.generation += 1
      state.objects = FollowedTree()
      state.values = [:]
    }
    notifyObservers()
  }

  /// Requests the objects of the current daemon until it has replied.
  private func keepListing() -> Task<Void, Never> {
    Task { [weak self, listing] in
      while !Task.isCancelled {
        guard let self, self.isOpen, !(await self.list()) else { return }
        // A pause, so that a daemon that immediately replies with an error is not queried in a tight loop.
        try? await Task.sleep(for: listing / 10)
      }
    }
  }

  /// Requests the objects of the daemon. Returns `false` if the request has to be repeated, because the daemon is present but
  /// has not listed them.
  private func list() async -> Bool {
    let (question, generation) = state.withLock { ($0.objects.ask(), $0.generation) }
    let listed: Result<[(path: String, interfaces: [String: BlueZObjectTree.Properties])], DBusError>
    do throws(DBusError) {
      let answer = try await call(
        "/", BlueZName.Interface.objectManager, BlueZName.Member.getManagedObjects, timeout: listing)
      listed = .success(try BlueZMessage.managedObjects(answer))
    } catch {
      listed = .failure(error)
    }
    if case .failure(.cancelled) = listed { return dismiss(question) }
    if case .failure(.disconnected) = listed { return dismiss(question) }
    let isKnown = state.withLock { state in
      // The reply may be from a daemon that has since left the bus, which also closed the question.
      guard state.generation == generation else { return true }
      state.hasDaemon = true
      switch listed {
      case .success(let objects):
        state.objects.answered(question) { tree in
          tree = BlueZObjectTree()
          for object in objects { tree.add(object.path, object.interfaces) }
        }
        return true
      case .failure(let error):
        // The daemon does not reply, or not as documented. Its signals are still applied.
        state.objects.dismiss(question)
        if case .unexpected = error { state.refusedMessages += 1 }
        return false
      }
    }
    notifyObservers()
    return isKnown
  }

  /// Closes a question that does not have to be repeated, and returns `true`.
  private func dismiss(_ question: Int) -> Bool {
    state.withLock { $0.objects.dismiss(question) }
    return true
  }

  private func notifyObservers() {
    let listeners = state.withLock { Array($0.listeners.values) }
    for listener in listeners { listener.yield() }
  }
}
