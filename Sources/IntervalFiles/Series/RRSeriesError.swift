import Capture

/// The reason why a file contains no usable series of RR intervals. Damage that leaves usable intervals is not an error; see
/// `RRSeries.Problem`.
package enum RRSeriesError: Error, Hashable, Sendable {
  /// The file cannot be read, or has no bytes.
  case file(CaptureError)
  /// The file is not certain to contain RR intervals.
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
