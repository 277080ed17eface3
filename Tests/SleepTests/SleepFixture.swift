import Foundation
import TachogramTestKit

/// References in Fixtures/sleep, which its README describes.
enum SleepFixture {
  /// A number, or NaN for null, or an infinity as text.
  struct Number: Decodable {
    let value: Double

    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      if container.decodeNil() {
        value = .nan
      } else if let text = try? container.decode(String.self) {
        value = text == "-inf" ? -.infinity : text == "inf" ? .infinity : .nan
      } else {
        value = try container.decode(Double.self)
      }
    }
  }

  struct Features: Decodable {
    let name: String
    let window: String
    let epochs: Int
    let beats: [Int64]
    let features: [[Number]]
  }

  struct Network: Decodable {
    let name: String
    let model: String
    let sleeper: [Number]
    let probabilities: [[Double]]
  }

  struct Hypnogram: Decodable {
    let name: String
    let stages: [String]
    let statistics: [String: Number]
  }

  struct Regularity: Decodable {
    let name: String
    let starts: [Int64]
    let nights: [[String]]
    let index: Double
  }

  struct Trees: Decodable {
    struct Model: Decodable {
      let trees: [[Double]]
      let chain: [[Double]]
      /// A digit for each epoch, the place of its stage among the classes.
      let stages: String
    }

    let name: String
    let isCausal: Bool
    /// The number of epochs from one with features and probabilities to the next.
    let step: Int
    let heartRate: [Number]?
    let movement: [Number]?
    let names: [String]
    let features: [[Number]]
    let models: [String: Model]
  }

  struct NightFiles: Decodable {
    struct Texts: Decodable {
      let rr: String
      let heartRate: String
      let movement: String
    }

    let texts: Texts
    let sampled: [Number]
    let beats: [Number]
    let movement: [Number]
    let normalBeats: [Double]
  }

  static func trees() throws -> [Trees] { try cases("trees") }
  static func nightFiles() throws -> [NightFiles] { try cases("night_files") }
  static func features() throws -> [Features] { try cases("features") }
  static func network() throws -> [Network] { try cases("network") }
  static func hypnograms() throws -> [Hypnogram] { try cases("hypnograms") }
  static func regularity() throws -> [Regularity] { try cases("regularity") }

  private static func cases<Case: Decodable>(_ name: String) throws -> [Case] {
    let file = try FixtureLocator.folder().appendingPathComponent("sleep/\(name).json")
    return try JSONDecoder().decode([Case].self, from: Data(contentsOf: file))
  }
}
