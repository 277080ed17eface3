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

  private let options: BlueZSourceOptions
  private let station: BlueZStation
  private let links = Guarded<[StrapLink]>([])
  private let running = Guarded(Running())

  /// `reasons` tells why links ended and `preparation` makes the way for them, where the kernel may be asked.
  package init(
    _ options: BlueZSourceOptions, time: any TimeSourceProtocol, reasons: (any DisconnectReasonProtocol)? = nil,
    preparation: (any LinkPreparationProtocol)? = nil,
  ) {
    self.options = options
    station = BlueZStation(time: time, reasons: reasons, preparation: preparation, search: options.search)
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
    let link = links.withLock { strap < $0.count ? $0[strap] : nil }
    guard let link else { throw .remote(name: BlueZName.Error.notConnected, message: "the strap is not connected") }
    try await link.resetEnergy()
  }

  private func run(_ emit: @escaping @Sendable (StrapEvent) -> Void) async {
    let links = options.straps.indices.map {
      StrapLink(ordinal: $0, options: options, station: station, emit: emit)
    }
    self.links.withLock { $0 = links }
    await withTaskGroup(of: Void.self) { group in
      for link in links { group.addTask { await link.run() } }
      let bus = Task { [options, station] in
        await BusKeeper(bus: options.bus, time: station.time).run {
          station.setClient($0)
        } use: {
          await self.follow($0)
        } absent: {
          station.setClient(nil)
        }
      }
      await group.waitForAll()
      bus.cancel()
      await bus.value
    }
  }

  /// Passes changes on, and keeps an agent registered with the daemon of the moment.
  private func follow(_ client: BlueZClient) async {
    var agent: (PairingAgent, generation: Int)?
    for await _ in client.changes() {
      if client.hasDaemon, agent?.generation != client.generation {
        let generation = client.generation
        // Without an agent straps that need no answer still bond.
        if let registered = await register(on: client) { agent = (registered, generation) }
      }
      station.wakeAll()
    }
    await agent?.0.unregister()
  }

  private func register(on client: BlueZClient) async -> PairingAgent? {
    guard let prompt = options.prompt else { return nil }
    return try? await PairingAgent.register(on: client, prompt: prompt) { [station] in station.isClaimed($0) }
  }

  /// Whether a strap, by its ordinal, is bonded now.
  package func isBonded(strap: Int) async -> Bool {
    let link = links.withLock { strap < $0.count ? $0[strap] : nil }
    return await link?.isBonded() ?? false
  }
}
