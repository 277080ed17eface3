import Presentation
import Recording
import Repository
import ServiceLifecycle

/// Reports the state of the station to systemd, and pings its watchdog as long as neither the recorder nor a query of the
/// database hangs. A query that fails does not stop the pings.
struct WatchdogService: Service {
  let manager: ServiceManager
  let recorder: LiveRecorder
  let database: TachogramDatabase
  let journal: LinkJournal
  /// Separate from the queue of the API, whose load is independent of the recorder.
  private let queue = QueryQueue()

  init(manager: ServiceManager, recorder: LiveRecorder, database: TachogramDatabase, journal: LinkJournal) {
    self.manager = manager
    self.recorder = recorder
    self.database = database
    self.journal = journal
  }

  func run() async throws {
    guard manager.isListening else { return try await gracefulShutdown() }
    try? await cancelWhenGracefulShutdown {
      while !Task.isCancelled {
        let failure = await recorder.storageFailure
        _ = try? await queue.run { [database] in try database.probe() }
        manager.pingWatchdog()
        manager.status(failure.map { "cannot store: \(LogText.safe($0.description))" } ?? journal.summary)
        try await Task.sleep(for: manager.pingInterval)
      }
    }
  }
}
