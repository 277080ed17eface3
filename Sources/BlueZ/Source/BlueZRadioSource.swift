import BluetoothKernel
import DBus
import TachogramCore

/// Straps heard through the Bluetooth daemon. It outlives everything it depends on: links, adapters, the daemon and
/// the bus may go; the events say so, and go on when they are back.
package final class BlueZRadioSource: RadioSourceProtocol {
  private struct Running {
    var task: Task<Void, Never>?
    /// Whoever listens after the end hears nothing more.
    var isStopped = false
  }

  /// A strap that is listened to.
  private struct Followed {
    let strap: BlueZSourceOptions.Strap
    let link: StrapLink
    let task: Task<Void, Never>
  }

  /// How long the straps wait for the agent.
  private static let registration: Duration = .seconds(1)
  /// How long links are given back at the end: a daemon that does not answer must not keep a recording from its end. What is
  /// left of them ends with the connection to the bus.
  private static let farewell: Duration = .milliseconds(2_500)

  private let options: BlueZSourceOptions
  private let station: BlueZContext
  private let followed = Guarded<[Int: Followed]>([:])
  private let running = Guarded(Running())
  /// The straps to listen to, whenever they are others.
  private let wanted: AsyncStream<[BlueZSourceOptions.Strap]>
  private let want: AsyncStream<[BlueZSourceOptions.Strap]>.Continuation

  /// `reasons` knows why links ended and `preparation` makes the way for them, where the kernel may be asked.
  package init(
    _ options: BlueZSourceOptions, time: any TimeSourceProtocol, reasons: (any DisconnectReasonProtocol)? = nil,
    preparation: (any LinkPreparationProtocol)? = nil,
  ) {
    self.options = options
    (wanted, want) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    want.yield(options.straps)
    station = BlueZContext(time: time, reasons: reasons, preparation: preparation, search: options.search)
  }

  package func events() -> AsyncStream<StrapEvent> {
    let (stream, continuation) = AsyncStream.makeStream(of: StrapEvent.self)
    let task = Task {
      await run { continuation.yield($0) }
      continuation.finish()
    }
    continuation.onTermination = { _ in task.cancel() }
    let isStopped = running.withLock { running in
      running.task = task
      return running.isStopped
    }
    if isStopped { task.cancel() }
    return stream
  }

  package func stop() async {
    let task = running.withLock { running in
      running.isStopped = true
      return running.task
    }
    task?.cancel()
    await task?.value
  }

  /// Sets the energy count of a strap, by its ordinal, to 0.
  package func resetEnergy(strap: Int) async throws(DBusError) {
    guard let link = link(strap) else {
      throw .remote(name: BlueZName.Error.notConnected, message: "the strap is not connected")
    }
    try await link.resetEnergy()
  }

  /// Whether a strap, by its ordinal, is bonded now.
  package func isBonded(strap: Int) async -> Bool {
    await link(strap)?.isBonded() ?? false
  }

  private func link(_ strap: Int) -> StrapLink? {
    followed.withLock { $0[strap]?.link }
  }

  // MARK: - Listening

  /// Listens to these straps from now on. One that was listened to before, in the same way, keeps its ordinal and its
  /// link; the links to others end in order, and end with `dismissed`; new ones have ordinals that none had before.
  package func follow(_ straps: [BlueZSourceOptions.Strap]) {
    want.yield(straps)
  }

  private func run(_ emit: @escaping @Sendable (StrapEvent) -> Void) async {
    let bus = Task { [options, station] in
      await BusReconnector(bus: options.bus, time: station.time).run {
        station.setClient($0)
      } use: {
        await self.watch($0)
      } absent: {
        station.setClient(nil)
      }
    }
    var next = 0
    for await straps in wanted {
      var new = straps
      var others: [Int: Followed] = [:]
      for (ordinal, one) in followed.withLock({ $0 }).sorted(by: { $0.key < $1.key }) {
        if let index = new.firstIndex(of: one.strap) { new.remove(at: index) } else { others[ordinal] = one }
      }
      await dismiss(others)
      if Task.isCancelled { break }
      for strap in new {
        let link = StrapLink(ordinal: next, to: strap, options: options, station: station, emit: emit)
        followed.withLock { $0[next] = Followed(strap: strap, link: link, task: Task { await link.run() }) }
        next += 1
      }
    }
    let last = followed.withLock { $0.values }
    for one in last { one.task.cancel() }
    let ending = Task {
      for one in last { await one.task.value }
      bus.cancel()
      await bus.value
    }
    // This task is cancelled, and what it waits for itself would end at once.
    await Task { await Self.wait(for: ending, atMost: Self.farewell) }.value
    bus.cancel()
  }

  /// Ends links whose straps are wanted no longer.
  private func dismiss(_ others: [Int: Followed]) async {
    for one in others.values { one.task.cancel() }
    for (ordinal, one) in others {
      await one.task.value
      await one.link.dismiss()
      followed.withLock { $0[ordinal] = nil }
    }
  }

  /// Passes changes on, and keeps an agent registered with the daemon of the moment.
  private func watch(_ client: BlueZClient) async {
    var registering: (task: Task<PairingAgent?, Never>, generation: Int)?
    let hasFailed = Guarded(false)
    for await _ in client.changes() {
      let isNew = registering?.generation != client.generation
      let isToRepeat = hasFailed.withLock { hasFailed in
        defer { hasFailed = false }
        return hasFailed
      }
      if client.hasDaemon, isNew || isToRepeat, let prompt = options.prompt {
        let task = Task {
          let agent = await register(on: client, prompt)
          if agent == nil { hasFailed.withLock { $0 = true } }
          return agent
        }
        registering = (task, client.generation)
        // Before the straps, which may want to be bonded at once; but a call that is not answered does not hold them up.
        if isNew { await Self.wait(for: task, atMost: Self.registration) }
      }
      station.wakeAll()
    }
    await registering?.task.value?.unregister()
  }

  /// Without an agent straps that need no answer still bond.
  private func register(on client: BlueZClient, _ prompt: any PairingPromptProtocol) async -> PairingAgent? {
    try? await PairingAgent.register(on: client, prompt: prompt) { [station] in station.isClaimed($0) }
  }

  private static func wait<Value: Sendable>(for task: Task<Value, Never>, atMost limit: Duration) async {
    let (end, continuation) = AsyncStream.makeStream(of: Never.self)
    let waiting = Task {
      _ = await task.value
      continuation.finish()
    }
    let timer = Task {
      try? await Task.sleep(for: limit)
      continuation.finish()
    }
    for await _ in end {}
    waiting.cancel()
    timer.cancel()
  }
}
