/// A unit in which files give RR intervals. Series in microseconds are recognised, and not read.
package enum RRValueUnit: String, Hashable, Sendable, CaseIterable {
  case seconds = "s"
  case milliseconds = "ms"
  case microseconds = "µs"

  /// What makes milliseconds of a value.
  var scale: Double {
    switch self {
    case .seconds: 1000
    case .milliseconds: 1
    case .microseconds: 1e-3
    }
  }
}
