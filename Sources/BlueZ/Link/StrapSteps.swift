import DBus
import GATT
import TachogramCore
import Threads

/// The steps of a link, performed by calls to the daemon. Each step returns its fault, or `nil` on success.
struct StrapSteps: Sendable {
  /// The machine abandons a step earlier. This timeout only limits the lifetime of pending calls.
  private static let callTimeout: Duration = .seconds(90)
  private static let shortTimeout: Duration = .seconds(3)
  /// The number of retries and the delay between them while the daemon releases the other notification transport.
  private static let handOvers = 10
  private static let handOver: Duration = .milliseconds(100)

  let client: BlueZClient
  let device: String
  let time: any TimeSourceProtocol

  /// Connects while holding the radio. `handedOn` is called when the radio is released.
  func connect(on radio: AdapterRadio, handedOn: @escaping @Sendable () -> Void) async -> LinkFault? {
    // The strap stops advertising now, so an earlier signal strength is not valid after the attempt.
    client.forgetSignal(of: device)
    do {
      try await radio.connecting(handedOn) {
        try await call(device, BlueZName.Interface.device, BlueZName.Member.connect)
      }
    } catch let error as DBusError {
      guard case .remote(BlueZName.Error.alreadyConnected, _) = error else { return LinkFault(error) }
    } catch {
      return .transient
    }
    if client.read({ $0.device(device)?.isConnected }) == false {
      await client.refresh(device, timeout: Self.shortTimeout)
    }
    return nil
  }

  /// Cancels a pending connection, or ends an established one.
  func disconnect() async -> LinkFault? {
    let fault = await fault { () async throws(DBusError) in
      try await client.call(
        device, BlueZName.Interface.device, BlueZName.Member.disconnect, timeout: Self.shortTimeout)
    }
    // Reads the properties again, so that the tree does not show a connection that has ended.
    await client.refresh(device, timeout: Self.shortTimeout)
    return fault
  }

  /// Bonds with the strap. Requests for a passkey are handled by the agent.
  func pair() async -> LinkFault? {
    do {
      try await call(device, BlueZName.Interface.device, BlueZName.Member.pair)
      return nil
    } catch .remote(BlueZName.Error.alreadyExists, _) {
      return nil
    } catch .cancelled {
      await Task { [client, device] in
        _ = try? await client.call(
          device, BlueZName.Interface.device, BlueZName.Member.cancelPairing, timeout: Self.shortTimeout)
      }.value
      return .transient
    } catch {
      return LinkFault(error)
    }
  }

  /// Makes the daemon remove the strap.
  func forget() async -> LinkFault? {
    guard let path = BlueZPath(device) else { return .vanished }
    return await fault { () async throws(DBusError) in
      try await call(
        BlueZPath(adapter: path.adapter).text, BlueZName.Interface.adapter, BlueZName.Member.removeDevice,
        [.objectPath(try DBusObjectPath(validating: device))])
    }
  }

  // MARK: - Notifications

  /// Returns the socket that receives the values of a characteristic, and the ATT_MTU in bytes.
  func acquire(
    _ characteristic: String, timeout: Duration = callTimeout,
  ) async throws(DBusError) -> (socket: Int32, mtu: UInt16) {
    let answer = try await retrying { () async throws(DBusError) in
      try await call(
        characteristic, BlueZName.Interface.characteristic, BlueZName.Member.acquireNotify,
        [.dictionary(key: .string, value: .variant, [:])], timeout: timeout)
    }
    guard answer.count == 2, case .uint16(let mtu) = answer[1],
      let descriptor = try answer[0].asFileDescriptor().release()
    else { throw .unexpected("AcquireNotify did not answer with a socket and an MTU") }
    return (descriptor, mtu)
  }

  /// Calls `deliver` for each value of a characteristic that the daemon signals, on the thread that reads the bus. `isShared` is
  /// whether other programs seem to be subscribed, so that values are signalled several times.
  func listen(to characteristic: String, isShared: Bool, _ deliver: @escaping @Sendable ([UInt8]) -> Void) {
    let repeats = Guarded(SignalRepeats(isShared: isShared))
    client.listen(to: characteristic) { value, signal in
      let isNew = repeats.withLock {
        $0.isNotification(value, serial: signal.serial, arrival: signal.arrivalNanoseconds)
      }
      if isNew { deliver(value) }
    }
  }

  /// Enables the signals of a characteristic.
  func startSignals(_ characteristic: String, timeout: Duration = callTimeout) async throws(DBusError) {
    try await retrying { () async throws(DBusError) in
      try await call(
        characteristic, BlueZName.Interface.characteristic, BlueZName.Member.startNotify, timeout: timeout)
    }
  }

  /// Disables the signals of a characteristic. Returns whether the daemon confirmed it; if not, they may have ended with the
  /// link.
  func stopSignals(_ characteristic: String) async -> Bool {
    let answer = try? await client.call(
      characteristic, BlueZName.Interface.characteristic, BlueZName.Member.stopNotify, timeout: Self.shortTimeout)
    return answer != nil
  }

  // MARK: - Values

  /// Reads the descriptive characteristics of the strap one after the other, until the task is cancelled.
  func readDescription(_ handle: (_ uuid: UInt16, _ value: [UInt8]) async -> Void) async {
    for characteristic in client.read({ $0.characteristics(of: device) }) {
      guard let short = BlueZUUID.short(characteristic.uuid), GATTUUID.describing.contains(short),
        characteristic.flags.contains("read"), !Task.isCancelled, let value = await read(characteristic.path)
      else { continue }
      await handle(short, value)
    }
  }

  /// Returns the value of a characteristic, or `nil` if it cannot be read.
  func read(_ characteristic: String) async -> [UInt8]? {
    let answer = try? await client.call(
      characteristic, BlueZName.Interface.characteristic, BlueZName.Member.readValue,
      [.dictionary(key: .string, value: .variant, [:])], timeout: .seconds(5))
    return answer.flatMap { $0.count == 1 ? try? $0[0].asBytes() : nil }
  }

  /// Resets the energy count of the strap to 0. Throws when the strap does not count energy or the request fails.
  func resetEnergy() async throws(DBusError) {
    guard let point = client.read({ $0.characteristic(BlueZUUID.controlPoint, of: device) }) else {
      throw .remote(name: BlueZName.Error.notSupported, message: "the strap counts no energy")
    }
    try await write(HeartRateControlPoint.encode(.resetEnergyExpended), to: point.path, timeout: .seconds(10))
  }

  /// Writes a value to a characteristic with the strap's confirmation.
  func write(_ value: [UInt8], to characteristic: String, timeout: Duration) async throws(DBusError) {
    let options: [DBusValue: DBusValue] = [.string("type"): .variant(.string("request"))]
    // The daemon refuses a write while another one is in progress, even of a caller that no longer waits for it.
    try await retrying { () async throws(DBusError) in
      try await call(
        characteristic, BlueZName.Interface.characteristic, BlueZName.Member.writeValue,
        [.bytes(value), .dictionary(key: .string, value: .variant, options)], timeout: timeout)
    }
  }

  // MARK: - Calls

  @discardableResult
  private func call(
    _ path: String, _ interface: String, _ member: String, _ arguments: [DBusValue] = [],
    timeout: Duration = callTimeout,
  ) async throws(DBusError) -> [DBusValue] {
    try await client.call(path, interface, member, arguments, timeout: timeout)
  }

  private func fault(_ body: () async throws(DBusError) -> [DBusValue]) async -> LinkFault? {
    do {
      _ = try await body()
      return nil
    } catch {
      return LinkFault(error)
    }
  }

  /// Repeats a request that the daemon refuses for a moment: it releases a notification transport with a delay and refuses the
  /// other one until then.
  @discardableResult
  private func retrying(_ body: () async throws(DBusError) -> [DBusValue]) async throws(DBusError) -> [DBusValue] {
    for _ in 0..<Self.handOvers {
      do {
        return try await body()
      } catch .remote(let name, _) where name == BlueZName.Error.notPermitted || name == BlueZName.Error.inProgress {
        let due = time.now().monotonic.advanced(by: Self.handOver)
        do { try await time.sleep(until: due) } catch { throw .cancelled }
      }
    }
    return try await body()
  }
}
