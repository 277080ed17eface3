/// A chain over epochs: how stages begin and follow each other, and how much the probabilities of an epoch say.
struct StageChain: Hashable, Sendable {
  typealias Probabilities = SIMD4<Double>

  /// The shares of the classes in the training data, by which probabilities become evidence.
  private let shares: Probabilities
  private let exponent: Double
  private let start: Probabilities
  /// A row for each class before.
  private let transitions: [Probabilities]

  /// Creates a chain, or returns `nil` unless all lists have four numbers.
  init?(_ file: StageModelFile) {
    let rows = [file.shares, file.start] + file.transitions
    guard rows.allSatisfy({ $0.count == Probabilities.scalarCount }), rows.count == Probabilities.scalarCount + 2 else {
      return nil
    }
    let vectors = rows.map { Probabilities($0) }
    (shares, start, transitions) = (vectors[0], vectors[1], Array(vectors[2...]))
    exponent = file.exponent
  }

  /// Returns the probabilities of each epoch by those of all epochs, or of those up to it.
  func probabilities(_ epochs: [Probabilities], isCausal: Bool) -> [Probabilities] {
    let evidence = epochs.map { epoch in
      var powers = epoch / shares
      for index in powers.indices { powers[index] = SleepMaths.power(powers[index], exponent) }
      return powers
    }
    var forward: [Probabilities] = []
    forward.reserveCapacity(evidence.count)
    for one in evidence {
      forward.append(Self.normalised((forward.last.map(next) ?? start) * one))
    }
    guard !isCausal, forward.count > 1 else { return forward }
    var found = forward
    var backward = Probabilities(repeating: 1)
    for epoch in (0..<forward.count - 1).reversed() {
      let later = evidence[epoch + 1] * backward
      for index in backward.indices { backward[index] = Self.sum(transitions[index] * later) }
      backward = Self.normalised(backward)
      found[epoch] = Self.normalised(forward[epoch] * backward)
    }
    return found
  }

  private func next(_ before: Probabilities) -> Probabilities {
    var after = Probabilities()
    for index in before.indices { after += before[index] * transitions[index] }
    return after
  }

  private static func normalised(_ values: Probabilities) -> Probabilities { values / sum(values) }

  /// The sum from the first to the last.
  private static func sum(_ values: Probabilities) -> Double { values[0] + values[1] + values[2] + values[3] }
}
