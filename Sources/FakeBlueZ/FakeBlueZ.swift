import DBus
import GATT
import TachogramCore

/// A fake bluetoothd on a bus. It owns `org.bluez`, exports adapters, devices and GATT objects as BlueZ 5.66 does, and controls
/// its straps by the methods below. Every method returns once its effect has been written to the bus.
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
  /// The calls that stay unanswered until the daemon dies.
  private var stalled: [CheckedContinuation<Void, Never>] = []
  /// The current state, for inspection.
  package private(set) var world = FakeWorld()

  private init(bus: DBusBus, configuration: FakeBlueZConfiguration) {
    self.bus = bus
    self.configuration = configuration
  }

  /// Starts the daemon on a bus where `org.bluez` has no owner, with one adapter by default.
  /// - Throws: `DBusError` if the bus cannot be reached or the name is taken.
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

  /// Starts the daemon again after `killDaemon`. Has no effect while it runs.
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
    // The objects exist before the name does, and signals are published after it: a client that sees the name finds the
    // objects, and a client that watches the name receives their signals.
    world.daemonStarts()
    try await connection.requestName(FakeNames.bluez)
    publish()
    await connection.flush()
  }

  /// Kills the daemon. Its name, objects, links and sockets disappear at once; only the bus reports it.
  package func killDaemon() async {
    let connection = connection
    self.connection = nil
    departures = nil
    // Closed first, so that pending calls are not answered any more.
    connection?.close()
    let remembers = configuration.remembersDevices
    mutate { $0.daemonDies(remembersDevices: remembers) }
    for continuation in stalled { continuation.resume() }
    stalled.removeAll()
    await connection?.waitUntilClosed()
  }

  /// Ends the daemon as on SIGTERM: links end and objects are removed before its name is released.
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

  /// Ends the fake. Pending waits for a condition return `false`.
  package func stop() async {
    clock = nil
    await killDaemon()
    waiters.giveUpAll()
  }

  // MARK: - Adapters

  /// Plugs an adapter in. Returns its number.
  @discardableResult
  package func addAdapter(address: BluetoothAddress = FakeBlueZ.adapterAddress) async -> Int {
    await act { [configuration] in $0.addAdapter(address, configuration) }
  }

  /// Unplugs an adapter.
  package func removeAdapter(_ index: Int = 0) async {
    await act { $0.removeAdapter(index) }
  }

  /// Switches an adapter on or off. Throws `Blocked` if rfkill blocks it.
  package func setPowered(_ isOn: Bool, adapter index: Int = 0) async throws {
    try await act { try $0.setPowered(index, isOn) }
  }

  /// Blocks or unblocks an adapter as rfkill does.
  package func block(_ isBlocked: Bool = true, adapter index: Int = 0) async throws {
    try await act { try $0.setBlocked(index, isBlocked) }
  }

  /// Removes devices that were only discovered, as the daemon does some time after their last advertisement.
  package func forgetTemporaryDevices() async {
    await act { $0.forgetTemporaryDevices() }
  }

  /// Releases the monitors of all clients, as when the kernel removes them.
  package func releaseMonitors() async {
    await act { FakeMonitoring.releaseAll(&$0) }
  }

  // MARK: - Straps on the air

  /// Brings a strap into range and sends one advertisement. Also used for further advertisements and for changed data.
  package func advertise(_ strap: FakeStrap) async {
    await act { FakeDiscovery.advertise(&$0, strap) }
  }

  /// Advances the time on the air: all straps in range advertise at their interval, each time at another level, and devices
  /// that were only discovered are removed once their lifetime has passed without an advertisement. Returns without waiting for
  /// that time.
  package func pass(_ time: Duration) async {
    await act { [configuration] world in
      FakeDiscovery.pass(
        &world, time, interval: configuration.advertisingInterval, lifetime: configuration.temporaryLifetime)
    }
  }

  /// Takes a strap out of range. Its link, if any, is not touched: see `dropLink`.
  package func stopAdvertising(_ strap: FakeStrap) async {
    await act { $0.air[strap.address]?.isInRange = false }
  }

  /// Changes the received signal strength of a strap, in dBm.
  package func setSignal(_ strap: FakeStrap, _ signal: Int16) async {
    await change(strap) { $0.signal = signal }
  }

  /// Makes a strap advertise manufacturer-specific data, as Polar straps (company 0x006B) do with their heart rate.
  package func advertiseManufacturerData(_ strap: FakeStrap, company: UInt16, _ data: [UInt8]) async {
    await change(strap) { $0.manufacturerData[company] = data }
  }

  /// Makes a strap broadcast a heart rate in bpm, as Polar straps do. Each broadcast differs from the last, even with the same
  /// rate.
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

  /// Ends the link of a strap. D-Bus does not reveal the reason.
  package func dropLink(_ strap: FakeStrap) async {
    await act { world in
      guard let device = world.linkedDevice(strap.address) else { return }
      world.unlink(device.path)
    }
  }

  /// Makes a strap stay connected but send nothing.
  package func goSilent(_ strap: FakeStrap) async {
    await act { $0.air[strap.address]?.isSilent = true }
  }

  /// Makes a silent strap send again.
  package func resume(_ strap: FakeStrap) async {
    await act { $0.air[strap.address]?.isSilent = false }
  }

  /// Defers the resolving of services on the next links until `releaseServices`.
  package func holdServices(_ strap: FakeStrap) async {
    await act { $0.air[strap.address]?.holdsServices = true }
  }

  /// Resolves the services deferred by `holdServices`.
  package func releaseServices(_ strap: FakeStrap) async {
    await act { $0.air[strap.address]?.holdsServices = false }
  }

  /// Removes the heart-rate service from the daemon's cache of a strap from the next link on, or restores it.
  package func poisonGATTCache(_ strap: FakeStrap, _ isPoisoned: Bool = true) async {
    await act { $0.air[strap.address]?.isCachePoisoned = isPoisoned }
  }

  /// Makes links of the strap come up without a signal of `Connected`. BlueZ 5.66 behaves so when a bonded strap is found again
  /// and the attribute channel exists before the kernel reports the connection.
  package func connectUnsaid(_ strap: FakeStrap) async {
    await act { $0.air[strap.address]?.connectsUnsaid = true }
  }

  /// Makes the strap require a bond and show this number when it is paired.
  package func secure(_ strap: FakeStrap, passkey: UInt32) async {
    await act { $0.air[strap.address]?.strap.secure(passkey: passkey) }
  }

  /// Makes the strap forget the bond: links of a bonded device fail until it is removed and paired again.
  package func forgetBond(_ strap: FakeStrap) async {
    await act { $0.air[strap.address]?.isBonded = false }
  }

  /// Reveals the identity address of a strap, as a bond does. Returns the strap with the new address.
  package func revealIdentity(of strap: FakeStrap, _ identity: BluetoothAddress) async -> FakeStrap {
    await act { $0.revealIdentity(of: strap.address, as: identity) }
    return FakeStrap(strap, at: identity)
  }

  /// Loses the first values after the next `AcquireNotify`, like values sent before the socket exists.
  package func loseFirstPackets(_ strap: FakeStrap, _ count: Int) async {
    await act { $0.air[strap.address]?.firstLost = count }
  }

  // MARK: - Faults

  /// Makes the next calls of a method, such as `Connect`, fail with an error.
  package func refuse(_ method: String, _ error: FakeBlueZError, times: Int = 1) {
    faults.add(method, .refuse(error), times: times)
  }

  /// Leaves the next calls of a method unanswered.
  package func stall(_ method: String, times: Int = 1) {
    faults.add(method, .stall, times: times)
  }

  /// Cancels all faults that have not occurred yet.
  package func clearFaults() {
    faults.clear()
  }

  // MARK: - Notifying

  /// Makes a strap notify one value of a characteristic. Returns whether a client received it. Values of one strap keep their
  /// order when one task sends them.
  @discardableResult
  package func notify(
    _ strap: FakeStrap, _ value: [UInt8], characteristic uuid: FakeUUID = .heartRateMeasurement
  ) async -> Bool {
    let isTold = await send(strap, value, uuid)
    await settle()
    return isTold
  }

  /// Makes a strap notify values in order, one every `interval`, or as fast as possible. Returns the number of values received.
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
      if await send(strap, value, .heartRateMeasurement) { told += 1 }
      if let interval {
        due += interval
        try? await clock.sleep(until: due)
      } else if index % 256 == 255 {
        // Without this, all values would accumulate in memory.
        await settle()
      }
    }
    await settle()
    return told
  }

  /// Changes the battery level of a strap, in percent: `Battery1`, and the characteristic for its subscribers.
  package func setBattery(_ strap: FakeStrap, _ percent: UInt8) async {
    await act { $0.setBattery(strap.address, percent) }
    await notify(strap, [percent], characteristic: FakeUUID(GATTUUID.batteryLevel))
  }

  private func send(_ strap: FakeStrap, _ value: [UInt8], _ uuid: FakeUUID) async -> Bool {
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

  /// Returns the number of calls of a method, whatever their outcome.
  package func calls(of method: String) -> Int {
    world.calls[method, default: 0]
  }

  /// Waits until a client is subscribed to the heart rate of a strap, by `StartNotify` or `AcquireNotify`.
  package func subscribed(_ strap: FakeStrap) async {
    _ = await waitUntil { $0.isSubscribed(strap) }
  }

  /// Waits for a condition on the state. Returns `false` on timeout, or if the task is cancelled or the fake stopped.
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

  /// Changes the state, sends the resulting signals, and resumes the tasks that wait for the new state.
  @discardableResult
  func mutate<Value: Sendable>(_ body: @Sendable (inout FakeWorld) throws -> Value) rethrows -> Value {
    defer { publish() }
    return try body(&world)
  }

  /// Counts a call. Returns the fault to apply to it, if any.
  func begin(_ call: DBusIncomingCall) -> FakeFaults.Fault? {
    mutate { $0.calls[call.member, default: 0] += 1 }
    return faults.next(call.member)
  }

  /// Returns when the daemon dies.
  func stallUntilDeath() async {
    guard connection != nil else { return }
    await withCheckedContinuation { stalled.append($0) }
  }

  /// Calls a client and returns its answer.
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
      // Fails only if the connection is closed; the signal then has no receiver.
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
