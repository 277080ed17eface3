import Pipeline
import TachogramCore

/// What became of the heart-rate notifications of a whole input: `found` is `used` and `malformed` and `leftOut` together.
struct NotificationAccount: Encodable {
  private(set) var found = 0
  private(set) var used = 0
  private(set) var malformed = 0
  private(set) var leftOut = 0
  /// By reason, those that occur.
  private(set) var leftOutReasons: [String: Int] = [:]

  init() {}

  init(_ counts: NotificationCounts) {
    found = counts.found
    used = counts.used
    malformed = counts.malformed
    add(counts.leftOut)
  }

  /// Adds those of a strap.
  mutating func add(_ strap: NotificationsSection) {
    found += strap.account.found
    used += strap.account.used
    malformed += strap.account.malformed
    leftOut += strap.account.leftOut
    leftOutReasons.merge(strap.account.leftOutReasons, uniquingKeysWith: +)
  }

  /// Adds those of straps that were not asked for.
  mutating func add(unwanted count: Int) {
    guard count > 0 else { return }
    found += count
    leftOut += count
    leftOutReasons[LeftOutReason.otherStrap.rawValue, default: 0] += count
  }

  /// For people: `60 of 180: 60 without a time of arrival`; `nil` when nothing is left out.
  var text: String? {
    guard leftOut > 0 else { return nil }
    let reasons = LeftOutReason.allCases.compactMap { reason in
      leftOutReasons[reason.rawValue].map { "\($0) \(reason.words)" }
    }
    return "\(leftOut) of \(found): \(reasons.joined(separator: ", "))"
  }

  private mutating func add(_ counts: LeftOutCounts) {
    leftOut += counts.total
    for (reason, count) in counts.reasons { leftOutReasons[reason.rawValue, default: 0] += count }
  }
}
