import CommandProcess
import Dashboard
import FoundationEssentials
import Logging
import Presentation
import Recording
import Repository
import StressKit
import TachogramCore

/// The maintenance of the station: alerts every few seconds, trends every ten minutes, snapshots, retention and baselines when
/// they are due.
actor Maintenance {
  private static let day: Duration = .seconds(86_400)
  private static let minute: Duration = .seconds(60)
  /// The maximum number of alerts that are sent at a time.
  private static let mostTold = 8

  /// The results of maintenance that are shown.
  struct Watched: Sendable {
    var alerts: [AlertRules.Alert] = []
    var isDiskLow = false
  }

  private let storage: StationStorage
  private let configuration: CurrentConfiguration
  private let hub: LiveHub
  private let recorder: LiveRecorder
  private let work: MaintenanceWork
  private(set) var watched = Watched()
  /// The reason why notifications could not be stored at the last check.
  private var storageProblem: String?
  private let logger: Logger
  private var rules = AlertRules()
  private var held = HeldAlerts()
  /// The alerts that are being sent.
  private var telling: [Int: Task<Void, Never>] = [:]
  private var told = 0
  /// The persons whose morning reading is due, or `nil` if none is.
  private var dueReadings: [String]?
  /// The time zone of the stored days.
  private var zone: TimeZone?
  /// The sessions that could not be derived; they are tried again after the next start.
  private var unsettled: Set<String> = []
  /// The time at which each task was last done.
  private var done: [MaintenanceTask: MonotonicTime] = [:]

  private enum MaintenanceTask {
    case check, derivation, readings, zone, trends, prepare, snapshot, renewal, daily, pages
  }

  init(
    _ storage: StationStorage, configuration: CurrentConfiguration, hub: LiveHub, recorder: LiveRecorder, logger: Logger
  ) {
    self.storage = storage
    self.configuration = configuration
    self.hub = hub
    self.recorder = recorder
    self.logger = logger
    work = MaintenanceWork(
      storage: storage, configuration: configuration, hub: hub, queue: .background(), logger: logger)
  }

  /// Does the tasks that are due. `onAlerts` is called when the alerts have changed, before tasks that take longer.
  func run(onAlerts: @Sendable () async -> Void = {}) async {
    let failure = await recorder.storageFailure
    if let failure, storageProblem != failure.description {
      logger.error("notifications cannot be stored", metadata: ["error": "\(failure.description)"])
    } else if failure == nil, storageProblem != nil {
      logger.notice("notifications are stored again")
    }
    storageProblem = failure?.description
    let configuration = configuration.value
    let free = StorageFacts(database: storage.database.path).freeBytes
    // Pending derivations must not use up new space at once.
    let least = configuration.lowDisk
    watched.isDiskLow = (free ?? .max) < (watched.isDiskLow ? least + least / 4 : least)
    await recorder.keepLedgerAlone(watched.isDiskLow)
    if isDue(.readings, every: Self.minute) { dueReadings = await work.dueReadings() }
    if alert(configuration.alerts) { await onAlerts() }
    // Nothing can be changed, and the next snapshot is due when it can.
    if !storage.database.isWritable { return }
    // First, because people look at the page of a station that has just started.
    await ifDue(.prepare, every: Self.minute * 30) { try await $0.prepare() }
    await ifDue(.daily, every: Self.day) { try await $0.daily() }
    await ifDue(.pages, every: Self.minute) { _ in ProgramPages.releaseFileBackedPages() }
    // The following tasks can be done later.
    guard !watched.isDiskLow else {
      if storage.condition.now.hasStaleCopies {
        await ifDue(.renewal, every: Self.minute) { try await $0.dropStaleCopies() }
      }
      return await check()
    }
    if storage.condition.now.hasStaleCopies { await ifDue(.renewal, every: Self.minute) { try await $0.renewCopies() } }
    if zone != configuration.timeZone, await ifDue(.zone, every: Self.minute, { try await $0.adoptTimeZone() }) {
      zone = configuration.timeZone
    }
    await derivePending()
    // Trends are also updated when they are read. Each update is a commit, so that few are made.
    await ifDue(.trends, every: Self.minute * 10) { try await $0.refreshTrends() }
    if configuration.snapshots.keep > 0 {
      let interval = configuration.snapshots.interval(bytes: storage.database.size)
      if done[.snapshot] == nil { done[.snapshot] = lastCopy(within: interval) }
      let last = storage.condition.now.lastSnapshot
      // The copy was checked completely.
      if await ifDue(.snapshot, every: interval, { try await $0.copyWhatIsNew() }),
        storage.condition.now.lastSnapshot != last
      {
        done[.check] = storage.time.now().monotonic
      }
    }
    await check()
  }

  /// Returns the time of the newest snapshot, if it is not older than `interval`, so that a station that starts repeatedly does
  /// not copy its database each time. Snapshots from the future are ignored.
  private func lastCopy(within interval: Duration) -> MonotonicTime? {
    let now = storage.time.now()
    guard let age = storage.condition.now.lastSnapshot.map({ now.wall.duration(since: $0) }),
      (.zero..<interval).contains(age)
    else { return nil }
    return now.monotonic.advanced(by: .zero - age)
  }

  /// Checks the whole database, unless a snapshot did so recently.
  private func check() async {
    await ifDue(.check, every: Self.day) { try await $0.check() }
  }

  /// Derives the pending rows of one earlier recording, which were left out for lack of space.
  private func derivePending() async {
    guard isDue(.derivation, every: Self.minute) else { return }
    let running = await recorder.taken.union(unsettled)
    var session: String?
    do {
      session = try await work.nextPendingDerivation(except: running)
      if let session { try await work.derive(session) }
    } catch {
      if let session { unsettled.insert(session) }
      logger.error("a session cannot be derived", metadata: ["error": "\(error)"])
    }
  }

  /// Returns whether a task is due; it then counts as done.
  private func isDue(_ task: MaintenanceTask, every interval: Duration) -> Bool {
    let now = storage.time.now().monotonic
    if let last = done[task], now.duration(since: last) < interval { return false }
    done[task] = now
    return true
  }

  /// Does a task if it is due. Returns whether it was done.
  @discardableResult
  private func ifDue(
    _ task: MaintenanceTask, every interval: Duration,
    _ body: @escaping @Sendable (MaintenanceWork) async throws -> Void,
  ) async -> Bool {
    guard isDue(task, every: interval) else { return false }
    do {
      try await body(work)
      return true
    } catch {
      logger.error("maintenance failed", metadata: ["task": "\(task)", "error": "\(ErrorReason.text(error))"])
      return false
    }
  }

  // MARK: - Alerts

  /// Updates the alerts. Returns whether they have changed.
  private func alert(_ limits: StationConfiguration.Alerts) -> Bool {
    let straps = hub.watched().map { watched in
      AlertRules.Strap(
        name: ChosenName.shown(watched.reading.strap),
        stress: watched.reading.isCurrent ? watched.reading.stress?.level : nil,
        batteryPercent: watched.reading.battery, lastHeard: watched.lastHeard, isInSession: watched.isInSession)
    }
    let condition = storage.condition.now
    let machine = AlertRules.Machine(
      isDiskLow: watched.isDiskLow, damage: condition.damage, snapshotProblem: condition.snapshotProblem,
      dueReadings: dueReadings)
    let (before, now) = (rules.alerts, storage.time.now().wall)
    let new = rules.update(straps, machine, limits: limits, at: now)
    watched.alerts = rules.alerts
    for alert in new {
      // The log does not show alerts of persons.
      logger.notice("alert", metadata: alert.strap == nil ? ["kind": "\(alert.kind.rawValue)"] : [:])
    }
    let clock = LocalTime(of: now.date, in: configuration.value.timeZone)
    let isQuiet = limits.quietHours?.contains(clock.secondOfDay) ?? false
    for alert in held.update(new: new, current: rules.alerts, isQuiet: isQuiet) { dispatch(alert, limits) }
    return before != rules.alerts
  }

  /// Starts to send an alert. A webhook may retry for many minutes; other maintenance continues.
  private func dispatch(_ alert: AlertRules.Alert, _ ways: StationConfiguration.Alerts) {
    guard telling.count < Self.mostTold else {
      logger.error("too many alerts are waiting; one was dropped")
      return
    }
    let number = told
    told += 1
    telling[number] = Task {
      await AlertDispatcher(ways: ways, logger: logger).dispatch(alert)
      telling[number] = nil
    }
  }

  /// Waits until the alerts so far were sent or have failed.
  func finishTelling() async {
    for task in telling.values { await task.value }
  }
}
