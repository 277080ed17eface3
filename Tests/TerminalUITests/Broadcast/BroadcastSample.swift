import BlueZ
import GATT
import Listening
import TachogramCore

@testable import TerminalUI

/// Broadcasts for the views of them.
enum BroadcastSample {
  static let start = MonotonicTime(microseconds: 1_000_000_000)
  static let wall = WallTime(microseconds: 1_767_254_400_000_000)

  /// The broadcast of a strap at some seconds from the start.
  static func heard(
    _ number: Int = 1, name: String? = "Polar H10 \(1)", rate: UInt8 = 60,
    contact: SensorContact = .detected, batteryLow: Bool = false, signal: Int16? = -60, at seconds: Double = 0,
  ) -> HeardBroadcast {
    let span = Int64(seconds * 1e6)
    return HeardBroadcast(
      address: BluetoothAddress(value: 0xD05A_0000_0000 + UInt64(number), kind: .random), name: name,
      content: HeartRateBroadcast(heartRate: rate, contact: contact, isBatteryLow: batteryLow), signal: signal,
      monotonic: start.advanced(byMicroseconds: span), wall: wall.advanced(byMicroseconds: span))
  }

  static func known(_ number: Int, name: String) -> KnownStrap {
    KnownStrap(
      address: BluetoothAddress(value: 0xD05A_0000_0000 + UInt64(number), kind: .random), name: name,
      advertisedName: nil, isBonded: false, added: wall)
  }

  static func time(_ seconds: Double) -> MonotonicTime { start.advanced(byMicroseconds: Int64(seconds * 1e6)) }

  static func board(_ selectors: [StrapSelector] = [], known: [KnownStrap] = []) -> BroadcastBoard {
    BroadcastBoard(filter: BroadcastFilter(selectors), known: known)
  }
}
