import GATT
import TachogramCore

/// A device as the daemon shows it. What it says of itself is what a radio said: not to be trusted.
package struct BlueZDevice: Hashable, Sendable {
  package var path: String
  package var address: BluetoothAddress
  /// The name that it advertises; `nil` until it was heard.
  package var name: String?
  package var isConnected: Bool
  package var isPaired: Bool
  package var servicesResolved: Bool
  /// Signal strength in dBm; there only while it is discovered.
  package var signal: Int16?
  /// 128-bit UUIDs in lower case, advertised or resolved.
  package var uuids: Set<String>
  /// Manufacturer data by company identifier.
  package var manufacturerData: [UInt16: [UInt8]]
  /// In percent, from the daemon's own reading of the Battery Service.
  package var battery: UInt8?

  /// Whether it offers the Heart Rate Service, by its own word.
  package var offersHeartRate: Bool { uuids.contains(BlueZUUID.heartRateService) }

  /// The heart rate that it broadcasts while nobody is connected; `nil` when it broadcasts none.
  package var broadcast: PolarBroadcast? {
    manufacturerData[PolarBroadcast.company].flatMap { PolarBroadcast(data: $0) }
  }

  /// Whether it is a source of heart rates in one way or the other.
  package var isStrap: Bool { offersHeartRate || broadcast != nil }
}
