/// Access to four consecutive numbers at a time. The caller ensures that the places exist.
extension Span<Double> {
  @inline(__always)
  func four(at place: Int) -> SIMD4<Double> {
    bytes.unsafeLoadUnaligned(
      fromUncheckedByteOffset: place &* MemoryLayout<Double>.stride, as: SIMD4<Double>.self)
  }
}

/// Numbers are written through pointers, because in Swift 6.2 neither a method nor a function with a parameter of that type can
/// change a `MutableSpan`.
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
