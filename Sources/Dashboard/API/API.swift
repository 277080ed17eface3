import TachogramCore

/// The bodies of requests and answers, as the API document describes them (`api/schemas.yaml`): times as RFC 3339,
/// intervals and HRV in ms, heart rates in bpm.
package enum API {}

extension API {
  /// An answer that something was wrong.
  package struct Failure: Encodable, Sendable {
    package let error: String
  }

  /// A number as answers give it: three digits behind the point say all that is known.
  static func rounded(_ value: Double?) -> Double? {
    guard let value, value.isFinite else { return nil }
    return (value * 1000).rounded() / 1000
  }
}
