import GATT
import TachogramCore

/// Sensor entries of a stream of acceleration.
enum SensorScript {
  static let started = SensorEntry.Content.started(
    request: PolarControlPointRequest.encode(.start(.acceleration, PolarSettings([.sampleRate([25])]))),
    response: PolarControlPointResponse.encode(
      PolarControlPointResponse(to: .start, .acceleration, status: .success)))

  /// A frame of a second in which the first axis is `x`.
  static func frame(_ number: Int, x: Int) -> SensorEntry.Content {
    let samples = (0..<25).map { PolarAccelerationSample(x: Int32(x), y: Int32($0), z: 1000) }
    return .frame(
      PolarAccelerationCodec.encode(samples, time: UInt64(number) * 1_000_000_000, format: .raw(1)) ?? [])
  }
}
