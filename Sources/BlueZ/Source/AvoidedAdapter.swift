import TachogramCore

/// An adapter that had no free connection. It is the last choice for a limited time, after which another strap may have
/// disconnected.
struct AvoidedAdapter: Sendable {
  /// The time for which the adapter is avoided.
  private static let time: Duration = .seconds(60)

  let address: BluetoothAddress
  private let end: MonotonicTime

  init(_ address: BluetoothAddress, at now: MonotonicTime) {
    self.address = address
    end = now.advanced(by: Self.time)
  }

  func isOver(at now: MonotonicTime) -> Bool { now >= end }
}
