import GATT
import TachogramCore

/// A device as reported by the daemon. The data that the device advertises is not authenticated and must not be trusted.
package struct BlueZDevice: Hashable, Sendable {
  package var path: String
  package var address: BluetoothAddress
  /// The advertised name, or `nil` if it has not been received.
  package var name: String?
  package var isConnected: Bool
  package var isPaired: Bool
  package var servicesResolved: Bool
  /// The signal strength in dBm, available only while the device is discovered.
  package var signal: Int16?
  /// 128-bit UUIDs in lower case, advertised or resolved.
  package var uuids: Set<String>
  /// Manufacturer data by company identifier.
  package var manufacturerData: [UInt16: [UInt8]]
  /// The battery level in percent, which the daemon reads from the Battery Service.
  package var battery: UInt8?

  /// Whether the device claims to offer the Heart Rate Service.
  package var offersHeartRate: Bool { uuids.contains(BlueZUUID.heartRateService) }

  /// The heart rate that the device broadcasts while it is not connected, or `nil` if it does not broadcast.
  package var broadcast: HeartRateBroadcast? { HeartRateBroadcast(manufacturerData: manufacturerData) }

  /// Whether the device offers the Heart Rate Service or broadcasts heart rates.
  package var isStrap: Bool { offersHeartRate || broadcast != nil }
}
