import Pipeline
import TachogramCore

/// What became of the heart-rate notifications of a whole input: `found` is `used` and `malformed` and `leftOut` together.
struct NotificationAccount: Encodable {
  private enum Key: String, CodingKey {
    case found, used, malformed, leftOut, leftOutReasons
  }

  private(set) var found = 0
  private(set) var used = 0
  private(set) var malformed = 0
  private var reasons = LeftOutCounts()

  var leftOut: Int { reasons.total }

  init() {}

  init(_ counts: NotificationCounts) {
    (found, used, malformed, reasons) = (counts.found, counts.used, counts.malformed, counts.leftOut)
  }

  /// Adds those of a strap.
  mutating func add(_ strap: NotificationsSection) {
    found += strap.account.found
    used += strap.account.used
    malformed += strap.account.malformed
    reasons.add(strap.account.reasons)
  }

  /// Adds those of straps that were not asked for.
  mutating func add(unwanted count: Int) {
    found += count
    reasons[.otherStrap] += count
  }

  /// For people: `60 of 180: 60 without a time of arrival`; `nil` when nothing is left out.
  var text: String? { leftOut > 0 ? "\(leftOut) of \(found): \(reasons)" : nil }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(found, forKey: .found)
    try container.encode(used, forKey: .used)
    try container.encode(malformed, forKey: .malformed)
    try container.encode(leftOut, forKey: .leftOut)
    let byReason = reasons.reasons.map { ($0.reason.rawValue, $0.count) }
    try container.encode(Dictionary(uniqueKeysWithValues: byReason), forKey: .leftOutReasons)
  }
}
