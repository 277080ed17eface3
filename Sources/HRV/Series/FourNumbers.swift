/// Four neighbouring numbers at a time, from places that the caller knows to be there.
extension Span<Double> {
  @inline(__always)
  func four(at place: Int) -> SIMD4<Double> {
    bytes.unsafeLoadUnaligned(
      fromUncheckedByteOffset: place &* MemoryLayout<Double>.stride, as: SIMD4<Double>.self)
  }
}

extension MutableSpan<Double> {
  @inline(__always)
  mutating func set(_ numbers: SIMD4<Double>, at place: Int) {
    var bytes = mutableBytes
    bytes.storeBytes(of: numbers, toUncheckedByteOffset: place &* MemoryLayout<Double>.stride, as: SIMD4<Double>.self)
  }
}
