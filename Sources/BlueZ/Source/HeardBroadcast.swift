import GATT
import TachogramCore

/// A heart rate that a strap broadcast and that was heard without a connection to it: an average, without RR intervals.
package struct HeardBroadcast: Hashable, Sendable {
  package var address: BluetoothAddress
  /// The name that it advertises; `nil` until it was heard, and for good where straps are not asked for it.
  package var name: String?
  package var content: PolarBroadcast
  /// Signal strength in dBm.
  package var signal: Int16?
  package var monotonic: MonotonicTime
  package var wall: WallTime

  package init(
    address: BluetoothAddress, name: String?, content: PolarBroadcast, signal: Int16?, monotonic: MonotonicTime,
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
