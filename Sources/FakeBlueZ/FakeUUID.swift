import GATT

/// A UUID in the form of bluetoothd: 128 bits in lower case.
package struct FakeUUID: Hashable, Sendable {
  package let text: String

  /// Creates a UUID from its 128 bits as text.
  package init(_ text: String) {
    self.text = text.lowercased()
  }

  /// Creates a 16-bit UUID on the Bluetooth base UUID.
  package init(_ short: UInt16) {
    text = FakeNames.uuid(short)
  }

  package static let heartRateMeasurement = FakeUUID(GATTUUID.heartRateMeasurement)
  package static let measurementControlPoint = FakeUUID(PolarMeasurementUUID.controlPoint)
  package static let measurementData = FakeUUID(PolarMeasurementUUID.data)
}
