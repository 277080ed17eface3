import BluetoothKernel
import DBus
import TachogramCore

/// What the links of one source share: the client of the moment, the radios of the adapters, the thread that reads
/// sockets.
final class BlueZContext: Sendable {
  private struct State {
    var client: BlueZClient?
    var radios: [String: AdapterRadio] = [:]
    /// Devices that a link has for its own, by the link.
    var claims: [Int: BluetoothAddress] = [:]
    var turns = ConnectionScheduler()
    /// What to call at every change, by the link.
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

  /// The client; `nil` while there is no bus.
  var client: BlueZClient? { state.withLock { $0.client } }

  /// Puts another client, or none, in the place of the one before.
  func setClient(_ client: BlueZClient?) {
    state.withLock { state in
      state.client = client
      state.radios = [:]
    }
    wakeAll()
  }

  /// Calls `wake` at every change, for a link.
  func onChange(link: Int, _ wake: @escaping @Sendable () -> Void) {
    state.withLock { $0.wakes[link] = wake }
  }

  /// Notifies all links, and the radios, that something changed.
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

  // MARK: - Which link has which strap

  /// Whether a device is this link's, or nobody's.
  func mayTake(_ address: BluetoothAddress, link: Int) -> Bool {
    state.withLock { Self.mayTake(address, link, $0) }
  }

  private static func mayTake(_ address: BluetoothAddress, _ link: Int, _ state: State) -> Bool {
    !state.claims.contains { $0.key != link && $0.value.matches(address) }
  }

  /// Whether some link has this device.
  func isClaimed(_ address: BluetoothAddress) -> Bool {
    state.withLock { state in state.claims.values.contains { $0.matches(address) } }
  }

  /// Makes a device the link's own; `false` when it is another's.
  func claim(_ address: BluetoothAddress, link: Int) -> Bool {
    state.withLock { state in
      guard Self.mayTake(address, link, state) else { return false }
      state.claims[link] = address
      return true
    }
  }

  // MARK: - Which link connects where

  /// Whether a link may connect to the strap that it found; then it is its turn, until `endTurn`.
  func acquireTurn(link: Int, _ found: StrapLookup) -> Bool {
    guard let adapter = found.adapterPath else { return false }
    return state.withLock { $0.turns.acquire(link: link, on: adapter, deaf: found.deafAdapters) }
  }

  /// The adapters where other links connect, each as often as there are such links.
  func turns(besides link: Int) -> [String] {
    state.withLock { $0.turns.others(than: link) }
  }

  /// A link connects no longer, or lets others do so meanwhile.
  func endTurn(link: Int) {
    let wakes = state.withLock { state in state.turns.end(link: link).compactMap { state.wakes[$0] } }
    for wake in wakes { wake() }
  }

  /// A link is no more: the device that it had is nobody's, and others may take it.
  func release(link: Int) {
    state.withLock { state in
      state.claims[link] = nil
      _ = state.turns.end(link: link)
      state.wakes[link] = nil
    }
    wakeAll()
  }
}
