import TachogramCore

/// A strap that is in range or connected. The data that the strap advertises is not authenticated and must not be trusted.
public struct HeardStrap: Hashable, Sendable {
  /// The address in the form `C8:DE:AD:BE:EF:01`.
  public let address: String
  /// The advertised name, or `nil` if it has not been received.
  public let name: String?
  /// The signal strength in dBm, or `nil` while the strap is connected.
  public let signal: Int?
  /// Whether the strap is connected, by this program or another.
  public let isConnected: Bool

  init(_ device: BlueZDevice) {
    address = device.address.description
    name = device.name
    signal = device.signal.map(Int.init)
    isConnected = device.isConnected
  }
}
