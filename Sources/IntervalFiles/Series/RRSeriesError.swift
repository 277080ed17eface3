import Capture

/// Why a file gives no series of RR intervals at all. Damage that leaves something to use is not an error; see
/// `RRSeries.Problem`.
package enum RRSeriesError: Error, Hashable, Sendable {
  /// The file cannot be read, or has no bytes.
  case file(CaptureError)
  /// The file is not certain to hold RR intervals.
  case noSeries(path: String, why: RRSeriesRefusal)
}

extension RRSeriesError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .file(let error): error.description
    case .noSeries(let path, let why): "\(path): \(why)"
    }
  }
}
