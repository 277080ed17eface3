import Pipeline
import TachogramCore

/// The account of the heart-rate notifications of a whole input: `found` is the sum of `used`, `malformed` and `leftOut`.
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

  /// Adds the notifications of a strap.
  package mutating func add(_ strap: NotificationCounts) {
    found += strap.found
    used += strap.used
    malformed += strap.malformed
    reasons.add(strap.leftOut)
  }

  /// Adds the notifications of straps that were not requested.
  package mutating func add(unwanted count: Int) {
    found += count
    reasons[.otherStrap] += count
  }

  /// Readable text such as `60 of 180: 60 without a time of arrival`, or `nil` if nothing is left out.
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
