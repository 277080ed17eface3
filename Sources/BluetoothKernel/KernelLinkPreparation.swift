import TachogramCore

/// Loads into the kernel the connection parameters that straps request. The kernel refuses requests outside the loaded
/// parameters, and a Polar strap that is refused drops the link after 30 to 150 s.
///
/// The parameters are loaded after a strap was connected to, not before: a link that begins with them is too slow for the
/// discovery of the strap's services, which is needed once.
package actor KernelLinkPreparation: LinkPreparationProtocol {
  /// The number of straps kept for an adapter. The first is removed beyond that.
  private static let mostStraps = 32

  private let socket: ManagementSocket
  private let timeout: Duration
  private var straps: [UInt16: [BluetoothAddress]] = [:]
  /// The straps whose parameters are loaded in the kernel.
  private var loaded: [UInt16: [BluetoothAddress]] = [:]
  /// The last command. The next one waits for it, because each list replaces the previous one.
  private var last: Task<Void, Never>?
  private var listening: Task<Void, Never>?

  /// Creates a preparation that waits up to `timeout` for the kernel's answer.
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
    // Set before the command, because the removal of the adapter during the command clears it.
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
        // A program that changes an adapter, such as a daemon that starts, may load its own list.
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
