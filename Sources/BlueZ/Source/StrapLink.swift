import DBus
import GATT
import TachogramCore

/// The link to one strap, which passes inputs to the machine and performs its actions. A loop handles one input at a time; long
/// operations run in separate tasks.
actor StrapLink {
  private enum Wake: Sendable {
    case changed
    case ended(number: Int, LinkFault?)
    case notified
    case subscriptionEnded(Int)
    case tick
  }

  /// An established subscription, stored for its cancellation.
  private enum Subscription {
    case socket(Int)
    case signals(StrapSteps, characteristic: String)
  }

  /// The maximum delay of emitting the end of a link while waiting for its reason.
  private static let farewell: Duration = .milliseconds(100)

  private let ordinal: Int
  private let options: BlueZSourceOptions
  private let station: BlueZContext
  private let emitter: StrapEventEmitter
  private let wakes: AsyncStream<Wake>
  private let wake: AsyncStream<Wake>.Continuation

  private var machine: LinkMachine
  private var about: StrapProfile
  private var told: LinkState?
  private var avoided: AvoidedAdapter?
  /// The adapter of the current or the last attempt to connect.
  private var chosen: BluetoothAddress?
  private var sink: LinkSink?
  /// The ended link that is waiting for its reason.
  private var ended: (sink: LinkSink, waiting: Task<Void, Never>)?
  private var sensors: SensorStreams
  private var subscription: Subscription?
  /// A counter of subscriptions, which distinguishes the end of an earlier one from that of the current one.
  private var subscriptions = 0
  /// Whether the daemon may still have a subscription by signals for this program.
  private var mayBeSignalled = false
  private var step: Task<Void, Never>?
  private var reading: Task<Void, Never>?
  private var timer: (due: MonotonicTime, task: Task<Void, Never>)?
  /// The queued releases of resources. The next step begins when they are complete.
  private var cleanUp: Task<Void, Never>?
  private var searchedAdapters: [AdapterRadio] = []
  private var wantsSearch = false

  init(
    ordinal: Int, to wanted: BlueZSourceOptions.Strap, options: BlueZSourceOptions, station: BlueZContext,
    emit: @escaping @Sendable (StrapEvent) -> Void,
  ) {
    self.ordinal = ordinal
    self.options = options
    self.station = station
    emitter = StrapEventEmitter(strap: ordinal, time: station.time, emit: emit)
    (wakes, wake) = AsyncStream.makeStream()
    machine = LinkMachine(
      timing: options.timing, way: wanted.way, wantsBond: wanted.wantsBond,
      seed: options.seed &+ UInt64(ordinal) &* 0x9E37_79B9, at: station.time.now().monotonic)
    about = StrapProfile(selector: wanted.selector)
    sensors = SensorStreams(wanted.streams, timing: options.streamTiming) { measurement, fault, retry in
      options.reportStream(
        SensorStreamReport(strap: ordinal, measurement: measurement, fault: fault, retry: retry))
    }
  }

  /// Maintains the link until the task is cancelled, and then closes it.
  func run() async {
    station.onChange(link: ordinal) { [wake] in wake.yield(.changed) }
    // A client that is already open may not report any change until a request is made.
    if station.client != nil { wake.yield(.changed) }
    if let identity = about.identity { emitter.emit(.identified(identity)) }
    await withTaskCancellationHandler {
      for await event in wakes { handle(event) }
    } onCancel: {
      wake.finish()
    }
    // A separate task, because the clean-up must not be cancelled with this one.
    await Task { await self.shutDown() }.value
  }

  /// Releases the strap for other links. Called after the end of `run`.
  func dismiss() {
    emitter.emit(.dismissed)
    station.release(link: ordinal)
  }

  private func shutDown() async {
    timer?.task.cancel()
    step?.cancel()
    reading?.cancel()
    let found = find()
    farewell()
    sink?.end(reason: DisconnectionCode.localHost)
    sink = nil
    unsubscribe()
    search(false, found, hasFound: false)
    let stopping = sensors.stop()
    await cleanUp?.value
    await stopping?.value
    // A pending connection could otherwise complete after the end of this link and stay open.
    if let found, let device = found.device,
      machine.state.phase == .connecting || (device.isConnected && machine.state.phase.isConnected)
    {
      _ = await steps(found, device).disconnect()
    }
  }

  // MARK: - One input at a time

  private func handle(_ event: Wake) {
    let now = station.time.now().monotonic
    let found = find()
    if let found { observe(found) }
    perform(machine.handle(.surroundings(surroundings(found, now)), heard: sink?.heard, at: now), found)
    switch event {
    case .changed: break
    case .ended(let number, let fault):
      if fault == .noSlot { avoided = found?.adapterAddress.map { AvoidedAdapter($0, at: now) } }
      perform(machine.handle(.ended(number: number, fault: fault), heard: sink?.heard, at: now), found)
    case .notified: perform(machine.handle(.notification, heard: sink?.heard, at: now), found)
    case .subscriptionEnded(let number):
      if number == subscriptions { perform(machine.handle(.subscriptionEnded, heard: sink?.heard, at: now), found) }
    case .tick: perform(machine.handle(.tick, heard: sink?.heard, at: now), found)
    }
    settle(found)
  }

  private func perform(_ actions: [LinkAction], _ found: StrapLookup?) {
    for action in actions {
      switch action {
      case .begin(let step, let number): begin(step, number, found)
      case .abandon:
        step?.cancel()
        step = nil
      case .unsubscribe: unsubscribe()
      case .search(let isWanted): search(isWanted, found)
      }
    }
    if !machine.state.phase.isConnected { endLink() }
  }

  /// Emits the state if it has changed, and updates the timer.
  private func settle(_ found: StrapLookup?) {
    let state = machine.state
    if state.phase != .connecting { station.endTurn(link: ordinal) }
    sink?.setWakes(state.phase != .live)
    if state != told {
      told = state
      emitter.emit(.state(state))
    }
    if wantsSearch { search(true, found) }
    if state.phase == .live, let found, let device = found.device, let sink {
      if reading == nil { read(found, device) }
      sensors.begin(steps(found, device), sink: sink, reader: station.reader)
    }
    guard timer?.due != machine.deadline else { return }
    timer?.task.cancel()
    timer = machine.deadline.map { due in
      let task = Task { [wake, time = station.time] in
        do { try await time.sleep(until: due) } catch { return }
        wake.yield(.tick)
      }
      return (due, task)
    }
  }

  // MARK: - What is there

  private func find() -> StrapLookup? {
    guard let client = station.client else { return nil }
    if avoided?.isOver(at: station.time.now().monotonic) == true { avoided = nil }
    return StrapLookup(
      about.selector, adapter: options.adapter, client: client,
      chosen: machine.state.phase == .connecting ? chosen : nil, avoided: avoided?.address,
      connecting: station.turns(besides: ordinal), isBlocked: options.isBlocked
    ) { device in
      station.mayTake(device.address, link: ordinal)
    }
  }

  private func surroundings(_ found: StrapLookup?, _ now: MonotonicTime) -> LinkSurroundings {
    guard let found else { return LinkSurroundings(hasBus: false, hasDaemon: false, adapter: .missing) }
    var isInRange = found.device?.signal != nil
    if isInRange, machine.mayConnect(at: now) { isInRange = station.acquireTurn(link: ordinal, found) }
    return found.surroundings(isInRange: isInRange)
  }

  /// Applies what the daemon reports about the strap.
  private func observe(_ found: StrapLookup) {
    guard let device = found.device, device.isConnected || device.signal != nil else { return }
    if station.claim(device.address, link: ordinal), about.observe(device), let identity = about.identity {
      emitter.emit(.identified(identity))
    }
    if let signal = about.newSignal(device.signal) { emitter.emit(.signal(signal)) }
  }

  // MARK: - Steps

  private func begin(_ step: LinkStep, _ number: Int, _ found: StrapLookup?) {
    guard let found, let device = found.device, let adapter = found.adapterPath else {
      wake.yield(.ended(number: number, .vanished))
      return
    }
    let steps = steps(found, device)
    let before = cleanUp
    switch step {
    case .connect:
      let radio = station.radio(adapter, found.client)
      chosen = found.adapterAddress
      run(number, after: before) { [station, ordinal] in
        await steps.connect(on: radio) { station.endTurn(link: ordinal) }
      }
    case .pair: run(number, after: before) { await steps.pair() }
    case .disconnect: run(number, after: before) { await steps.disconnect() }
    case .forget: run(number, after: before) { await steps.forget() }
    case .subscribe(let way):
      guard let characteristic = found.heartRate else {
        wake.yield(.ended(number: number, .noHeartRateService))
        return
      }
      prepareLinks(from: adapter, to: device)
      let sink = beginLink(characteristic)
      subscriptions += 1
      let subscription = subscriptions
      run(number, after: before) { [weak self] in
        await self?.subscribe(way, characteristic.path, steps, sink, subscription)
      }
    }
  }

  private func run(
    _ number: Int, after before: Task<Void, Never>?, _ body: @escaping @Sendable () async -> LinkFault?,
  ) {
    step?.cancel()
    step = Task { [wake] in
      await before?.value
      if Task.isCancelled { return }
      let fault = await body()
      if !Task.isCancelled { wake.yield(.ended(number: number, fault)) }
    }
  }

  private func steps(_ found: StrapLookup, _ device: BlueZDevice) -> StrapSteps {
    StrapSteps(client: found.client, device: device.path, time: station.time)
  }

  private func search(_ isWanted: Bool, _ found: StrapLookup?, hasFound: Bool = true) {
    wantsSearch = isWanted
    let radios =
      isWanted ? (found.map { found in found.readyAdapters.map { station.radio($0, found.client) } } ?? []) : []
    let dropped = searchedAdapters.filter { old in !radios.contains { $0 === old } }
    let added = radios.filter { new in !searchedAdapters.contains { $0 === new } }
    searchedAdapters = radios
    guard !dropped.isEmpty || !added.isEmpty else { return }
    queue { [ordinal] in
      for radio in dropped { await radio.setSearching(false, link: ordinal, hasFound: hasFound) }
      for radio in added { await radio.setSearching(true, link: ordinal) }
    }
  }

  /// Runs `body` after all previously queued operations have completed.
  private func queue(_ body: @escaping @Sendable () async -> Void) {
    let before = cleanUp
    cleanUp = Task {
      await before?.value
      await body()
    }
  }

  // MARK: - Notifications

  /// Returns the sink of the link. A link that is subscribed to again remains the same link.
  private func beginLink(_ characteristic: BlueZCharacteristic) -> LinkSink {
    if let sink { return sink }
    farewell()
    let sink = LinkSink(emitter) { [wake] in wake.yield(.notified) }
    self.sink = sink
    emitter.emit(.linkUp(handle: characteristic.valueHandle ?? 0, handleSource: .discovered, bootID: options.bootID))
    return sink
  }

  /// Prepares later links. The current link does not wait for the preparation.
  private func prepareLinks(from adapter: String, to device: BlueZDevice) {
    guard let preparation = station.preparation, let name = BlueZPath(adapter)?.adapter else { return }
    Task { await preparation.prepareLinks(from: name, to: device.address) }
  }

  /// Ends the link. No further notifications are emitted, and the end is emitted as soon as its reason is known.
  private func endLink() {
    guard let sink else { return }
    reading?.cancel()
    reading = nil
    sensors.end()
    self.sink = nil
    sink.close()
    guard let reasons = station.reasons, let strap = about.identity?.address else { return sink.end(reason: 0) }
    if let reason = reasons.reason(of: strap) { return sink.end(reason: reason) }
    let due = station.time.now().monotonic.advanced(by: Self.farewell)
    ended = (sink, Task { sink.end(reason: await reasons.reason(of: strap, until: due) ?? 0) })
  }

  /// Emits the end of the previous link, if it has not been emitted yet.
  private func farewell() {
    guard let ended else { return }
    self.ended = nil
    ended.sink.end(reason: about.identity.flatMap { station.reasons?.reason(of: $0.address) } ?? 0)
    ended.waiting.cancel()
  }

  private func subscribe(
    _ way: NotificationTransport, _ characteristic: String, _ steps: StrapSteps, _ sink: LinkSink, _ number: Int,
  ) async -> LinkFault? {
    do {
      switch way {
      case .acquire:
        let descriptor = try await steps.acquire(characteristic).socket
        let source = station.reader.add(descriptor) {
          sink.deliver($0)
        } onEnd: { [wake] in
          wake.yield(.subscriptionEnded(number))
        }
        guard number == subscriptions, !Task.isCancelled else {
          station.reader.remove(source)
          return .transient
        }
        subscription = .socket(source)
      case .signals:
        // The handler is set before the call, because the first values may arrive before its reply. After a reconnection, the
        // daemon itself restores the subscription of this program.
        let isShared = !mayBeSignalled && steps.client.read { $0.isNotifying(characteristic) }
        mayBeSignalled = true
        steps.listen(to: characteristic, isShared: isShared) { sink.deliver($0) }
        subscription = .signals(steps, characteristic: characteristic)
        try await steps.startSignals(characteristic)
      }
      return nil
    } catch .remote(BlueZName.Error.inProgress, _) {
      // Another client uses the other transport.
      return .wayRefused
    } catch {
      return LinkFault(error)
    }
  }

  private func endedSignals() {
    if case .signals = subscription { return }
    mayBeSignalled = false
  }

  private func unsubscribe() {
    subscriptions += 1
    switch subscription {
    case .socket(let source): station.reader.remove(source)
    case .signals(let steps, let characteristic):
      steps.client.listen(to: characteristic, nil)
      queue { [weak self] in
        if await steps.stopSignals(characteristic) { await self?.endedSignals() }
      }
    case nil: break
    }
    subscription = nil
  }

  // MARK: - What the strap says of itself

  /// Reads the descriptive characteristics of the strap, once per link.
  private func read(_ found: StrapLookup, _ device: BlueZDevice) {
    let steps = steps(found, device)
    reading = Task { [weak self] in
      await steps.readDescription { uuid, value in await self?.learned(uuid, value) }
    }
  }

  private func learned(_ uuid: UInt16, _ value: [UInt8]) {
    if about.learn(uuid, value), let identity = about.identity { emitter.emit(.identified(identity)) }
  }

  /// Whether the strap is bonded.
  func isBonded() -> Bool { find()?.device?.isPaired ?? false }

  // MARK: - The control point

  /// Resets the energy count of the strap to 0. Throws when the strap is not connected or the request fails.
  func resetEnergy() async throws(DBusError) {
    guard let found = find(), let device = found.device, device.isConnected else {
      throw .remote(name: BlueZName.Error.notConnected, message: "the strap is not connected")
    }
    try await steps(found, device).resetEnergy()
  }
}
