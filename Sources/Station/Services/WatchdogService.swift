import Presentation
import Recording
import Repository
import ServiceLifecycle

/// Reports the state of the station to systemd, and pings its watchdog only while the recorder answers and the database can be asked.
struct WatchdogService: Service {
  /// How old what `systemctl status` shows can be.
  private static let pause: Duration = .seconds(5)

  let manager: ServiceManager
  let recorder: LiveRecorder
  let database: TachogramDatabase
  let journal: LinkJournal
  /// Not that of the questions: how many there are says nothing of the recorder.
  private let queue = QueryQueue()

  init(manager: ServiceManager, recorder: LiveRecorder, database: TachogramDatabase, journal: LinkJournal) {
    self.manager = manager
    self.recorder = recorder
    self.database = database
    self.journal = journal
  }

  func run() async throws {
    guard manager.isListening else { return try await gracefulShutdown() }
    let pause = min(manager.watchdogInterval.map { $0 / 2 } ?? Self.pause, Self.pause)
    try? await cancelWhenGracefulShutdown {
      while !Task.isCancelled {
        let failure = await recorder.storageFailure
        _ = try? await queue.run { [database] in try database.probe() }
        manager.pingWatchdog()
        manager.status(failure.map { "cannot store: \(LogText.safe($0.description))" } ?? journal.summary)
        try await Task.sleep(for: pause)
      }
    }
  }
}
