import DBus
import TachogramCore

/// The radio of one adapter, which controls searching and connecting. Controllers fail when they discover and connect at the
/// same time, or when several connections are started at once. Therefore only one link at a time holds the radio, and discovery
/// is paused for that time. Passive listening continues, because the kernel itself listens for the straps that it connects.
actor AdapterRadio {
  /// The maximum time for which one link holds the radio, so that an unresponsive daemon does not block other straps.
  private static let longestHold: Duration = .seconds(4)
  private static let callTimeout: Duration = .seconds(5)
  /// The maximum time for which a connection waits for the end of discovery.
  private static let stopTimeout: Duration = .seconds(1)
  /// The delay before a refused start of discovery is retried.
  private static let retry: Duration = .seconds(1)
  /// The time that the daemon's property may take to show that discovery runs.
  private static let settling: Duration = .seconds(3)

  private let client: BlueZClient
  private let path: String
  private let kind: SearchKind
  private let time: any TimeSourceProtocol
  private var searching: Set<Int> = []
  private var holder: Int?
  private var nextHolder = 0
  private var waiting: [(number: Int, continuation: CheckedContinuation<Bool, Never>)] = []
  private var plan = ScanPlan()
  /// The generation of the daemon that the plan applies to, and whether that daemon offered passive searching.
  private var planned: (generation: Int, isOffered: Bool)?
  /// The start of the running discovery and the generation of its daemon.
  private var discovery: (since: MonotonicTime, generation: Int)?
  /// The registered monitor and the generation of its daemon.
  private var monitor: (AdvertisementMonitor, generation: Int)?
  private var monitors = 0
  private var isReconciling = false
  private var retryAt: MonotonicTime?
  private var alarm: (due: MonotonicTime, task: Task<Void, Never>)?

  init(
    client: BlueZClient, path: String, kind: SearchKind = .straps(.active), time: any TimeSourceProtocol,
  ) {
    self.client = client
    self.path = path
    self.kind = kind
    self.time = time
  }

  deinit { alarm?.task.cancel() }

  // MARK: - Searching

  /// Whether it discovers devices, so that the daemon's property says so.
  var isDiscovering: Bool { discovery != nil }

  /// Sets whether the link with a number is searching for straps. `hasFound` is whether its search ends because its strap was
  /// found.
  func setSearching(_ isSearching: Bool, link: Int, hasFound: Bool = true) async {
    if isSearching {
      if searching.insert(link).inserted { beginPlan() }
    } else if searching.remove(link) != nil, hasFound, adapter?.isPowered == true {
      plan.found()
    }
    await reconcile()
  }

  /// Updates the state after changes by others: the adapter was off, the daemon restarted, or the daemon ended the discovery or
  /// released the monitor.
  func refresh() async {
    let now = time.now().monotonic
    let adapter = adapter
    if let discovery {
      let isSettled = now.duration(since: discovery.since) > Self.settling
      if adapter?.isPowered != true || discovery.generation != client.generation
        || isSettled && adapter?.isDiscovering == false
      {
        self.discovery = nil
      }
    }
    if let (monitor, generation) = monitor {
      if generation != client.generation {
        self.monitor = nil
      } else if monitor.isReleased {
        await endMonitor()
        plan.refused(at: now)
      } else if adapter?.isPowered != true {
        await endMonitor()
      }
    }
    if adapter != nil, let planned, planned.generation != client.generation || planned.isOffered != isOffered {
      beginPlan()
    }
    await reconcile()
  }

  private var adapter: BlueZAdapter? { client.read { $0.adapter(path) } }

  private var isOffered: Bool { kind != .straps(.active) && adapter?.hearsPassively == true }

  private func beginPlan() {
    if let planned, planned.generation != client.generation { plan.forget() }
    planned = (client.generation, isOffered)
    plan.begin(at: time.now().monotonic, isOffered: isOffered)
  }

  private var wantsDiscovery: Bool {
    switch kind {
    case .straps: !searching.isEmpty && holder == nil && plan.way == .active
    case .broadcasts: !searching.isEmpty
    }
  }

  private var wantsMonitor: Bool { !searching.isEmpty && plan.way == .passive }

  /// Starts and stops the discovery and the monitor until they match the current needs.
  private func reconcile() async {
    if isReconciling { return }
    isReconciling = true
    defer { isReconciling = false }
    while true {
      let now = time.now().monotonic
      if kind != .broadcasts { plan.advance(to: now) }
      if discovery != nil, !wantsDiscovery {
        discovery = nil
        // A discovery that cannot be stopped is not running, or ends with the adapter.
        _ = try? await client.call(
          path, BlueZName.Interface.adapter, BlueZName.Member.stopDiscovery, timeout: Self.stopTimeout)
      } else if monitor != nil, !wantsMonitor {
        await endMonitor()
      } else if adapter?.isPowered != true {
        return
      } else if wantsMonitor, monitor == nil {
        await beginMonitor()
      } else if wantsDiscovery, discovery == nil {
        if let retryAt, now < retryAt { return wake(at: retryAt) }
        await beginDiscovery()
      } else {
        return wake(at: nextLook)
      }
    }
  }

  /// The time of the next refresh in the absence of changes: when the plan changes, or when a started discovery should be
  /// visible.
  private var nextLook: MonotonicTime? {
    var looks: [MonotonicTime] = []
    if !searching.isEmpty, kind != .broadcasts, let turn = plan.turnsAt { looks.append(turn) }
    if let discovery, adapter?.isDiscovering == false {
      looks.append(discovery.since.advanced(by: Self.settling + .microseconds(1)))
    }
    return looks.min()
  }

  private func beginMonitor() async {
    let generation = client.generation
    client.forgetSignals(of: path)
    monitors += 1
    let number = monitors
    // The cancellation of the calling task must not interrupt a registration in progress.
    let registration = Task { [client, path, kind, time] in
      try await AdvertisementMonitor.register(
        on: client, adapter: path, number: number, patterns: kind.patterns, time: time
      ) { [weak self] in
        Task { await self?.refresh() }
      }
    }
    if let registered = try? await registration.value {
      monitor = (registered, generation)
      // The daemon may have released the monitor before it was stored.
      guard registered.isReleased else { return }
      await endMonitor()
    }
    plan.refused(at: time.now().monotonic)
  }

  private func endMonitor() async {
    guard let (ending, _) = monitor else { return }
    monitor = nil
    await Task { await ending.unregister() }.value
    client.forgetSignals(of: path)
  }

  private func beginDiscovery() async {
    let begun = (since: time.now().monotonic, generation: client.generation)
    do {
      try await startDiscovery()
      discovery = begun
      retryAt = nil
    } catch {
      retryAt = time.now().monotonic.advanced(by: Self.retry)
    }
  }

  private func startDiscovery() async throws(DBusError) {
    var filter: [DBusValue: DBusValue] = [.string("Transport"): .variant(.string("le"))]
    switch kind {
    case .straps: filter[.string("UUIDs")] = .variant(.strings([BlueZUUID.heartRateService]))
    case .broadcasts: filter[.string("DuplicateData")] = .variant(.bool(true))
    }
    try await client.call(
      path, BlueZName.Interface.adapter, BlueZName.Member.setDiscoveryFilter,
      [.dictionary(key: .string, value: .variant, filter)], timeout: Self.callTimeout)
    try await client.call(
      path, BlueZName.Interface.adapter, BlueZName.Member.startDiscovery, timeout: Self.callTimeout)
  }

  /// Schedules a refresh at `due`.
  private func wake(at due: MonotonicTime?) {
    guard due != alarm?.due else { return }
    alarm?.task.cancel()
    alarm = due.map { due in
      let task = Task { [weak self, time] in
        do { try await time.sleep(until: due) } catch { return }
        await self?.ring(due)
      }
      return (due, task)
    }
  }

  private func ring(_ due: MonotonicTime) async {
    if alarm?.due == due { alarm = nil }
    await refresh()
  }

  // MARK: - One link at a time

  /// Runs `body` while no other link connects and discovery is paused. Calls `handedOn` when the radio is released: at the end
  /// of `body`, or earlier if `body` takes too long. Throws `CancellationError` without running `body` if the task is cancelled
  /// while it waits.
  func connecting<Failure: Error>(
    _ handedOn: @escaping @Sendable () -> Void, _ body: @Sendable () async throws(Failure) -> Void,
  ) async throws {
    nextHolder += 1
    let number = nextHolder
    guard await acquire(number) else { throw CancellationError() }
    let hold = Task { [weak self, time] in
      let due = time.now().monotonic.advanced(by: Self.longestHold)
      try? await time.sleep(until: due)
      await self?.release(number)
      handedOn()
    }
    await reconcile()
    defer { hold.cancel() }
    do {
      try await body()
    } catch {
      await release(number)
      throw error
    }
    await release(number)
  }

  private func acquire(_ number: Int) async -> Bool {
    if Task.isCancelled { return false }
    if holder == nil, waiting.isEmpty {
      holder = number
      return true
    }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        if Task.isCancelled { continuation.resume(returning: false) } else { waiting.append((number, continuation)) }
      }
    } onCancel: {
      Task { await self.giveUp(number) }
    }
  }

  private func giveUp(_ number: Int) {
    guard let index = waiting.firstIndex(where: { $0.number == number }) else { return }
    waiting.remove(at: index).continuation.resume(returning: false)
  }

  /// Releases the radio to the next link. Does nothing if `number` no longer holds it.
  private func release(_ number: Int) async {
    guard holder == number else { return }
    if waiting.isEmpty {
      holder = nil
      await reconcile()
    } else {
      let next = waiting.removeFirst()
      holder = next.number
      next.continuation.resume(returning: true)
    }
  }
}
