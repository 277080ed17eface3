import Access
import ArgumentParser
import BlueZ
import CommandProcess
import DBus
import Dashboard
import Doctor
import FileSystem
import Foundation
import Listening
import Logging
import Presentation
import Recording
import Repository
import Sessions
import Station
import TLS
import TachogramCore

/// `station`: runs the headless daemon.
struct StationCommand: AsyncCommand {
  static let configuration = CommandConfiguration(
    commandName: "station", abstract: "Record straps whenever they are worn, and show them on a page in the browser.",
    discussion: """
      A session starts when a strap is put on, and ends when the strap has sent nothing for a while. The page is at \
      http://127.0.0.1:8620 unless the configuration says otherwise. Outside loopback it requires the token that \
      `tachogram token` shows. SIGTERM and Ctrl-C stop the station in order; SIGHUP reloads the configuration. \
      `tachogram config show` lists the configuration keys.
      """)

  @OptionGroup var options: StationOptions

  @Option(help: "Play this capture instead of using a radio.", completion: .file())
  var replay: String?

  @Flag(help: "With --replay: start again when the capture ends.")
  var loop = false

  @Option(help: "With --replay: a multiple of real time.")
  var speed = ReplaySpeed.real

  func validate() throws {
    if replay == nil, loop { throw ValidationError("--loop requires --replay.") }
    if speed.factor == nil, loop { throw ValidationError("--loop cannot be combined with --speed max.") }
  }

  func perform() async throws {
    while try await run() == .restart, !Task.isCancelled {}
  }

  /// Runs the station until it is stopped, or is to start again with a restored snapshot.
  private func run() async throws -> RunningStation.Ending {
    Interrupt.noteStoring()
    let damaged = options.loader.setAsideDamagedFiles()
    let configuration = try options.load()
    OpenFiles.allow(8192)
    let environment = ProcessInfo.processInfo.environment
    let level = Logger.Level(rawValue: configuration.logLevel) ?? .info
    let logger = Logger(label: "tachogram") { _ in JournalLog(level: level, environment: environment) }
    for line in damaged { logger.error("the configuration", metadata: ["problem": "\(line)"]) }
    for remark in configuration.remarks { logger.warning("the configuration", metadata: ["remark": "\(remark)"]) }
    let path = try options.database(configuration)
    let restoreResult = RequestedRestoration(database: path, logger: logger).carryOut()
    let certificate = try certificate(configuration, database: path, logger)
    let manager = ServiceManager(environment: environment)
    let databases = try manager.pinging { try open(path, configuration, logger) }
    if databases.isInMemory { Interrupt.allow(.keeping) }
    defer { try? databases.close() }
    let (database, recording) = (databases.database, databases.recording)
    if !recording.isOnlyRecorder {
      logger.warning("another process records into the same database; interrupted sessions are not continued")
    }
    var plan = plan(configuration, logger)
    plan.known = try databases.straps()
    plan.onlyKnown = PairedMark(database: path).isSet
    let time = plan.time()
    let radio = replay == nil ? try await plan.radioSource(databasePath: path) : nil
    let source: any RadioSourceProtocol =
      if let radio { radio } else { try await plan.source(databasePath: path, time: time) }
    let follower = radio.map { StrapFollower(radio: $0, database: database, logger: logger) }
    let station = RunningStation(
      configuration: configuration, loader: options.loader, version: ProgramVersion.text,
      source: source,
      follower: follower,
      pairing: follower.map {
        StrapPairing(radio: plan.radio, database: database, follower: $0, hasPasskey: plan.passkey != nil)
      },
      doctor: replay == nil
        ? DoctorExamination(
          radio: plan.radio, environment: environment, stateFolder: AtomicFile.folder(of: path) ?? ".",
          problem: databases.problem, isDiscovering: { await isScanning(radio, configuration) }) : nil,
      broadcasts: replay == nil
        ? try WantedBroadcasts(configuration.radio.broadcasts, plan.radio, plan.known ?? []) : nil,
      time: time,
      isReplay: replay != nil,
      names: try plan.names(databasePath: path), databases: databases,
      access: try access(configuration, database: path), certificate: certificate,
      logger: logger, deviceID: ThisInstallation.deviceID(for: recording, isReplay: replay != nil),
      resumes: recording.isOnlyRecorder && databases.mayContinueSessions, restoreResult: restoreResult,
      problems: damaged
    ) { [http = configuration.http] port in
      let host = http.host.contains(":") ? "[\(http.host)]" : http.host
      StandardStreams.out("tachogram: the page is on \(http.tls == nil ? "http" : "https")://\(host):\(port)\n")
    }
    do {
      let ending = try await station.run()
      try manager.pinging { try databases.close() }
      ProcessEnd.settle(.done)
      return ending
    } catch let error as RepositoryError {
      throw CommandFailure(error)
    } catch let error as CommandFailure {
      throw error
    } catch let error as AddressFailure {
      throw CommandFailure("the page cannot be served: \(error)")
    } catch {
      throw CommandFailure("the station ended: \(LogText.safe(ErrorReason.text(error)))")
    }
  }

  /// Whether the station scans now: for straps, or for heart rates in advertisements.
  private func isScanning(_ radio: BlueZRadioSource?, _ configuration: StationConfiguration) async -> Bool {
    if !configuration.radio.broadcasts.isEmpty { return true }
    return await radio?.isDiscovering ?? false
  }

  /// Returns the plan for the radio, or for a capture in its place. The station waits for Bluetooth, which may start after it.
  private func plan(_ configuration: StationConfiguration, _ logger: Logger) -> ListeningPlan {
    let radio = RadioChoice(
      bus: configuration.radio.bus.map(DBusBus.address) ?? .system, adapter: configuration.radio.adapter)
    var plan = ListeningPlan(
      straps: configuration.radio.straps, radio: radio, capture: replay, isRepeated: loop, speed: speed, waits: true,
      passkey: configuration.radio.passkey)
    plan.sensors = configuration.sensors
    plan.reportStream = { report in
      logger.notice(
        "a measurement is not received",
        metadata: ["strap": "\(report.strap)", "reason": "\(SensorStreamWording.text(report))"])
    }
    return plan
  }

  private func access(_ configuration: StationConfiguration, database: String) throws -> AccessControl {
    let http = configuration.http
    let isSecure = http.tls != nil
    if http.isLoopback { return AccessControl(tokens: nil, names: http.names, isSecure: isSecure) }
    do {
      _ = try StationToken(database: database).readOrMake()
      return AccessControl(tokens: TokenBook(database: database, time: SystemTimeSource()), isSecure: isSecure)
    } catch {
      throw CommandFailure("no token for the page: \(error)")
    }
  }

  private func certificate(
    _ configuration: StationConfiguration, database: String, _ logger: Logger
  ) throws -> PageCertificate? {
    StationCertificate.own(configuration, database: database)?.renew(logger)
    do {
      return try configuration.http.tls.map { try PageCertificate($0, logger: logger) }
    } catch let failure as TLSFailure {
      throw CommandFailure("the page cannot be served with TLS: \(failure)")
    }
  }

  private func open(
    _ path: String, _ configuration: StationConfiguration, _ logger: Logger
  ) throws -> StationDatabases {
    let folder = SnapshotFolder(configuration.snapshots.folder, database: path)
    return try CommandFailure.wording {
      try StationDatabases.open(
        path, kind: configuration.session.hrv, copies: folder, logger
      ) { () throws(RepositoryError) in
        try DatabaseOpening.open(path, for: .recording, copies: configuration.snapshots.keep > 0 ? folder : nil)
      }
    }
  }
}
