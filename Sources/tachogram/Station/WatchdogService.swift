import Recording
import Repository
import ServiceLifecycle
import Station

/// Tells systemd that the station lives: only while the recorder answers and the database can be asked.
struct WatchdogService: Service {
  let manager: ServiceManager
  let recorder: LiveRecorder
  let backend: StationBackend

  func run() async throws {
    guard let interval = manager.watchdogInterval else { return try await gracefulShutdown() }
    try? await cancelWhenGracefulShutdown {
      while !Task.isCancelled {
        let failure = await recorder.storageFailure
        _ = try? await backend.queries.run { [database = backend.database] in try database.probe() }
        manager.isWell()
        manager.status(failure.map { "cannot store: \(LogText.safe($0.description))" } ?? "recording")
        try await Task.sleep(for: .microseconds(interval / 2))
      }
    }
  }
}
