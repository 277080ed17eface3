import TachogramCore

/// A strap that is in range, or connected. What it says of itself is what a radio said: not to be trusted.
public struct HeardStrap: Hashable, Sendable {
  /// As people write it: `C8:DE:AD:BE:EF:01`.
  public let address: String
  /// The name that it advertises; `nil` where that was not heard.
  public let name: String?
  /// How strongly it is heard, in dBm; `nil` while it is connected.
  public let signal: Int?
  /// Whether it is connected, with this program or another.
  public let isConnected: Bool

  init(_ device: BlueZDevice) {
    address = device.address.description
    name = device.name
    signal = device.signal.map(Int.init)
    isConnected = device.isConnected
  }
}
