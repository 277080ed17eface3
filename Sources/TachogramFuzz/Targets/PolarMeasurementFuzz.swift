import GATT
import TachogramTestKit

/// Values of Polar's measurement service. Decoded values are encoded to the same bytes or to the same value, and errors point
/// into the value.
enum PolarMeasurementFuzz {
  /// What any frame may have as factor: that of 8 g in 16 bits.
  private static let factor: Float = 8 / 32_768

  static func run(_ bytes: [UInt8]) throws -> Bool {
    try again(bytes, PolarMeasurementFeatures.self) { PolarMeasurementFeatures.encode($0) }
    try again(bytes, PolarControlPointRequest.self) { PolarControlPointRequest.encode($0) }
    try again(bytes, PolarControlPointIndication.self) { PolarControlPointIndication.encode($0) }
    if let response = try? PolarControlPointResponse.decode(bytes) { try parts(response) }
    try frame(bytes)
    return true
  }

  /// Requests are written as they were read; of the others, what has no meaning is lost.
  private static func again<Codec: GATTDecodable>(
    _ bytes: [UInt8], _ codec: Codec.Type, _ encode: (Codec.Value) -> [UInt8]
  ) throws where Codec.Value: Equatable {
    let value: Codec.Value
    do {
      value = try codec.decode(bytes)
    } catch {
      return try errorPointsInside(error, bytes)
    }
    let encoded = encode(value)
    if value is PolarControlPointRequest {
      try FuzzFinding.unless(encoded == bytes, "\(bytes) was encoded as \(encoded)")
    } else {
      try FuzzFinding.unless(try codec.decode(encoded) == value, "\(encoded) is not what \(bytes) is")
    }
  }

  /// A response is joined from its parts, and its settings are written as they were read.
  private static func parts(_ response: PolarControlPointResponse) throws {
    if let settings = try? response.settings(), !settings.entries.isEmpty {
      try FuzzFinding.unless(
        PolarSettings.encode(settings) == response.parameters, "\(settings) are not \(response.parameters)")
      let selection = settings.selection(sampleRate: 25, range: 2)
      try FuzzFinding.unless(
        selection.entries.count <= settings.entries.count && selection.factor == nil,
        "\(selection) was selected from \(settings)")
    }
    guard response.status == .success, !response.hasMore,
      let request = try? PolarControlPointRequest.decode([response.operation.rawValue, response.measurement.rawValue])
    else { return }
    var assembler = PolarResponseAssembler(request: request)
    var joined: PolarControlPointResponse?
    for part in response.parts(of: 20) { joined = try assembler.append(part) }
    try FuzzFinding.unless(joined == response, "\(response) was joined as \(String(describing: joined))")
  }

  private static func frame(_ bytes: [UInt8]) throws {
    let frame: PolarMeasurementFrame
    do {
      frame = try PolarMeasurementFrame.decode(bytes)
    } catch {
      return try errorPointsInside(error, bytes)
    }
    let header = frame.header
    try FuzzFinding.unless(frame.samples.count < 8 * bytes.count, "\(frame.samples.count) samples in \(bytes)")
    let scaled = try PolarMeasurementFrame.decode(bytes[...], factor: factor)
    try FuzzFinding.unless(scaled.samples.count == frame.samples.count, "a factor changes the samples of \(bytes)")
    try times(of: frame)

    // The upper bits of the type are no part of it.
    let canonical = [header.measurement.rawValue] + bytes.dropFirst()
    switch frame.samples {
    case .acceleration(let samples):
      let encoded = PolarAccelerationCodec.encode(samples, time: header.time, format: header.format)
      try FuzzFinding.unless(encoded != nil, "\(header.format) cannot be written")
      if !header.format.isCompressed {
        try FuzzFinding.unless(encoded == canonical, "\(bytes) was encoded as \(String(describing: encoded))")
      } else if header.format == .compressed(1), samples.allSatisfy({ isShort($0) }) {
        let again = try PolarMeasurementFrame.decode(encoded ?? [])
        try FuzzFinding.unless(again == frame, "\(String(describing: encoded)) is not what \(bytes) is")
      }
    case .ecg(let samples) where header.format == .raw(0):
      let encoded = PolarECGCodec.encode(microvolts: samples.map(\.microvolts), time: header.time)
      try FuzzFinding.unless(encoded == canonical, "\(bytes) was encoded as \(encoded)")
    case .ppi(let samples):
      let again = try PolarMeasurementFrame.decode(PolarPPICodec.encode(samples, time: header.time))
      try FuzzFinding.unless(again == frame, "\(again) is not what \(bytes) is")
    default: break
    }
  }

  /// Returns whether compressed samples can be written: sums of differences may be beyond the reference sample's 16 bits.
  private static func isShort(_ sample: PolarAccelerationSample) -> Bool {
    [sample.x, sample.y, sample.z].allSatisfy { Int16(exactly: $0) != nil }
  }

  /// The times of two frames, as many as there are samples, none before another.
  private static func times(of frame: PolarMeasurementFrame) throws {
    guard var clock = PolarSampleClock(rate: 25) else { throw FuzzFinding(description: "no clock of 25 Hz") }
    for last in [frame.header.time, frame.header.time &+ 1_000_000_000] {
      let times = clock.times(count: frame.samples.count, last: last)
      try FuzzFinding.unless(
        times.count == frame.samples.count && times.last ?? last == last
          && zip(times, times.dropFirst()).allSatisfy { $0 <= $1 }, "the times of \(frame.header)")
    }
    guard case .ppi(let samples) = frame.samples else { return }
    let times = PolarPPICodec.times(of: samples, last: frame.header.time)
    try FuzzFinding.unless(
      times.map { $0.count == samples.count && $0 == $0.sorted() } ?? true, "the times of \(frame)")
  }

  private static func errorPointsInside(_ error: GATTDecodingError, _ bytes: [UInt8]) throws {
    try FuzzFinding.unless(
      ErrorPlace.isInside(error, bytes) && !error.description.isEmpty, "\(bytes) was refused with \(error)")
  }
}
