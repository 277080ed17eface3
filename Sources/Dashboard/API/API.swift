import TachogramCore

/// The bodies of requests and answers, as the API document describes them (`api/schemas.yaml`): times as RFC 3339,
/// intervals and HRV in ms, heart rates in bpm.
package enum API {}

extension API {
  /// The answer to a request that failed.
  package struct Failure: Encodable, Sendable {
    package let error: String
  }

  /// Rounds a number for an answer. Three decimal places cover the precision of all values.
  package static func rounded(_ value: Double?) -> Double? {
    guard let value, value.isFinite else { return nil }
    return (value * 1000).rounded() / 1000
  }
}
