import Foundation
import TachogramTestKit

/// Changes documents so that they stay JSON: at a random place something is left out, doubled, or replaced. The same seed
/// makes the same documents.
struct JSONMutation {
  private let values: [Any] = [
    NSNull(), true, -1, 0, 1, 65_535, Int64.max, Int64.min, 9_007_199_254_740_993, 0.5, -1e300, 1e300, "", "x", "00",
    "103c0004", String(repeating: "f", count: 3000), "\u{0}\u{202E}'; --", "2026-03-29T01:02:03.000Z",
    "AA:BB:CC:DD:EE:FF",
    "live", "replay", "import", "rmssd", [Any](), [String: Any](), [["a": 1]],
  ]

  private var random: SplitMix64
  private let document: Any

  init(_ document: Data, seed: UInt64) throws {
    self.document = try JSONSerialization.jsonObject(with: document)
    random = SplitMix64(seed: seed)
  }

  /// The next document, with one to four changes.
  mutating func next() throws -> Data {
    var changed = document
    for _ in 0...Int.random(in: 0..<4, using: &random) { changed = change(changed, isTop: true) }
    return try JSONSerialization.data(withJSONObject: changed)
  }

  /// Goes down to a random place, and changes what is there.
  private mutating func change(_ value: Any, isTop: Bool = false) -> Any {
    if var object = value as? [String: Any], let key = object.keys.sorted().randomElement(using: &random) {
      switch Int.random(in: 0..<8, using: &random) {
      case 0: object[key] = nil
      case 1: object[object.keys.sorted().randomElement(using: &random) ?? key] = object[key]
      default: object[key] = object[key].map { change($0) }
      }
      return object
    }
    if var list = value as? [Any], let index = list.indices.randomElement(using: &random) {
      switch Int.random(in: 0..<8, using: &random) {
      case 0: list.remove(at: index)
      case 1: list.append(list[index])
      case 2: list.swapAt(index, list.indices.randomElement(using: &random) ?? index)
      case 3: list.removeLast(list.count - index)
      default: list[index] = change(list[index])
      }
      return list
    }
    return isTop ? value : values.randomElement(using: &random) ?? value
  }
}
