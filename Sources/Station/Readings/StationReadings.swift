import Dashboard
import Foundation
import Recording
import Repository
import TachogramCore

/// Measures readings of running sessions, and stores good ones. A measurement continues when the browser is closed.
actor StationReadings: ReadingBackend {
  /// The number of measurements that are remembered.
  private static let most = 16
  /// How long the last notification is waited for.
  private static let longestWait: Duration = .seconds(10)
  private static let second: Duration = .seconds(1)

  private struct Measurement {
    var state: API.RunningReading
    var session: SessionDescription
    let kind: HRVReading.Kind
    var start: WallTime
    var began: MonotonicTime
    let duration: Duration
    /// When the session had ended, or `nil` while it is recorded.
    var ended: MonotonicTime?
    var task: Task<Void, Never>?
  }

  /// A session that is being recorded, with the time of its last notification.
  typealias Live = (session: SessionDescription, lastHeard: WallTime)

  private let database: TachogramDatabase
  /// Returns a running session, or `nil` if it is not recorded.
  private let find: @Sendable (_ session: String) -> Live?
  /// Returns the running session of a strap, or `nil` if there is none.
  private let follow: @Sendable (_ strap: BluetoothAddress) -> Live?
  /// Stores received notifications.
  private let commit: @Sendable () async -> Void
  /// Called when readings were stored or deleted.
  private let onChange: @Sendable () -> Void
  private let configuration: CurrentConfiguration
  private let time: any TimeSourceProtocol
  private let queries = QueryQueue()
  /// The measurements, the oldest first.
  private var measurements: [Measurement] = []

  init(
    database: TachogramDatabase, configuration: CurrentConfiguration, time: any TimeSourceProtocol,
    find: @escaping @Sendable (_ session: String) -> Live?,
    follow: @escaping @Sendable (_ strap: BluetoothAddress) -> Live? = { _ in nil },
    commit: @escaping @Sendable () async -> Void,
    onChange: @escaping @Sendable () -> Void = {},
  ) {
    self.database = database
    self.find = find
    self.follow = follow
    self.commit = commit
    self.onChange = onChange
    self.configuration = configuration
    self.time = time
  }

  // MARK: - Measuring

  func begin(_ new: API.NewReading) throws -> API.RunningReading {
    guard let live = find(new.session) else {
      throw DashboardError(
        .conflict, "no strap is sending for this session; put the strap on and wait for its heart rate.")
    }
    do {
      try database.checkWritable()
    } catch {
      throw DashboardError(.conflict, error.description)
    }
    guard !measurements.contains(where: { $0.session.id == new.session && $0.state.phase == .measuring }) else {
      throw DashboardError(.conflict, "a measurement of this strap is running; wait for its end or cancel it.")
    }
    let state = API.RunningReading(
      id: UUID().uuidString.lowercased(), kind: new.kind.rawValue, session: new.session, person: live.session.person,
      phase: .measuring, seconds: Double(new.seconds))
    var measurement = Measurement(
      state: state, session: live.session, kind: new.kind, start: live.lastHeard, began: time.now().monotonic,
      duration: .seconds(new.seconds))
    measurement.task = Task { [weak self] in await self?.measure(state.id) }
    if measurements.count >= Self.most { measurements.removeFirst().task?.cancel() }
    measurements.append(measurement)
    return state
  }

  func running(_ id: String) throws -> API.RunningReading {
    let measurement = measurements[try index(id)]
    var state = measurement.state
    state.secondsLeft = state.phase == .measuring ? secondsLeft(measurement).rounded(.up) : 0
    return state
  }

  func cancel(_ id: String) throws {
    let measurement = measurements.remove(at: try index(id))
    measurement.task?.cancel()
  }

  private func index(_ id: String) throws -> Int {
    guard let index = measurements.firstIndex(where: { $0.state.id == id }) else {
      throw DashboardError.notFound("there is no measurement \(id).")
    }
    return index
  }

  private func secondsLeft(_ measurement: Measurement) -> Double {
    let passed = time.now().monotonic.duration(since: measurement.began)
    return max(0, (measurement.duration - passed).inSeconds)
  }

  /// Waits for the last notification of a measurement, and stores its result.
  private func measure(_ id: String) async {
    while let index = measurements.firstIndex(where: { $0.state.id == id }) {
      let now = time.now().monotonic
      let live = find(measurements[index].session.id)
      if live == nil {
        guard continueInNextSession(index, at: now) else {
          measurements[index].state.phase = .failed
          measurements[index].state.problem =
            "The session has ended, because the strap was silent for long or is no longer listened to. Measure again."
          return
        }
        guard (try? await time.sleep(until: now.advanced(by: Self.second))) != nil else { return }
        continue
      }
      let measurement = measurements[index]
      let isOver = now.duration(since: measurement.began) >= measurement.duration + Self.longestWait
      let isComplete = (live?.lastHeard ?? measurement.start) >= measurement.start.advanced(by: measurement.duration)
      if isOver || isComplete { return await finish(measurement) }
      guard (try? await time.sleep(until: now.advanced(by: Self.second))) != nil else { return }
    }
  }

  /// Begins a measurement again in the next session of its strap, such as that of the person who was given the strap. Returns
  /// `false` if there is none for a while.
  private func continueInNextSession(_ index: Int, at now: MonotonicTime) -> Bool {
    guard let next = follow(measurements[index].session.strap.address) else {
      let ended = measurements[index].ended ?? now
      measurements[index].ended = ended
      return now.duration(since: ended) < Self.longestWait
    }
    measurements[index].session = next.session
    (measurements[index].start, measurements[index].began) = (next.lastHeard, now)
    (measurements[index].state.session, measurements[index].state.person) = (next.session.id, next.session.person)
    measurements[index].ended = nil
    return true
  }

  private func finish(_ measurement: Measurement) async {
    // The recorder stores for readers at most once a second.
    for _ in 0..<2 {
      await commit()
      guard (try? await time.sleep(until: time.now().monotonic.advanced(by: Self.second))) != nil else { return }
    }
    var state = measurement.state
    do {
      let zone = configuration.value.timeZone
      let result = try await queries.run { [database] in
        let reading = try ReadingAnalysis.reading(
          measurement.kind, id: measurement.state.id, of: measurement.session, from: measurement.start,
          for: measurement.duration, in: database)
        let repository = ReadingRepository(database: database)
        let problem = ReadingQuality(reading).problem
        if problem == nil { try repository.add([reading]) }
        let isCompared = problem == nil && measurement.kind == .morning
        return (reading, problem, isCompared ? try Self.comparison(of: reading, repository, zone) : nil)
      }
      if result.1 == nil { onChange() }
      state.reading = API.HRVReading(result.0)
      state.problem = result.1
      state.morning = result.2
      state.phase = result.1 == nil ? .done : .failed
    } catch {
      state.phase = .failed
      state.problem = "The result could not be stored: \(error)"
    }
    if let index = measurements.firstIndex(where: { $0.state.id == state.id }) { measurements[index].state = state }
  }

  // MARK: - Stored readings

  func readings(of person: String?, kind: HRVReading.Kind?, limit: Int) async throws -> API.HRVReadings {
    let zone = configuration.value.timeZone
    return try await queries.run { [database] in
      let repository = ReadingRepository(database: database)
      let readings = try repository.readings(of: person, kind: kind, limit: limit)
      let morning = try readings.first { $0.kind == .morning }.map { try Self.comparison(of: $0, repository, zone) }
      return API.HRVReadings(readings: readings.map(API.HRVReading.init), morning: morning)
    }
  }

  func delete(reading id: String) async throws {
    let isDeleted = try await queries.run { [database] in
      try ReadingRepository(database: database).delete(id)
    }
    guard isDeleted else { throw DashboardError.notFound("there is no reading \(id).") }
    onChange()
  }

  private static func comparison(
    of reading: HRVReading, _ repository: ReadingRepository, _ zone: TimeZone
  ) throws -> API.MorningComparison {
    let since = reading.start.advanced(by: .seconds(-86_400 * (MorningComparison.days + 2)))
    let found = MorningComparison(
      reading, among: try repository.readings(of: reading.person, kind: .morning, since: since), timeZone: zone)
    return API.MorningComparison(
      mornings: found.count, needed: MorningComparison.needed,
      usual: found.range.map { API.Band(low: $0.lower, middle: $0.median, high: $0.upper) },
      verdict: found.verdict?.rawValue)
  }
}
