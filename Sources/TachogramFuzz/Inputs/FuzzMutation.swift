import TachogramTestKit

/// A generator of random mutations. The same seed generates the same inputs.
package struct FuzzMutation {
  private static let values: [UInt8] = [0, 1, 0x7F, 0x80, 0xFF]

  private var random: SplitMix64
  private let seeds: [FuzzSeed]
  private let longest: Int

  /// Creates a generator that mutates `seeds` to inputs of at most `longest` bytes.
  package init(_ seeds: [FuzzSeed], longest: Int, seed: UInt64) {
    self.seeds = seeds
    self.longest = longest
    random = SplitMix64(seed: seed)
  }

  /// Returns the next input: one of the seeds with up to five changes.
  package mutating func next() -> [UInt8] {
    var bytes = seeds.randomElement(using: &random)?.bytes ?? []
    for _ in 0...Int.random(in: 0..<5, using: &random) where !bytes.isEmpty { change(&bytes) }
    return Array(bytes.prefix(longest))
  }

  private mutating func change(_ bytes: inout [UInt8]) {
    let start = Int.random(in: 0..<bytes.count, using: &random)
    let end = min(bytes.count, start + Int.random(in: 1...64, using: &random))
    switch Int.random(in: 0..<8, using: &random) {
    case 0: bytes[start] ^= 1 << UInt8.random(in: 0..<8, using: &random)
    case 1: bytes[start] = Self.values.randomElement(using: &random) ?? 0
    case 2: bytes[start] = UInt8.random(in: 0...255, using: &random)
    case 3: bytes.removeSubrange(start..<end)
    case 4: bytes.insert(contentsOf: bytes[start..<end], at: Int.random(in: 0...bytes.count, using: &random))
    case 5: bytes.replaceSubrange(start..<end, with: Array(repeating: 0, count: end - start))
    case 6: bytes.removeSubrange(end...)
    default:
      // The front of this input and the back of another.
      let other = seeds.randomElement(using: &random)?.bytes ?? []
      let cut = Int.random(in: 0...other.count, using: &random)
      bytes = Array(bytes[..<start]) + other[cut...]
    }
  }
}
