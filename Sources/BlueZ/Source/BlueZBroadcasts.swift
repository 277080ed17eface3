import BluetoothKernel
import DBus
import TachogramCore

/// The heart rates that straps in range broadcast, of as many straps as there are: nothing is connected. It outlives the
/// adapters, the daemon and the bus.
///
/// A strap is reported with its manufacturer data, and never for the strength of its signal alone: a strap
/// that advertises without its heart rate must not keep an old one fresh.
package final class BlueZBroadcasts: Sendable {
  package enum Update: Hashable, Sendable {
    /// An advertisement with a heart rate; the same one may be reported more than once.
    case heard(HeardBroadcast)
    /// What keeps straps from being heard; `nil` when nothing does.
    case obstacle(LinkReason?)
  }

  private struct Running {
    var task: Task<Void, Never>?
    /// Whoever listens after the end hears nothing more.
    var isStopped = false
  }

  /// More news than these are not kept for a listener who is too slow: only the newest are of use.
  private static let kept = 4096

  private let bus: DBusBus
  private let adapter: BluetoothAddress?
  private let isBlocked: AdapterCondition.Blocked?
  private let time: any TimeSourceProtocol
  private let running = Guarded(Running())

  /// `adapter`: the one to listen with; `nil` for all. `isBlocked` says whether rfkill keeps one off.
  package init(
    bus: DBusBus, adapter: BluetoothAddress?, isBlocked: AdapterCondition.Blocked? = nil, time: any TimeSourceProtocol,
  ) {
    self.bus = bus
    self.adapter = adapter
    self.isBlocked = isBlocked
    self.time = time
  }

  /// The news from now on; begins with whether there is an obstacle. Ends with `stop`, or with its reader.
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

  /// Ends the news; the daemon then ends the search.
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
    // Signals and the calls of a monitor come on different threads: what is read first is to be reported first.
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

  /// Keeps the adapters searching.
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
