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

  static func features() throws -> [Features] { try cases("features") }
  static func network() throws -> [Network] { try cases("network") }
  static func hypnograms() throws -> [Hypnogram] { try cases("hypnograms") }
  static func regularity() throws -> [Regularity] { try cases("regularity") }

  private static func cases<Case: Decodable>(_ name: String) throws -> [Case] {
    let file = try FixtureLocator.folder().appendingPathComponent("sleep/\(name).json")
    return try JSONDecoder().decode([Case].self, from: Data(contentsOf: file))
  }
}
