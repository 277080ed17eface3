import DBus
import GATT
import TachogramCore

/// The measurement streams of a strap on one link. A loop opens the service and starts one stream after the other, and again
/// after failures, until the task is cancelled or all streams are given up. Failures are reported and do not affect the link.
actor SensorSession {
  private enum Wake: Sendable {
    case notice(SensorControlPoint.Notice)
    /// The socket of a subscription ended.
    case dataEnded(Int)
    case tick
  }

  /// The established subscription to the data.
  private enum Subscription {
    case socket(Int)
    case signals
  }

  /// The ATT_MTU in bytes that frames need, and that which BlueZ reports without knowing it.
  private static let minimumMTU: UInt16 = 232
  private static let unknownMTU: UInt16 = 23

  private let dataPath: String
  private let steps: StrapSteps
  private let reader: NotificationReader
  private let timing: SensorStreamTiming
  private let gate: SensorFrameGate
  private let control: SensorControlPoint
  private let report: @Sendable (PolarMeasurementType, SensorStreamFault, Duration?) -> Void
  private let wakes: AsyncStream<Wake>
  private let wake: AsyncStream<Wake>.Continuation

  private var plan: SensorStreamPlan
  private var isOpen = false
  /// The time of the next attempt to open the service while it is not open, and that of the last that succeeded.
  private var opensAt: MonotonicTime
  private var openedAt: MonotonicTime?
  private var retries = SensorStreamRetries()
  private var data: Subscription?
  /// A counter of subscriptions, which distinguishes the end of an earlier one from that of the current one.
  private var subscriptions = 0
  /// The streams that may run because their start was requested.
  private var requested: Set<PolarMeasurementType> = []
  private var timer: Task<Void, Never>?

  /// Creates the session of a link. `control` and `data` are the paths of the characteristics. `report` is called for a stream
  /// that does not run, with the delay until the next attempt, or `nil` if there is none.
  init(
    _ wanted: [SensorStreamRequest], control: String, data: String, steps: StrapSteps, reader: NotificationReader,
    timing: SensorStreamTiming, sink: LinkSink,
    report: @escaping @Sendable (PolarMeasurementType, SensorStreamFault, Duration?) -> Void,
  ) {
    dataPath = data
    self.steps = steps
    self.reader = reader
    self.timing = timing
    self.report = report
    let (wakes, wake) = AsyncStream.makeStream(of: Wake.self)
    (self.wakes, self.wake) = (wakes, wake)
    gate = SensorFrameGate(sink)
    self.control = SensorControlPoint(control, steps: steps, timing: timing) { notice in
      sink.deliver(sensor: .stopped(notice.bytes))
      wake.yield(.notice(notice))
    }
    let now = steps.time.now().monotonic
    plan = SensorStreamPlan(wanted, at: now)
    opensAt = now
  }

  /// Receives the streams until all are given up or the task is cancelled. The streams are not stopped.
  func run() async {
    wake.yield(.tick)
    for await event in wakes {
      handle(event)
      await advance()
      schedule()
    }
    timer?.cancel()
    guard !Task.isCancelled else { return }
    removeData()
    await control.release()
  }

  /// Ends with the link. Called after the end of `run`.
  func close() {
    removeData()
    control.close()
  }

  /// Stops all streams that may run and ends the subscriptions. Called after the end of `run`.
  func stop() async {
    for measurement in requested {
      // A stream that cannot be stopped ends with the link.
      _ = try? await control.request(.stop(measurement))
    }
    removeData()
    await control.release()
  }

  private var now: MonotonicTime { steps.time.now().monotonic }

  // MARK: - One event at a time

  private func handle(_ event: Wake) {
    switch event {
    case .notice(let notice):
      for measurement in notice.measurements where plan.isRunning(measurement, before: notice.number) {
        requested.remove(measurement)
        report(measurement, .ended, plan.ended(measurement, at: now))
      }
    case .dataEnded(let number):
      if isOpen, number == subscriptions { failed(.subscriptionEnded) }
    case .tick: break
    }
  }

  /// Opens the service and starts the streams that are due.
  private func advance() async {
    if !isOpen {
      guard now >= opensAt, !plan.measurements.isEmpty else { return }
      do throws(SensorStreamFault) {
        try await open()
        isOpen = true
        openedAt = now
        plan.opened(at: now)
      } catch {
        if !Task.isCancelled { failed(error) }
        return
      }
    }
    while !Task.isCancelled, let (request, stopsFirst) = plan.due(at: now) { await start(request, stopsFirst) }
  }

  /// Sets the timer to the next attempt, or ends the loop if there is none.
  private func schedule() {
    timer?.cancel()
    if plan.measurements.isEmpty { return wake.finish() }
    guard let due = isOpen ? plan.deadline : opensAt else { return }
    timer = Task { [wake, time = steps.time] in
      do { try await time.sleep(until: due) } catch { return }
      wake.yield(.tick)
    }
  }

  /// Handles a failure that concerns all streams.
  private func failed(_ fault: SensorStreamFault) {
    isOpen = false
    removeData()
    let delay = retries.next(after: openedAt.map { now.duration(since: $0) } ?? .zero)
    openedAt = nil
    if let delay { opensAt = now.advanced(by: delay) }
    for measurement in plan.measurements {
      // The end of the link also ends the subscription, and follows soon.
      if fault != .subscriptionEnded || delay == nil { report(measurement, fault, delay) }
      if delay == nil { plan.giveUp(measurement) }
    }
  }

  private func giveUp(_ measurement: PolarMeasurementType, _ fault: SensorStreamFault) {
    plan.giveUp(measurement)
    report(measurement, fault, nil)
  }

  // MARK: - The service

  /// Subscribes to the service, gives the streams up that it cannot have, and stops streams that an earlier client left running.
  private func open() async throws(SensorStreamFault) {
    try await control.open()
    let mtu = try await subscribe()
    let features = try await control.features()
    for measurement in plan.measurements where !features.contains(measurement) { giveUp(measurement, .unsupported) }
    if let mtu, mtu != Self.unknownMTU, mtu < Self.minimumMTU {
      for measurement in plan.measurements { giveUp(measurement, .mtuTooSmall(mtu)) }
    }
    for measurement in plan.measurements {
      // Its status does not matter: the stream usually does not run.
      _ = try await control.request(.stop(measurement))
      requested.remove(measurement)
    }
  }

  /// Subscribes to the data by a socket, or by signals if another client prevents it. Returns the ATT_MTU if it is known.
  private func subscribe() async throws(SensorStreamFault) -> UInt16? {
    removeData()
    let number = subscriptions
    do {
      let (descriptor, mtu) = try await steps.acquire(dataPath, timeout: timing.call)
      let source = reader.add(descriptor) { [gate] in
        gate.receive($0)
      } onEnd: { [wake] in
        wake.yield(.dataEnded(number))
      }
      data = .socket(source)
      return mtu
    } catch {
      let fault = LinkFault(error)
      guard fault == .wayRefused || fault == .transient, error != .cancelled else { throw .call(fault) }
    }
    data = .signals
    steps.listen(to: dataPath, isShared: true) { [gate] in gate.receive($0) }
    do {
      try await steps.startSignals(dataPath, timeout: timing.call)
    } catch {
      throw SensorStreamFault(error)
    }
    return steps.client.read { $0.mtu(of: dataPath) }
  }

  private func removeData() {
    subscriptions += 1
    switch data {
    case .socket(let source): reader.remove(source)
    case .signals: steps.client.listen(to: dataPath, nil)
    case nil: break
    }
    data = nil
  }

  // MARK: - One stream

  private func start(_ wanted: SensorStreamRequest, _ stopsFirst: Bool) async {
    let measurement = wanted.measurement
    do throws(SensorStreamFault) {
      if stopsFirst { _ = try await control.request(.stop(measurement)) }
      let request = PolarControlPointRequest.start(measurement, try await settings(wanted))
      requested.insert(measurement)
      gate.hold(measurement)
      let answer = try await control.request(request)
      guard answer.response.status == .success else {
        if answer.response.status != .alreadyInState { requested.remove(measurement) }
        throw .refused(answer.response.status)
      }
      gate.start(measurement, request: PolarControlPointRequest.encode(request), response: answer.bytes)
      plan.started(measurement, number: answer.number, at: now)
    } catch {
      if Task.isCancelled { return }
      gate.discard(measurement)
      report(measurement, error, plan.failed(measurement, error, at: now))
    }
  }

  /// Returns the settings of a start: the nearest to the wanted that the strap offers.
  private func settings(_ wanted: SensorStreamRequest) async throws(SensorStreamFault) -> PolarSettings {
    // PPI has no settings, and straps do not respond with any.
    if wanted.measurement == .ppi { return PolarSettings() }
    let response = try await control.request(.getSettings(wanted.measurement)).response
    guard response.status == .success else { throw .refused(response.status) }
    do {
      return try response.settings().selection(sampleRate: wanted.sampleRate, range: wanted.range)
    } catch {
      throw .malformed
    }
  }
}
