/// A layer that multiplies rows with a matrix and adds a bias.
struct DenseLayer: Sendable {
  let inputCount: Int
  let outputCount: Int
  private let kernel: [Float]
  private let bias: [Float]

  /// Reads kernel and bias, or returns `nil` if there are too few weights.
  init?(_ reader: inout WeightReader, inputs: Int, outputs: Int) {
    guard let kernel = reader.next(inputs * outputs), let bias = reader.next(outputs) else { return nil }
    (inputCount, outputCount, self.kernel, self.bias) = (inputs, outputs, kernel, bias)
  }

  /// Creates a layer from a kernel with a row for each input, and a bias for each output.
  init(kernel: [Float], bias: [Float]) {
    (inputCount, outputCount) = (kernel.count / bias.count, bias.count)
    (self.kernel, self.bias) = (kernel, bias)
  }

  /// Returns the outputs of each row of inputs.
  func outputs(of rows: [Float]) -> [Float] {
    let count = rows.count / inputCount
    var outputs: [Float] = []
    outputs.reserveCapacity(count * outputCount)
    for row in 0..<count {
      outputs += bias
      for input in 0..<inputCount {
        let value = rows[row * inputCount + input]
        for output in 0..<outputCount {
          outputs[row * outputCount + output] += value * kernel[input * outputCount + output]
        }
      }
    }
    return outputs
  }
}
