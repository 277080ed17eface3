import TachogramCore

/// Where a wanted strap stands in the daemon's objects: the adapters that could be used, and the device when it is
/// known.
struct StrapLookup {
  /// Signal strength that stands for "not heard", and what one connection more on an adapter is worth, in dBm.
  private static let unheard = -110
  private static let perConnection = 6
  /// What outweighs every signal, and what outweighs that.
  private static let preference = 500
  private static let connection = 2000

  let client: BlueZClient
  /// The best condition among the adapters that may be used.
  var adapter: AdapterCondition = .missing
  /// Paths of the adapters that are ready, and of those among them that have not heard the strap.
  var readyAdapters: [String] = []
  var deafAdapters: [String] = []
  /// Path and address of the adapter that knows the device.
  var adapterPath: String?
  var adapterAddress: BluetoothAddress?
  var device: BlueZDevice?
  /// Its Heart Rate Measurement, once that was resolved.
  var heartRate: BlueZCharacteristic?

  /// Looks for the strap. `isFree` says whether a device may be taken; the adapter `chosen` is a first choice, and
  /// `avoided` a last one. `connecting` are the adapters where other straps are being connected.
  /// `isBlocked` says what the daemon may not: whether rfkill keeps an adapter off.
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

  /// The devices of an adapter that are meant.
  private static func devices(_ selector: StrapSelector, _ adapter: String, _ tree: BlueZObjectTree) -> [BlueZDevice] {
    guard case .address(let address) = selector, let name = BlueZPath(adapter)?.adapter else {
      return tree.devices(of: adapter).filter(selector.matches)
    }
    // The bond may have revealed that the strap has another address than the one of its path, which it keeps.
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
