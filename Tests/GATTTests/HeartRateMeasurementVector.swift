import TachogramCore

/// A Heart Rate Measurement as bytes, with what the specification says that it means.
struct HeartRateMeasurementVector: CustomStringConvertible {
  var bytes: [UInt8]
  var measurement: HeartRateMeasurement
  /// Whether the encoder writes exactly these bytes; not so where the bytes hold what a value does not: reserved flags,
  /// a contact bit without support, an unneeded second byte, an empty interval list.
  var isCanonical: Bool

  init(
    _ bytes: [UInt8], rate: UInt16, _ contact: SensorContact = .notSupported, energy: UInt16? = nil,
    rr: [UInt16] = [], isCanonical: Bool = true,
  ) {
    self.bytes = bytes
    self.measurement = HeartRateMeasurement(
      heartRate: rate, contact: contact, energyExpended: energy,
      rrIntervals: RRIntervals(rr.map { RRInterval(ticks: $0) }),
    )
    self.isCanonical = isCanonical
  }

  var description: String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }

  static let all: [HeartRateMeasurementVector] = [
    // The rate alone.
    .init([0x00, 0x00], rate: 0),
    .init([0x00, 0x3C], rate: 60),
    .init([0x00, 0xFF], rate: 255),
    .init([0x01, 0x3C, 0x00], rate: 60, isCanonical: false),
    .init([0x01, 0x00, 0x01], rate: 256),
    .init([0x01, 0x2C, 0x01], rate: 300),
    .init([0x01, 0xFF, 0xFF], rate: 65_535),
    // Contact.
    .init([0x02, 0x48], rate: 72, .notSupported, isCanonical: false),
    .init([0x04, 0x48], rate: 72, .notDetected),
    .init([0x06, 0x52], rate: 82, .detected),
    .init([0x07, 0x52, 0x01], rate: 338, .detected),
    // Energy.
    .init([0x08, 0x5A, 0x00, 0x00], rate: 90, energy: 0),
    .init([0x0E, 0x5A, 0x34, 0x12], rate: 90, .detected, energy: 0x1234),
    .init([0x09, 0x00, 0x02, 0xFF, 0xFF], rate: 512, energy: 65_535),
    // RR-Intervals: none, one, more, as many as fit in an ATT_MTU of 23, 0 and 65 535 ticks.
    .init([0x10, 0x3C], rate: 60, isCanonical: false),
    .init([0x10, 0x3C, 0x00, 0x04], rate: 60, rr: [1024]),
    .init([0x16, 0x55, 0xB6, 0x02, 0x94, 0x02], rate: 85, .detected, rr: [694, 660]),
    .init([0x14, 0x00, 0x00, 0x00], rate: 0, .notDetected, rr: [0]),
    .init([0x10, 0x01, 0xFF, 0xFF, 0xFF, 0xFF], rate: 1, rr: [65_535, 65_535]),
    .init(
      [0x10, 0xC8] + Array(repeating: [0x33, 0x01], count: 9).joined(), rate: 200, rr: .init(repeating: 307, count: 9),
    ),
    // All at once, and reserved flags, which mean nothing.
    .init([0x1F, 0x2C, 0x01, 0x0A, 0x00, 0xCD, 0x00], rate: 300, .detected, energy: 10, rr: [205]),
    .init([0x1E, 0x64, 0x0A, 0x00, 0x66, 0x02, 0x67, 0x02], rate: 100, .detected, energy: 10, rr: [614, 615]),
    .init([0xE0, 0x3C], rate: 60, isCanonical: false),
    .init([0xF6, 0x3C, 0x00, 0x04], rate: 60, .detected, rr: [1024], isCanonical: false),
  ]
}
