/// A network of SleepECG in float32: batch normalisation, 64 rectified linear units, two bidirectional layers of 8 gated
/// recurrent units, and a softmax.
package struct SleepECGNetwork: Sendable {
  private static let (hidden, units) = (64, 8)
  /// The value in place of what is not a finite number.
  package static let missing: Float = -1

  package let model: SleepECGModel
  private let normalisation: (gamma: [Float], beta: [Float], mean: [Float], variance: [Float])
  private let dense: DenseLayer
  private let first: BidirectionalLayer
  private let second: BidirectionalLayer
  private let output: DenseLayer

  /// Creates a network with the weights of its model, or returns `nil` if their number is not that of the layers.
  package init?(_ model: SleepECGModel) {
    let features = SleepECGFeature.allCases.count
    var reader = WeightReader(model.weights)
    guard let gamma = reader.next(features), let beta = reader.next(features), let mean = reader.next(features),
      let variance = reader.next(features), let dense = DenseLayer(&reader, inputs: features, outputs: Self.hidden),
      let first = BidirectionalLayer(&reader, inputs: Self.hidden, units: Self.units),
      let second = BidirectionalLayer(&reader, inputs: 2 * Self.units, units: Self.units),
      let output = DenseLayer(&reader, inputs: 2 * Self.units, outputs: model.outputCount), reader.isAtEnd
    else { return nil }
    self.model = model
    normalisation = (gamma, beta, mean, variance)
    (self.dense, self.first, self.second, self.output) = (dense, first, second, output)
  }

  /// The mean of an input in the training data, which stands for an unknown start, age or gender.
  package func trainingMean(of feature: SleepECGFeature) -> Float {
    SleepECGFeature.allCases.firstIndex(of: feature).map { normalisation.mean[$0] } ?? Self.missing
  }

  /// Returns the outputs for each epoch: a row of probabilities, of which the first is that of no class. `sleeper` are start,
  /// age and gender. What is not finite counts as missing.
  package func probabilities(of features: SleepECGFeatures, sleeper: [Float]) -> [[Float]] {
    var rows: [Float] = []
    rows.reserveCapacity(features.epochCount * SleepECGFeature.allCases.count)
    for epoch in 0..<features.epochCount {
      for value in features.row(epoch) { rows.append(Self.input(Float(value))) }
      for value in sleeper { rows.append(Self.input(value)) }
    }
    normalise(&rows)
    var hidden = dense.outputs(of: rows)
    for place in hidden.indices { hidden[place] = max(0, hidden[place]) }
    let outputs = output.outputs(of: second.outputs(of: first.outputs(of: hidden)))
    return stride(from: 0, to: outputs.count, by: output.outputCount).map { start in
      Self.softmax(outputs[start..<start + output.outputCount])
    }
  }

  private static func input(_ value: Float) -> Float { value.isFinite ? value : missing }

  private func normalise(_ rows: inout [Float]) {
    let count = normalisation.mean.count
    let scales = zip(normalisation.gamma, normalisation.variance).map { $0 / ($1 + 0.001).squareRoot() }
    for place in rows.indices {
      let column = place % count
      rows[place] = (rows[place] - normalisation.mean[column]) * scales[column] + normalisation.beta[column]
    }
  }

  private static func softmax(_ values: ArraySlice<Float>) -> [Float] {
    let largest = values.reduce(-.infinity, max)
    let exponentials = values.map { SleepMaths.exponential($0 - largest) }
    let sum = exponentials.reduce(0, +)
    return exponentials.map { $0 / sum }
  }
}
