/// A unit in which files contain RR intervals. Series in microseconds are recognised, but not read.
package enum RRValueUnit: String, Hashable, Sendable, CaseIterable {
  case seconds = "s"
  case milliseconds = "ms"
  case microseconds = "µs"

  /// The factor that converts a value to milliseconds.
  var scale: Double {
    switch self {
    case .seconds: 1000
    case .milliseconds: 1
    case .microseconds: 1e-3
    }
  }
}
