import BluetoothKernel
import DBus
import TachogramCore

/// One connection to the bus and the daemon's objects on it, kept true by signals. When the daemon restarts, the
/// objects go and come back; when the bus goes, the client is finished and another one has to be opened.
package final class BlueZClient: Sendable {
  /// Takes the values of a characteristic, on the thread that reads the bus, with the signals that they came in.
  package typealias ValueHandler = @Sendable ([UInt8], DBusSignal) -> Void
  /// Takes the path of a device that has advertised.
  package typealias AdvertisementHandler = @Sendable (String) -> Void

  private struct State {
    var objects = FollowedTree()
    var isOpen = true
    var hasDaemon = false
    var generation = 0
    /// Kept, since they end with their last reference.
    var subscriptions: [DBusSubscription] = []
    var values: [String: ValueHandler] = [:]
    var advertisements: AdvertisementHandler?
    var listeners: [Int: AsyncStream<Void>.Continuation] = [:]
    var nextListener = 0
    /// Messages of another shape than the documented one.
    var refusedMessages = 0
  }

  package let connection: DBusConnection
  /// How long a daemon may take to list its objects; it is asked again then, and its signals are heard all the same.
  private let listing: Duration
  private let state = Guarded(State())

  private init(_ connection: DBusConnection, listing: Duration) {
    self.connection = connection
    self.listing = listing
  }

  /// Connects to the bus and begins to follow the daemon, whether it is there or not. A daemon that does not list its
  /// objects within `listing` is asked again until it does.
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

  /// Ends the connection.
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
    // Outside: a stream that ends takes its listener away.
    for listener in listeners { listener.finish() }
  }

  // MARK: - Reading

  /// Whether the client still follows the daemon. What was read of one that has closed since says nothing: ask after
  /// reading.
  package var isOpen: Bool { state.withLock { $0.isOpen } }

  /// Whether the daemon is on the bus.
  package var hasDaemon: Bool { state.withLock { $0.hasDaemon } }

  /// Grows each time that the daemon goes: what was begun with it before is gone too.
  package var generation: Int { state.withLock { $0.generation } }

  /// Messages that were of another shape than documented and were passed over.
  package var refusedMessages: Int { state.withLock { $0.refusedMessages } }

  /// Reads the objects as they are now.
  package func read<Value>(_ body: (BlueZObjectTree) -> Value) -> Value {
    state.withLock { body($0.objects.tree) }
  }

  /// Something each time that objects or the daemon changed; several changes may be reported as one. Ends with the client.
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

  /// Hands the values that the daemon signals of a characteristic to `handler`; `nil` ends that.
  package func listen(to characteristic: String, _ handler: ValueHandler?) {
    state.withLock { $0.values[characteristic] = handler }
  }

  // MARK: - Advertisements

  /// Hands each advertisement with manufacturer data to `handler`, on the thread that reads the bus or
  /// another one. What is reported is what the daemon was asked for: `SearchKind`.
  package func listenToAdvertisements(_ handler: @escaping AdvertisementHandler) {
    state.withLock { $0.advertisements = handler }
  }

  /// Takes that a monitor has heard a device. The daemon does not signal a strength that has hardly changed.
  package func heard(_ device: String, refreshing timeout: Duration) async {
    if read({ $0.device(device)?.signal }) == nil { await refresh(device, timeout: timeout) }
    state.withLock { $0.advertisements }?(device)
  }

  /// Forgets how strong a device was heard: only what is heard from now on counts.
  package func forgetSignal(of device: String) {
    state.withLock { $0.objects.forgetSignal(of: device) }
  }

  /// The same for all devices of an adapter. The daemon itself does so at the end of a discovery, and never for what a
  /// monitor heard.
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

  /// Asks the daemon for a device's properties, where the tree may be behind: BlueZ 5.66 does not signal `Connected`
  /// when a bonded strap is found again and its attribute channel is there before the kernel reports the connection.
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
        // A daemon that does not answer must not keep its end from being seen.
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

  /// The device whose advertisement with manufacturer data a change is.
  private static func advertiser(_ change: BlueZMessage.Change) -> String? {
    let (path, properties): (String, BlueZObjectTree.Properties?) =
      switch change {
      case .added(let path, let interfaces): (path, interfaces[BlueZName.Interface.device])
      case .changed(let path, BlueZName.Interface.device, let changed, _): (path, changed)
      default: ("", nil)
      }
    return properties?[BlueZName.Property.manufacturerData] == nil ? nil : path
  }

  /// The hot path: the value of a characteristic that somebody listens to. It is not kept in the tree.
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

  /// Asks the daemon of the moment for its objects until it has answered.
  private func keepListing() -> Task<Void, Never> {
    Task { [weak self, listing] in
      while !Task.isCancelled {
        guard let self, self.isOpen, !(await self.list()) else { return }
        // What answers at once with something else than objects is not asked without end.
        try? await Task.sleep(for: listing / 10)
      }
    }
  }

  /// Asks the daemon for its objects; `false` where they are not known yet, though the daemon is there.
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
      // It may be the answer of a daemon that has gone since, and the question with it.
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
        // It does not answer, or not as documented: the objects that it signals still count.
        state.objects.dismiss(question)
        if case .unexpected = error { state.refusedMessages += 1 }
        return false
      }
    }
    notifyObservers()
    return isKnown
  }

  /// Gives a question up; nobody has to ask it again.
  private func dismiss(_ question: Int) -> Bool {
    state.withLock { $0.objects.dismiss(question) }
    return true
  }

  private func notifyObservers() {
    let listeners = state.withLock { Array($0.listeners.values) }
    for listener in listeners { listener.yield() }
  }
}
