/// Four neighbouring numbers at a time, from places that the caller knows to be there.
extension Span<Double> {
  @inline(__always)
  func four(at place: Int) -> SIMD4<Double> {
    bytes.unsafeLoadUnaligned(
      fromUncheckedByteOffset: place &* MemoryLayout<Double>.stride, as: SIMD4<Double>.self)
  }
}

/// What is written goes through pointers: Swift 6.2 has no method that changes a `MutableSpan`, nor a function that is
/// given one to change.
extension UnsafeMutablePointer<Double> {
  @inline(__always)
  func four(at place: Int) -> SIMD4<Double> {
    UnsafeRawPointer(self).loadUnaligned(fromByteOffset: place &* MemoryLayout<Double>.stride, as: SIMD4<Double>.self)
  }

  @inline(__always)
  func set(_ numbers: SIMD4<Double>, at place: Int) {
    UnsafeMutableRawPointer(self).storeBytes(
      of: numbers, toByteOffset: place &* MemoryLayout<Double>.stride, as: SIMD4<Double>.self)
  }
}
