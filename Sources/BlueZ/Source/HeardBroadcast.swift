import GATT
import TachogramCore

/// A heart rate broadcast by a strap and received without a connection: an average, without RR intervals.
package struct HeardBroadcast: Hashable, Sendable {
  package var address: BluetoothAddress
  /// The advertised name. `nil` until it is received, and always `nil` if the adapter does not request names.
  package var name: String?
  package var content: HeartRateBroadcast
  /// Signal strength in dBm.
  package var signal: Int16?
  package var monotonic: MonotonicTime
  package var wall: WallTime

  package init(
    address: BluetoothAddress, name: String?, content: HeartRateBroadcast, signal: Int16?, monotonic: MonotonicTime,
    wall: WallTime,
  ) {
    self.address = address
    self.name = name
    self.content = content
    self.signal = signal
    self.monotonic = monotonic
    self.wall = wall
  }
}
