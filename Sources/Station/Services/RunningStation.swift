import BlueZ
import Dashboard
import Foundation
import Logging
import Outlets
import Presentation
import Recording
import Repository
import ServiceLifecycle
import Sessions
import TachogramCore
import UnixSignals

/// The composition of the station: notifications go through the recorder to the database and to the page.
package struct RunningStation {
  package let configuration: StationConfiguration
  /// Reads the configuration again.
  package let loader: ConfigurationLoader
  package let version: String
  package let source: any RadioSourceProtocol
  /// Updates the followed straps when straps are paired or forgotten, or `nil` if a capture is played.
  package let follower: StrapFollower?
  /// The pairing of straps, or `nil` if a capture is played.
  package let pairing: StrapPairing?
  package let doctor: (any DoctorBackend)?
  /// The straps whose heart rate is received from advertisements, or `nil` for none.
  package let broadcasts: WantedBroadcasts?
  package let time: any TimeSourceProtocol
  package let isReplay: Bool
  package let names: StrapNames
  package let databases: StationDatabases
  package let access: AccessControl
  /// The certificate, or `nil` without TLS.
  package let certificate: PageCertificate?
  package let logger: Logger
  /// The identifier of this installation, or `nil` if it has none.
  package let deviceID: String?
  /// Whether an interrupted session is continued.
  package let resumes: Bool
  /// The result of restoring a snapshot before the start, in words, or `nil` if none was requested.
  let restoreResult: String?
  /// What was found wrong when the station started: sentences for the page.
  let problems: [String]
  /// Called with the port when the page is served.
  package let onRunning: @Sendable (_ port: Int) -> Void

  package init(
    configuration: StationConfiguration, loader: ConfigurationLoader, version: String, source: any RadioSourceProtocol,
    follower: StrapFollower?, pairing: StrapPairing?, doctor: (any DoctorBackend)?,
    broadcasts: WantedBroadcasts? = nil, time: any TimeSourceProtocol,
    isReplay: Bool, names: StrapNames,
    databases: StationDatabases, access: AccessControl, certificate: PageCertificate?, logger: Logger,
    deviceID: String?, resumes: Bool, restoreResult: String? = nil, problems: [String] = [],
    onRunning: @escaping @Sendable (_ port: Int) -> Void,
  ) {
    self.configuration = configuration
    self.loader = loader
    self.version = version
    self.source = source
    self.follower = follower
    self.pairing = pairing
    self.doctor = doctor
    self.broadcasts = broadcasts
    self.time = time
    self.isReplay = isReplay
    self.names = names
    self.databases = databases
    self.access = access
    self.certificate = certificate
    self.logger = logger
    self.deviceID = deviceID
    self.resumes = resumes
    self.restoreResult = restoreResult
    self.problems = (databases.problem.map { [$0] } ?? []) + problems
    self.onRunning = onRunning
  }

  /// How the station ended.
  package enum Ending: Hashable, Sendable {
    case stopped
    /// It is to start again, with the snapshot that was requested or with a database that is up to date now.
    case restart
  }

  private var database: TachogramDatabase { databases.database }

  package func run() async throws -> Ending {
    let (restarts, restart) = AsyncStream.makeStream(of: Void.self)
    let started = SystemTimeSource().now().wall
    let manager = ServiceManager(environment: ProcessInfo.processInfo.environment)
    let current = CurrentConfiguration(configuration)
    let storage = StationStorage(
      database: database, snapshots: SnapshotFolder(configuration.snapshots.folder, database: database.path),
      time: SystemTimeSource())
    let feed = EventFeed(started: started)
    let outlets = OutletHub(outlets.all())
    let averages = broadcasts.map { LiveBroadcasts($0.board, feed: feed, outlets: outlets, time: time) }
    let hub = LiveHub(
      names: names, feed: feed, outlets: outlets, averages: averages, time: time,
      hasPasskey: configuration.radio.passkey != nil)
    let journal = LinkJournal(logger)
    let recorder = LiveRecorder(
      source: source, options: live, time: time, database: databases.recording, observeEnd: hub.ended
    ) { news in
      hub.handle(news)
      journal.handle(news.event)
    }
    let maintenance = Maintenance(storage, configuration: current, hub: hub, recorder: recorder, logger: logger)
    let nights = StationNights(
      database: database, configuration: current, hub: hub, recorder: recorder, time: SystemTimeSource(),
      logger: logger)
    let stages = StationStages(
      database: database, configuration: current, hub: hub, time: SystemTimeSource(), logger: logger)
    let backend = StationBackend(
      facts: StationFacts(version: version, started: started, isReplay: isReplay), configuration: current,
      storage: storage, hub: hub, feed: feed, recorder: recorder, pairing: pairing, doctor: doctor,
      edits: StationSessionEdits(storage: storage, hub: hub, recorder: recorder, deviceID: deviceID),
      nights: nights,
      readings: StationReadings(
        database: database, configuration: current, time: SystemTimeSource(), find: hub.session(_:),
        follow: hub.session(of:),
        commit: { await recorder.commit() }, onChange: storage.usual.forget),
      stationGlances: StationGlances(
        hub: hub,
        histories: GlanceHistories(source: StoredGlances(database: database, configuration: current), time: time),
        configuration: current, time: time),
      snapshots: StationSnapshots(
        storage: storage, kind: configuration.session.hrv, lastResult: restoreResult
      ) { restart.yield() },
      stationSettings: StationSettings(loader: loader, database: database.path),
      reload: { await reload(current, recorder) },
      startProblem: problems.isEmpty ? nil : problems.joined(separator: " "), keepsInMemory: databases.isInMemory,
      watched: { await maintenance.watched })
    let (served, serve) = AsyncStream.makeStream(of: Void.self)
    let server = DashboardServer(
      DashboardServer.Options(
        host: ListeningHost.usable(configuration.http.host), port: configuration.http.port, access: access,
        identity: certificate?.identity, frameOrigins: configuration.http.frameOrigins),
      backend: backend, feed: feed, time: SystemTimeSource(), logger: quiet,
      report: { [logger] incident in Self.log(incident, logger) }
    ) { port in
      serve.finish()
      manager.ready()
      onRunning(port)
    }
    var services: [any Service] = [
      WatchdogService(manager: manager, recorder: recorder, database: database, journal: journal),
      PeriodicService(
        interval: .seconds(5),
        [
          {
            let wanted = current.value
            await follower?.follow(wanted.radio.straps, sensors: wanted.sensors, rename: hub.rename)
          },
          {
            await maintenance.run {
              if let status = try? await backend.status() { feed.publish(.status(status)) }
            }
          },
        ]),
      PeriodicService(interval: StationNights.interval, [{ await nights.follow() }]),
      PeriodicService(interval: StationStages.interval, [{ await stages.follow() }]),
      StaleWatch(watch: hub.watch, nextStale: hub.nextStale, revivals: hub.revivals, time: time),
      SyncService(
        sync: StationSync(database, kind: configuration.session.hrv), logger: logger,
        isDaily: { current.value.syncsDaily }),
    ]
    services += broadcastServices(averages, hub)
    for member in outlets.members {
      services.append(
        OutletService(member: member, logger: logger) { await recorder.record($0, strap: $1) })
    }
    services.append(
      RecorderService(
        recorder: recorder, source: source, isReplay: isReplay, isInMemory: databases.isInMemory, logger: logger,
        served: served))
    services.append(server)
    services += certificateServices
    services += storageServices { restart.yield() }
    let ending = try await reloading(current, recorder) { [services] in
      try await Self.run(until: restarts, .ofStation(services, logger: quiet))
    }
    if ending == .stopped { manager.stopping() } else { manager.status("starting again") }
    return ending
  }

  /// The service for a database that is not recorded into.
  private func storageServices(_ restart: @escaping @Sendable () -> Void) -> [any Service] {
    guard let reason = databases.retry else { return [] }
    return [
      StorageRetry(
        reason, database: database.path, copies: databases.copies, memory: databases.recording, restart: restart)
    ]
  }

  /// The services that receive heart rates from advertisements, if they are wanted.
  private func broadcastServices(_ averages: LiveBroadcasts?, _ hub: LiveHub) -> [any Service] {
    guard let averages, let source = broadcasts?.source else { return [] }
    return [
      BroadcastService(source: source, broadcasts: averages, receives: hub.receives, publishAll: hub.publishAll),
      StaleWatch(
        watch: averages.watch, nextStale: averages.nextStale, revivals: averages.revivals, time: time),
      PeriodicService(interval: .seconds(60), [{ if averages.forgetAbsent() { hub.publishAll() } }]),
    ]
  }

  /// The outlets that are configured.
  private var outlets: StationOutlets {
    StationOutlets(
      configuration: configuration,
      secrets: OutletSecrets(
        credentials: ProcessInfo.processInfo.environment["CREDENTIALS_DIRECTORY"], database: database.path),
      version: version, host: ProcessInfo.processInfo.hostName, logger: logger,
      pairedStraps: { [database, queries = QueryQueue()] in
        let straps = try? await queries.run { try StrapRepository(database: database).straps() }
        // Until one was paired, any strap is recorded.
        return straps?.isEmpty == true && !PairedMark(database: database.path).isSet ? nil : straps
      })
  }

  /// The services for a certificate, if there is one.
  private var certificateServices: [any Service] {
    guard let certificate else { return [] }
    return [
      PeriodicService(
        interval: .seconds(86_400),
        [
          { [own = StationCertificate.own(configuration, database: database.path), logger] in own?.renew(logger) },
          { certificate.watch(SystemTimeSource().now().wall) },
        ]),
      PeriodicService(
        interval: PageCertificate.checkInterval, [{ certificate.renewIfReplaced(at: SystemTimeSource().now().wall) }]),
    ]
  }

  /// Runs the services until the task is cancelled by Ctrl-C or SIGTERM, or a restart is requested; then they end in order.
  private static func run(until restarts: AsyncStream<Void>, _ group: ServiceGroup) async throws -> Ending {
    let running = Task { try await group.run() }
    let waiting = Task { () -> Ending in
      for await _ in restarts {
        await group.triggerGracefulShutdown()
        return .restart
      }
      return .stopped
    }
    defer { waiting.cancel() }
    do {
      try await withTaskCancellationHandler {
        try await running.value
      } onCancel: {
        Task { await group.triggerGracefulShutdown() }
      }
    } catch is CancellationError where Task.isCancelled {
      // Some services exceeded the time limit; the recorder has ended in order, or logs why not.
    }
    if Task.isCancelled { return .stopped }
    waiting.cancel()
    return await waiting.value
  }

  /// Logs an error of a request, without the identity of persons.
  package static func log(_ incident: DashboardIncident, _ logger: Logger) {
    switch incident {
    case .wrongToken(let place): logger.notice("a wrong token was refused", metadata: ["from": "\(place)"])
    case .tooManyConnections(let place):
      logger.warning(
        "there are too many connections; those that wait for their client are closed", metadata: ["last": "\(place)"])
    case .failed(let path, let error):
      logger.error("a request failed", metadata: ["path": "\(path)", "error": "\(error)"])
    }
  }

  /// The logger for libraries, whose messages about each connection and service are not needed.
  private var quiet: Logger {
    var logger = logger
    logger.logLevel = max(logger.logLevel, .warning)
    return logger
  }

  private var live: LiveOptions {
    var options = LiveOptions(
      kind: configuration.session.hrv, commitInterval: configuration.storage.commit.duration,
      endAfter: configuration.session.endAfter.duration, resumes: resumes)
    options.deviceID = deviceID
    options.wearer = { [databases] address in
      let strap = try? databases.straps().first { $0.address.matches(address) }
      return LiveOptions.Wearer(person: strap?.person, label: strap?.label)
    }
    return options
  }

  // MARK: - Reading the configuration again

  /// Runs `body`, and reads the configuration again on each SIGHUP.
  private func reloading(
    _ current: CurrentConfiguration, _ recorder: LiveRecorder, _ body: () async throws -> Ending
  ) async throws -> Ending {
    let reloading = Task {
      for await _ in await UnixSignalsSequence(trapping: .sighup) { await reload(current, recorder) }
    }
    defer { reloading.cancel() }
    return try await body()
  }

  /// Applies the changes that are possible at run time. An invalid configuration changes nothing.
  private func reload(_ current: CurrentConfiguration, _ recorder: LiveRecorder) async {
    do {
      let (old, new) = (current.value, try loader.load())
      current.value = new
      await recorder.change(endAfter: new.session.endAfter.duration, kind: new.session.hrv)
      var radio = old.radio
      radio.straps = new.radio.straps
      var http = old.http
      http.heartMetrics = new.http.heartMetrics
      if let certificate, let files = new.http.tls {
        http.tls = files
        certificate.renew(files, at: SystemTimeSource().now().wall)
      }
      let isWhole =
        http == new.http && radio == new.radio && old.storage == new.storage
        && old.database == new.database
        && old.mqtt == new.mqtt && old.influx == new.influx && old.logLevel == new.logLevel
        && old.snapshots.folder == new.snapshots.folder
      logger.notice("the configuration was read again")
      if !isWhole {
        logger.notice(
          """
          what changed of http, mqtt, influx, storage, database, logLevel, the folder of copies and radio holds from the next \
          start, but for the certificate, http.heartMetrics and the straps
          """)
      }
    } catch {
      logger.error("the configuration is wrong and was not applied", metadata: ["problem": "\(error)"])
    }
  }
}
