import DBus

/// A handler of calls to devices. Connecting and pairing take time.
struct FakeDeviceHandler: Sendable {
  let fake: FakeBlueZ

  func respond(_ call: DBusIncomingCall) async throws -> [DBusValue] {
    let path = call.path
    switch call.member {
    case "Connect": try await connect(path)
    case "Disconnect":
      try await fake.mutate { world in
        guard let device = world.devices[path], device.phase != .idle else { throw FakeBlueZError.notConnected }
        world.unlink(path)
      }
    case "Pair": try await pair(path, client: call.sender)
    case "CancelPairing":
      try await fake.mutate { world in
        guard world.devices[path]?.isPairing == true else { throw FakeBlueZError.doesNotExist }
        FakeLinking.endPairing(&world, path, succeeded: false)
      }
    case "ConnectProfile", "DisconnectProfile": throw FakeBlueZError.failed("br-connection-profile-unavailable")
    default: throw FakeBlueZError.unknownMethod
    }
    return []
  }

  // MARK: - Connecting

  /// Connects a strap that the daemon knows, as another program would.
  func connect(_ strap: FakeStrap) async throws {
    let devices = await fake.world.devices
    guard let path = devices.first(where: { $0.value.address == strap.address })?.key else {
      throw FakeBlueZError.unknownObject
    }
    try await connect(path)
  }

  private func connect(_ path: DBusObjectPath) async throws {
    guard let generation = try await link(path) else { return }
    await resolve(path, generation)
  }

  /// Links a device. Returns the number of the link, or `nil` if the device is linked already.
  private func link(_ path: DBusObjectPath) async throws -> Int? {
    guard let generation = try await fake.mutate({ try FakeLinking.begin(&$0, path) }) else { return nil }
    let configuration = fake.configuration
    if configuration.connectDelay > .zero { try await Task.sleep(for: configuration.connectDelay) }
    let deadline = ContinuousClock.now + configuration.connectTimeout
    while try await !fake.mutate({ try FakeLinking.link(&$0, path, generation) }) {
      let left = ContinuousClock.now.duration(to: deadline)
      guard left > .zero else { try await abandon(path, generation) }
      let isOver = await fake.waitUntil(timeout: left) { world in
        (try? FakeLinking.isReady(world, path, generation)) ?? true
      }
      guard isOver else { try await abandon(path, generation) }
    }
    return generation
  }

  private func abandon(_ path: DBusObjectPath, _ generation: Int) async throws -> Never {
    await fake.mutate { FakeLinking.abandon(&$0, path, generation) }
    throw FakeBlueZError.connectionAborted
  }

  /// Resolves services: at once if there is nothing to wait for, otherwise after the answer of `Connect`.
  private func resolve(_ path: DBusObjectPath, _ generation: Int) async {
    let delay = fake.configuration.resolveDelay
    let world = await fake.world
    // A link that is encrypted with a lost key ends after the answer.
    if delay == .zero, FakeLinking.mayResolve(world, path), !FakeLinking.hasLostBond(world, path) {
      await fake.mutate { FakeLinking.resolve(&$0, path, generation) }
      return
    }
    Task { [fake] in
      if delay > .zero { try await Task.sleep(for: delay) }
      _ = await fake.waitUntil { world in
        FakeLinking.mayResolve(world, path) || world.devices[path]?.generation != generation
      }
      await fake.mutate { FakeLinking.resolve(&$0, path, generation) }
    }
  }

  // MARK: - Pairing

  /// Pairs a device on its link, or on a new one. Returns once the services are resolved.
  private func pair(_ path: DBusObjectPath, client: String) async throws {
    try await fake.mutate { try FakeLinking.beginPairing(&$0, path) }
    let ownLink: Int?
    do {
      do { ownLink = try await link(path) } catch { throw FakeBlueZError.connectionAttemptFailed }
      try await authenticate(path, client: client)
    } catch {
      await fake.mutate { FakeLinking.endPairing(&$0, path, succeeded: false) }
      throw error
    }
    let isResolved = try await fake.mutate { world in
      guard world.devices[path]?.isPairing == true else { throw FakeBlueZError.authenticationCanceled }
      FakeLinking.endPairing(&world, path, succeeded: true)
      return world.devices[path]?.isResolved ?? true
    }
    if isResolved { return }
    guard let ownLink else {
      // Observed with BlueZ 5.66: the answer waits for a resolution of services that is never started while another is in
      // progress.
      return await fake.stallUntilDeath()
    }
    // Services are resolved after the bond. Pairing succeeds whatever the outcome.
    await resolve(path, ownLink)
    _ = await fake.waitUntil { world in
      world.devices[path]?.isResolved != false || world.devices[path]?.generation != ownLink
    }
  }

  private func authenticate(_ path: DBusObjectPath, client: String) async throws {
    let world = await fake.world
    guard let device = world.devices[path], let strap = world.air[device.address]?.strap else {
      throw FakeBlueZError.authenticationFailed
    }
    if strap.pairing == .refused { throw FakeBlueZError.authenticationRejected }
    guard let agent = world.agent(for: client), let question = agent.question(strap.pairing, device: path) else {
      return
    }
    let answer = try await ask(agent, question, path)
    switch strap.pairing {
    case .passkeyShownByStrap(let number):
      guard answer == [.uint32(number)] else { throw FakeBlueZError.authenticationFailed }
    case .passkeyTypedIntoStrap(correctly: false): throw FakeBlueZError.authenticationFailed
    default: break
    }
  }

  /// Asks the agent. The answer is discarded once pairing has ended.
  private func ask(
    _ agent: FakeAgent, _ question: (member: String, arguments: [DBusValue]), _ path: DBusObjectPath
  ) async throws -> [DBusValue] {
    let answer = await withTaskGroup(of: Result<[DBusValue], DBusError>?.self) { group in
      group.addTask {
        do throws(DBusError) {
          return .success(try await fake.ask(agent.call(question.member, question.arguments)))
        } catch {
          return .failure(error)
        }
      }
      group.addTask {
        _ = await fake.waitUntil { $0.devices[path]?.isPairing != true }
        return nil
      }
      let first = await group.next() ?? nil
      group.cancelAll()
      return first
    }
    guard let answer else {
      _ = try? await fake.ask(agent.call("Cancel"))
      throw FakeBlueZError.authenticationCanceled
    }
    switch answer {
    case .success(let values): return values
    case .failure(.remote("org.bluez.Error.Canceled", _)): throw FakeBlueZError.authenticationCanceled
    case .failure(.timedOut): throw FakeBlueZError.authenticationTimeout
    case .failure: throw FakeBlueZError.authenticationFailed
    }
  }
}
