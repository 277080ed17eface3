import BlueZ
import ServiceLifecycle

/// Receives heart rates from advertisements until the station ends.
struct BroadcastService: Service {
  let source: BlueZBroadcasts
  let broadcasts: LiveBroadcasts

  func run() async throws {
    await withGracefulShutdownHandler {
      for await update in source.news() { broadcasts.handle(update) }
    } onGracefulShutdown: {
      Task { [source] in await source.stop() }
    }
  }
}
