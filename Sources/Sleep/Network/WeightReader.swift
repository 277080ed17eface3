/// Tensors from the weights of a network, one after the other.
struct WeightReader {
  private var rest: ArraySlice<Float>

  init(_ weights: [Float]) {
    rest = weights[...]
  }

  /// Whether all weights were read.
  var isAtEnd: Bool { rest.isEmpty }

  /// Returns the next `count` weights, or `nil` if there are fewer.
  mutating func next(_ count: Int) -> [Float]? {
    guard rest.count >= count else { return nil }
    defer { rest = rest.dropFirst(count) }
    return Array(rest.prefix(count))
  }
}
