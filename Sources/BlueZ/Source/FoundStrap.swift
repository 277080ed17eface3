import TachogramCore

/// Where a wanted strap stands in the daemon's objects: the adapters that could be used, and the device when it is
/// known.
struct FoundStrap {
  /// Signal strength that stands for "not heard", and what one connection more on an adapter is worth, in dBm.
  private static let unheard = -110
  private static let perConnection = 6

  let client: BlueZClient
  /// The best condition among the adapters that may be used.
  var adapter: AdapterCondition = .missing
  /// Paths of the adapters that are ready.
  var readyAdapters: [String] = []
  /// Path and address of the adapter that knows the device.
  var adapterPath: String?
  var adapterAddress: BluetoothAddress?
  var device: BlueZDevice?
  /// Its Heart Rate Measurement, once that was resolved.
  var heartRate: BlueZCharacteristic?

  /// Looks for the strap. `isFree` says whether a device may be taken; the adapter `avoided` is a last choice.
  /// `isBlocked` says what the daemon may not: whether rfkill keeps an adapter off.
  init(
    _ selector: StrapSelector, adapter wanted: BluetoothAddress?, client: BlueZClient, avoided: BluetoothAddress?,
    isBlocked: AdapterCondition.Blocked?, isFree: (BlueZDevice) -> Bool,
  ) {
    self.client = client
    let (adapters, candidates) = client.read { tree in
      let adapters = tree.adapters.filter { wanted == nil || $0.address.value == wanted?.value }
      let candidates = adapters.filter { $0.condition == .ready }.map { adapter in
        (
          adapter: adapter, devices: Self.devices(selector, adapter.path, tree),
          connections: adapters.count > 1 ? tree.devices(of: adapter.path).count(where: \.isConnected) : 0
        )
      }
      return (adapters, candidates)
    }
    readyAdapters = candidates.map(\.adapter.path)
    adapter = Self.best(adapters.map { $0.condition(isBlocked) })
    var bestScore = Int.min
    for candidate in candidates {
      for device in candidate.devices where isFree(device) {
        let score = Self.score(
          device, isAvoided: candidate.adapter.address.value == avoided?.value, connections: candidate.connections)
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
    // The bond may have told that the strap has another address than the one of its path, which it keeps.
    if let device = tree.device(BlueZPath(adapter: name, device: address.value).text),
      device.address.value == address.value || device.isPaired
    {
      return [device]
    }
    return [tree.device(at: address, of: adapter)].compactMap(\.self)
  }

  private static func score(_ device: BlueZDevice, isAvoided: Bool, connections: Int) -> Int {
    if device.isConnected { return 1000 }
    return (device.signal.map(Int.init) ?? unheard) - perConnection * connections - (isAvoided ? 500 : 0)
  }

  private static func best(_ conditions: [AdapterCondition]) -> AdapterCondition {
    [.ready, .off, .blocked].first { conditions.contains($0) } ?? .missing
  }
}
