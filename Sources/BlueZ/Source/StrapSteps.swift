import DBus
import GATT
import TachogramCore

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

  /// Returns the socket that receives the values of a characteristic.
  func acquire(_ characteristic: String) async throws(DBusError) -> Int32 {
    let answer = try await retrying { () async throws(DBusError) in
      try await call(
        characteristic, BlueZName.Interface.characteristic, BlueZName.Member.acquireNotify,
        [.dictionary(key: .string, value: .variant, [:])])
    }
    guard answer.count == 2, let descriptor = try answer[0].asFileDescriptor().release() else {
      throw .unexpected("AcquireNotify did not answer with a socket and an MTU")
    }
    return descriptor
  }

  /// Enables the signals of a characteristic.
  func startSignals(_ characteristic: String) async throws(DBusError) {
    try await retrying { () async throws(DBusError) in
      try await call(characteristic, BlueZName.Interface.characteristic, BlueZName.Member.startNotify)
    }
  }

  /// Disables the signals of a characteristic. Returns whether the daemon confirmed it; if not, they may have ended with the
  /// link.
  func stopSignals(_ characteristic: String) async -> Bool {
    let answer = try? await client.call(
      characteristic, BlueZName.Interface.characteristic, BlueZName.Member.stopNotify, timeout: Self.shortTimeout)
    return answer != nil
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
    let value = HeartRateControlPoint.encode(.resetEnergyExpended)
    let options: [DBusValue: DBusValue] = [.string("type"): .variant(.string("request"))]
    try await client.call(
      point.path, BlueZName.Interface.characteristic, BlueZName.Member.writeValue,
      [.bytes(value), .dictionary(key: .string, value: .variant, options)], timeout: .seconds(10))
  }

  // MARK: - Calls

  @discardableResult
  private func call(
    _ path: String, _ interface: String, _ member: String, _ arguments: [DBusValue] = [],
  ) async throws(DBusError) -> [DBusValue] {
    try await client.call(path, interface, member, arguments, timeout: Self.callTimeout)
  }

  private func fault(_ body: () async throws(DBusError) -> [DBusValue]) async -> LinkFault? {
    do {
      _ = try await body()
      return nil
    } catch {
      return LinkFault(error)
    }
  }

  /// Repeats a request that the daemon refuses, because it releases a notification transport with a delay and refuses the other
  /// one until then.
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
