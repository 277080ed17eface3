import CommandProcess
import Dashboard
import FoundationEssentials
import Logging
import Presentation
import Recording
import Repository
import Sleep
import TachogramCore

/// The nights of the station: begun and ended by requests, and by themselves.
struct StationNights: NightBackend {
  /// The time between two looks at the nights that last: an epoch.
  static let interval: Duration = .seconds(30)

  private let database: TachogramDatabase
  private let configuration: CurrentConfiguration
  private let hub: LiveHub
  private let recorder: LiveRecorder?
  private let time: any TimeSourceProtocol
  private let logger: Logger
  private let queries = QueryQueue()
  /// The sessions that were nights while this station ran: one that is none any more is not to become one by itself.
  private let nightSessions = KnownNights()

  init(
    database: TachogramDatabase, configuration: CurrentConfiguration, hub: LiveHub, recorder: LiveRecorder?,
    time: any TimeSourceProtocol, logger: Logger,
  ) {
    self.database = database
    self.configuration = configuration
    self.hub = hub
    self.recorder = recorder
    self.time = time
    self.logger = logger
  }

  // MARK: - By themselves

  /// Begins and ends nights by the usual hours and by what straps send, and keeps the sessions of nights open.
  func follow() async {
    guard database.isAvailable else { return }
    let recorded = await recorder?.taken ?? []
    let (now, value) = (time.now().wall, configuration.value)
    do {
      let changes = try await queries.run { [database, nightSessions] in
        nightSessions.add(try SleepRepository(database: database).running().map(\.session))
        let keeper = NightKeeper(database: database, timeZone: value.timeZone)
        let changes = try keeper.follow(recorded, except: nightSessions.all, at: now) { time in
          value.sleep.hours?.remaining(LocalTime(of: time.date, in: value.timeZone).secondOfDay)
        }
        nightSessions.add(changes.map(\.session))
        return changes
      }
      for change in changes {
        switch change {
        case .began: logger.info("a night has begun by itself")
        case .ended(let session):
          hub.endStage(of: session)
          logger.info("a night has ended by itself")
        }
      }
      try await keepOpen()
    } catch {
      logger.error("the nights cannot be followed", metadata: ["error": "\(LogText.safe(ErrorReason.text(error)))"])
    }
  }

  private func keepOpen() async throws {
    let running = try await queries.run { [database] in
      Set(try SleepRepository(database: database).running().map(\.session))
    }
    await recorder?.keepOpen(running, for: NightKeeper.longestSilence)
  }

  // MARK: - Requests

  func nights(of person: String?, from: WallTime?, to: WallTime?) async throws -> API.Nights {
    let first = from ?? WallTime(microseconds: .min)
    let last = max(first, to ?? WallTime(microseconds: .max))
    return try await queries.run { [database] in
      let nights = try SleepRepository(database: database).nights(of: person, startingIn: first...last)
      let sessions = SessionRepository(database: database)
      let read = try nights.compactMap { night in
        try sessions.storedSession(night.session).map { DescribedNight(night: night, session: $0.description) }
      }
      let dated = read.reversed().compactMap { night in
        night.staging.map { DatedNight(start: night.start, stages: $0.stages) }
      }
      return API.Nights(
        nights: try read.map { try $0.summary() }, regularity: API.rounded(try? SleepRegularityIndex.index(of: dated)))
    }
  }

  func night(_ session: String) async throws -> API.NightDetail {
    await recorder?.commit()
    return try await queries.run { [database] in try Self.night(session, database).detail(in: database) }
  }

  func begin(_ new: API.NewNight) async throws -> API.Night {
    let running = hub.running
    guard let session = new.session ?? (running.count == 1 ? running.first : nil) else {
      throw DashboardError(
        .conflict,
        running.isEmpty
          ? "no strap is being received; put the strap on, wait for its first beat, and start the night then."
          : "\(running.count) straps are being received; name the session of one of them.")
    }
    await recorder?.commit()
    let night = try await change { keeper, now in try keeper.begin(session, at: now, origin: .page) }
    try await keepOpen()
    return night
  }

  func end(_ session: String) async throws -> API.Night {
    await recorder?.commit()
    let night = try await change { keeper, now in try keeper.end(session, at: now) }
    hub.endStage(of: night.session)
    return night
  }

  func forget(_ session: String) async throws {
    let isForgotten = try await queries.run { [database] in
      guard try SessionRepository(database: database).storedSession(session) != nil else { return false }
      return try SleepRepository(database: database).forget(session)
    }
    guard isForgotten else { throw Self.missing(session) }
  }

  private func change(
    _ body: @escaping @Sendable (NightKeeper, WallTime) throws -> SleepSession
  ) async throws -> API.Night {
    let (now, zone) = (time.now().wall, configuration.value.timeZone)
    return try await queries.run { [database] in
      do {
        let night = try body(NightKeeper(database: database, timeZone: zone), now)
        return try Self.night(night.session, database).summary()
      } catch let failure as NightKeeper.Failure {
        throw DashboardError(.conflict, "\(failure).")
      } catch RepositoryError.sessionNotFound {
        throw DashboardError.notFound("there is no such session.")
      }
    }
  }

  private static func night(_ session: String, _ database: TachogramDatabase) throws -> DescribedNight {
    guard let record = try SessionRepository(database: database).storedSession(session),
      let night = try SleepRepository(database: database).night(of: session)
    else { throw missing(session) }
    return DescribedNight(night: night, session: record.description)
  }

  private static func missing(_ session: String) -> DashboardError {
    .notFound("session \(session) is not a night.")
  }
}
