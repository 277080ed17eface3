/// A model as `tools/bench sleep --train` writes it; tools/lib/sleep/README.md describes it.
struct StageModelFile: Decodable {
  struct Tree: Decodable {
    let feature: [Int]
    let threshold: [Double]
    let left: [Int]
    let right: [Int]
    let missingLeft: [Int]
    let leaf: [Double]
  }

  /// The only format that this program reads.
  static let format = "sleep stages from trees and a chain, version 1"

  let format: String
  let attribution: String
  let causal: Bool
  let inputs: [String]
  let classes: [String]
  let epochSeconds: Int64
  /// Triples of κ and its interval.
  let agreement: [String: [Double]]
  let exponent: Double
  let weights: [Double]
  let shares: [Double]
  let start: [Double]
  let transitions: [[Double]]
  let features: [String]
  let trees: [Tree]
}
