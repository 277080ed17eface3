import BlueZ
import DBus
import Dashboard
import GATT
import Listening
import Presentation
import Recording
import Repository
import TachogramCore

/// Pairs one strap at a time on behalf of the page: searches for a minute, then connects, bonds and receives the chosen strap
/// within another minute. Only the chosen strap can be bonded. Meanwhile the station does not connect to it.
package actor StrapPairing: PairingBackend {
  /// The duration of the search, and of the pairing after it.
  package static let window: Duration = .seconds(60)
  private static let wantedReadings = 3

  private let radio: RadioChoice
  private let database: TachogramDatabase
  private let follower: StrapFollower
  private let time: any TimeSourceProtocol
  private let window: Duration
  /// Whether the configuration has a passkey, which the station enters by itself when it connects to a strap.
  private let hasPasskey: Bool
  private let queries = QueryQueue()

  private var current = API.Pairing(.closed)
  private var devices: [BlueZDevice] = []
  private var known: [KnownStrap] = []
  private var due: MonotonicTime?
  private var prompt: PagePairingPrompt?
  private var task: Task<Void, Never>?
  /// The last state of the link of the strap that is being paired.
  private var link: LinkState?
  /// Distinguishes the current pairing from those that have ended.
  private var number = 0

  package init(
    radio: RadioChoice, database: TachogramDatabase, follower: StrapFollower,
    time: any TimeSourceProtocol = SystemTimeSource(), window: Duration = StrapPairing.window,
    hasPasskey: Bool = false,
  ) {
    self.hasPasskey = hasPasskey
    self.window = window
    self.radio = radio
    self.database = database
    self.follower = follower
    self.time = time
  }

  package func state() -> API.Pairing {
    var state = current
    state.question = prompt?.question
    if state.phase == .searching { state.straps = devices.map(candidate) }
    if let due { state.secondsLeft = Int(max(0, due.duration(since: time.now().monotonic).inSeconds.rounded(.up))) }
    return state
  }

  package func begin() async throws {
    let known = try await queries.run { [database] in try StrapRepository(database: database).straps() }
    // After the wait, in which another request may have begun.
    guard ![.searching, .connecting].contains(current.phase) else {
      throw DashboardError(.conflict, "a strap is being paired already.")
    }
    self.known = known
    start(.searching) { pairing, number in await pairing.search(number) }
  }

  package func choose(_ address: BluetoothAddress) async throws {
    guard current.phase == .searching else { throw DashboardError(.conflict, "no search is running.") }
    guard let device = devices.first(where: { $0.address.matches(address) }) else {
      throw DashboardError.notFound("\(address) is not in range.")
    }
    task?.cancel()
    start(.connecting) { pairing, number in await pairing.pair(device, number) }
  }

  package func answer(_ answer: API.PairingAnswer) async throws {
    guard prompt?.answer(answer) == true else {
      throw DashboardError(.conflict, "the strap does not ask for this.")
    }
  }

  package func end() async {
    let ending = task
    number += 1
    leave(API.Pairing(.closed))
    ending?.cancel()
    // The strap is free, and followed again, before the next request.
    await ending?.value
  }

  // MARK: - Steps

  private func start(_ phase: API.Pairing.Phase, _ body: @escaping @Sendable (StrapPairing, Int) async -> Void) {
    number += 1
    current = API.Pairing(phase)
    devices = []
    due = time.now().monotonic.advanced(by: window)
    link = nil
    let number = number
    task = Task { await body(self, number) }
  }

  private func leave(_ state: API.Pairing) {
    prompt?.end()
    (prompt, due, task) = (nil, nil, nil)
    devices = []
    current = state
  }

  /// Ends a pairing with a result, unless it has ended.
  private func finish(_ number: Int, _ state: API.Pairing) {
    if number == self.number { leave(state) }
  }

  private func fail(_ number: Int, _ problem: String) {
    var state = API.Pairing(.failed)
    state.problem = problem
    finish(number, state)
  }

  private func search(_ number: Int) async {
    let (changes, change) = AsyncStream.makeStream(of: [BlueZDevice].self, bufferingPolicy: .bufferingNewest(1))
    let scan = BlueZScan(bus: radio.bus, adapter: radio.adapter, time: time)
    let scanning = Task { [window] in
      defer { change.finish() }
      try await scan.run(duration: window) { devices in
        change.yield(devices)
        return false
      }
    }
    await withTaskCancellationHandler {
      for await devices in changes { found(devices, number) }
    } onCancel: {
      scanning.cancel()
    }
    do {
      try await scanning.value
      fail(
        number,
        devices.isEmpty
          ? "no strap was found. Wear it, wet the electrodes, and end other connections to it." : "no strap was chosen."
      )
    } catch {
      let detail = (error as? DBusError).map(BluetoothWording.detail) ?? "\(error)"
      fail(number, await radio.problem() ?? "the search ended early: \(detail).")
    }
  }

  private func found(_ devices: [BlueZDevice], _ number: Int) {
    guard number == self.number else { return }
    // Straps stay in their places while a person is about to choose one.
    let places = Dictionary(uniqueKeysWithValues: self.devices.enumerated().map { ($1.address.value, $0) })
    self.devices = devices.sorted { one, other in
      switch (places[one.address.value], places[other.address.value]) {
      case (let one?, let other?): one < other
      case (_?, nil): true
      case (nil, _?): false
      default: (one.signal ?? .min, other.address.value) > (other.signal ?? .min, one.address.value)
      }
    }
  }

  private func pair(_ device: BlueZDevice, _ number: Int) async {
    let prompt = PagePairingPrompt()
    self.prompt = prompt
    await follower.release(device.address)
    do {
      var options = radio.source([BlueZSourceOptions.Strap(.address(device.address))])
      options.prompt = prompt
      let trial = StrapTrial(source: BlueZRadioSource(options, time: time))
      let heard = try await trial.run(
        readings: Self.wantedReadings, timeout: window, mayHold: device.isConnected,
        report: { [self] step in await report(step, number) })
      try Task.checkCancellation()
      let strap = try await remember(device, heard)
      var state = API.Pairing(.paired)
      state.strap = API.Strap(strap)
      state.readings = current.readings
      state.problem =
        heard.isHeld
        ? "another program receives this strap; end it, so that the station can." : StrapChoice.warning(strap)
      finish(number, state)
    } catch let failure as StrapTrial.Failure {
      let wasRefused = failure == .refused || link?.reason == .notAuthorised
      fail(number, hasPasskey && wasRefused ? "\(failure). Also \(LinkWording.passkeyHint)." : "\(failure).")
    } catch {
      fail(number, "the strap cannot be paired: \(error).")
    }
    prompt.end()
    await follower.resume()
  }

  private func report(_ step: StrapTrial.Step, _ number: Int) {
    guard number == self.number else { return }
    switch step {
    case .link(let state):
      link = state
      current.link = LinkWording.ofPairing(state)
    case .reading(let measurement):
      current.readings =
        (current.readings ?? []) + [
          API.Pairing.Reading(
            heartRate: Int(measurement.heartRate), intervals: measurement.rrIntervals.map(\.milliseconds))
        ]
    case .unreadable(let reason): current.link = "a reading that cannot be read: \(reason)"
    }
  }

  private func remember(_ device: BlueZDevice, _ heard: StrapTrial.Heard) async throws -> KnownStrap {
    let strap = KnownStrap(device, heard, added: time.now().wall)
    return try await queries.run { [database] in try StrapRepository(database: database).remember(strap) }
  }

  private func candidate(_ device: BlueZDevice) -> API.Pairing.Candidate {
    API.Pairing.Candidate(
      address: device.address.description, name: device.name.map(TerminalText.withoutControls),
      signal: device.signal.map(Int.init), knownAs: known.first { $0.address.matches(device.address) }?.name,
      heartRate: device.broadcast.map { Int($0.heartRate) })
  }
}
