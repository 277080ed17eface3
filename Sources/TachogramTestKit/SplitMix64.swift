/// A small seeded generator (Steele, Lea, Flood: "Fast splittable pseudorandom number generators", 2014). The same seed
/// generates the same numbers on every machine.
package struct SplitMix64: RandomNumberGenerator, Sendable {
  private var state: UInt64

  package init(seed: UInt64) {
    state = seed
  }

  /// Returns random bytes.
  package static func bytes(_ count: Int, seed: UInt64) -> [UInt8] {
    var random = Self(seed: seed)
    return (0..<count).map { _ in UInt8(truncatingIfNeeded: random.next()) }
  }

  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// Returns a number in 0 ..< 1.
  package mutating func unit() -> Double {
    Double(next() >> 11) * 0x1p-53
  }
}
