import DBus
import TachogramCore
import Threads

/// A source of straps that uses the Bluetooth daemon. Losses of links, adapters, the daemon or the bus are reported as events,
/// and the source continues when they are available again.
package final class BlueZRadioSource: RadioSourceProtocol {
  private struct Running {
    var task: Task<Void, Never>?
    /// Whether `stop` was called. Streams created later end immediately.
    var isStopped = false
  }

  /// A followed strap with its link.
  private struct Followed {
    let strap: BlueZSourceOptions.Strap
    let link: StrapLink
    let task: Task<Void, Never>
  }

  /// The time for which the straps wait for the registration of the agent.
  private static let registration: Duration = .seconds(1)
  /// The time limit for closing the links at the end, so that an unresponsive daemon does not delay the end of a recording.
  /// Remaining links end with the connection to the bus.
  private static let farewell: Duration = .milliseconds(2_500)

  private let options: BlueZSourceOptions
  private let station: BlueZContext
  private let followed = Guarded<[Int: Followed]>([:])
  private let running = Guarded(Running())
  /// The changes of the list of straps to follow.
  private let wanted: AsyncStream<[BlueZSourceOptions.Strap]>
  private let want: AsyncStream<[BlueZSourceOptions.Strap]>.Continuation

  /// Creates a source. `reasons` provides the reasons of disconnections and `preparation` prepares links; both are `nil` if the
  /// kernel cannot be accessed.
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

  /// Resets the energy count of the strap with an ordinal to 0.
  package func resetEnergy(strap: Int) async throws(DBusError) {
    guard let link = link(strap) else {
      throw .remote(name: BlueZName.Error.notConnected, message: "the strap is not connected")
    }
    try await link.resetEnergy()
  }

  /// Whether the strap with an ordinal is currently bonded.
  package func isBonded(strap: Int) async -> Bool {
    await link(strap)?.isBonded() ?? false
  }

  /// Whether it scans for straps with ordinary discovery, as the adapter's property `Discovering` then shows.
  package var isDiscovering: Bool {
    get async { await station.isDiscovering }
  }

  private func link(_ strap: Int) -> StrapLink? {
    followed.withLock { $0[strap]?.link }
  }

  // MARK: - Listening

  /// Replaces the list of followed straps. A strap that is already followed with the same options keeps its ordinal and its
  /// link. The links to removed straps are closed and end with `dismissed`. Added straps have ordinals that were not used
  /// before.
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
    let hasStreams = last.contains { !$0.strap.streams.isEmpty }
    let limit = hasStreams ? Self.farewell + options.streamTiming.stop : Self.farewell
    for one in last { one.task.cancel() }
    let ending = Task {
      for one in last { await one.task.value }
      bus.cancel()
      await bus.value
    }
    // A separate task, because this task is cancelled and its waits would end immediately.
    await Task { await TimeLimit.wait(for: ending, atMost: limit) }.value
    bus.cancel()
  }

  /// Ends the links to straps that are no longer followed.
  private func dismiss(_ others: [Int: Followed]) async {
    for one in others.values { one.task.cancel() }
    for (ordinal, one) in others {
      await one.task.value
      await one.link.dismiss()
      followed.withLock { $0[ordinal] = nil }
    }
  }

  /// Notifies the links of changes, and keeps an agent registered with the current daemon.
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
        // The agent is registered before the straps, which may need to bond immediately. The wait is limited, in case the
        // daemon does not reply.
        if isNew { await TimeLimit.wait(for: task, atMost: Self.registration) }
      }
      station.wakeAll()
    }
    await registering?.task.value?.unregister()
  }

  /// Registers an agent, or returns `nil` on failure. Without an agent, only straps that need no reply can bond.
  private func register(on client: BlueZClient, _ prompt: any PairingPromptProtocol) async -> PairingAgent? {
    try? await PairingAgent.register(on: client, prompt: prompt) { [station] in station.isClaimed($0) }
  }

}
