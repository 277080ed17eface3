import DBus
import TachogramCore

/// The radio of one adapter: decides when it discovers and who may connect. Controllers fail when they scan and
/// connect at the same time, and when several connections are begun at once; so one link at a time has the radio, and
/// discovery rests meanwhile.
actor AdapterRadio {
  /// The longest that one link keeps the radio, in microseconds: a daemon that does not answer must not hold up other
  /// straps.
  private static let longestHold: Int64 = 4_000_000
  private static let callTimeout: Duration = .seconds(5)
  /// How soon a refused start of discovery is tried again, in microseconds.
  private static let retry: Int64 = 1_000_000
  /// How long the daemon's own property may take to show that discovery runs, in microseconds.
  private static let settling: Int64 = 3_000_000

  private let client: BlueZClient
  private let path: String
  private let time: any TimeSourceProtocol
  private var searching: Set<Int> = []
  private var holder: Int?
  private var nextHolder = 0
  private var waiting: [(number: Int, continuation: CheckedContinuation<Bool, Never>)] = []
  private var isDiscovering = false
  /// When discovery was started, and with which daemon.
  private var started: (at: MonotonicTime, generation: Int)?
  private var isReconciling = false
  private var retryAt: MonotonicTime?

  init(client: BlueZClient, path: String, time: any TimeSourceProtocol) {
    self.client = client
    self.path = path
    self.time = time
  }

  // MARK: - Discovery

  /// Whether a link, by its number, needs discovery.
  func setSearching(_ isSearching: Bool, link: Int) async {
    if isSearching { searching.insert(link) } else { searching.remove(link) }
    await reconcile()
  }

  /// Makes good what changed behind our back: the adapter was off, the daemon ended the discovery.
  func refresh() async {
    if isDiscovering, let started {
      let adapter = client.read { $0.adapter(path) }
      let isSettled = time.now().monotonic.microseconds(since: started.at) > Self.settling
      if adapter?.isPowered != true || started.generation != client.generation
        || isSettled && adapter?.isDiscovering == false
      {
        isDiscovering = false
      }
    }
    await reconcile()
  }

  private var wantsDiscovery: Bool { !searching.isEmpty && holder == nil }

  /// Starts or stops discovery until it is as it should be.
  private func reconcile() async {
    if isReconciling { return }
    isReconciling = true
    defer { isReconciling = false }
    while wantsDiscovery != isDiscovering {
      if wantsDiscovery {
        guard client.read({ $0.adapter(path)?.isPowered }) == true else { return }
        if let retryAt, time.now().monotonic < retryAt { return scheduleRetry(retryAt) }
        do {
          let begun = (at: time.now().monotonic, generation: client.generation)
          try await start()
          started = begun
          isDiscovering = true
          retryAt = nil
        } catch {
          let due = time.now().monotonic.advanced(byMicroseconds: Self.retry)
          retryAt = due
          return scheduleRetry(due)
        }
      } else {
        isDiscovering = false
        // What cannot be stopped is not running, or ends with the adapter.
        _ = try? await client.call(
          path, BlueZName.Interface.adapter, BlueZName.Member.stopDiscovery, timeout: Self.callTimeout)
      }
    }
  }

  private func start() async throws(DBusError) {
    let filter: [DBusValue: DBusValue] = [
      .string("UUIDs"): .variant(.array(of: .string, [.string(BlueZUUID.heartRateService)])),
      .string("Transport"): .variant(.string("le")),
    ]
    try await client.call(
      path, BlueZName.Interface.adapter, BlueZName.Member.setDiscoveryFilter,
      [.dictionary(key: .string, value: .variant, filter)], timeout: Self.callTimeout)
    try await client.call(
      path, BlueZName.Interface.adapter, BlueZName.Member.startDiscovery, timeout: Self.callTimeout)
  }

  private func scheduleRetry(_ due: MonotonicTime) {
    Task { [weak self, time] in
      try? await time.sleep(until: due)
      await self?.reconcile()
    }
  }

  // MARK: - One link at a time

  /// Runs `body` while no other link connects and discovery rests. Throws `CancellationError` without running it when
  /// the task is cancelled while it waits.
  func connecting<Failure: Error>(_ body: @Sendable () async throws(Failure) -> Void) async throws {
    nextHolder += 1
    let number = nextHolder
    guard await take(number) else { throw CancellationError() }
    let hold = Task { [weak self, time] in
      let due = time.now().monotonic.advanced(byMicroseconds: Self.longestHold)
      try? await time.sleep(until: due)
      await self?.release(number)
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

  private func take(_ number: Int) async -> Bool {
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

  /// Hands the radio on; nothing when it is no longer `number`'s.
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
