/// Values that tell their place: four bytes each, counting from 0.
struct Counting: Sequence, Sendable {
  let count: UInt32

  func makeIterator() -> AnyIterator<[UInt8]> {
    var next: UInt32 = 0
    return AnyIterator {
      guard next < count else { return nil }
      defer { next += 1 }
      return (0..<4).map { UInt8(truncatingIfNeeded: next >> ($0 * 8)) }
    }
  }
}
