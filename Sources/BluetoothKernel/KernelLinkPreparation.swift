import TachogramCore

/// Lets straps have the connection parameters that they ask for: the kernel refuses what is outside of those that it was given,
/// and a Polar strap that is refused drops the link after 30 to 150 s.
///
/// The parameters are loaded when a strap was connected to, not before: a link that begins with them is too slow for the
/// discovery of what a strap offers, which is needed once.
package actor KernelLinkPreparation: LinkPreparationProtocol {
  /// Straps of one adapter that are kept; beyond, the first goes.
  private static let mostStraps = 32

  private let socket: ManagementSocket
  private let timeout: Duration
  private var straps: [UInt16: [BluetoothAddress]] = [:]
  /// The parameters that the kernel has.
  private var loaded: [UInt16: [BluetoothAddress]] = [:]
  /// The last command: the next one waits for it, since each list takes the place of the one before.
  private var last: Task<Void, Never>?
  private var listening: Task<Void, Never>?

  /// `timeout`: how long the kernel's answer is waited for.
  package init(_ socket: ManagementSocket, timeout: Duration = .seconds(1)) {
    self.socket = socket
    self.timeout = timeout
  }

  deinit {
    listening?.cancel()
  }

  package func prepareLinks(from adapter: String, to strap: BluetoothAddress) async {
    guard adapter.hasPrefix("hci"), let index = UInt16(adapter.dropFirst(3)), strap.isKnown else { return }
    if listening == nil { listen() }
    if !straps[index, default: []].contains(strap) {
      straps[index, default: []].append(strap)
      if let count = straps[index]?.count, count > Self.mostStraps { straps[index]?.removeFirst() }
    }
    let before = last
    let command = Task {
      await before?.value
      await self.load(index)
    }
    last = command
    await command.value
  }

  private func load(_ index: UInt16) async {
    guard let wanted = straps[index], loaded[index] != wanted, let parameters = KernelFacts.wish.parameters else {
      return
    }
    let peers = wanted.map { PeerConnectionParameters(address: $0, parameters: parameters) }
    // Set before: an adapter that goes meanwhile takes it away again.
    loaded[index] = wanted
    do {
      try await socket.perform(.loadConnectionParameters(adapter: index, peers), timeout: timeout)
    } catch {
      loaded[index] = nil
    }
  }

  private func listen() {
    let events = socket.events()
    listening = Task { [weak self] in
      for await event in events {
        switch event {
        // Whoever changes an adapter, as a daemon that starts does, may load a list of its own.
        case .adapterAdded(let index), .adapterRemoved(let index), .settingsChanged(let index, _):
          await self?.forget(index)
        default: break
        }
      }
    }
  }

  private func forget(_ index: UInt16) {
    loaded[index] = nil
  }
}
