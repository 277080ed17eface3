import Pipeline
import TachogramCore

/// What became of the heart-rate notifications of a whole input: `found` is `used` and `malformed` and `leftOut` together.
package struct NotificationAccount: Encodable {
  private enum Key: String, CodingKey {
    case found, used, malformed, leftOut, leftOutReasons
  }

  package private(set) var found = 0
  package private(set) var used = 0
  package private(set) var malformed = 0
  private var reasons = LeftOutCounts()

  package var leftOut: Int { reasons.total }

  package init() {}

  package init(_ counts: NotificationCounts) {
    (found, used, malformed, reasons) = (counts.found, counts.used, counts.malformed, counts.leftOut)
  }

  /// Adds those of a strap.
  package mutating func add(_ strap: NotificationCounts) {
    found += strap.found
    used += strap.used
    malformed += strap.malformed
    reasons.add(strap.leftOut)
  }

  /// Adds those of straps that were not asked for.
  package mutating func add(unwanted count: Int) {
    found += count
    reasons[.otherStrap] += count
  }

  /// For people: `60 of 180: 60 without a time of arrival`; `nil` when nothing is left out.
  package var text: String? { leftOut > 0 ? "\(leftOut) of \(found): \(reasons)" : nil }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(found, forKey: .found)
    try container.encode(used, forKey: .used)
    try container.encode(malformed, forKey: .malformed)
    try container.encode(leftOut, forKey: .leftOut)
    let byReason = reasons.reasons.map { ($0.reason.rawValue, $0.count) }
    try container.encode(Dictionary(uniqueKeysWithValues: byReason), forKey: .leftOutReasons)
  }
}
