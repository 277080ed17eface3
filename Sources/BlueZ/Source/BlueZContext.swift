import DBus
import TachogramCore
import Threads

/// The shared state of the links of a source: the current client, the radios of the adapters, and the reader of sockets.
final class BlueZContext: Sendable {
  private struct State {
    var client: BlueZClient?
    var radios: [String: AdapterRadio] = [:]
    /// The device claimed by each link.
    var claims: [Int: BluetoothAddress] = [:]
    var turns = ConnectionScheduler()
    /// The function that each link has registered for changes.
    var wakes: [Int: @Sendable () -> Void] = [:]
  }

  let time: any TimeSourceProtocol
  let reader = NotificationReader()
  let reasons: (any DisconnectReasonProtocol)?
  let preparation: (any LinkPreparationProtocol)?
  private let search: ScanMode
  private let state = Guarded(State())

  init(
    time: any TimeSourceProtocol, reasons: (any DisconnectReasonProtocol)?,
    preparation: (any LinkPreparationProtocol)?, search: ScanMode,
  ) {
    self.time = time
    self.reasons = reasons
    self.preparation = preparation
    self.search = search
  }

  /// The current client, or `nil` while there is no bus.
  var client: BlueZClient? { state.withLock { $0.client } }

  /// Replaces the client by another one, or by `nil`.
  func setClient(_ client: BlueZClient?) {
    state.withLock { state in
      state.client = client
      state.radios = [:]
    }
    wakeAll()
  }

  /// Registers `wake` of a link, which is called at each change.
  func onChange(link: Int, _ wake: @escaping @Sendable () -> Void) {
    state.withLock { $0.wakes[link] = wake }
  }

  /// Notifies all links and radios of a change.
  func wakeAll() {
    let (wakes, radios) = state.withLock { (Array($0.wakes.values), Array($0.radios.values)) }
    for radio in radios { Task { await radio.refresh() } }
    for wake in wakes { wake() }
  }

  /// The radio of the adapter at a path.
  func radio(_ path: String, _ client: BlueZClient) -> AdapterRadio {
    state.withLock { state in
      if state.client === client, let radio = state.radios[path] { return radio }
      let radio = AdapterRadio(client: client, path: path, kind: .straps(search), time: time)
      if state.client === client { state.radios[path] = radio }
      return radio
    }
  }

  /// Whether a radio discovers devices.
  var isDiscovering: Bool {
    get async {
      for radio in state.withLock({ Array($0.radios.values) }) where await radio.isDiscovering { return true }
      return false
    }
  }

  // MARK: - Which link has which strap

  /// Whether a device is not claimed by another link.
  func mayTake(_ address: BluetoothAddress, link: Int) -> Bool {
    state.withLock { Self.mayTake(address, link, $0) }
  }

  private static func mayTake(_ address: BluetoothAddress, _ link: Int, _ state: State) -> Bool {
    !state.claims.contains { $0.key != link && $0.value.matches(address) }
  }

  /// Whether any link has claimed a device.
  func isClaimed(_ address: BluetoothAddress) -> Bool {
    state.withLock { state in state.claims.values.contains { $0.matches(address) } }
  }

  /// Claims a device for a link. Returns `false` if another link has claimed it.
  func claim(_ address: BluetoothAddress, link: Int) -> Bool {
    state.withLock { state in
      guard Self.mayTake(address, link, state) else { return false }
      state.claims[link] = address
      return true
    }
  }

  // MARK: - Which link connects where

  /// Returns whether a link may connect to the strap that it found. If so, its turn lasts until `endTurn`.
  func acquireTurn(link: Int, _ found: StrapLookup) -> Bool {
    guard let adapter = found.adapterPath else { return false }
    return state.withLock { $0.turns.acquire(link: link, on: adapter, deaf: found.deafAdapters) }
  }

  /// The adapters on which other links connect, with one element per link.
  func turns(besides link: Int) -> [String] {
    state.withLock { $0.turns.others(than: link) }
  }

  /// Ends the turn of a link, and wakes the links that waited for it.
  func endTurn(link: Int) {
    let wakes = state.withLock { state in state.turns.end(link: link).compactMap { state.wakes[$0] } }
    for wake in wakes { wake() }
  }

  /// Removes a link, so that other links may claim its device.
  func release(link: Int) {
    state.withLock { state in
      state.claims[link] = nil
      _ = state.turns.end(link: link)
      state.wakes[link] = nil
    }
    wakeAll()
  }
}
