import TachogramCore

/// The result of a lookup of a strap in the objects of the daemon: the usable adapters, and the device if it is known.
struct StrapLookup {
  /// The signal strength of a device that was not received, and the penalty for each connection of an adapter, in dBm.
  private static let unheard = -110
  private static let perConnection = 6
  /// A score that outweighs every signal strength, and one that outweighs all other scores.
  private static let preference = 500
  private static let connection = 2000

  let client: BlueZClient
  /// The best condition among the adapters that may be used.
  var adapter: AdapterCondition = .missing
  /// The paths of the adapters that are ready, and of those among them that have not received the strap.
  var readyAdapters: [String] = []
  var deafAdapters: [String] = []
  /// The path and the address of the adapter of the device.
  var adapterPath: String?
  var adapterAddress: BluetoothAddress?
  var device: BlueZDevice?
  /// The Heart Rate Measurement characteristic of the device, once it is resolved.
  var heartRate: BlueZCharacteristic?

  /// Looks up a strap. `isFree` returns whether a device may be used. The adapter `chosen` is the first choice, and `avoided`
  /// the last. `connecting` contains the adapters on which other straps are being connected. `isBlocked` returns whether rfkill
  /// blocks an adapter, which the daemon may not report.
  init(
    _ selector: StrapSelector, adapter wanted: BluetoothAddress?, client: BlueZClient,
    chosen: BluetoothAddress? = nil, avoided: BluetoothAddress?, connecting: [String] = [],
    isBlocked: AdapterCondition.Blocked?, isFree: (BlueZDevice) -> Bool,
  ) {
    self.client = client
    let (adapters, candidates) = client.read { tree in
      let adapters = tree.adapters.filter { wanted?.matches($0.address) ?? true }
      let candidates = adapters.filter { $0.condition == .ready }.map { adapter in
        (
          adapter: adapter, devices: Self.devices(selector, adapter.path, tree),
          connections: adapters.count > 1
            ? tree.devices(of: adapter.path).count(where: \.isConnected) + connecting.count { $0 == adapter.path } : 0
        )
      }
      return (adapters, candidates)
    }
    readyAdapters = candidates.map(\.adapter.path)
    adapter = Self.best(adapters.map { $0.condition(isBlocked) })
    var bestScore = Int.min
    for candidate in candidates {
      let address = candidate.adapter.address.value
      if !candidate.devices.contains(where: { $0.signal != nil }) { deafAdapters.append(candidate.adapter.path) }
      for device in candidate.devices where isFree(device) {
        let score = Self.score(
          device, isChosen: address == chosen?.value, isAvoided: address == avoided?.value,
          connections: candidate.connections)
        if score > bestScore {
          bestScore = score
          self.device = device
          adapterPath = candidate.adapter.path
          adapterAddress = candidate.adapter.address
        }
      }
    }
    guard let device else { return }
    heartRate = client.read { $0.characteristic(BlueZUUID.heartRateMeasurement, of: device.path) }
  }

  /// Returns the devices of an adapter that match the selector.
  private static func devices(_ selector: StrapSelector, _ adapter: String, _ tree: BlueZObjectTree) -> [BlueZDevice] {
    guard case .address(let address) = selector, let name = BlueZPath(adapter)?.adapter else {
      return tree.devices(of: adapter).filter(selector.matches)
    }
    // A bond may have revealed another address of the strap, while its path remains the same.
    if let device = tree.device(BlueZPath(adapter: name, device: address.value).text),
      device.address.matches(address) || device.isPaired
    {
      return [device]
    }
    return [tree.device(at: address, of: adapter)].compactMap(\.self)
  }

  /// The input of the link's machine.
  func surroundings(isInRange: Bool) -> LinkSurroundings {
    LinkSurroundings(
      hasDaemon: client.hasDaemon, adapter: adapter,
      device: device.map { device in
        LinkSurroundings.Device(
          isConnected: device.isConnected, servicesResolved: device.servicesResolved, isPaired: device.isPaired,
          isInRange: isInRange, hasHeartRate: heartRate != nil)
      })
  }

  private static func score(_ device: BlueZDevice, isChosen: Bool, isAvoided: Bool, connections: Int) -> Int {
    if device.isConnected { return connection }
    return (device.signal.map(Int.init) ?? unheard) - perConnection * connections
      + (isChosen ? 2 * preference : 0) - (isAvoided ? preference : 0)
  }

  private static func best(_ conditions: [AdapterCondition]) -> AdapterCondition {
    [.ready, .off, .blocked].first { conditions.contains($0) } ?? .missing
  }
}
