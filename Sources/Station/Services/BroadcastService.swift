import BlueZ
import ServiceLifecycle

/// Receives heart rates from advertisements until the station ends.
struct BroadcastService: Service {
  let source: BlueZBroadcasts
  let broadcasts: LiveBroadcasts
  /// Publishes all readings, since straps were forgotten.
  let publishAll: @Sendable () -> Void

  func run() async throws {
    await withGracefulShutdownHandler {
      for await update in source.news() where broadcasts.handle(update) { publishAll() }
    } onGracefulShutdown: {
      Task { [source] in await source.stop() }
    }
  }
}
