import TachogramCore

/// A router together with a tracker of measurements, for one pass over a capture.
struct MeasuredRouter: CaptureSink {
  var router: ArrivalRouter
  var tracker: MeasurementTracker

  var wantsAdvertisements: Bool { false }

  mutating func connectionAppeared(_ number: Int, near: BluetoothAddress?, far: BluetoothAddress?) {
    router.connectionAppeared(number, near: near, far: far)
    tracker.connectionAppeared(number, near: near, far: far)
  }

  mutating func attribute(_ pdu: Span<UInt8>, connection: Int, sender: LinkEnd?) {
    router.attribute(pdu, connection: connection, sender: sender)
    tracker.attribute(pdu, connection: connection, sender: sender)
  }

  mutating func identity(_ address: BluetoothAddress, connection: Int, sender: LinkEnd?) {}

  mutating func disconnected(_ connection: Int, reason: UInt8) {
    router.disconnected(connection, reason: reason)
    tracker.disconnected(connection, reason: reason)
  }

  mutating func advertisedName(_ name: Span<UInt8>, of address: BluetoothAddress) {}
}
