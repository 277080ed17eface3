/// A frame of measurement data: a header, and samples up to the end, the oldest first.
package struct PolarMeasurementFrame: Hashable, Sendable {
  /// The maximum length of a frame in bytes, that of any attribute value (Core Specification 5.4, Vol 3, Part F, 3.2.9).
  package static let maximumLength = 512

  package let header: PolarFrameHeader
  package let samples: PolarSamples
}

extension PolarMeasurementFrame: GATTDecodable {
  /// Reads a frame of a measurement whose start had no factor.
  package static func decode(_ bytes: ArraySlice<UInt8>) throws(GATTDecodingError) -> PolarMeasurementFrame {
    try decode(bytes, factor: 1)
  }

  /// Reads a frame. `factor` is that of the response to the start (`PolarSettings.factor`); it applies to compressed samples.
  /// A frame of n bytes has less than 8 · n samples.
  package static func decode(
    _ bytes: ArraySlice<UInt8>, factor: Float
  ) throws(GATTDecodingError) -> PolarMeasurementFrame {
    guard bytes.count <= maximumLength else { throw .tooLong(count: bytes.count, limit: maximumLength) }
    var reader = PolarByteReader(bytes)
    let header = try PolarFrameHeader(&reader)
    let samples: PolarSamples
    switch header.measurement {
    case .acceleration: samples = .acceleration(try PolarAccelerationCodec.decode(&reader, header, factor: factor))
    case .ecg: samples = .ecg(try PolarECGCodec.decode(&reader, header))
    case .ppi: samples = .ppi(try PolarPPICodec.decode(&reader, header))
    case .ppg: samples = .ppg(try PolarPPGCodec.decode(&reader, header, factor: factor))
    case .gyroscope: samples = .gyroscope(try PolarGyroscopeCodec.decode(&reader, header, factor: factor))
    case .magnetometer: samples = .magnetometer(try PolarMagnetometerCodec.decode(&reader, header, factor: factor))
    default:
      throw .unsupported(field: .measurementType, value: bytes.first ?? header.measurement.rawValue, offset: 0)
    }
    return PolarMeasurementFrame(header: header, samples: samples)
  }
}
