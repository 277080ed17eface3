import DBus
import GATT
import TachogramCore

/// The steps of a link as calls of the daemon. Each returns its fault, or `nil` when it succeeded.
struct StrapSteps: Sendable {
  /// The machine gives a step up sooner; this only bounds what the bus keeps in mind.
  private static let callTimeout: Duration = .seconds(90)
  private static let shortTimeout: Duration = .seconds(3)
  /// How often and how long a way is tried anew while the other way is being given back.
  private static let handOvers = 10
  private static let handOver: Duration = .milliseconds(100)

  let client: BlueZClient
  let device: String
  let time: any TimeSourceProtocol

  /// Connects, with the radio to itself; `handedOn` when others may have it again.
  func connect(on radio: AdapterRadio, handedOn: @escaping @Sendable () -> Void) async -> LinkFault? {
    // It stops advertising now; what was heard before says nothing of the time after the attempt.
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

  /// Gives up a connection that is being made, and ends one that is there.
  func disconnect() async -> LinkFault? {
    let fault = await fault { () async throws(DBusError) in
      try await client.call(
        device, BlueZName.Interface.device, BlueZName.Member.disconnect, timeout: Self.shortTimeout)
    }
    // What was asked for may have been overtaken by a signal; nothing is left connected that is not.
    await client.refresh(device, timeout: Self.shortTimeout)
    return fault
  }

  /// Bonds; the agent answers for the person.
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

  /// Makes the daemon forget the strap.
  func forget() async -> LinkFault? {
    guard let path = BlueZPath(device) else { return .vanished }
    return await fault { () async throws(DBusError) in
      try await call(
        BlueZPath(adapter: path.adapter).text, BlueZName.Interface.adapter, BlueZName.Member.removeDevice,
        [.objectPath(try DBusObjectPath(validating: device))])
    }
  }

  // MARK: - Notifications

  /// The socket on which the values of a characteristic come.
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

  /// Switches the signals of a characteristic on.
  func startSignals(_ characteristic: String) async throws(DBusError) {
    try await retrying { () async throws(DBusError) in
      try await call(characteristic, BlueZName.Interface.characteristic, BlueZName.Member.startNotify)
    }
  }

  /// Switches them off, and gives whether the daemon did that; else they may have ended with the link.
  func stopSignals(_ characteristic: String) async -> Bool {
    let answer = try? await client.call(
      characteristic, BlueZName.Interface.characteristic, BlueZName.Member.stopNotify, timeout: Self.shortTimeout)
    return answer != nil
  }

  /// The value of a characteristic; `nil` when it cannot be read.
  func read(_ characteristic: String) async -> [UInt8]? {
    let answer = try? await client.call(
      characteristic, BlueZName.Interface.characteristic, BlueZName.Member.readValue,
      [.dictionary(key: .string, value: .variant, [:])], timeout: .seconds(5))
    return answer.flatMap { $0.count == 1 ? try? $0[0].asBytes() : nil }
  }

  /// Sets the strap's count of energy to 0. Throws what stands in the way.
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

  /// The daemon gives a way back a moment after it was let go; until then it refuses the other one.
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
