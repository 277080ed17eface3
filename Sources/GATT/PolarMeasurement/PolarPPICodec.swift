import TachogramCore

/// Frames of intervals between pulses (PMD Specification, "Frame types PPI"). Straps send them every few seconds, the first
/// after about 25 s.
///
///     raw 0   6 bytes a sample: heart rate 1 (beats per minute), interval 2 (ms), error estimate 2 (ms), flags 1
///     flags   bit 0 blocked, bit 1 contact detected, bit 2 contact supported, bits 3–7 reserved
package enum PolarPPICodec {
  private static let blocked: UInt8 = 1 << 0
  private static let contactDetected: UInt8 = 1 << 1
  private static let contactSupported: UInt8 = 1 << 2

  private static let bytes = 6
  private static let nanoseconds: UInt64 = 1_000_000

  static func decode(
    _ reader: inout PolarByteReader, _ header: PolarFrameHeader
  ) throws(GATTDecodingError) -> [PolarPPISample] {
    guard header.format == .raw(0) else { throw header.unsupportedFormat }
    var samples: [PolarPPISample] = []
    while !reader.isAtEnd {
      var fields = PolarByteReader(try reader.slice(bytes, .sample))
      let heartRate = try fields.byte(.sample)
      let interval = UInt16(truncatingIfNeeded: try fields.unsigned(2, .sample))
      let errorEstimate = UInt16(truncatingIfNeeded: try fields.unsigned(2, .sample))
      let flags = try fields.byte(.sample)
      samples.append(
        PolarPPISample(
          heartRate: heartRate, interval: interval, errorEstimate: errorEstimate, isBlocked: flags & blocked != 0,
          contact: contact(of: flags)))
    }
    return samples
  }

  /// Returns the samples of a frame of intervals; none for a frame of another measurement.
  package static func samples(ofFrame bytes: [UInt8]) throws(GATTDecodingError) -> [PolarPPISample] {
    if case .ppi(let samples) = try PolarMeasurementFrame.decode(bytes).samples { samples } else { [] }
  }

  /// Returns a frame without the time of the strap's clock, which dates it.
  package static func undated(_ frame: [UInt8]) -> [UInt8] {
    frame.enumerated().map { position, byte in PolarFrameHeader.timePositions.contains(position) ? 0 : byte }
  }

  /// Writes a frame whose last pulse has the time `time` in ns since 2000-01-01; 0 without a time.
  package static func encode(_ samples: [PolarPPISample], time: UInt64) -> [UInt8] {
    var frame = PolarFrameHeader(.ppi, time: time, format: .raw(0)).bytes
    for sample in samples {
      frame.append(sample.heartRate)
      frame.append(littleEndian: sample.interval)
      frame.append(littleEndian: sample.errorEstimate)
      var flags: UInt8 = sample.isBlocked ? blocked : 0
      switch sample.contact {
      case .notSupported: break
      case .notDetected: flags |= contactSupported
      case .detected: flags |= contactSupported | contactDetected
      }
      frame.append(flags)
    }
    return frame
  }

  /// Returns the times of the pulses that end the intervals, in ns since 2000-01-01, from the time of the frame: each is its
  /// interval later than the one before it. Returns `nil` if the frame has no time, as that of older straps, or one before the
  /// sum of the intervals.
  package static func times(of samples: [PolarPPISample], last: UInt64) -> [UInt64]? {
    let span = samples.dropFirst().reduce(0) { $0 + UInt64($1.interval) * nanoseconds }
    guard last > 0, span <= last else { return nil }
    var time = last - span
    var times: [UInt64] = []
    for sample in samples {
      if !times.isEmpty { time += UInt64(sample.interval) * nanoseconds }
      times.append(time)
    }
    return times
  }

  private static func contact(of flags: UInt8) -> SensorContact {
    if flags & contactSupported == 0 { return .notSupported }
    return flags & contactDetected == 0 ? .notDetected : .detected
  }
}
