import DBus
import GATT
import TachogramCore

/// A bluetoothd that exists only on a bus: owns `org.bluez`, exports adapters, devices and GATT objects as BlueZ 5.66
/// does, and does to its straps what the verbs say. Every verb returns when its effect has been written to the bus.
package actor FakeBlueZ {
  /// The address of `hci0`.
  package static let adapterAddress = BluetoothAddress(value: 0x001A_7DDA_7113, kind: .public)

  package nonisolated let configuration: FakeBlueZConfiguration
  private let bus: DBusBus
  private var connection: DBusConnection?
  private var departures: DBusSubscription?
  private var clock: FakeClock?
  private var faults = FakeFaults()
  private var waiters = FakeWaiters()
  /// Calls that are never answered, until the daemon dies.
  private var stalled: [CheckedContinuation<Void, Never>] = []
  /// The state now: for looking at.
  package private(set) var world = FakeWorld()

  private init(bus: DBusBus, configuration: FakeBlueZConfiguration) {
    self.bus = bus
    self.configuration = configuration
  }

  /// Starts the daemon on a bus where nobody owns `org.bluez`, with one adapter by default.
  /// - Throws: `DBusError` when the bus cannot be reached or the name is taken.
  package static func start(
    on bus: DBusBus, configuration: FakeBlueZConfiguration = FakeBlueZConfiguration(),
    adapters: [BluetoothAddress] = [FakeBlueZ.adapterAddress]
  ) async throws(DBusError) -> FakeBlueZ {
    let fake = FakeBlueZ(bus: bus, configuration: configuration)
    for address in adapters { await fake.addAdapter(address: address) }
    try await fake.startDaemon()
    return fake
  }

  // MARK: - The daemon

  /// Starts the daemon again after `killDaemon`; without effect while it runs.
  package func startDaemon() async throws(DBusError) {
    guard connection == nil else { return }
    if configuration.passesTime, clock == nil {
      clock = FakeClock(every: configuration.advertisingInterval) { [weak self] in await self?.pass($0) }
    }
    let connection = try await DBusConnection.open(bus)
    try connection.exportTree(.root) { [weak self] call throws(DBusError) in
      guard let self else { throw .disconnected }
      return try await FakeCallHandler(fake: self).answer(call)
    }
    let rule = DBusMatchRule(
      sender: "org.freedesktop.DBus", interface: "org.freedesktop.DBus", member: "NameOwnerChanged")
    departures = try await connection.subscribe(rule) { [weak self] signal in
      guard case .string(let name)? = signal.arguments.first, signal.arguments.last == .string("") else { return }
      Task { await self?.mutate { $0.clientVanished(name) } }
    }
    self.connection = connection
    // Who sees the name sees the objects, and who listens to the name gets the signals of the objects.
    world.daemonStarts()
    try await connection.requestName(FakeNames.bluez)
    publish()
    await connection.flush()
  }

  /// Kills the daemon: its name, objects, links and sockets are gone at once, and only the bus reports it.
  package func killDaemon() async {
    let connection = connection
    self.connection = nil
    departures = nil
    // Closed first: what was waiting must not be answered any more.
    connection?.close()
    let remembers = configuration.remembersDevices
    mutate { $0.daemonDies(remembersDevices: remembers) }
    for continuation in stalled { continuation.resume() }
    stalled.removeAll()
    await connection?.waitUntilClosed()
  }

  /// Ends the daemon in order, as on SIGTERM: links end and objects are taken away before its name is.
  package func endDaemon() async {
    await act { $0.daemonEnds() }
    await killDaemon()
  }

  /// Kills the daemon and starts it again after a while. Faults stay.
  package func restartDaemon(downFor time: Duration = .zero) async throws {
    await killDaemon()
    try await Task.sleep(for: time)
    try await startDaemon()
  }

  /// Ends the fake; waits for a condition end with `false`.
  package func stop() async {
    clock = nil
    await killDaemon()
    waiters.giveUpAll()
  }

  // MARK: - Adapters

  /// Plugs an adapter in; its number.
  @discardableResult
  package func addAdapter(address: BluetoothAddress = FakeBlueZ.adapterAddress) async -> Int {
    await act { [configuration] in $0.addAdapter(address, configuration) }
  }

  /// Pulls an adapter out.
  package func removeAdapter(_ index: Int = 0) async {
    await act { $0.removeAdapter(index) }
  }

  /// Switches an adapter on or off; throws `Blocked` when rfkill forbids it.
  package func setPowered(_ isOn: Bool, adapter index: Int = 0) async throws {
    try await act { try $0.setPowered(index, isOn) }
  }

  /// Blocks an adapter by rfkill, or lets it go.
  package func block(_ isBlocked: Bool = true, adapter index: Int = 0) async throws {
    try await act { try $0.setBlocked(index, isBlocked) }
  }

  /// Lets devices vanish that were only discovered, as the daemon does some time after they were last heard.
  package func forgetTemporaryDevices() async {
    await act { $0.forgetTemporaryDevices() }
  }

  /// Releases the monitors of all clients, as when the kernel takes them away.
  package func releaseMonitors() async {
    await act { FakeMonitoring.releaseAll(&$0) }
  }

  // MARK: - Straps on the air

  /// A strap comes into range and advertises; also for a further advertisement, and for one that has changed.
  package func advertise(_ strap: FakeStrap) async {
    await act { FakeDiscovery.advertise(&$0, strap) }
  }

  /// Lets time pass on the air: all straps in range advertise at their interval, each time at another level, and devices
  /// vanish that were only discovered and not heard for their lifetime. Nothing waits.
  package func pass(_ time: Duration) async {
    await act { [configuration] world in
      FakeDiscovery.pass(
        &world, time, interval: configuration.advertisingInterval, lifetime: configuration.temporaryLifetime)
    }
  }

  /// A strap is not heard any more. Its link, if any, is not touched: see `dropLink`.
  package func stopAdvertising(_ strap: FakeStrap) async {
    await act { $0.air[strap.address]?.isInRange = false }
  }

  /// A strap is heard at another strength, in dBm.
  package func setSignal(_ strap: FakeStrap, _ signal: Int16) async {
    await change(strap) { $0.signal = signal }
  }

  /// A strap advertises manufacturer-specific data, as Polar straps (company 0x006B) do with their heart rate.
  package func advertiseManufacturerData(_ strap: FakeStrap, company: UInt16, _ data: [UInt8]) async {
    await change(strap) { $0.manufacturerData[company] = data }
  }

  /// A strap broadcasts a heart rate in bpm, as Polar straps do: another one each time, though it be the same.
  package func broadcast(_ strap: FakeStrap, heartRate: UInt8, hasContact: Bool = true) async {
    await act { $0.broadcast(strap, heartRate: heartRate, hasContact: hasContact) }
  }

  private func change(_ strap: FakeStrap, _ body: @Sendable (inout FakeStrap) -> Void) async {
    await act { world in
      guard var changed = world.air[strap.address]?.strap else { return }
      body(&changed)
      FakeDiscovery.advertise(&world, changed)
    }
  }

  // MARK: - Links

  /// Ends the link of a strap; why is not to be seen on D-Bus.
  package func dropLink(_ strap: FakeStrap) async {
    await act { world in
      guard let device = world.linkedDevice(strap.address) else { return }
      world.unlink(device.path)
    }
  }

  /// A strap stays connected and sends nothing.
  package func goSilent(_ strap: FakeStrap) async {
    await act { $0.air[strap.address]?.isSilent = true }
  }

  /// Ends the silence.
  package func resume(_ strap: FakeStrap) async {
    await act { $0.air[strap.address]?.isSilent = false }
  }

  /// The next links get no resolved services until `releaseServices`.
  package func holdServices(_ strap: FakeStrap) async {
    await act { $0.air[strap.address]?.holdsServices = true }
  }

  /// Lets the services be resolved that `holdServices` held.
  package func releaseServices(_ strap: FakeStrap) async {
    await act { $0.air[strap.address]?.holdsServices = false }
  }

  /// The daemon's cache of a strap lacks the heart-rate service from the next link on, or is right again.
  package func poisonGATTCache(_ strap: FakeStrap, _ isPoisoned: Bool = true) async {
    await act { $0.air[strap.address]?.isCachePoisoned = isPoisoned }
  }

  /// Links of the strap come up without a signal of `Connected`, as BlueZ 5.66 has it when a bonded strap is found
  /// again and the attribute channel is there before the kernel reports the connection.
  package func connectUnsaid(_ strap: FakeStrap) async {
    await act { $0.air[strap.address]?.connectsUnsaid = true }
  }

  /// The strap wants to be bonded, and shows this number when it is paired.
  package func secure(_ strap: FakeStrap, passkey: UInt32) async {
    await act { $0.air[strap.address]?.strap.secure(passkey: passkey) }
  }

  /// The strap forgets the bond: links of a bonded device fail until it is removed and paired anew.
  package func forgetBond(_ strap: FakeStrap) async {
    await act { $0.air[strap.address]?.isBonded = false }
  }

  /// A bond reveals the identity address of a strap. Returns the strap with the new address.
  package func revealIdentity(of strap: FakeStrap, _ identity: BluetoothAddress) async -> FakeStrap {
    await act { $0.revealIdentity(of: strap.address, as: identity) }
    return FakeStrap(strap, at: identity)
  }

  /// The first values after the next `AcquireNotify` are lost, as those are that a strap sends before the socket is
  /// there.
  package func loseFirstPackets(_ strap: FakeStrap, _ count: Int) async {
    await act { $0.air[strap.address]?.firstLost = count }
  }

  // MARK: - Faults

  /// The next calls of a method, such as `Connect`, fail with an error.
  package func refuse(_ method: String, _ error: FakeBlueZError, times: Int = 1) {
    faults.add(method, .refuse(error), times: times)
  }

  /// The next calls of a method are never answered.
  package func stall(_ method: String, times: Int = 1) {
    faults.add(method, .stall, times: times)
  }

  /// Takes all faults back that have not happened yet.
  package func clearFaults() {
    faults.clear()
  }

  // MARK: - Notifying

  /// A strap notifies one value of a characteristic. Returns whether anybody received it. Values of one strap keep their order
  /// when one task sends them.
  @discardableResult
  package func notify(
    _ strap: FakeStrap, _ value: [UInt8], characteristic uuid: UInt16 = GATTUUID.heartRateMeasurement
  ) async -> Bool {
    let isTold = await send(strap, value, uuid)
    await settle()
    return isTold
  }

  /// A strap notifies values in order, one every `interval`, or as fast as they go. Returns how many were received.
  /// Ends early when the task is cancelled.
  @discardableResult
  package func play(
    _ strap: FakeStrap, _ values: some Sequence<[UInt8]> & Sendable, every interval: Duration? = nil
  ) async -> Int {
    let clock = ContinuousClock()
    var due = clock.now
    var told = 0
    for (index, value) in values.enumerated() {
      if Task.isCancelled { break }
      if await send(strap, value, GATTUUID.heartRateMeasurement) { told += 1 }
      if let interval {
        due += interval
        try? await clock.sleep(until: due)
      } else if index % 256 == 255 {
        // Else the whole flood would gather in memory.
        await settle()
      }
    }
    await settle()
    return told
  }

  /// The battery of a strap has another level, in percent: `Battery1`, and the characteristic where somebody is
  /// subscribed.
  package func setBattery(_ strap: FakeStrap, _ percent: UInt8) async {
    await act { $0.setBattery(strap.address, percent) }
    await notify(strap, [percent], characteristic: GATTUUID.batteryLevel)
  }

  private func send(_ strap: FakeStrap, _ value: [UInt8], _ uuid: UInt16) async -> Bool {
    switch FakeGATT.deliver(&world, strap.address, uuid, value) {
    case .nowhere: return false
    case .signalled: break
    case .socket(let socket):
      guard await socket.deliver(value, dropsWhenFull: configuration.dropsWhenReaderIsSlow) else { return false }
    }
    world.delivered += 1
    publish()
    return true
  }

  // MARK: - Observing

  /// How often a method was called, by its name, whatever it answered.
  package func calls(of method: String) -> Int {
    world.calls[method, default: 0]
  }

  /// Returns when a client is subscribed to the heart rate of a strap, in either way.
  package func subscribed(_ strap: FakeStrap) async {
    _ = await waitUntil { $0.isSubscribed(strap) }
  }

  /// Waits for a condition on the state; `false` when it did not come in time, or the task was cancelled or the fake
  /// stopped.
  package func waitUntil(
    timeout: Duration? = nil, _ condition: @escaping @Sendable (FakeWorld) -> Bool
  ) async -> Bool {
    if condition(world) { return true }
    let id = waiters.number()
    let alarm = timeout.map { timeout in
      Task {
        try await Task.sleep(for: timeout)
        self.giveUp(id)
      }
    }
    defer { alarm?.cancel() }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { waiters.add(id, condition, $0) }
    } onCancel: {
      Task { await self.giveUp(id) }
    }
  }

  private func giveUp(_ id: Int) { waiters.giveUp(id) }

  // MARK: - For the call handler

  /// Changes the state, puts the signals that it owes on the bus, and wakes who waited for that.
  @discardableResult
  func mutate<Value: Sendable>(_ body: @Sendable (inout FakeWorld) throws -> Value) rethrows -> Value {
    defer { publish() }
    return try body(&world)
  }

  /// Counts a call; the fault that it meets.
  func begin(_ call: DBusIncomingCall) -> FakeFaults.Fault? {
    mutate { $0.calls[call.member, default: 0] += 1 }
    return faults.next(call.member)
  }

  /// Returns when the daemon dies.
  func stallUntilDeath() async {
    guard connection != nil else { return }
    await withCheckedContinuation { stalled.append($0) }
  }

  /// Calls a client and waits for its answer.
  func ask(_ call: DBusMethodCall) async throws(DBusError) -> [DBusValue] {
    guard let connection else { throw .disconnected }
    return try await connection.call(call, timeout: .seconds(60))
  }

  // MARK: - Telling the bus

  private func act<Value: Sendable>(
    _ body: @Sendable (inout FakeWorld) throws -> Value
  ) async rethrows -> Value {
    let value = try mutate(body)
    await settle()
    return value
  }

  private func publish() {
    for signal in world.tree.drainSignals() {
      let message = signal.message
      // It fails only when the connection is gone, and then nobody listens.
      try? connection?.emit(
        path: message.path, interface: message.interface, member: message.member, arguments: message.arguments)
    }
    for call in world.drainCalls() { try? connection?.send(call.message) }
    waiters.check(world)
  }

  private func settle() async {
    await connection?.flush()
  }
}
