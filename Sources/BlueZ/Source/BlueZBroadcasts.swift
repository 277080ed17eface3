import DBus
import TachogramCore
import Threads

/// The heart rates broadcast by all straps in range, received without connections. Continues after a loss of the adapters, the
/// daemon or the bus.
///
/// A strap is reported for advertisements with manufacturer data, and never for a change of its signal strength alone.
/// Otherwise, advertisements without a heart rate would keep an old heart rate fresh.
package final class BlueZBroadcasts: Sendable {
  package enum Update: Hashable, Sendable {
    /// An advertisement with a heart rate; the same one may be reported more than once.
    case heard(HeardBroadcast)
    /// The obstacle to receiving straps, or `nil` if there is none.
    case obstacle(LinkReason?)
  }

  private struct Running {
    var task: Task<Void, Never>?
    /// Whether `stop` was called. Streams created later end immediately.
    var isStopped = false
  }

  /// The maximum number of updates buffered for a slow reader. The oldest are discarded.
  private static let kept = 4096

  private let bus: DBusBus
  private let adapter: BluetoothAddress?
  private let isBlocked: AdapterCondition.Blocked?
  private let time: any TimeSourceProtocol
  private let running = Guarded(Running())

  /// Creates a source of broadcasts. `adapter` is the adapter to listen with, or `nil` for all. `isBlocked` returns whether
  /// rfkill blocks an adapter.
  package init(
    bus: DBusBus, adapter: BluetoothAddress?, isBlocked: AdapterCondition.Blocked? = nil, time: any TimeSourceProtocol,
  ) {
    self.bus = bus
    self.adapter = adapter
    self.isBlocked = isBlocked
    self.time = time
  }

  /// Returns a stream of updates, in which each change of the obstacle is reported, including the initial one. The stream ends
  /// with `stop` or with its reader.
  package func news() -> AsyncStream<Update> {
    let (stream, continuation) = AsyncStream.makeStream(of: Update.self, bufferingPolicy: .bufferingNewest(Self.kept))
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

  /// Ends the stream of updates. The daemon then ends the search.
  package func stop() async {
    let task = running.withLock { running in
      running.isStopped = true
      return running.task
    }
    task?.cancel()
    await task?.value
  }

  private func run(_ emit: @escaping @Sendable (Update) -> Void) async {
    let told = Guarded<LinkReason??>(nil)
    let publish = { @Sendable (obstacle: LinkReason?) in
      told.withLock { told in
        guard told != .some(obstacle) else { return }
        told = obstacle
        emit(.obstacle(obstacle))
      }
    }
    // Signals and calls of the monitor are handled on different threads. The lock preserves the order of the readings.
    let publishing = Guarded(())
    await BusReconnector(bus: bus, time: time).run { [time] client in
      client.listenToAdvertisements { [weak client] path in
        publishing.withLock { _ in
          let device = client?.read { $0.device(path) }
          if let device, let heard = Self.heard(device, time) { emit(.heard(heard)) }
        }
      }
    } use: {
      await self.listen($0, publish)
    } absent: {
      if !Task.isCancelled { publish(.noBus) }
    }
  }

  private static func heard(_ device: BlueZDevice, _ time: any TimeSourceProtocol) -> HeardBroadcast? {
    guard let content = device.broadcast, !device.isConnected else { return nil }
    let now = time.now()
    return HeardBroadcast(
      address: device.address, name: device.name, content: content, signal: device.signal, monotonic: now.monotonic,
      wall: now.wall)
  }

  /// Keeps all usable adapters searching, and publishes the obstacles.
  private func listen(_ client: BlueZClient, _ publish: @Sendable (LinkReason?) -> Void) async {
    var radios: [String: AdapterRadio] = [:]
    for await _ in client.changes() {
      let adapters = client.read(\.adapters).filter { adapter == nil || adapter?.value == $0.address.value }
      let obstacle = Self.obstacle(hasDaemon: client.hasDaemon, adapters.map { $0.condition(isBlocked) })
      guard client.isOpen else { return }
      publish(obstacle)
      for adapter in adapters where adapter.condition == .ready {
        let radio =
          radios[adapter.path] ?? AdapterRadio(client: client, path: adapter.path, kind: .broadcasts, time: time)
        radios[adapter.path] = radio
        await radio.setSearching(true, link: 0)
      }
      for radio in radios.values { await radio.refresh() }
    }
  }

  private static func obstacle(hasDaemon: Bool, _ adapters: [AdapterCondition]) -> LinkReason? {
    if !hasDaemon { return .noDaemon }
    if adapters.contains(.ready) { return nil }
    if adapters.contains(.off) { return .adapterOff }
    return adapters.contains(.blocked) ? .adapterBlocked : .adapterMissing
  }
}
