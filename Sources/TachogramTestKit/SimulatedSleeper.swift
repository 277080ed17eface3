import Foundation
import GATT

/// The chest of a sleeping person: breath, pulse, and a turn every quarter of an hour. The same at each call.
package struct SimulatedSleeper: Hashable, Sendable {
  /// The samples of a frame of acceleration and of ECG, which fill packets of usual length.
  package static let accelerationCount = 36
  package static let ecgCount = 73
  /// The rates of a Polar H10 in Hz.
  package static let accelerationRate = 25.0
  package static let ecgRate = 130.0
  private static let turnInterval = 900.0
  private static let turnLength = 8.0
  /// The clock of the strap at the start, in ns since 2000-01-01.
  private static let start: UInt64 = 850_000_000_000_000_000

  package init() {}

  /// Returns the acceleration at a time in seconds.
  package func acceleration(at time: Double) -> PolarAccelerationSample {
    let side = Int(time / Self.turnInterval) % 2 == 0 ? 1.0 : -1
    let phase = time.truncatingRemainder(dividingBy: Self.turnInterval)
    let turn = phase < Self.turnLength ? 500 * sin(phase * 4) * sin(.pi * phase / Self.turnLength) : 0
    let breath = 12 * sin(2 * .pi * 0.23 * time)
    let pulse = 3 * sin(2 * .pi * 0.9 * time)
    return PolarAccelerationSample(
      x: Int32((side * 300 + turn).rounded()), y: Int32((breath + pulse + turn / 2).rounded()),
      z: Int32((950 + breath / 2).rounded()))
  }

  /// Returns a frame of acceleration; frames are numbered from 0 and follow each other without a gap.
  package func accelerationFrame(_ number: Int) -> [UInt8] {
    let first = number * Self.accelerationCount
    let samples = (first..<first + Self.accelerationCount).map { acceleration(at: Double($0) / Self.accelerationRate) }
    let time = Self.time(of: first + Self.accelerationCount - 1, rate: Self.accelerationRate)
    return PolarAccelerationCodec.encode(samples, time: time, format: .raw(1)) ?? []
  }

  /// Returns a frame of ECG with 60 beats a minute.
  package func ecgFrame(_ number: Int) -> [UInt8] {
    let first = number * Self.ecgCount
    let samples = (first..<first + Self.ecgCount).map { place in
      Self.microvolts(at: (Double(place) / Self.ecgRate).truncatingRemainder(dividingBy: 1))
    }
    return PolarECGCodec.encode(
      microvolts: samples, time: Self.time(of: first + Self.ecgCount - 1, rate: Self.ecgRate))
  }

  private static func time(of sample: Int, rate: Double) -> UInt64 {
    start + UInt64((Double(sample) / rate * 1e9).rounded())
  }

  /// A heart beat with its waves P, QRS and T.
  private static func microvolts(at phase: Double) -> Int32 {
    func wave(_ center: Double, _ width: Double, _ height: Double) -> Double {
      height * exp(-pow((phase - center) / width, 2))
    }
    return Int32(
      (wave(0.2, 0.025, 120) + wave(0.36, 0.01, -150) + wave(0.38, 0.012, 1_100) + wave(0.4, 0.01, -200)
        + wave(0.62, 0.05, 250)).rounded())
  }
}
