import BlueZ
import DBus
import FakeBlueZ
import Synchronization
import TachogramCore
import TachogramTestKit

/// A radio source on a fake daemon on a private bus, with time that passes faster, and what it told.
actor SourceBench {
  nonisolated let bus: PrivateBus
  nonisolated let fake: FakeBlueZ
  nonisolated let source: BlueZRadioSource
  /// What was reported of measurement streams that do not run, for one reader at a time.
  nonisolated let reports: AsyncStream<SensorStreamReport>
  private(set) var events: [StrapEvent] = []
  /// Notifications of all straps.
  private(set) var notified = 0
  private var countWaiters: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
  private var waiters: [(condition: @Sendable ([StrapEvent]) -> Bool, continuation: CheckedContinuation<Void, Never>)] =
    []
  private var listening: Task<Void, Never>?
  private var hasEnded = false

  /// `speed`: simulated seconds a real one, or a fraction of them by `slowness`.
  /// With `isPatient` no step is given up and no silence long enough to subscribe anew, however slow the machine that tests.
  init(
    speed: Int = 20, slowness: Int = 1, isPatient: Bool = false,
    straps: [BlueZSourceOptions.Strap] = [.init(.address(FakeStrap().address))],
    configuration: FakeBlueZConfiguration = FakeBlueZConfiguration(), prompt: (any PairingPromptProtocol)? = nil,
    isBlocked: AdapterCondition.Blocked? = nil, adapters: [BluetoothAddress] = [FakeBlueZ.adapterAddress],
    streamTiming: SensorStreamTiming = .patient,
  ) async throws {
    bus = try await PrivateBus.start()
    fake = try await FakeBlueZ.start(on: .address(bus.address), configuration: configuration, adapters: adapters)
    var options = BlueZSourceOptions(straps: straps)
    options.bus = .address(bus.address)
    options.bootID = "boot"
    options.prompt = prompt
    options.isBlocked = isBlocked
    options.streamTiming = streamTiming
    if isPatient { options.timing = .patient }
    let (reports, report) = AsyncStream.makeStream(of: SensorStreamReport.self)
    self.reports = reports
    options.reportStream = { report.yield($0) }
    source = BlueZRadioSource(options, time: ScaledTimeSource(factor: speed, divisor: slowness))
  }

  /// Begins to listen.
  func listen() {
    let stream = source.events()
    listening = Task {
      for await event in stream { self.handle(event) }
      self.end()
    }
  }

  /// Stops the source and returns everything that it told.
  func stop() async -> [StrapEvent] {
    await source.stop()
    await listening?.value
    await fake.stop()
    return events
  }

  private func handle(_ event: StrapEvent) {
    events.append(event)
    if case .notification = event.content { notified += 1 }
    check()
  }

  private func end() {
    hasEnded = true
    check()
  }

  private func check() {
    for waiter in countWaiters where hasEnded || notified >= waiter.count { waiter.continuation.resume() }
    countWaiters.removeAll { hasEnded || notified >= $0.count }
    let ready = waiters.filter { hasEnded || $0.condition(events) }
    waiters.removeAll { hasEnded || $0.condition(events) }
    for waiter in ready { waiter.continuation.resume() }
  }

  /// Returns when the events fulfil the condition, or the source ended.
  func wait(_ condition: @escaping @Sendable ([StrapEvent]) -> Bool) async {
    if hasEnded || condition(events) { return }
    await withCheckedContinuation { waiters.append((condition, $0)) }
  }

  /// Returns when `count` notifications came.
  func wait(notifications count: Int) async {
    if hasEnded || notified >= count { return }
    await withCheckedContinuation { countWaiters.append((count, $0)) }
  }
}

extension [StrapEvent] {
  /// The values that a strap notified, in order.
  func notifications(of strap: Int = 0) -> [[UInt8]] {
    compactMap { event in
      if event.strap == strap, case .notification(let value) = event.content { value } else { nil }
    }
  }

  /// What a strap sent beside its heart rate, in order.
  func sensors(of strap: Int = 0) -> [SensorEntry.Content] {
    compactMap { event in
      if event.strap == strap, case .sensor(let content) = event.content { content } else { nil }
    }
  }

  /// The frames of measurements that a strap sent, in order.
  func frames(of strap: Int = 0) -> [[UInt8]] {
    sensors(of: strap).compactMap { if case .frame(let frame) = $0 { frame } else { nil } }
  }

  /// The number of streams of a strap that were started.
  func starts(of strap: Int = 0) -> Int {
    sensors(of: strap).count { if case .started = $0 { true } else { false } }
  }

  /// The phases of a strap's link, in order.
  func phases(of strap: Int = 0) -> [LinkPhase] {
    compactMap { event in if event.strap == strap, case .state(let state) = event.content { state.phase } else { nil } }
  }

  /// The reasons of a strap's link, in order.
  func reasons(of strap: Int = 0) -> [LinkReason] {
    compactMap { event in
      if event.strap == strap, case .state(let state) = event.content { state.reason } else { nil }
    }
  }

  /// What was told of who a strap is, in order.
  func identities(of strap: Int = 0) -> [StrapIdentity] {
    compactMap { event in
      if event.strap == strap, case .identified(let identity) = event.content { identity } else { nil }
    }
  }

  /// Links that came up and went down.
  func links(of strap: Int = 0) -> (up: Int, down: Int) {
    (
      count { if $0.strap == strap, case .linkUp = $0.content { true } else { false } },
      count { if $0.strap == strap, case .linkDown = $0.content { true } else { false } },
    )
  }
}
