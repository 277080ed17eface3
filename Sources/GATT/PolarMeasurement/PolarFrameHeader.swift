/// The beginning of a frame of measurement data (PMD Specification; Polar BLE SDK, "Time system in Polar sensors").
///
///     type    1   the measurement
///     time    8   time of the last sample, ns since 2000-01-01, least significant byte first
///     format  1   number of the format; bit 7: compressed
package struct PolarFrameHeader: Hashable, Sendable {
  /// The length in bytes.
  package static let length = 10
  /// The positions of the time.
  static let timePositions = 1..<9

  package let measurement: PolarMeasurementType
  /// The time of the last sample in nanoseconds since 2000-01-01T00:00:00 by the clock of the strap. That clock may be set to
  /// local time, may never have been set, and may be set while a stream runs. 0 if PPI has no time.
  package let time: UInt64
  package let format: PolarFrameFormat

  /// Creates a header.
  package init(_ measurement: PolarMeasurementType, time: UInt64, format: PolarFrameFormat) {
    self.measurement = measurement
    self.time = time
    self.format = format
  }

  init(_ reader: inout PolarByteReader) throws(GATTDecodingError) {
    measurement = PolarMeasurementType(byte: try reader.byte(.measurementType))
    time = try reader.unsigned(8, .frameTime)
    format = PolarFrameFormat(rawValue: try reader.byte(.frameType))
  }

  /// The bytes of the header.
  var bytes: [UInt8] {
    var bytes = [measurement.rawValue]
    bytes.append(littleEndian: time)
    return bytes + [format.rawValue]
  }

  /// The error for a format that is not read.
  var unsupportedFormat: GATTDecodingError {
    .unsupported(field: .frameType, value: format.rawValue, offset: Self.length - 1)
  }
}
