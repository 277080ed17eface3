import CSleepModels
import FoundationEssentials
import TachogramCore

/// A model that is embedded in the program: trees for the stage of an epoch by its features, and a chain over epochs.
package struct StageModel: Sendable {
  /// The data that a model uses.
  package enum Inputs: String, Hashable, Sendable, CaseIterable {
    case heartRateAndMovement = "heart-rate-movement"
    case heartRate = "heart-rate"
    case movement

    package var includeHeartRate: Bool { self != .movement }
    package var includeMovement: Bool { self != .heartRate }

    /// The names in a model file.
    fileprivate var names: [String] {
      (includeHeartRate ? ["heart rate"] : []) + (includeMovement ? ["movement"] : [])
    }
  }

  /// The classes of all models, in the order of probabilities.
  static let classes: [SleepStage] = [.wake, .light, .deep, .rem]

  package let inputs: Inputs
  package let isCausal: Bool
  package let agreement: StageAgreement
  /// What is to be shown with the stages: the data that the model was trained with, and their licence.
  package let attribution: String
  /// The factors of the probabilities by which the stage is chosen.
  package let weights: [Double]
  private let features: [String]
  private let trees: [StageTree]
  private let chain: StageChain

  /// The name of a model.
  package static func name(_ inputs: Inputs, isCausal: Bool) -> String {
    "\(inputs.rawValue)-\(isCausal ? "causal" : "night")"
  }

  /// Reads a model, or returns `nil` if the program does not contain it, or another one.
  package init?(_ inputs: Inputs, isCausal: Bool) {
    guard let bytes = Self.bytes(Self.name(inputs, isCausal: isCausal)),
      let file = try? JSONDecoder().decode(StageModelFile.self, from: Data(bytes)),
      file.format == StageModelFile.format, file.inputs == inputs.names, file.causal == isCausal,
      file.classes == Self.classes.map(\.rawValue), file.epochSeconds == SleepAxis.epochSeconds,
      file.weights.count == Self.classes.count, file.trees.count.isMultiple(of: Self.classes.count),
      let chain = StageChain(file), let agreement = StageAgreement(file.agreement)
    else { return nil }
    let trees = file.trees.compactMap { StageTree($0, columns: file.features.count) }
    guard trees.count == file.trees.count else { return nil }
    (self.inputs, self.isCausal, self.agreement, attribution) = (inputs, isCausal, agreement, file.attribution)
    (weights, features, self.trees, self.chain) = (file.weights, file.features, trees, chain)
  }

  private static func bytes(_ name: String) -> UnsafeRawBufferPointer? {
    for index in 0..<stage_model_count {
      guard let model = stage_model_at(index)?.pointee, String(cString: model.name) == name else { continue }
      return UnsafeRawBufferPointer(start: model.bytes, count: model.count)
    }
    return nil
  }

  /// Returns the probabilities of the classes of each epoch by its features alone. Features that are not there are missing.
  package func treeProbabilities(of features: EpochFeatures, epochCount: Int) -> [SIMD4<Double>] {
    let columns = self.features.map { features.series[$0]?.values }
    var row = [Double](repeating: .nan, count: columns.count)
    return (0..<epochCount).map { epoch in
      for (place, column) in columns.enumerated() { row[place] = column?[epoch] ?? .nan }
      var scores = SIMD4<Double>()
      for (number, tree) in trees.enumerated() { scores[number % scores.scalarCount] += tree.score(row[...]) }
      let largest = scores.max()
      for index in scores.indices { scores[index] = SleepMaths.exponential(scores[index] - largest) }
      return scores / (scores[0] + scores[1] + scores[2] + scores[3])
    }
  }

  /// Returns the probabilities of the classes of each epoch by all epochs, or by those up to it if the model is causal.
  package func probabilities(of features: EpochFeatures, epochCount: Int) -> [SIMD4<Double>] {
    chain.probabilities(treeProbabilities(of: features, epochCount: epochCount), isCausal: isCausal)
  }

  /// Returns the features of a night for this model. An input that it has and the night has not is missing in all epochs.
  package func features(of series: NightSeries, epochCount: Int) -> EpochFeatures {
    let missing = EpochSeries([Double](repeating: .nan, count: epochCount))
    return EpochFeatures(
      epochCount, heartRate: inputs.includeHeartRate ? series.heartRate ?? missing : nil,
      movement: inputs.includeMovement ? series.movement ?? missing : nil, isCausal: isCausal)
  }
}
