import DBus
import FoundationEssentials
import TachogramCore

/// Heart-rate straps heard through BlueZ, the Bluetooth daemon of Linux, for other programs.
///
/// Straps are searched for, connected and subscribed to, and reconnected after a loss of the link, the adapter, the daemon or
/// the bus. Nothing is stored, and all operations are performed by the daemon.
public struct StrapListener: Sendable {
  private let bus: DBusBus
  private let time: any TimeSourceProtocol

  /// Creates a listener on the system bus, or on the bus at `DBUS_SYSTEM_BUS_ADDRESS` if that is set. `busAddress` is the
  /// address of another bus, such as `unix:path=/run/bus`.
  public init(busAddress: String? = nil) {
    self.init(busAddress.map(DBusBus.address) ?? .system, time: SystemTimeSource())
  }

  init(_ bus: DBusBus, time: any TimeSourceProtocol) {
    self.bus = bus
    self.time = time
  }

  /// Checks whether straps can be used now. Throws the obstacle if not.
  public func check() async throws(BluetoothError) {
    if let error = BluetoothError(await BluetoothAvailability.check(bus).availability) { throw error }
  }

  /// Returns the straps that are in range or connected within `duration`, with the strongest first, without connecting to any.
  /// Throws the obstacle if straps cannot be used.
  public func straps(within duration: Duration = .seconds(10)) async throws(BluetoothError) -> [HeardStrap] {
    try await check()
    var heard: [String: HeardStrap] = [:]
    do {
      try await BlueZScan(bus: bus, adapter: nil, time: time).run(duration: duration) { devices in
        for device in devices { heard[device.address.description] = HeardStrap(device) }
        return false
      }
    } catch {
      throw BluetoothError.unavailable(problem: error.description)
    }
    return heard.values.sorted { ($0.signal ?? .min, $1.address) > ($1.signal ?? .min, $0.address) }
  }

  /// Returns a stream of the updates of one strap: that with an address such as `C8:DE:AD:BE:EF:01`, or the first that is
  /// found. The stream continues after a loss of the link or the daemon, until its reader ends. Throws `notAnAddress`.
  public func updates(from address: String? = nil) throws(BluetoothError) -> AsyncStream<StrapUpdate> {
    var selector = StrapSelector.any
    if let address {
      guard let known = BluetoothAddress(text: address) else { throw .notAnAddress(address) }
      selector = .address(known)
    }
    var options = BlueZSourceOptions(straps: [BlueZSourceOptions.Strap(selector)])
    options.bus = bus
    options.seed = UInt64.random(in: .min ... .max)
    let source = BlueZRadioSource(options, time: time)
    let (updates, continuation) = AsyncStream.makeStream(of: StrapUpdate.self)
    let listening = Task {
      for await event in source.events() {
        if let update = StrapUpdate(event) { continuation.yield(update) }
      }
      continuation.finish()
    }
    continuation.onTermination = { _ in
      listening.cancel()
      Task { await source.stop() }
    }
    return updates
  }
}
