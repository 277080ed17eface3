import CommandProcess
import Logging
import Presentation
import Recording
import Repository
import TachogramCore

/// Estimates the stages of nights that last, for the page and the outlets.
struct StationStages {
  /// The time between two estimates. Each reads the stored night from its start. Beats are stored once a minute, and not more
  /// often for the stages.
  static let interval: Duration = .seconds(60)

  private let database: TachogramDatabase
  private let configuration: CurrentConfiguration
  private let hub: LiveHub
  private let time: any TimeSourceProtocol
  private let logger: Logger
  private let queries = QueryQueue.background()

  init(
    database: TachogramDatabase, configuration: CurrentConfiguration, hub: LiveHub, time: any TimeSourceProtocol,
    logger: Logger,
  ) {
    (self.database, self.configuration, self.hub) = (database, configuration, hub)
    (self.time, self.logger) = (time, logger)
  }

  /// Estimates the stages of the nights that are recorded now.
  func follow() async {
    let (sessions, now, zone) = (hub.running, time.now().wall, configuration.value.timeZone)
    guard !sessions.isEmpty, database.isAvailable else { return }
    do {
      hub.stage(
        try await queries.run { [database] in
          try LiveStaging(database: database, timeZone: zone).stages(of: sessions, at: now)
        })
    } catch {
      hub.stage([:])
      logger.error(
        "the stages of the night cannot be estimated", metadata: ["error": "\(LogText.safe(ErrorReason.text(error)))"])
    }
  }
}
