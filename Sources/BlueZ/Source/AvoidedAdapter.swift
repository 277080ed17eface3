import TachogramCore

/// An adapter that had no connection left: a last choice for a while, since another strap may have gone by then.
struct AvoidedAdapter: Sendable {
  /// In microseconds.
  private static let time: Duration = .seconds(60)

  let address: BluetoothAddress
  private let end: MonotonicTime

  init(_ address: BluetoothAddress, at now: MonotonicTime) {
    self.address = address
    end = now.advanced(by: Self.time)
  }

  func isOver(at now: MonotonicTime) -> Bool { now >= end }
}
