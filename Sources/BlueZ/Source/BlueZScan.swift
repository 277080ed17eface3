import DBus
import TachogramCore

/// A search for straps that does not connect to any.
package struct BlueZScan: Sendable {
  private let bus: DBusBus
  private let adapter: BluetoothAddress?
  private let time: any TimeSourceProtocol

  package init(bus: DBusBus, adapter: BluetoothAddress?, time: any TimeSourceProtocol) {
    self.bus = bus
    self.adapter = adapter
    self.time = time
  }

  /// Calls `found` with the straps that are in range or connected after each change, until it returns `true`, `duration` has
  /// elapsed or the task is cancelled. Throws when the bus cannot be reached or is lost, or when the daemon is absent at the
  /// end.
  package func run(duration: Duration, found: ([BlueZDevice]) -> Bool) async throws(DBusError) {
    let client = try await BlueZClient.open(bus)
    let due = time.now().monotonic.advanced(by: duration)
    defer { client.close() }
    // Ends when `duration` has elapsed, when the bus is lost, or when the reading task is cancelled.
    let (events, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    let timer = Task { [time] in
      try? await time.sleep(until: due)
      continuation.finish()
    }
    let changes = Task {
      for await _ in client.changes() { continuation.yield() }
      continuation.finish()
    }
    defer {
      timer.cancel()
      changes.cancel()
    }
    var radios: [String: AdapterRadio] = [:]
    for await _ in events {
      for adapter in client.read(\.adapters) where adapter.condition == .ready && isWanted(adapter) {
        let radio = radios[adapter.path] ?? AdapterRadio(client: client, path: adapter.path, time: time)
        radios[adapter.path] = radio
        await radio.setSearching(true, link: 0)
        await radio.refresh()
      }
      let devices = client.read { tree in
        tree.adapters.filter(isWanted).flatMap { tree.devices(of: $0.path) }
      }
      if found(devices.filter { ($0.signal != nil || $0.isConnected) && $0.isStrap }) { break }
    }
    for radio in radios.values { await radio.setSearching(false, link: 0) }
    if !client.hasDaemon, !Task.isCancelled { throw .disconnected }
  }

  private func isWanted(_ candidate: BlueZAdapter) -> Bool {
    adapter.map { $0.value == candidate.address.value } ?? true
  }
}
