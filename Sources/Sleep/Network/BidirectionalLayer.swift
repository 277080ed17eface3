/// Two recurrent layers, one from the first row on and one from the last row back, whose states are joined.
struct BidirectionalLayer: Sendable {
  private let units: Int
  private let forward: RecurrentLayer
  private let backward: RecurrentLayer

  /// Reads both layers, or returns `nil` if there are too few weights.
  init?(_ reader: inout WeightReader, inputs: Int, units: Int) {
    guard let forward = RecurrentLayer(&reader, inputs: inputs, units: units),
      let backward = RecurrentLayer(&reader, inputs: inputs, units: units)
    else { return nil }
    (self.units, self.forward, self.backward) = (units, forward, backward)
  }

  /// Returns a row for each of the inputs: the states of the forward layer, then those of the backward one.
  func outputs(of rows: [Float]) -> [Float] {
    let ahead = forward.states(of: rows, isBackward: false)
    let back = backward.states(of: rows, isBackward: true)
    var joined: [Float] = []
    joined.reserveCapacity(2 * ahead.count)
    for start in stride(from: 0, to: ahead.count, by: units) {
      joined += ahead[start..<start + units]
      joined += back[start..<start + units]
    }
    return joined
  }
}
