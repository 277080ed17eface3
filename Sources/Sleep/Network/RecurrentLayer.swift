/// A layer of gated recurrent units (Cho et al. 2014, arXiv:1406.1078) in the form of Keras with `reset_after`: gates in the
/// order update, reset, candidate; hyperbolic tangent and logistic function; the state begins at zero.
struct RecurrentLayer: Sendable {
  private let units: Int
  private let input: DenseLayer
  private let recurrent: DenseLayer

  /// Reads kernel, recurrent kernel and the two biases, or returns `nil` if there are too few weights.
  init?(_ reader: inout WeightReader, inputs: Int, units: Int) {
    guard let kernel = reader.next(inputs * 3 * units), let recurrentKernel = reader.next(units * 3 * units),
      let bias = reader.next(3 * units), let recurrentBias = reader.next(3 * units)
    else { return nil }
    self.units = units
    input = DenseLayer(kernel: kernel, bias: bias)
    recurrent = DenseLayer(kernel: recurrentKernel, bias: recurrentBias)
  }

  /// Returns the state after each row, a row of `units` for each of the inputs and in their order. `isBackward` begins with
  /// the last row.
  func states(of rows: [Float], isBackward: Bool) -> [Float] {
    let gates = input.outputs(of: rows)
    let count = gates.count / (3 * units)
    var states = [Float](repeating: 0, count: count * units)
    var state = [Float](repeating: 0, count: units)
    for step in 0..<count {
      let row = isBackward ? count - 1 - step : step
      let inner = recurrent.outputs(of: state)
      for unit in 0..<units {
        let (z, r, c) = (row * 3 * units + unit, (row * 3 + 1) * units + unit, (row * 3 + 2) * units + unit)
        let update = SleepMaths.sigmoid(gates[z] + inner[unit])
        let reset = SleepMaths.sigmoid(gates[r] + inner[units + unit])
        let candidate = SleepMaths.hyperbolicTangent(gates[c] + reset * inner[2 * units + unit])
        state[unit] = update * state[unit] + (1 - update) * candidate
        states[row * units + unit] = state[unit]
      }
    }
    return states
  }
}
