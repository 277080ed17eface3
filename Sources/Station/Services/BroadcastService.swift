import BlueZ
import ServiceLifecycle
import TachogramCore

/// Receives heart rates from advertisements until the station ends.
struct BroadcastService: Service {
  let source: BlueZBroadcasts
  let broadcasts: LiveBroadcasts
  /// Whether a strap is received by a connection: its averages say nothing new then.
  let receives: @Sendable (BluetoothAddress) -> Bool
  /// Publishes all readings, since straps were forgotten.
  let publishAll: @Sendable () -> Void

  func run() async throws {
    await withGracefulShutdownHandler {
      for await update in source.news() {
        if case .heard(let heard) = update, receives(heard.address) {
          broadcasts.ignore(heard)
          continue
        }
        if broadcasts.handle(update) { publishAll() }
      }
    } onGracefulShutdown: {
      Task { [source] in await source.stop() }
    }
  }
}
