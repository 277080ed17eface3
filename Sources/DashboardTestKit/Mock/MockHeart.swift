import TachogramCore
import TachogramTestKit

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A simulated heart: intervals around a mean that follow the breath and drift slowly. The same seed generates the same beats.
struct MockHeart: Sendable {
  /// In ms.
  let mean: Double
  /// The amplitude of the breath in the intervals, in ms.
  let depth: Double
  let breathsPerMinute: Double
  /// In ms.
  let noise: Double
  private var random: SplitMix64

  init(mean: Double, depth: Double, breathsPerMinute: Double, noise: Double, seed: UInt64) {
    self.mean = mean
    self.depth = depth
    self.breathsPerMinute = breathsPerMinute
    self.noise = noise
    random = SplitMix64(seed: seed)
  }

  /// Returns the interval that ends around a time in seconds.
  mutating func interval(at seconds: Double) -> RRInterval {
    let breath = depth * sin(2 * .pi * breathsPerMinute / 60 * seconds)
    let slow = depth * 0.5 * sin(2 * .pi * seconds / 97)
    // The sum of twelve is close to a normal distribution of variance 1.
    let normal = (0..<12).reduce(-6.0) { sum, _ in sum + random.unit() }
    return Self.interval(mean + breath + slow + noise * normal)
  }

  /// Returns the interval that a strap would send for a number of milliseconds.
  static func interval(_ milliseconds: Double) -> RRInterval {
    RRInterval(milliseconds: milliseconds)
  }

  /// Returns the stress level for a baseline of 50 ms and 60 bpm.
  static func stressLevel(sdnn: Double, heartRate: Double) -> Double {
    let ofHRV = pow(max(0, (50 - sdnn) / 50), 0.8)
    let ofRate = max(0, atan(2 * (heartRate - 60) / 60) / (.pi / 2))
    return min(100, 100 * (0.7 * ofHRV + 0.3 * ofRate))
  }
}
